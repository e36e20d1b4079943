/* SPDX-License-Identifier: Apache-2.0 */
/* --from, --to, --last and --shard: finding the places. */
#include "cli/part.h"
#include "cli/args.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* A place: bytes, N%, ts:TIME or cyc:CYCLES. */
struct place {
    enum etm_cli_unit unit;
    const char *share; /* or NULL: digits, perhaps with a point among them, and
                          `%` */
    uint64_t value;
};

static const char digits[] = "0123456789";

/* The bytes for a percentage of `total`, which is less than 2^56. */
static uint64_t share_of(const char *text, uint64_t total)
{
    size_t whole = strspn(text, digits);
    uint64_t below = 0, n = 0;

    if (text[whole] == '.')
        for (size_t i = strspn(text + whole + 1, digits); i != 0; i--)
            below = ((uint64_t)(text[whole + i] - '0') * total + below) / 10;
    for (size_t i = 0; i < whole; i++)
        n = 10 * n + (uint64_t)(text[i] - '0');
    return (n * total + below) / 100;
}

static bool is_share(const char *text)
{
    size_t n = strspn(text, digits), zeros = strspn(text, "0"), behind = 0;

    if (text[n] == '.')
        behind = strspn(text + n + 1, digits) + 1;
    if (n == 0 || behind == 1 || strcmp(text + n + behind, "%") != 0)
        return false;
    if (n - zeros < 3)
        return true;
    return n - zeros == 3 && strncmp(text + zeros, "100", 3) == 0 &&
           (behind == 0 || strspn(text + n + 1, "0") == behind - 1);
}

static bool parse(const char *text, struct place *place)
{
    size_t n = strlen(text);

    *place = (struct place){0};
    if (strncmp(text, "ts:", 3) == 0)
        place->unit = ETM_CLI_TIMESTAMP;
    else if (strncmp(text, "cyc:", 4) == 0)
        place->unit = ETM_CLI_CYCLES;
    if (place->unit != ETM_CLI_BYTES) {
        return etm_cli_number(strchr(text, ':') + 1, UINT64_MAX, &place->value);
    }
    if (n == 0 || text[n - 1] != '%')
        return etm_cli_bytes(text, &place->value);
    place->share = text;
    return is_share(text);
}

/* As far as this follows from the two places themselves. */
static bool is_before(const struct place *a, const struct place *b)
{
    const uint64_t much = UINT64_C(1) << 55;

    if (a->share != NULL && b->share != NULL)
        return share_of(a->share, much) < share_of(b->share, much);
    return a->unit == b->unit && a->share == NULL && b->share == NULL &&
           a->value < b->value;
}

/* I/N, with I from 1 to N. */
static bool parse_shard(const char *text, unsigned *i, unsigned *n)
{
    uint64_t first, last;

    if (!etm_cli_take_number(&text, 999999999, &first) || *text++ != '/' ||
        !etm_cli_number(text, 999999999, &last))
        return false;
    *i = (unsigned)first;
    *n = (unsigned)last;
    return *i >= 1 && *i <= *n;
}

int etm_cli_part_check(const struct etm_cli_options *o)
{
    static const char what[] = "not a number of bytes, N%, ts:N or cyc:N";
    unsigned i, n;
    struct place from, to;
    uint64_t bytes;

    if (o->from && !parse(o->from, &from))
        return etm_cli_bad_value(o->name, "--from", o->from, what);
    if (o->to && !parse(o->to, &to))
        return etm_cli_bad_value(o->name, "--to", o->to, what);
    if (o->from && o->to && is_before(&to, &from))
        return etm_cli_bad_value(o->name, "--to", o->to, "before --from");
    if (o->last && !etm_cli_bytes(o->last, &bytes))
        return etm_cli_bad_value(o->name, "--last", o->last,
                                 "not a number of bytes");
    if (o->last && bytes == 0)
        return etm_cli_bad_value(o->name, "--last", o->last,
                                 "not a number of bytes above 0");
    if (o->shard && !parse_shard(o->shard, &i, &n))
        return etm_cli_bad_value(o->name, "--shard", o->shard,
                                 "not of the form I/N, I from 1 to N");
    if (o->last && o->from)
        return etm_cli_bad_value(o->name, "--last", o->last,
                                 "cannot be combined with --from");
    if (o->shard && (o->last || o->from || o->to))
        return etm_cli_bad_value(
            o->name, "--shard", o->shard,
            "cannot be combined with --from, --to or --last");
    if (o->index && !(o->from && from.unit != ETM_CLI_BYTES) &&
        !(o->to && to.unit != ETM_CLI_BYTES))
        return etm_cli_bad_value(o->name, "--index", o->index,
                                 "for ts:N and cyc:N only");
    return -1;
}

