/* SPDX-License-Identifier: Apache-2.0 */
/* Everyday (everyday.h): motors, a state machine for each. */
#include "everyday.h"

#define MOTORS 12u
#define EVENTS_MOST (2 * MOTORS)

enum event_kind { START, STOP, STEP, FAULT, COOL };

struct event {
    uint32_t time;
    uint8_t motor, kind; /* enum event_kind */
};

struct motor {
    enum { IDLE, SPINNING_UP, RUNNING, BRAKING, FAILED } state;
    uint32_t speed, wanted, heat, faults;
};

/* A heap: the first one is the next one. */
static struct event events[EVENTS_MOST];
static unsigned n_events;
static struct motor motors[MOTORS];

static void post(uint32_t time, uint32_t motor, enum event_kind kind)
{
    unsigned i = n_events++;

    check(n_events <= EVENTS_MOST, "too many events");
    for (; i != 0 && events[(i - 1) / 2].time > time; i = (i - 1) / 2)
        events[i] = events[(i - 1) / 2];
    events[i] = (struct event){time, (uint8_t)motor, (uint8_t)kind};
}

static struct event next_event(void)
{
    struct event first = events[0], last = events[--n_events];
    unsigned i = 0;

    for (unsigned child; (child = 2 * i + 1) < n_events; i = child) {
        if (child + 1 < n_events && events[child + 1].time < events[child].time)
            child++;
        if (events[child].time >= last.time)
            break;
        events[i] = events[child];
    }
    events[i] = last;
    return first;
}

/* A motor that turns, one step on. Each has one event that is to come. */
static void step(struct motor *m, const struct event *e)
{
    m->heat += m->speed / 16;
    m->heat -= m->heat / 8;
    if (m->heat > 900 && random_below(40) == 0) {
        post(e->time + 1, e->motor, FAULT);
        return;
    }
    if (m->state == SPINNING_UP) {
        m->speed += 1 + (m->wanted - m->speed) / 8;
        if (m->speed >= m->wanted)
            m->state = RUNNING;
    } else if (m->state == BRAKING) {
        m->speed -= 1 + m->speed / 4;
        if (m->speed == 0) {
            m->state = IDLE;
            post(e->time + 20 + random_below(200), e->motor, START);
            return;
        }
    } else if (random_below(60) == 0) {
        post(e->time + 1, e->motor, STOP);
        return;
    }
    post(e->time + 5, e->motor, STEP);
}

static void deal_with(const struct event *e)
{
    struct motor *m = &motors[e->motor];

    switch ((enum event_kind)e->kind) {
    case START:
        m->state = SPINNING_UP;
        m->wanted = 200 + random_below(2800);
        post(e->time + 5, e->motor, STEP);
        break;
    case STOP:
        m->state = BRAKING;
        post(e->time + 5, e->motor, STEP);
        break;
    case STEP:
        step(m, e);
        break;
    case FAULT:
        m->state = FAILED;
        m->faults++;
        m->speed = 0;
        post(e->time + 50, e->motor, COOL);
        break;
    case COOL:
        m->heat /= 2;
        post(e->time + (m->heat > 100 ? 50 : 1), e->motor,
             m->heat > 100 ? COOL : START);
        break;
    }
}

void run_motors(void)
{
    if (n_events == 0)
        for (uint32_t i = 0; i < MOTORS; i++)
            post(random_below(100), i, START);
    for (unsigned i = 0; i < 600; i++) {
        struct event e = next_event();

        deal_with(&e);
    }
    check(n_events == MOTORS, "an event is lost");
}
