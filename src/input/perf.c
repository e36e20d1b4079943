/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of Linux's perf with CoreSight trace. Of all records in such a file,
 * these describe the trace (tools/lib/perf/include/perf/event.h and
 * tools/perf/util/cs-etm.h of Linux):
 *
 *     AUXTRACE_INFO       the registers of the macrocell of each CPU
 *     AUX_OUTPUT_HW_ID    the trace ID of a CPU, as newer kernels give them out
 *     AUXTRACE            a piece of the frames that one sink captured; they
 *                         stand after the record
 *
 * Each sink is a buffer, each CPU of which there is trace a source. Others say
 * where the code is (perf_code.h), or contain further records (perf_unpack.c).
 */
#include "base/bytes.h"
#include "base/diag.h"
#include "input/perf_private.h"
#include "input/text.h"

#include <string.h>

#define MAGIC "PERFILE2"
#define MAGIC_BIG "2ELIFREP"       /* as a big-endian machine writes it */
#define MAGIC_OLD "PERFFILE"       /* before Linux 3.6, without trace */
#define PIPE_HEADER ETM_PERF_LEAST /* all of it if perf writes to a pipe */
#define FILE_HEADER 104u

/* Records begin with a header of this size. */
#define RECORD_HEADER 8u
#define AUX_OUTPUT_HW_ID 21u
#define HEADER_ATTR 64u
#define HEADER_TRACING_DATA 66u
#define AUXTRACE_INFO 70u
#define AUXTRACE 71u
#define COMPRESSED 81u
#define COMPRESSED2 83u

#define INFO_CORESIGHT 3u /* the type in AUXTRACE_INFO */
#define MAGIC_ETMV3 UINT64_C(0x3030303030303030)
#define MAGIC_ETMV4 UINT64_C(0x4040404040404040)
#define MAGIC_ETE UINT64_C(0x5050505050505050)
#define PARAMS_ETMV4 7u /* in version 0, which does not give the number */

/* More than any machine has. Records are matched by searching all of them. */
#define MOST_CPUS 1024u
#define MOST_SINKS 4096u

/* What follows a record, in this order (perf_event_attr.sample_type). */
#define EXCLUDES_USER (UINT64_C(1) << 4) /* perf_event_attr */
#define TELLS_ALL (UINT64_C(1) << 18)    /* other records have this end, too */
#define SAMPLE_TIME (UINT64_C(1) << 2)
#define SAMPLE_BEHIND_TIME                                                     \
    (UINT64_C(1) << 6 | UINT64_C(1) << 7 | UINT64_C(1) << 9 | UINT64_C(1) << 16)
#define SAMPLE_CPU (UINT64_C(1) << 7)
#define SAMPLE_IDENTIFIER (UINT64_C(1) << 16)

/* What Linux writes where older trace was overwritten: decoding does not
 * continue across it (E-66). */
static const uint8_t barrier[ETM_FRAME_BYTES] = {
    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f};

bool etm_may_be_perf(const uint8_t *bytes, size_t n)
{
    if (n > 8)
        n = 8;
    return memcmp(bytes, MAGIC, n) == 0 || memcmp(bytes, MAGIC_BIG, n) == 0 ||
           memcmp(bytes, MAGIC_OLD, n) == 0;
}

/* A macrocell's parameters, at most `left` words. Returns the number of words;
 * 0: they are not understood. */
static size_t take_cpu(struct etm_perf *p, const uint8_t *at, size_t left,
                       bool counted, int *status)
{
    size_t head = counted ? 3 : 2;
    struct etm_perf_cpu cpu;
    uint64_t magic, params;

    if (left < head)
        return 0;
    magic = etm_le(at, 8);
    params = counted ? etm_le(at + 16, 8)
                     : (magic == MAGIC_ETMV3 ? ETM_PERF_PARAMS : PARAMS_ETMV4);
    if (params > left - head)
        return 0;
    if (magic == MAGIC_ETMV4 || magic == MAGIC_ETE) {
        p->others = true;
        return head + (size_t)params;
    }
    if (magic != MAGIC_ETMV3 || params < ETM_PERF_PARAMS)
        return 0;
    if (p->cpus.n == MOST_CPUS) {
        *status = ETM_ERR_FORMAT;
        return 0;
    }
    cpu.number = etm_le(at + 8, 8);
    for (size_t i = 0; i < ETM_PERF_PARAMS; i++)
        cpu.registers[i] = (uint32_t)etm_le(at + 8 * (head + i), 8);
    *status = etm_vec_append(&p->cpus, &cpu, 1);
    return head + (size_t)params;
}