static uint64_t in_bytes(const struct place *place, uint64_t total)
{
    return place->share != NULL ? share_of(place->share, total) : place->value;
}

/* Why a source has no times or cycle counts, as `place` needs, according to its
 * configuration; NULL: it may have them. */
static const char *why_not(const struct etm_session *session, size_t source,
                           const struct place *place, bool from)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    const struct etm_config *config = &info->config;
    bool port = etm_protocol_is_port(config->protocol);

    if (place->unit == ETM_CLI_BYTES)
        return NULL;
    if (place->unit == ETM_CLI_TIMESTAMP && etm_cli_never_has_times(config))
        return etm_cli_never_has_times(config);
    if (from && port)
        return "ETMv1 and ETMv2 do not store the cycles of gaps: use bytes or "
               "N%";
    if (place->unit == ETM_CLI_CYCLES && !config->cycle_accurate)
        return "the trace is not cycle-accurate (ETMCR[12])";
    if (place->unit == ETM_CLI_CYCLES && config->data_only)
        return "data-only trace counts no cycles";
    for (size_t i = 0; from && i < info->n_buffers; i++)
        if (etm_session_buffer(session,
                               etm_session_source_buffer(session, source, i))
                ->framing == ETM_FRAMING_PORT)
            return "for samples of a trace port, use bytes or N%";
    return NULL;
}

static int check_place(const struct etm_session *session, size_t source,
                       const char *option, const char *value)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    struct etm_diag diag = {0};
    const char *why = NULL;
    struct place place;

    if (!value || !parse(value, &place))
        return ETM_EXIT_OK;
    why = why_not(session, source, &place, strcmp(option, "--from") == 0);
    /* ETMCR does not show it (E-74), and a pipe can be read only once */
    if (!why && place.unit == ETM_CLI_TIMESTAMP &&
        etm_session_bytes(session, source) != 0) {
        int status = etm_cli_why_no_times(session, source, &why, &diag);

        if (status != ETM_OK) {
            etm_cli_diag(status, &diag);
            return ETM_EXIT_UNREADABLE;
        }
    }
    if (!why)
        return ETM_EXIT_OK;
    etm_cli_error("%s: %s %s: %s", info->name, option, value, why);
    return ETM_EXIT_USAGE;
}

int etm_cli_part_fits(const struct etm_cli_options *o,
                      const struct etm_session *session, size_t source)
{
    int status = check_place(session, source, "--from", o->from);

    if (status == ETM_EXIT_OK)
        status = check_place(session, source, "--to", o->to);
    return status;
}

/* The last point before a time or a count of cycles. */
struct nearest {
    const struct place *place;
    struct etm_point point, end;
    struct etm_point first; /* of the source, with a time or without; */
    bool any;               /* there was one */
    bool found;
};

static int take_point(void *context, const struct etm_point *point)
{
    struct nearest *n = context;
    bool times = n->place->unit == ETM_CLI_TIMESTAMP;
    uint64_t value = times ? point->time : point->cycles;

    if (!n->any)
        n->first = *point;
    n->any = true;
    if (times ? !point->time_known : !point->cycles_known)
        return ETM_OK;
    if (value > n->place->value)
        return ETM_ERR_STOPPED; /* both only grow */
    n->point = *point;
    n->found = true;
    return ETM_OK;
}

/* The cycles of an element. */
static uint64_t cycles_of(const struct etm_element *e)
{
    uint64_t n = 0;

    if (e->kind == ETM_ELEMENT_RANGE)
        n = e->u.range.cycles;
    else if (e->kind == ETM_ELEMENT_INSN)
        n = e->u.insn.cycles;
    else if (e->kind == ETM_ELEMENT_CYCLES)
        n = e->u.cycles.n;
    return n == ETM_CYCLES_UNKNOWN ? 0 : n;
}

