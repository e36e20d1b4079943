/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/variables.h"

static const struct etm_cli_variables_form *
form_of(const struct etm_cli_replay *r)
{
    const char *format = r->options->format;

    return r->options->view.watch ? etm_cli_variables_list(format)
                                  : etm_cli_variables_sum(format);
}

/* ---- What a transfer is of ----------------------------------------------- */

/* In the order of bytes that the trace says, or the capture, or the program
 * (4.9.2). */
static bool is_big(const struct etm_cli_replay *r, const struct etm_element *e,
                   const struct etm_scalar *scalar)
{
    enum etm_endian endian = r->info->config.endian;

    if (e->u.data.be8 != ETM_UNKNOWN)
        return e->u.data.be8 == ETM_TRUE;
    if (endian != ETM_ENDIAN_UNKNOWN)
        return endian != ETM_ENDIAN_LITTLE;
    return scalar->big_endian;
}

/* Up to ARMv5, which have ETMv1 and ETMv2, a load from an address that is not
 * aligned rotates what it loads, and a store ignores the low bits. */
static bool is_rotated(const struct etm_cli_replay *r,
                       const struct etm_element *e)
{
    enum etm_protocol protocol = r->info->config.protocol;

    return (protocol == ETM_PROTOCOL_ETMV1 || protocol == ETM_PROTOCOL_ETMV2) &&
           e->u.data.size > 1 &&
           e->u.data.address % (e->u.data.size < 4 ? 2u : 4u) != 0;
}

static bool is_watched(struct etm_cli_variables *v, uint32_t address,
                       uint32_t size)
{
    bool found = v->watch.n == 0;

    for (unsigned i = 0; i < v->watch.n; i++) {
        struct etm_cli_watched *w = &v->watch.rows[i];
        uint32_t length = w->size != 0 ? w->size : 1;

        if (address - w->address >= length && w->address - address >= size)
            continue;
        w->seen = found = true;
    }
    return found;
}

/* ---- Sights -------------------------------------------------------------- */

static int take(void *context, void *item, const struct etm_clock_time *time)
{
    struct etm_cli_replay *r = context;

    return form_of(r)->sight(r, item, time);
}

static void hold(struct etm_cli_replay *r, struct etm_cli_sight *sight,
                 const struct etm_element *e)
{
    struct etm_cli_variables *v = r->state;

    sight->at = etm_calls_cost(r->calls);
    sight->offset = e->offset;
    sight->size = e->u.data.size <= 8 ? e->u.data.size : 8;
    sight->store = e->u.data.store;
    sight->insn_known = e->u.data.insn_known;
    sight->insn = e->u.data.insn;
    v->status = v->clock ? etm_clock_hold(v->clock, etm_cli_now(r), sight)
                         : take(r, sight, &(struct etm_clock_time){0});
}

/* What is known of the scalar now. */
static void look(struct etm_cli_replay *r, struct etm_cli_sight *sight,
                 const struct etm_element *e)
{
    struct etm_cli_variables *v = r->state;
    struct etm_scalar scalar = {0};
    uint8_t bytes[8];

    sight->size = e->u.data.size;
    etm_cli_sight_scalar(r, sight, &scalar);
    if (scalar.size > 8)
        scalar.size = 8;
    sight->big = is_big(r, e, &scalar);
    sight->known = (uint8_t)etm_cli_known_get(&v->known, scalar.address, bytes,
                                              scalar.size);
    sight->raw = etm_cli_join_bytes(bytes, scalar.size, sight->big);
}

/* All scalars of which byte `i` of the transfer is the first one that it
 * touches. How many. */