/* Choose the event of the trace, which determines the end of records of trace
 * IDs: that of this PMU, or otherwise the first with CPUs. */
static void choose_event(struct etm_perf *p, uint32_t pmu)
{
    for (unsigned i = p->n_events; i-- > 0;)
        if ((p->events[i].sample_type & SAMPLE_CPU) != 0)
            p->sample_type = p->events[i].sample_type;
    for (unsigned i = p->n_events; i-- > 0;)
        if (p->events[i].pmu == pmu) {
            p->sample_type = p->events[i].sample_type;
            p->flags = p->events[i].flags;
        }
}

/* AUXTRACE_INFO: version of the rest, type of the PMU and number of CPUs,
 * whether it is a snapshot; the CPUs. */
static int take_info(struct etm_perf *p, const uint8_t *at, size_t n)
{
    size_t words, i = 3;
    uint64_t version, count;
    int status = ETM_OK;

    if (n < 8 + 3 * 8 || etm_le(at, 4) != INFO_CORESIGHT)
        return ETM_OK;
    at += 8;
    words = (n - 8) / 8;
    version = etm_le(at, 8);
    count = etm_le(at + 8, 4);
    choose_event(p, (uint32_t)etm_le(at + 12, 4));
    for (; count > 0 && status == ETM_OK; count--) {
        size_t taken = take_cpu(p, at + 8 * i, words - i, version > 0, &status);

        if (taken == 0)
            break;
        i += taken;
    }
    return status;
}

/* The CPU that a record is from, and its trace ID from now on. */
static void take_id(struct etm_perf *p, const uint8_t *at, size_t n)
{
    struct etm_perf_cpu *cpus = p->cpus.data;
    size_t behind = (p->sample_type & SAMPLE_IDENTIFIER) != 0 ? 16 : 8;
    uint32_t id, number;

    if ((p->sample_type & SAMPLE_CPU) == 0 || n < 8 + behind) {
        p->ids_of_none = true;
        return;
    }
    id = (uint32_t)etm_le(at, 1);
    number = (uint32_t)etm_le(at + n - behind, 4);
    for (size_t i = 0; i < p->cpus.n; i++)
        if (cpus[i].number == number)
            cpus[i].registers[1] = id;
}

/* perf_event_attr */
static void take_attr(struct etm_perf *p, const uint8_t *at, size_t n)
{
    if (n >= 48 && p->n_events < ETM_PERF_EVENTS)
        p->events[p->n_events++] = (struct etm_perf_event){
            (uint32_t)etm_le(at, 4), etm_le(at + 24, 8), etm_le(at + 40, 8)};
}

/* Trace that was not copied is between the last piece and the next one, as in
 * perf's snapshots: an incomplete frame is dropped, and what follows does not
 * continue what came before. */
static int break_off(struct etm_perf_sink *sink)
{
    const struct etm_file piece = {.bytes = barrier, .n = sizeof barrier};
    struct etm_file *pieces = sink->pieces.data;
    size_t rest = (size_t)(sink->n % ETM_FRAME_BYTES);

    for (size_t i = sink->pieces.n; i-- > 0 && rest != 0;) {
        size_t less = pieces[i].n < rest ? pieces[i].n : rest;

        pieces[i].n -= less;
        sink->n -= less;
        rest -= less;
    }
    sink->n += sizeof barrier;
    return etm_vec_append(&sink->pieces, &piece, 1);
}

