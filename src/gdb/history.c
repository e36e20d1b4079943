/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/history.h"

void etm_gdb_history_init(struct etm_gdb_history *h,
                          const struct etm_session *session, size_t source,
                          unsigned jobs)
{
    *h = (struct etm_gdb_history){
        .session = session, .source = source, .jobs = jobs};
    h->bytes = etm_session_bytes(session, source);
    h->n_stretches =
        h->bytes == 0 ? 1 : (h->bytes - 1) / ETM_GDB_STRETCH_BYTES + 1;
    etm_vec_init(&h->points, sizeof(struct etm_point), &etm_allocator_malloc);
    for (size_t i = 0; i < ETM_GDB_STRETCHES_KEPT; i++) {
        etm_vec_init(&h->kept[i].insns, sizeof(struct etm_gdb_insn),
                     &etm_allocator_malloc);
        etm_vec_init(&h->kept[i].events, sizeof(struct etm_gdb_event),
                     &etm_allocator_malloc);
    }
}

void etm_gdb_history_fini(struct etm_gdb_history *h)
{
    etm_vec_fini(&h->points);
    for (size_t i = 0; i < ETM_GDB_STRETCHES_KEPT; i++) {
        etm_vec_fini(&h->kept[i].insns);
        etm_vec_fini(&h->kept[i].events);
    }
}

int etm_gdb_history_run(const struct etm_gdb_history *h, uint64_t first,
                        uint64_t n, struct etm_session_run run)
{
    struct etm_diag diag;

    run.size = sizeof run;
    run.start = ETM_START_JOIN;
    run.begin = first * ETM_GDB_STRETCH_BYTES;
    /* the last part ends where the capture does */
    run.end =
        first + n >= h->n_stretches ? 0 : (first + n) * ETM_GDB_STRETCH_BYTES;
    return etm_session_run_source(h->session, h->source, &run, &diag);
}

static uint32_t cycles_of(uint64_t cycles)
{
    return cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX;
}

static int keep(void *context, const struct etm_element *elements, size_t n)
{
    struct etm_gdb_stretch *s = context;
    int status = etm_vec_reserve(&s->insns, n);

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        const struct etm_element *e = &elements[i];
        struct etm_gdb_insn *insn = s->insns.data;

        if (e->kind != ETM_ELEMENT_INSN) {
            const struct etm_gdb_event event = {*e, (uint32_t)s->insns.n};

            status = etm_vec_append(&s->events, &event, 1);
            continue;
        }
        if (s->insns.n >= UINT32_MAX)
            return ETM_ERR_MEMORY;
        insn[s->insns.n++] =
            (struct etm_gdb_insn){.offset = e->offset,
                                  .address = e->u.insn.address,
                                  .opcode = e->u.insn.opcode,
                                  .cycles = cycles_of(e->u.insn.cycles),
                                  .isa = e->u.insn.isa,
                                  .type = e->u.insn.type,
                                  .exec = e->u.insn.exec,
                                  .flags = e->u.insn.flags,
                                  .size = e->u.insn.size};
    }
    return status;
}

int etm_gdb_history_stretch(struct etm_gdb_history *h, uint64_t number,
                            const struct etm_gdb_stretch **stretch)
{
    struct etm_gdb_stretch *s = &h->kept[0];
    struct etm_session_run run = {
        .level = ETM_LEVEL_INSTRUCTIONS, .elements = keep, .jobs = 1};
    int status;

    *stretch = NULL;
    for (size_t i = 0; i < ETM_GDB_STRETCHES_KEPT; i++) {
        if (h->kept[i].used != 0 && h->kept[i].number == number) {
            h->kept[i].used = ++h->uses;
            *stretch = &h->kept[i];
            return ETM_OK;
        }
        if (h->kept[i].used < s->used)
            s = &h->kept[i];
    }
    s->used = 0;
    s->number = number;
    s->insns.n = s->events.n = 0;
    run.context = s;
    status = etm_gdb_history_run(h, number, 1, run);
    if (status != ETM_OK)
        return status;
    s->used = ++h->uses;
    *stretch = s;
    return ETM_OK;
}

