/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/track.h"

/* Stretches before the one of the place that are followed, too. With data they
 * have fewer instructions, but tell more; without, little is known for long but
 * the stacks that the M profile uses. */
#define BEFORE UINT64_C(1)
#define BEFORE_M UINT64_C(4)
#define BEFORE_DATA UINT64_C(16)

void etm_gdb_track_init(struct etm_gdb_track *t,
                        struct etm_gdb_history *history,
                        const struct etm_config *config,
                        etm_gdb_constants_fn *constants, void *context)
{
    t->history = history;
    t->marked = false;
    t->before = config->data_address || config->data_value ? BEFORE_DATA
                : config->profile == ETM_PROFILE_M         ? BEFORE_M
                                                           : BEFORE;
    etm_gdb_values_init(&t->empty, config, constants, context);
}

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    for (size_t i = 0; i < n; i++)
        etm_gdb_values_take(context, &elements[i]);
    return ETM_OK;
}

/* Take instructions of a stretch, and the events before each; behind the last
 * one, those of its own transfers. */
static void take(struct etm_gdb_values *values,
                 const struct etm_gdb_stretch *stretch, uint32_t from,
                 uint32_t to)
{
    const struct etm_gdb_event *events = etm_gdb_events(stretch);
    size_t at = etm_gdb_events_before(stretch, from == 0 ? 0 : from + 1);

    for (uint32_t i = from; i <= to; i++) {
        for (; at < stretch->events.n && events[at].before <= i; at++)
            etm_gdb_values_take(values, &events[at].element);
        if (i < to) {
            const struct etm_element e =
                etm_gdb_element_of(&etm_gdb_insns(stretch)[i]);

            etm_gdb_values_take(values, &e);
        }
    }
}

/* Follow the stretches before one. If they are few they are kept: whoever goes
 * backwards will come to them. */
static int follow(struct etm_gdb_track *t, uint64_t number)
{
    uint64_t from = number < t->before ? 0 : number - t->before;
    const struct etm_session_run run = {.level = ETM_LEVEL_INSTRUCTIONS,
                                        .elements = take_elements,
                                        .context = &t->here,
                                        .sizeof_element =
                                            sizeof(struct etm_element),
                                        .jobs = 1};
    const struct etm_gdb_stretch *stretch;
    int status = ETM_OK;

    if (from < number && t->before >= ETM_GDB_STRETCHES_KEPT - 1)
        return etm_gdb_history_run(t->history, from, number - from, run);
    for (; from < number && status == ETM_OK; from++) {
        status = etm_gdb_history_stretch(t->history, from, &stretch);
        if (status == ETM_OK)
            take(&t->here, stretch, 0, (uint32_t)stretch->insns.n);
    }
    return status;
}

static int mark(struct etm_gdb_track *t, const struct etm_gdb_stretch *stretch)
{
    uint32_t n = (uint32_t)stretch->insns.n;
    int status;

    t->marked = false;
    t->distance = n / ETM_GDB_TRACK_MARKS + 1;
    t->here = t->empty;
    status = follow(t, stretch->number);
    for (uint32_t i = 0; i < ETM_GDB_TRACK_MARKS && status == ETM_OK; i++) {
        uint32_t first = i * t->distance;

        /* the events before the first instruction belong to the mark */
        if (i == 0)
            take(&t->here, stretch, 0, 0);
        t->marks[i] = t->here;
        if (first < n)
            take(&t->here, stretch, first,
                 n - first < t->distance ? n : first + t->distance);
    }
    t->marked = status == ETM_OK;
    t->stretch = stretch->number;
    return status;
}

int etm_gdb_track_at(struct etm_gdb_track *t, const struct etm_gdb_place *place,
                     const struct etm_gdb_registers **registers)
{
    const struct etm_gdb_stretch *stretch;
    uint32_t nearest;
    int status = etm_gdb_history_stretch(t->history, place->stretch, &stretch);

    *registers = &t->here.registers;
    if (status == ETM_OK && !(t->marked && t->stretch == place->stretch))
        status = mark(t, stretch);
    if (status != ETM_OK)
        return status;
    nearest = place->insn / t->distance;
    t->here = t->marks[nearest];
    take(&t->here, stretch, nearest * t->distance, place->insn);
    return ETM_OK;
}