static int take_trace(struct etm_perf *p, uint32_t index, uint64_t offset,
                      const uint8_t *at, size_t n)
{
    const struct etm_file piece = {at, n, p->mapped, 0};
    struct etm_perf_sink *sinks = p->sinks.data;
    struct etm_perf_sink sink = {.index = index, .next = offset};
    int status = ETM_OK;
    size_t i = 0;

    while (i < p->sinks.n && sinks[i].index != index)
        i++;
    if (i == MOST_SINKS)
        return ETM_ERR_FORMAT;
    if (i == p->sinks.n) {
        etm_vec_init(&sink.pieces, sizeof piece, &p->capture->allocator);
        if (etm_vec_append(&p->sinks, &sink, 1) != ETM_OK)
            return ETM_ERR_MEMORY;
        sinks = p->sinks.data;
    }
    if (offset > sinks[i].next && sinks[i].n != 0)
        status = break_off(&sinks[i]);
    sinks[i].next = offset + n;
    sinks[i].n += n;
    return status == ETM_OK ? etm_vec_append(&sinks[i].pieces, &piece, 1)
                            : status;
}

/* HEADER_TRACING_DATA in a pipe: the number of bytes that follow it, padded to
 * a multiple of eight. */
static size_t tracing_data(const uint8_t *at, size_t n, size_t left)
{
    uint64_t size = n < 12 ? 0 : (etm_le(at + 8, 4) + 7) & ~UINT64_C(7);

    return size < left - n ? (size_t)size : left - n;
}

/* When a record was written, if it says so; otherwise 0. */
static uint64_t time_of(const struct etm_perf *p, const uint8_t *at, size_t n)
{
    size_t behind = 8;

    if ((p->flags & TELLS_ALL) == 0 || (p->sample_type & SAMPLE_TIME) == 0)
        return 0;
    for (uint64_t bits = p->sample_type & SAMPLE_BEHIND_TIME; bits != 0;
         bits &= bits - 1)
        behind += 8;
    return n < behind ? 0 : etm_le(at + n - behind, 8);
}

static size_t take_some(struct etm_perf *p, const uint8_t *at, size_t n,
                        int *status);

/* COMPRESSED, or COMPRESSED2, which has the number of compressed bytes and is
 * padded to a multiple of eight. */
static int take_compressed(struct etm_perf *p, bool counted, const uint8_t *at,
                           size_t n)
{
    struct etm_perf_unpacker *u = &p->unpacker;
    int status = ETM_OK;

    if (p->unpacking)
        return ETM_OK;
    if (counted) {
        uint64_t count = n < 8 ? 0 : etm_le(at, 8);

        at += n < 8 ? n : 8;
        n = n < 8 ? 0 : n - 8;
        n = count < n ? (size_t)count : n;
    }
    p->unpacking = true;
    while (etm_perf_unpack(u, &at, &n, &status)) {
        size_t known = p->code.mappings.n + p->code.ids.n;
        size_t taken = take_some(p, u->piece, u->n, &status);

        if (status == ETM_OK)
            status = etm_perf_unpacked(
                u, taken, p->code.mappings.n + p->code.ids.n != known);
    }
    p->unpacking = false;
    return status;
}

/* Take the record at `at`. Returns its size, including the trace after it; 0:
 * it is incomplete. */
static size_t take_record(struct etm_perf *p, const uint8_t *at, size_t left,
                          int *status)
{
    uint32_t type;
    size_t n, trace;

    if (left < RECORD_HEADER)
        return 0;
    type = (uint32_t)etm_le(at, 4);
    n = (size_t)etm_le(at + 6, 2);
    if (n < RECORD_HEADER || n > left)
        return 0;
    switch (type) {
    case AUXTRACE_INFO:
        *status = take_info(p, at + RECORD_HEADER, n - RECORD_HEADER);
        return n;
    case AUX_OUTPUT_HW_ID:
        take_id(p, at + RECORD_HEADER, n - RECORD_HEADER);
        return n;
    case HEADER_ATTR:
        take_attr(p, at + RECORD_HEADER, n - RECORD_HEADER);
        return n;
    case HEADER_TRACING_DATA:
        return n + tracing_data(at, n, left);
    case COMPRESSED:
    case COMPRESSED2:
        *status = take_compressed(p, type == COMPRESSED2, at + RECORD_HEADER,
                                  n - RECORD_HEADER);
        return n;
    case AUXTRACE:
        if (p->unpacking)
            return n;
        break;
    default:
        *status = etm_perf_code_take(
            &p->code, type, (uint16_t)etm_le(at + 4, 2), time_of(p, at, n),
            at + RECORD_HEADER, n - RECORD_HEADER);
        return n;
    }
    if (n < 48)
        return n;
    trace = left - n;
    if (etm_le(at + 8, 8) > trace)
        p->cut = true;
    else
        trace = (size_t)etm_le(at + 8, 8);
    *status = take_trace(p, (uint32_t)etm_le(at + 32, 4), etm_le(at + 16, 8),
                         at + n, trace);
    return n + trace;
}