/* Report that the trace ends before the place. */
static void tell_end(const struct etm_cli_options *o,
                     const struct etm_source_info *info,
                     const struct nearest *n)
{
    bool times = n->place->unit == ETM_CLI_TIMESTAMP;
    uint64_t end = times ? n->end.time : n->end.cycles;

    if (!n->any)
        etm_cli_error("%s: --from %s: it has no synchronization point",
                      info->name, o->from);
    else if (end < n->place->value)
        etm_cli_error("%s: --from %s: its trace ends at %s:%" PRIu64
                      ": the last synchronization is used",
                      info->name, o->from, times ? "ts" : "cyc", end);
}

static int stop(void *context, const struct etm_point *point)
{
    (void)context;
    (void)point;
    return ETM_ERR_STOPPED;
}

/* An index has no point of a source. If its core slept, neither has the
 * capture; if the capture has one, the index is that of another capture. */
static int check_none(const struct etm_cli_options *o,
                      const struct etm_session *session, size_t source,
                      const struct nearest *n)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    const struct etm_session_points how = {.size = sizeof how, .point = stop};
    struct etm_diag diag = {0};
    int status = etm_session_find_points(session, source, &how, &diag);

    if (status == ETM_OK) {
        tell_end(o, info, n);
        return ETM_EXIT_OK;
    }
    if (status == ETM_ERR_STOPPED)
        etm_cli_error("%s: it has no point of %s (0x%02x): is it the index of "
                      "this capture?",
                      o->index, info->name, info->id);
    else
        etm_cli_diag(status, &diag);
    return ETM_EXIT_UNREADABLE;
}

/* Search the place in the packets: in all of them, or after a point. */
static int search(const struct etm_cli_options *o,
                  const struct etm_session *session, size_t source,
                  const struct etm_point *from, struct nearest *n)
{
    const struct etm_session_points how = {.size = sizeof how,
                                           .point = take_point,
                                           .context = n,
                                           .from = from,
                                           .end = &n->end};
    struct etm_diag diag = {0};
    int status = etm_session_find_points(session, source, &how, &diag);

    if (status == ETM_ERR_STOPPED)
        return ETM_EXIT_OK;
    if (status != ETM_OK) {
        etm_cli_diag(status, &diag);
        return ETM_EXIT_UNREADABLE;
    }
    tell_end(o, etm_session_source(session, source), n);
    return ETM_EXIT_OK;
}

/* An index may leave points out, and has no end: packets are read from its last
 * point before the place up to the place, or from its first point if no time
 * before the place is known. */
static int look_behind(const struct etm_cli_options *o,
                       const struct etm_session *session, size_t source,
                       struct nearest *n)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    const struct etm_point from = n->found ? n->point : n->first;
    uint64_t total = etm_session_bytes(session, source);

    if (from.position >= total) {
        etm_cli_error("%s: it has a point of %s (0x%02x) at byte %" PRIu64
                      ", and there are %" PRIu64
                      ": is it the index of this capture?",
                      o->index, info->name, info->id, from.position, total);
        return ETM_EXIT_UNREADABLE;
    }
    return search(o, session, source, &from, n);
}

static int look_up(const struct etm_cli_options *o,
                   const struct etm_session *session, size_t source,
                   struct nearest *n)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    int status = etm_cli_points_read(o->index, info->id, take_point, n);

    if (status == ETM_ERR_STOPPED || status == ETM_OK) {
        if (n->found || status == ETM_ERR_STOPPED)
            return look_behind(o, session, source, n);
        if (!n->any)
            return check_none(o, session, source, n);
        etm_cli_error("%s: its points of %s (0x%02x) have no %s: decoding "
                      "begins at the start of the capture",
                      o->index, info->name, info->id,
                      n->place->unit == ETM_CLI_TIMESTAMP ? "times" : "cycles");
        return ETM_EXIT_OK;
    }
    etm_cli_error("%s: %s", o->index,
                  status == ETM_ERR_IO ? strerror(errno)
                                       : "not an index as JSON Lines");
    return ETM_EXIT_UNREADABLE;
}