static unsigned see_byte(struct etm_cli_replay *r, const struct etm_element *e,
                         unsigned i)
{
    struct etm_cli_variables *v = r->state;
    uint32_t address = e->u.data.address + i;
    const struct etm_scalar *scalar;
    unsigned n = 0, seen = 0;
    int status;

    while (v->status == ETM_OK &&
           (status = etm_cli_programs_scalar(v->programs, address, n,
                                             &scalar)) == ETM_OK) {
        struct etm_cli_sight sight = {.address = address, .n = (uint16_t)n++};
        bool first =
            i == 0 || (scalar->size != 0 && scalar->address == address);

        seen++;
        if (!first || !is_watched(v, scalar->address,
                                  scalar->size != 0 ? scalar->size : 1))
            continue;
        look(r, &sight, e);
        hold(r, &sight, e);
    }
    if (v->status == ETM_OK && seen == 0 && i == 0 && v->watch.n != 0 &&
        is_watched(v, address, 1)) {
        struct etm_cli_sight sight = {.address = address, .made_up = true};

        seen++;
        look(r, &sight, e);
        hold(r, &sight, e);
    }
    return seen;
}

/* What a transfer tells of memory. A store that is not known to have moved its
 * value leaves nothing known where it went. */
static void note_bytes(struct etm_cli_replay *r, const struct etm_element *e)
{
    struct etm_cli_variables *v = r->state;
    const struct etm_scalar *found;
    struct etm_scalar scalar = {0};
    unsigned size =
        e->u.data.size == 0 || e->u.data.size > 8 ? 8 : e->u.data.size;
    uint32_t address = e->u.data.address;
    uint8_t bytes[8];

    if (e->u.data.status == ETM_DATA_STORE_FAILED)
        return;
    if (is_rotated(r, e) || !e->u.data.value_known || e->u.data.size != size) {
        if (e->u.data.store == ETM_FALSE)
            return;
        if (is_rotated(r, e))
            address &= ~UINT32_C(3), size = 8;
        v->status = etm_cli_known_set(&v->known, address, NULL, size);
        return;
    }
    if (etm_cli_programs_scalar(v->programs, address, 0, &found) == ETM_OK)
        scalar = *found;
    etm_cli_split_bytes(e->u.data.value, bytes, size, is_big(r, e, &scalar));
    v->status = etm_cli_known_set(&v->known, address, bytes, size);
}

/* A DWT may tell the comparator, and bits [15:0] of the address (E7.3 of the
 * ARMv7-M manual). They are enough if there is one watched variable there. */
static bool complete_address(struct etm_cli_variables *v, struct etm_element *e)
{
    const struct etm_cli_watched *found = NULL;
    uint16_t low = e->u.data.address_low;

    if (!e->u.data.address_low_known)
        return false;
    for (unsigned i = 0; i < v->watch.n; i++) {
        const struct etm_cli_watched *w = &v->watch.rows[i];

        if ((uint16_t)(low - w->address) >= (w->size != 0 ? w->size : 1))
            continue;
        if (found)
            return false;
        found = w;
    }
    if (!found)
        return false;
    e->u.data.address = found->address + (uint16_t)(low - found->address);
    return e->u.data.address_known = true;
}

/* Without an address, what is known is which comparator matched. */
static void take_comparator(struct etm_cli_replay *r,
                            const struct etm_element *e)
{
    struct etm_cli_variables *v = r->state;
    struct etm_cli_sight sight = {.address = e->u.data.comparator,
                                  .made_up = true,
                                  .by_comparator = true,
                                  .raw = e->u.data.value};

    if (e->u.data.value_known && e->u.data.size <= 8)
        sight.known = (uint8_t)((1u << e->u.data.size) - 1);
    hold(r, &sight, e);
    v->transfers.shown++;
}

static void take_data(struct etm_cli_replay *r, const struct etm_element *given)
{
    struct etm_cli_variables *v = r->state;
    struct etm_element element = *given, *e = &element;
    unsigned n = e->u.data.size != 0 ? e->u.data.size : 1, seen = 0;

    v->transfers.all++;
    v->transfers.without_value += !e->u.data.value_known;
    if (!e->u.data.address_known && !complete_address(v, e)) {
        v->transfers.without_address++;
        /* it may have gone anywhere; what filters leave out is not told of at
           all, with or without this sign of it */
        if (e->u.data.store != ETM_FALSE && !etm_cli_is_itm(r) &&
            e->u.data.status != ETM_DATA_NOT_TRACED)
            etm_cli_known_forget(&v->known);
        if (e->u.data.comparator_known && v->watch.n == 0)
            take_comparator(r, e);
        return;
    }
    note_bytes(r, e);
    for (unsigned i = 0; i < n && i < 8 && v->status == ETM_OK; i++)
        seen += see_byte(r, e, i);
    v->transfers.shown += seen != 0 && is_watched(v, e->u.data.address, n);
    v->transfers.elsewhere += seen == 0;
}