/* Take the complete records in n bytes, and return their size. Names in them
 * are borrowed. */
static size_t take_some(struct etm_perf *p, const uint8_t *at, size_t n,
                        int *status)
{
    size_t all = 0, taken = 1;

    while (all < n && *status == ETM_OK && taken != 0) {
        taken = take_record(p, at + all, n - all, status);
        all += taken;
    }
    return all;
}

/* The section of attributes in a file's header. */
static void take_attrs(struct etm_perf *p)
{
    uint64_t each = etm_le(p->bytes + 16, 8), at = etm_le(p->bytes + 24, 8);
    uint64_t left = etm_le(p->bytes + 32, 8);

    if (at >= p->n || each == 0)
        return;
    if (left > p->n - at)
        left = p->n - at;
    for (; left >= each && p->n_events < ETM_PERF_EVENTS;
         left -= each, at += each)
        take_attr(p, p->bytes + at, (size_t)each);
}

/*
 * After the records of a file are the additions that bits in the header
 * announce: the third one has build IDs, as records.
 */
static int take_build_ids(struct etm_perf *p, uint64_t behind)
{
    uint64_t features = etm_le(p->bytes + 72, 8), at, left;
    int status = ETM_OK;

    if ((features & 4) == 0)
        return ETM_OK;
    behind += 16 * ((features & 1) + (features >> 1 & 1));
    if (behind > p->n || p->n - behind < 16)
        return ETM_OK;
    at = etm_le(p->bytes + behind, 8);
    left = etm_le(p->bytes + behind + 8, 8);
    if (at > p->n || left > p->n - at)
        return ETM_OK;
    while (left >= RECORD_HEADER && status == ETM_OK) {
        const uint8_t *record = p->bytes + at;
        uint64_t n = etm_le(record + 6, 2);

        if (n < RECORD_HEADER || n > left)
            break;
        status = etm_perf_code_take(
            &p->code, ETM_PERF_BUILD_ID, (uint16_t)etm_le(record + 4, 2), 0,
            record + RECORD_HEADER, (size_t)n - RECORD_HEADER);
        at += n;
        left -= n;
    }
    return status;
}

static int take_records(struct etm_perf *p)
{
    size_t at = PIPE_HEADER, end = p->n;
    int status = ETM_OK;

    if (etm_le(p->bytes + 8, 8) != PIPE_HEADER && p->n >= FILE_HEADER) {
        uint64_t first = etm_le(p->bytes + 40, 8),
                 size = etm_le(p->bytes + 48, 8);

        take_attrs(p);
        at = first < p->n ? (size_t)first : p->n;
        /* 0: perf was killed before it could write the size */
        if (size > p->n - at)
            p->cut = true;
        else if (size != 0)
            end = at + (size_t)size;
    }
    at += take_some(p, p->bytes + at, end - at, &status);
    if (status == ETM_OK && at < end)
        p->cut = true;
    if (status == ETM_OK && end < p->n && !p->cut)
        status = take_build_ids(p, end);
    return status;
}

/* Add notes about what is in the file, or missing, and not visible in the
 * trace. */
