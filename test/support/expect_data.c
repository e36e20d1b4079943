/* SPDX-License-Identifier: Apache-2.0 */
/* What a decoder has to say of the data events (ETM architecture 7.4). */
#include "expect_internal.h"

#include <string.h>

bool expect_is_data(const struct etm_event *e)
{
    return e->kind == ETM_EVENT_DATA || e->kind == ETM_EVENT_DATA_VALUE ||
           e->kind == ETM_EVENT_STACKING || e->kind == ETM_EVENT_SUPPRESS;
}

static const struct etm_event *behind_data(const struct walk *walk, size_t i)
{
    static const struct etm_event nothing = {.kind = ETM_EVENT_TRIGGER};

    for (i++; i < walk->n && expect_is_data(&walk->events[i]);)
        i++;
    return i < walk->n ? &walk->events[i] : &nothing;
}

static unsigned count_of(const struct expect_owner *owner)
{
    return owner->moves != NULL ? owner->moves->count : 8;
}

/* As far as the trace tells, there can be more of it. */
static bool expects(const struct expect_owner *owner)
{
    return owner->id != 0 && !owner->marked &&
           (count_of(owner) == 0 ||
            owner->seen + owner->done < count_of(owner));
}

static struct expect_owner *begin(struct maker *m)
{
    m->owner = (struct expect_owner){.id = ++m->ids};
    m->whole = false;
    return &m->owner;
}

void expect_data_insn(struct maker *m, const struct walk *walk, size_t i,
                      const struct slot *s)
{
    const struct etm_event *e = &walk->events[i];
    const struct etm_event *after = behind_data(walk, i);
    const struct moves *moves = moves_of(s);
    bool cancelled =
        m->on && !m->config->data_only && after->kind == ETM_EVENT_EXCEPTION &&
        after->u.exception.cancels && after->u.exception.resume == 0;
    unsigned resume = m->resume;
    bool silent;

    m->resume = e->u.insn.resume;
    m->last_owns = false;
    if (moves == NULL || !e->u.insn.passed)
        return;
    m->data_slot = s;
    m->data_ns = m->ns;
    m->data_hyp = m->hyp;
    /* nothing at all tells of an instruction before a silent debug entry */
    silent =
        after->u.exception.type == ETM_EXCEPTION_DEBUG_HALT &&
        (m->options->no_debug_entry || m->config->profile == ETM_PROFILE_M);
    if (cancelled &&
        (m->options->cancelled_as_failed || expect_is_split(m, s) || silent)) {
        m->owner.dropped = true; /* what comes is not of this one */
        return;
    }
    begin(m)->moves = moves;
    m->owner.insn = s->address;
    m->owner.index = resume;
    m->owner.done = resume; /* E-396 */
    m->owner.gone = cancelled;
    m->last_owns = true;
    if (m->on)
        m->traced = m->owner;
}

/* 7.4.6: the transfers that were seen cannot be told apart any more. */
static void unplace(const struct maker *m, struct record *r,
                    const struct expect_owner *owner)
{
    const struct moves *moves = owner->moves;

    if (r->owner != owner->id)
        return;
    r->e.u.data.index = ETM_DATA_INDEX_UNKNOWN;
    r->e.u.data.reg_kind = ETM_REGISTER_NO;
    r->e.u.data.reg = 0;
    if (moves != NULL && moves->store == 2)
        r->e.u.data.store = ETM_UNKNOWN;
    /* without addresses of their own these hang on the count (3.5.18) */
    if (moves != NULL && moves_pc_first(moves, m->config) &&
        m->config->minor == 0 && r->ordinal != 0) {
        r->e.u.data.address_known = false;
        r->e.u.data.address = 0;
    }
}

static void unplace_all(struct maker *m, const struct expect_owner *owner)
{
    for (size_t i = 0; i < m->out->n; i++)
        unplace(m, &m->out->r[i], owner);
    for (unsigned tag = 1; tag <= 3; tag++)
        for (unsigned k = 0; k < 2; k++)
            unplace(m, &m->waiting[tag][k].r, owner);
}