struct etm_element etm_gdb_element_of(const struct etm_gdb_insn *insn)
{
    struct etm_element e = {.offset = insn->offset, .kind = ETM_ELEMENT_INSN};

    e.u.insn.isa = insn->isa;
    e.u.insn.type = insn->type;
    e.u.insn.exec = insn->exec;
    e.u.insn.flags = insn->flags;
    e.u.insn.size = insn->size;
    e.u.insn.address = insn->address;
    e.u.insn.opcode = insn->opcode;
    e.u.insn.cycles =
        insn->cycles == UINT32_MAX ? ETM_CYCLES_UNKNOWN : insn->cycles;
    return e;
}

size_t etm_gdb_events_before(const struct etm_gdb_stretch *stretch,
                             uint32_t insn)
{
    const struct etm_gdb_event *events = etm_gdb_events(stretch);
    size_t low = 0, high = stretch->events.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (events[middle].before < insn)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool etm_gdb_is_wanted(const struct etm_gdb_wanted *wanted, uint32_t address)
{
    for (size_t i = 0; i < wanted->n_addresses; i++)
        if (wanted->addresses[i] == address)
            return true;
    return false;
}

const struct etm_gdb_watch *etm_gdb_watched(const struct etm_gdb_wanted *wanted,
                                            const struct etm_element *e)
{
    if (e->kind != ETM_ELEMENT_DATA || !e->u.data.address_known)
        return NULL;
    for (size_t i = 0; i < wanted->n_watches; i++) {
        const struct etm_gdb_watch *w = &wanted->watches[i];
        uint32_t size = e->u.data.size != 0 ? e->u.data.size : 4;
        bool within = e->u.data.address - w->address < w->size ||
                      w->address - e->u.data.address < size;

        if (!within)
            continue;
        if ((e->u.data.store != ETM_FALSE &&
             (w->accesses & (unsigned)ETM_GDB_WRITES) != 0) ||
            (e->u.data.store != ETM_TRUE &&
             (w->accesses & (unsigned)ETM_GDB_READS) != 0))
            return w;
    }
    return NULL;
}

/* A search by counts. */
struct search {
    const struct etm_gdb_wanted *wanted;
    bool found;
};

static int look_at_element(void *context, const struct etm_element *elements,
                           size_t n)
{
    struct search *s = context;

    for (size_t i = 0; i < n; i++)
        if (etm_gdb_is_kind(&elements[i], s->wanted->kinds) ||
            etm_gdb_watched(s->wanted, &elements[i])) {
            s->found = true;
            return ETM_ERR_STOPPED;
        }
    return ETM_OK;
}

static int look_at_count(void *context, const struct etm_count *count)
{
    struct search *s = context;
    const struct etm_gdb_wanted *w = s->wanted;

    s->found = s->found || w->anything;
    for (size_t i = 0; i < w->n_addresses; i++)
        s->found = s->found ||
                   w->addresses[i] - count->start < count->end - count->start;
    return s->found ? ETM_ERR_STOPPED : ETM_OK;
}

int etm_gdb_history_has(const struct etm_gdb_history *h, uint64_t first,
                        uint64_t n, const struct etm_gdb_wanted *wanted,
                        bool *has)
{
    struct search s = {.wanted = wanted};
    struct etm_session_run run = {.elements = look_at_element,
                                  .counts = look_at_count,
                                  .context = &s,
                                  .jobs = h->jobs};
    int status;

    run.level = wanted->kinds != 0 || wanted->n_watches != 0
                    ? ETM_LEVEL_COUNTS
                    : ETM_LEVEL_COVERAGE;
    status = etm_gdb_history_run(h, first, n, run);
    *has = s.found;
    return status == ETM_ERR_STOPPED && s.found ? ETM_OK : status;
}