static int tell(struct etm_perf *p)
{
    struct etm_diag cut;
    int status = ETM_OK;

    if (p->cut) {
        (void)etm_text_fail(&cut, ETM_ERR_FORMAT, p->capture->path,
                            ETM_DIAG_NONE, "the file is truncated");
        status = etm_build_fault(p->capture, &cut,
                                 "only the available trace is used");
    }
    if (status == ETM_OK && p->unpacker.stopped)
        status = etm_build_note(p->capture,
                                "%s: %s; trace IDs and files with code may be "
                                "in them, and missing here",
                                p->capture->path,
                                etm_perf_unpack_fault(&p->unpacker));
    if (status == ETM_OK && p->ids_of_none)
        status = etm_build_note(
            p->capture,
            "%s: it has trace IDs without their CPUs, which are ignored",
            p->capture->path);
    return status;
}

static int refuse(const struct etm_perf *p, const struct etm_raw_options *o,
                  struct etm_diag *diag)
{
    const char *what = NULL;

    if (o->framing != ETM_FRAMING_NONE || o->framing_told ||
        o->protocol != ETM_PROTOCOL_NONE || o->n_registers > 0 ||
        o->port_width != 0 || o->signals != NULL ||
        o->form != ETM_PORT_FORM_AUTO)
        return etm_text_fail(
            diag, ETM_ERR_CONFIG, p->capture->path, ETM_DIAG_NONE,
            "a perf file has its own configuration: protocol, framing and "
            "registers can only be given for other files");
    if (p->sinks.n == 0)
        what = "a perf file without CoreSight trace";
    else if (p->cpus.n == 0 && p->others)
        what = "a perf file with the trace of ETMv4 or ETE, which is not "
               "decoded here";
    else if (p->cpus.n == 0)
        what = "a perf file that does not say what trace it contains";
    return what == NULL ? ETM_OK
                        : etm_text_fail(diag, ETM_ERR_FORMAT, p->capture->path,
                                        ETM_DIAG_NONE, "it is %s", what);
}

int etm_build_perf(struct etm_capture *capture,
                   const struct etm_raw_options *options, struct etm_diag *diag)
{
    const struct etm_capture_buffer *b = capture->buffers.data;
    struct etm_perf p = {
        .capture = capture, .bytes = b->bytes, .n = b->n, .mapped = b->mapped};
    struct etm_perf_sink *sinks;
    int status;

    if (memcmp(p.bytes, MAGIC, 8) != 0)
        return etm_text_fail(diag, ETM_ERR_FORMAT, capture->path, ETM_DIAG_NONE,
                             "it is a perf file %s, which is not supported",
                             memcmp(p.bytes, MAGIC_BIG, 8) == 0
                                 ? "from a big-endian machine"
                                 : "from before Linux 3.6");
    etm_vec_init(&p.cpus, sizeof(struct etm_perf_cpu), &capture->allocator);
    etm_vec_init(&p.sinks, sizeof(struct etm_perf_sink), &capture->allocator);
    etm_perf_code_init(&p.code, &capture->allocator);
    etm_perf_unpacker_init(&p.unpacker, &capture->allocator);
    status = take_records(&p);
    if (status == ETM_ERR_FORMAT)
        etm_text_fail(
            diag, status, capture->path, ETM_DIAG_NONE,
            "it is a perf file with more CPUs or sinks than any machine has");
    if (status == ETM_OK)
        status = refuse(&p, options, diag);
    if (status == ETM_OK && (p.flags & EXCLUDES_USER) == 0)
        status = etm_perf_code_load(&p.code, capture, options->sysroot,
                                    options->n_images == 0, diag);
    if (status == ETM_OK)
        status = etm_perf_buffers(&p, diag);
    if (status == ETM_OK)
        status = etm_perf_sources(&p, options, diag);
    if (status == ETM_OK)
        status = tell(&p);
    sinks = p.sinks.data;
    for (size_t i = 0; i < p.sinks.n; i++)
        etm_vec_fini(&sinks[i].pieces);
    etm_perf_code_fini(&p.code);
    etm_perf_unpacker_fini(&p.unpacker);
    etm_vec_fini(&p.sinks);
    etm_vec_fini(&p.cpus);
    return status;
}