static int find_nearest(const struct etm_cli_options *o,
                        const struct etm_session *session, size_t source,
                        struct nearest *n)
{
    return o->index ? look_up(o, session, source, n)
                    : search(o, session, source, NULL, n);
}

/* The first byte of shard i + 1 of n: total * i / n, whose product may exceed
 * 64 bits. In integers, because all machines that decode shards must cut at the
 * same bytes. */
static uint64_t shard_begin(uint64_t total, unsigned i, unsigned n)
{
    return total / n * i + total % n * i / n;
}

static void cut_shard(const char *text, uint64_t total,
                      struct etm_cli_part *part)
{
    unsigned i = 1, n = 1;

    (void)parse_shard(text, &i, &n);
    part->start = ETM_START_JOIN;
    part->begin = shard_begin(total, i - 1, n);
    part->end = i == n ? 0 : shard_begin(total, i, n);
    part->nothing = i != n && part->begin >= part->end;
}

int etm_cli_part_find(const struct etm_cli_options *o,
                      const struct etm_session *session, size_t source,
                      struct etm_cli_part *part)
{
    uint64_t total = etm_session_bytes(session, source), last;
    struct place from = {0}, to = {0};
    int status = ETM_EXIT_OK;

    *part = (struct etm_cli_part){0};
    if (o->shard) {
        cut_shard(o->shard, total, part);
        if (part->nothing)
            etm_cli_error(
                "%s: --shard %s: this part is empty: there %s %" PRIu64
                " byte%s",
                etm_session_source(session, source)->name, o->shard,
                total == 1 ? "is" : "are", total, etm_cli_plural(total));
        return ETM_EXIT_OK;
    }
    if (o->last && etm_cli_bytes(o->last, &last))
        part->begin = last < total ? total - last : 0;
    if (o->from && parse(o->from, &from) && from.unit == ETM_CLI_BYTES)
        part->begin = in_bytes(&from, total);
    if (part->begin != 0 && part->begin >= total) {
        part->nothing = true;
        etm_cli_error("%s: --from %s: this is beyond its end: it has %" PRIu64
                      " byte%s",
                      etm_session_source(session, source)->name, o->from, total,
                      etm_cli_plural(total));
        return ETM_EXIT_OK;
    }
    if (o->from && from.unit != ETM_CLI_BYTES) {
        struct nearest n = {.place = &from};

        status = find_nearest(o, session, source, &n);
        part->begin = n.point.position;
        part->cycles = n.point.cycles;
    }
    if (o->to && parse(o->to, &to) && to.unit == ETM_CLI_BYTES)
        part->end = in_bytes(&to, total);
    part->nothing = o->to && to.unit == ETM_CLI_BYTES &&
                    (part->end == 0 || part->end < part->begin);
    if (part->nothing)
        etm_cli_error("%s: --to %s: there is nothing before it%s",
                      etm_session_source(session, source)->name, o->to,
                      part->begin != 0 ? " in this part" : "");
    part->until = to.unit;
    part->limit = to.value;
    /* both: to count to an end, the count at the beginning is needed */
    if (status == ETM_EXIT_OK && to.unit == ETM_CLI_CYCLES &&
        part->begin != 0 && (!o->from || from.unit == ETM_CLI_BYTES)) {
        etm_cli_error("--to %s: only with --from cyc:N or from the beginning",
                      o->to);
        status = ETM_EXIT_USAGE;
    }
    return status;
}

size_t etm_cli_part_before_end(struct etm_cli_part *part,
                               const struct etm_element *elements, size_t n)
{
    for (size_t i = 0; i < n && part->until != ETM_CLI_BYTES; i++) {
        const struct etm_element *e = &elements[i];

        part->cycles += cycles_of(e);
        part->timed = part->timed || etm_cli_tells_time(e);
        if (part->until == ETM_CLI_CYCLES
                ? part->cycles > part->limit
                : etm_cli_tells_time(e) && e->u.timestamp.value > part->limit)
            return i;
    }
    return n;
}

void etm_cli_part_tell(const struct etm_cli_part *part,
                       const struct etm_cli_options *options,
                       const struct etm_source_info *info)
{
    if (part->until == ETM_CLI_TIMESTAMP && !part->timed)
        etm_cli_error(
            "%s: --to %s: there was no timestamp: everything was decoded",
            info->name, options->to);
}