static void name_owner(const struct maker *m, const struct expect_owner *owner,
                       struct record *r)
{
    r->owner = owner->id;
    r->e.u.data.index = ETM_DATA_INDEX_UNKNOWN;
    if (owner->id == 0 || m->config->data_only)
        return;
    r->e.u.data.insn_known = owner->moves != NULL;
    r->e.u.data.insn = owner->insn;
    r->e.u.data.size = owner->moves != NULL ? owner->moves->size : 4;
    if (owner->moves == NULL)
        r->e.u.data.store = owner->pop ? ETM_FALSE : ETM_TRUE;
    else if (owner->moves->kind == MOVES_ANY && owner->moves->size == 0)
        r->e.u.data.store = ETM_UNKNOWN;
    else if (owner->moves->store < 2)
        r->e.u.data.store = owner->moves->store == 1 ? ETM_TRUE : ETM_FALSE;
}

/* Does this packet come out (7.4.6)? The first that does not leaves a mark. */
static bool is_suppressed(struct maker *m)
{
    /* while tracing is off, the trace tells of the last one before */
    struct expect_owner *owner = m->on ? &m->owner : &m->traced;
    unsigned count = count_of(&m->owner);
    struct record *r;

    if (!m->suppress && !m->whole) {
        m->suppressing = false;
        return false;
    }
    if (!m->suppressing) {
        r = expect_add(m, ETM_ELEMENT_DATA);
        r->e.u.data.index = ETM_DATA_INDEX_UNKNOWN;
        r->e.u.data.status = ETM_DATA_SUPPRESSED;
        r->cycles = expect_since(m);
        if (expects(owner)) {
            if (count_of(owner) != 0)
                unplace_all(m, owner);
            if (!owner->gone)
                name_owner(m, owner, r);
            r->hole = true;
            owner->marked = true; /* the trace has no more of it */
            if (m->traced.id == owner->id)
                m->traced.marked = true;
        }
    }
    m->suppressing = true;
    /* the events do not say how many are left of a push that began before
     * tracing did */
    if (m->owner.id != 0 &&
        (count == 0 || m->owner.index - m->owner.from < count))
        m->whole = true;
    return true;
}

static bool is_traced(const struct maker *m)
{
    const struct moves *moves = m->owner.moves;

    if (moves != NULL && moves->kind == MOVES_CPRT)
        return m->config->cprt;
    return m->config->data_value || m->config->data_address;
}

/* What registers the trace leaves to the decoder to name. */
static void number(const struct maker *m, unsigned index, struct record *r)
{
    static const uint8_t stacked[8] = {0, 1, 2, 3, 12, 14, 15, 16};
    const struct moves *moves = m->owner.moves;

    if (moves == NULL) {
        r->e.u.data.reg = stacked[index];
        r->e.u.data.reg_kind =
            index == 7 ? ETM_REGISTER_XPSR : ETM_REGISTER_CORE;
    } else {
        r->e.u.data.reg =
            moves_register(moves, index, moves_pc_first(moves, m->config),
                           &r->e.u.data.reg_kind);
        if (moves->store == 2)
            r->e.u.data.store = index == 0 ? ETM_FALSE : ETM_TRUE;
    }
    /* where the count is not known, they count from the first one seen */
    r->e.u.data.index =
        (uint8_t)(count_of(&m->owner) == 0 ? m->owner.seen : index);
}

static void give_address(struct maker *m, const struct etm_event *e,
                         struct record *r)
{
    const struct moves *moves = m->owner.moves;
    bool cprt = moves != NULL && moves->kind == MOVES_CPRT;

    if (!m->config->data_address)
        return;
    if (!cprt) {
        m->previous = e->u.data.address;
        m->previous_known = true;
        m->addressed = true;
        m->be = e->u.data.big_endian;
    } else if (m->config->data_only) {
        m->previous += 4; /* not to be told from another word (7.4.10) */
    } else {
        return;
    }
    r->e.u.data.address_known = m->previous_known;
    r->e.u.data.address = m->previous_known ? m->previous : 0;
    if (m->config->minor >= 1 && m->addressed)
        r->e.u.data.be8 = m->be ? ETM_TRUE : ETM_FALSE;
}

/* A transfer that waits is given: with its value, or without if it will not
 * come. */
static struct record *give(struct maker *m, struct expect_waiting *w,
                           const struct etm_event *value)
{
    struct record *r = NULL;

    if (!w->used)
        return NULL;
    w->used = false;
    if (w->gone)
        return NULL;
    r = expect_add(m, ETM_ELEMENT_DATA);
    *r = w->r;
    if (value != NULL) {
        r->e.u.data.value_known = true;
        r->e.u.data.value =
            value->u.data_value.failed ? 0 : value->u.data_value.value;
    }
    return r;
}