static void take_element(struct etm_cli_replay *r, const struct etm_element *e)
{
    struct etm_cli_variables *v = r->state;

    if (v->status != ETM_OK)
        return;
    if (e->kind == ETM_ELEMENT_DATA) {
        take_data(r, e);
    } else if (e->kind == ETM_ELEMENT_TIMESTAMP) {
        if (v->clock && e->u.timestamp.value != ETM_TIMESTAMP_UNKNOWN)
            v->status = etm_clock_timestamp(v->clock, etm_cli_now(r),
                                            e->u.timestamp.value);
    } else if (e->kind == ETM_ELEMENT_TRACE_ON || e->kind == ETM_ELEMENT_LOST ||
               e->kind == ETM_ELEMENT_NO_IMAGE) {
        etm_cli_known_forget(&v->known);
    }
}

static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    const struct etm_cli_replay *r = context;
    const struct etm_cli_variables *v = r->state;

    (void)calls;
    (void)n;
    return v->status;
}

/* ---- The view ------------------------------------------------------------ */

static int prepare(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;

    v->programs = etm_cli_programs_open(r->session);
    if (!v->programs) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    return etm_cli_watch_find(r, &v->watch);
}

static int begin_source(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;
    const struct etm_clock_config config = {.size = sizeof config,
                                            .take = take,
                                            .context = r,
                                            .sizeof_item =
                                                sizeof(struct etm_cli_sight)};

    v->status = ETM_OK;
    v->transfers = (struct etm_cli_transfers){0};
    etm_cli_known_free(&v->known); /* another processor has other memory */
    form_of(r)->head(r);
    return r->times ? etm_clock_new(&v->clock, &config) : ETM_OK;
}

static int end_source(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;

    if (v->status == ETM_OK && v->clock)
        v->status = etm_clock_finish(v->clock);
    etm_clock_free(v->clock);
    v->clock = NULL;
    if (v->status == ETM_OK)
        form_of(r)->end(r);
    if (v->transfers.all == 0 && !etm_cli_is_itm(r))
        etm_cli_error("%s: no data transfers are in the trace", r->info->name);
    else if (v->transfers.without_address == v->transfers.all &&
             v->transfers.shown == 0)
        etm_cli_error("%s: no data transfer has an address: it is not known of "
                      "which variables they are",
                      r->info->name);
    else if (v->transfers.without_value == v->transfers.all)
        etm_cli_error("%s: no data transfer has a value: what is known is when "
                      "variables are accessed",
                      r->info->name);
    return v->status;
}

static int end(struct etm_cli_replay *r)
{
    const struct etm_cli_variables *v = r->state;

    for (unsigned i = 0; i < v->watch.n; i++)
        if (!v->watch.rows[i].seen)
            etm_cli_error("--watch %s: no transfer of it is in the trace",
                          v->watch.rows[i].name);
    return ETM_OK;
}

static void free_all(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;

    etm_clock_free(v->clock);
    etm_cli_known_free(&v->known);
    etm_cli_variables_sum_free(v);
    etm_cli_programs_free(v->programs);
}

#define VIEW(text, told)                                                       \
    {                                                                          \
        .command = ETM_CLI_VARIABLES, .format = text,                          \
        .state_size = sizeof(struct etm_cli_variables), .prepare = prepare,    \
        .source = begin_source, .calls = take_calls, .element = take_element,  \
        .end_source = end_source, .end = end, .free = free_all,                \
        .tells_time = told                                                     \
    }

const struct etm_cli_view etm_cli_variables_text = VIEW("text", false);
const struct etm_cli_view etm_cli_variables_jsonl = VIEW("jsonl", true);
const struct etm_cli_view etm_cli_variables_csv = VIEW("csv", true);