static bool shows_failure(const struct maker *m)
{
    return m->config->data_value && m->config->minor >= 1 &&
           !m->config->data_only;
}

/* The second word of a doubleword. */
static bool is_second(const struct walk *walk, size_t i)
{
    return i != 0 && walk->events[i - 1].kind == ETM_EVENT_DATA &&
           walk->events[i - 1].u.data.tag == walk->events[i].u.data.tag;
}

/* The tag is for another transfer now, or for a second one. */
static void await(struct expect_awaited *a, bool second)
{
    if (!second || a->n == 2)
        a->n = 0;
    a->traced[a->n++] = false;
}

static void wait_for(struct maker *m, const struct walk *walk, size_t i,
                     const struct record *r)
{
    unsigned tag = walk->events[i].u.data.tag;
    struct expect_waiting *w = m->waiting[tag];
    struct expect_awaited *a = &m->awaited[tag];
    bool second = is_second(walk, i) && a->n == 2 && a->traced[0];

    a->traced[a->n - 1] = true;
    if (!second) { /* the value of the one before was lost */
        give(m, &w[0], NULL);
        give(m, &w[1], NULL);
    }
    w[second] =
        (struct expect_waiting){.used = true, .gone = m->owner.gone, .r = *r};
}

static void transfer(struct maker *m, const struct walk *walk, size_t i)
{
    const struct etm_event *e = &walk->events[i];
    struct expect_owner *owner = &m->owner;
    struct record r = {.e.kind = ETM_ELEMENT_DATA,
                       .cycles = ETM_CYCLES_UNKNOWN};
    unsigned index = owner->index;
    bool viewed = !e->u.data.filtered;
    bool tagged = viewed && e->u.data.tag != 0 && m->config->data_value;

    if (e->u.data.tag != 0)
        await(&m->awaited[e->u.data.tag], is_second(walk, i));
    if (owner->dropped)
        return;
    owner->index++;
    if (!m->on || owner->id == 0 || !is_traced(m))
        return;
    if (owner->moves != NULL && owner->moves->kind == MOVES_CPRT &&
        !m->config->cprt_filter) {
        viewed = true;
        tagged = e->u.data.tag != 0 && m->config->data_value;
    }
    if (!viewed && (owner->seen == 0 ||
                    (m->config->data_only && m->options->data_only_addresses)))
        return;
    if (is_suppressed(m))
        return;
    name_owner(m, owner, &r);
    r.ordinal = (uint8_t)owner->seen;
    if (!m->config->data_only)
        number(m, index, &r);
    give_address(m, e, &r);
    owner->seen++;
    m->traced = *owner;
    r.e.u.data.status = viewed ? ETM_DATA_OK : ETM_DATA_NOT_TRACED;
    if (tagged) {
        wait_for(m, walk, i, &r);
        return;
    }
    r.cycles = expect_since(m); /* of values out of order it is not (7.3.3) */
    r.e.u.data.value_known = viewed && m->config->data_value;
    if (r.e.u.data.value_known)
        r.e.u.data.value = e->u.data.failed ? 0 : e->u.data.value;
    if (!owner->gone)
        *expect_add(m, ETM_ELEMENT_DATA) = r;
    if (e->u.data.failed && owner->index == count_of(owner) && viewed &&
        shows_failure(m))
        for (size_t k = 0; k < m->out->n; k++)
            if (m->out->r[k].owner == owner->id)
                m->out->r[k].e.u.data.status = ETM_DATA_STORE_FAILED;
}

static void late_value(struct maker *m, const struct etm_event *e)
{
    struct expect_waiting *w = m->waiting[e->u.data_value.tag];
    struct expect_awaited *a = &m->awaited[e->u.data_value.tag];
    struct record *r;
    bool traced = a->n != 0 && a->traced[0];
    unsigned count = count_of(&m->owner);

    a->traced[0] = a->traced[1];
    if (a->n != 0)
        a->n--;
    if (!traced)
        return;
    if (m->owner.over ||
        (count != 0 && m->owner.index - m->owner.from >= count))
        m->whole = false; /* the instruction is complete (7.4.6) */
    if (is_suppressed(m)) /* it never comes: that is found out later */
        return;
    r = give(m, w[0].used ? &w[0] : &w[1], e);
    if (r != NULL && e->u.data_value.failed && shows_failure(m))
        r->e.u.data.status = ETM_DATA_STORE_FAILED;
}

static void stacking(struct maker *m, const struct walk *walk, size_t i)
{
    const struct etm_event *e = &walk->events[i];
    const struct etm_event *after = behind_data(walk, i);
    unsigned n = 0;

    if (!m->on)
        return;
    m->before = m->owner;
    begin(m)->pop = e->u.stacking.pop;
    /* an abandoned pop (7.5.4) */
    m->owner.gone = e->u.stacking.pop && !m->config->data_only &&
                    after->kind == ETM_EVENT_EXCEPTION &&
                    after->u.exception.chain == ETM_CHAIN_PREEMPTED;
    m->traced = m->owner;
    if (i != 0 && walk->events[i - 1].kind == ETM_EVENT_TRACE_ON) {
        /* these are the last ones */
        for (size_t k = i + 1; k < walk->n; k++, n++)
            if (walk->events[k].kind != ETM_EVENT_DATA)
                break;
        m->owner.index = m->owner.from = 8 - n;
    }
}

void expect_data(struct maker *m, const struct walk *walk, size_t i)
{
    const struct etm_event *e = &walk->events[i];

    if (!config_traces_data(m->config))
        return;
    if (e->kind == ETM_EVENT_DATA)
        transfer(m, walk, i);
    else if (e->kind == ETM_EVENT_DATA_VALUE)
        late_value(m, e);
    else if (e->kind == ETM_EVENT_STACKING)
        stacking(m, walk, i);
    else if (!m->config->data_only)
        m->suppress = e->u.suppress.on;
}

void expect_data_cancel(struct maker *m)
{
    struct expect_owner *owner =
        m->owner.id != 0 && m->owner.moves == NULL ? &m->before : &m->owner;
    size_t n = 0;

    if (!m->last_owns || owner->id == 0)
        return;
    for (size_t i = 0; i < m->out->n; i++) {
        struct record *r = &m->out->r[i];
        if (r->owner == owner->id && r->hole) {
            *r = (struct record){
                .e = {.kind = ETM_ELEMENT_DATA,
                      .u.data = {.status = ETM_DATA_SUPPRESSED,
                                 .index = ETM_DATA_INDEX_UNKNOWN}},
                .cycles = r->cycles};
        } else if (r->owner == owner->id) {
            continue;
        }
        m->out->r[n++] = *r;
    }
    m->out->n = n;
    for (unsigned tag = 1; tag <= 3; tag++)
        for (unsigned k = 0; k < 2; k++)
            if (m->waiting[tag][k].r.owner == owner->id)
                m->waiting[tag][k].gone = true;
    owner->gone = true;
    if (m->traced.id == owner->id)
        m->traced.gone = true;
}

void expect_data_exit(struct maker *m)
{
    if (m->config->profile != ETM_PROFILE_M || !config_traces_data(m->config))
        return;
    begin(m)->pop = true;
    m->last_owns = false;
    if (m->on)
        m->traced = m->owner;
}

void expect_data_pause(struct maker *m)
{
    if (m->owner.moves == NULL) /* the push after it goes on */
        return;
    m->owner = (struct expect_owner){.over = true}; /* E-493 */
    m->traced = m->owner;
}

void expect_data_start(struct maker *m, bool in_progress)
{
    const struct expect_owner *last = &m->traced;
    /* E-377 */
    bool hidden = m->reason == ETM_TRACE_ON_DEBUG_EXIT && !m->halted;

    /* packets may have been lost in an overflow */
    if ((m->reason == ETM_TRACE_ON_OVERFLOW || hidden) && last->seen != 0 &&
        expects(last) && count_of(last) != 0)
        unplace_all(m, last);
    m->halted = false;
    if (in_progress) { /* it begins again, with the transfers that are left */
        m->owner.id = ++m->ids;
        m->owner.seen = 0;
        m->owner.done = 0;
        m->owner.gone = false;
    } else {
        m->owner = (struct expect_owner){0};
        m->whole = false;
    }
    m->traced = m->owner;
    m->previous_known = false;
    m->resume = 0;
}

void expect_data_end(struct maker *m)
{
    const struct expect_owner *last = &m->traced;

    /* E-359 */
    if (last->seen != 0 && expects(last) && count_of(last) != 0 &&
        last->moves != NULL && moves_pc_first(last->moves, m->config) &&
        m->config->minor == 0)
        unplace_all(m, last);
    for (unsigned tag = 1; tag <= 3; tag++)
        for (unsigned k = 0; k < 2; k++)
            give(m, &m->waiting[tag][k], NULL);
}
