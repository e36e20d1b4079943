/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of Linux's perf with CoreSight trace. Of all the records in one, these
 * say something of the trace (tools/lib/perf/include/perf/event.h and
 * tools/perf/util/cs-etm.h of Linux):
 *
 *     AUXTRACE_INFO       the registers of the macrocell of each CPU
 *     AUX_OUTPUT_HW_ID    the trace ID of a CPU, as newer kernels give them out
 *     AUXTRACE            a piece of the frames that one sink captured; they
 *                         stand behind the record
 *
 * Each sink is a buffer, each CPU of which there is trace a source.
 */
#include "base/diag.h"
#include "input/build.h"
#include "input/text.h"
#include "port/frame.h"

#include <string.h>

#define MAGIC "PERFILE2"
#define MAGIC_BIG "2ELIFREP" /* as a big-endian machine writes it */
#define MAGIC_OLD "PERFFILE" /* before Linux 3.6, without trace */
#define PIPE_HEADER 16u      /* what perf writes to a pipe has no more */
#define FILE_HEADER 104u

/* Records, of `size` bytes with this much in front of each. */
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
#define PARAMS_ETMV3 4u /* ETMCR, ETMTRACEIDR, ETMCCER, ETMIDR */
#define PARAMS_ETMV4 7u /* in version 0, which does not tell the number */

/* More than there are anywhere. Each record of one is looked for among them. */
#define MOST_CPUS 1024u
#define MOST_SINKS 4096u

/* Events whose attributes are kept until it is known which one is the trace's:
 * it is among the first. */
#define MOST_EVENTS 64u

/* What stands behind a record, in this order (perf_event_attr.sample_type). */
#define SAMPLE_CPU (UINT64_C(1) << 7)
#define SAMPLE_IDENTIFIER (UINT64_C(1) << 16)

/* The macrocell of a CPU. */
struct cpu {
    uint64_t number;
    uint32_t registers[PARAMS_ETMV3];
};

/* What one sink captured: pieces of the file, and barriers. */
struct sink {
    uint32_t index;
    uint64_t next;         /* offset of the byte behind the last piece */
    uint64_t n;            /* bytes of all pieces */
    struct etm_vec pieces; /* struct etm_file, borrowed */
};

struct event {
    uint32_t pmu;
    uint64_t sample_type;
};

/* What Linux writes where older trace was overwritten: a decoder does not go on
 * over it (E-66). */
static const uint8_t barrier[ETM_FRAME_BYTES] = {
    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f};

struct perf {
    struct etm_capture *capture;
    const uint8_t *bytes;
    size_t n;
    bool mapped;
    struct event events[MOST_EVENTS];
    unsigned n_events;
    uint64_t sample_type; /* of the event that is the trace */
    struct etm_vec cpus;  /* struct cpu */
    struct etm_vec sinks; /* struct sink */
    unsigned others;      /* macrocells of later architectures */
    bool cut;             /* the file ends within a record */
    bool compressed;      /* there are records that are not read */
    bool ids;             /* some record has told the trace ID of a CPU, ... */
    bool ids_of_none;     /* or one without a CPU */
};

static uint64_t word(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;

    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

bool etm_may_be_perf(const uint8_t *bytes, size_t n)
{
    if (n > 8)
        n = 8;
    return memcmp(bytes, MAGIC, n) == 0 || memcmp(bytes, MAGIC_BIG, n) == 0 ||
           memcmp(bytes, MAGIC_OLD, n) == 0;
}

bool etm_is_perf(const uint8_t *bytes, size_t n)
{
    return n >= PIPE_HEADER && etm_may_be_perf(bytes, n);
}

/* A macrocell's parameters, `left` words of them at most. Returns how many
 * words they are; 0: they cannot be understood. */
static size_t take_cpu(struct perf *p, const uint8_t *at, size_t left,
                       bool counted, int *status)
{
    size_t head = counted ? 3 : 2;
    struct cpu cpu;
    uint64_t magic, params;

    if (left < head)
        return 0;
    magic = word(at, 8);
    params = counted ? word(at + 16, 8)
                     : (magic == MAGIC_ETMV3 ? PARAMS_ETMV3 : PARAMS_ETMV4);
    if (params > left - head)
        return 0;
    if (magic == MAGIC_ETMV4 || magic == MAGIC_ETE) {
        p->others++;
        return head + (size_t)params;
    }
    if (magic != MAGIC_ETMV3 || params < PARAMS_ETMV3)
        return 0;
    if (p->cpus.n == MOST_CPUS) {
        *status = ETM_ERR_FORMAT;
        return 0;
    }
    cpu.number = word(at + 8, 8);
    for (size_t i = 0; i < PARAMS_ETMV3; i++)
        cpu.registers[i] = (uint32_t)word(at + 8 * (head + i), 8);
    *status = etm_vec_append(&p->cpus, &cpu, 1);
    return head + (size_t)params;
}

/* Records of trace IDs end as samples of the event do that is the trace: that
 * of this PMU, or else the first that tells CPUs. */
static void choose_event(struct perf *p, uint32_t pmu)
{
    for (unsigned i = p->n_events; i-- > 0;)
        if ((p->events[i].sample_type & SAMPLE_CPU) != 0)
            p->sample_type = p->events[i].sample_type;
    for (unsigned i = p->n_events; i-- > 0;)
        if (p->events[i].pmu == pmu)
            p->sample_type = p->events[i].sample_type;
}

/* AUXTRACE_INFO: version of the rest, type of the PMU and number of CPUs,
 * whether it is a snapshot; the CPUs. */
static int take_info(struct perf *p, const uint8_t *at, size_t n)
{
    size_t words, i = 3;
    uint64_t version, count;
    int status = ETM_OK;

    if (n < 8 + 3 * 8 || word(at, 4) != INFO_CORESIGHT)
        return ETM_OK;
    at += 8;
    words = (n - 8) / 8;
    version = word(at, 8);
    count = word(at + 8, 4);
    choose_event(p, (uint32_t)word(at + 12, 4));
    for (; count > 0 && status == ETM_OK; count--) {
        size_t taken = take_cpu(p, at + 8 * i, words - i, version > 0, &status);

        if (taken == 0)
            break;
        i += taken;
    }
    return status;
}

/* The CPU that a record is from, and its trace ID from now on. */
static void take_id(struct perf *p, const uint8_t *at, size_t n)
{
    struct cpu *cpus = p->cpus.data;
    size_t behind = (p->sample_type & SAMPLE_IDENTIFIER) != 0 ? 16 : 8;
    uint32_t id, number;

    if ((p->sample_type & SAMPLE_CPU) == 0 || n < 8 + behind) {
        p->ids_of_none = true;
        return;
    }
    p->ids = true;
    id = (uint32_t)word(at, 1);
    number = (uint32_t)word(at + n - behind, 4);
    for (size_t i = 0; i < p->cpus.n; i++)
        if (cpus[i].number == number)
            cpus[i].registers[1] = id;
}

/* perf_event_attr */
static void take_attr(struct perf *p, const uint8_t *at, size_t n)
{
    if (n >= 32 && p->n_events < MOST_EVENTS)
        p->events[p->n_events++] =
            (struct event){(uint32_t)word(at, 4), word(at + 24, 8)};
}

/* Trace that was not copied lies between the last piece and the next one, as
 * in perf's snapshots: a frame that is not whole is none, and what comes does
 * not go on with what was. */
static int break_off(struct sink *sink)
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

static int take_trace(struct perf *p, uint32_t index, uint64_t offset,
                      const uint8_t *at, size_t n)
{
    const struct etm_file piece = {at, n, p->mapped, 0};
    struct sink *sinks = p->sinks.data;
    struct sink sink = {.index = index, .next = offset};
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

/* HEADER_TRACING_DATA of a pipe: so many bytes stand behind it, up to a
 * multiple of eight. */
static size_t tracing_data(const uint8_t *at, size_t n, size_t left)
{
    uint64_t size = n < 12 ? 0 : (word(at + 8, 4) + 7) & ~UINT64_C(7);

    return size < left - n ? (size_t)size : left - n;
}

/* The record at `at`. Returns its bytes, with the trace behind it; 0: there is
 * no whole one. */
static size_t take_record(struct perf *p, const uint8_t *at, size_t left,
                          int *status)
{
    uint32_t type;
    size_t n, trace;

    if (left < RECORD_HEADER)
        return 0;
    type = (uint32_t)word(at, 4);
    n = (size_t)word(at + 6, 2);
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
        p->compressed = true;
        return n;
    case AUXTRACE:
        break;
    default:
        return n;
    }
    if (n < 48)
        return n;
    trace = left - n;
    if (word(at + 8, 8) > trace)
        p->cut = true;
    else
        trace = (size_t)word(at + 8, 8);
    *status = take_trace(p, (uint32_t)word(at + 32, 4), word(at + 16, 8),
                         at + n, trace);
    return n + trace;
}

/* The section of attributes in a file's header. */
static void take_attrs(struct perf *p)
{
    uint64_t each = word(p->bytes + 16, 8), at = word(p->bytes + 24, 8);
    uint64_t left = word(p->bytes + 32, 8);

    if (at >= p->n || each == 0)
        return;
    if (left > p->n - at)
        left = p->n - at;
    for (; left >= each && p->n_events < MOST_EVENTS; left -= each, at += each)
        take_attr(p, p->bytes + at, (size_t)each);
}

static int take_records(struct perf *p)
{
    size_t at = PIPE_HEADER, end = p->n;
    int status = ETM_OK;

    if (word(p->bytes + 8, 8) != PIPE_HEADER && p->n >= FILE_HEADER) {
        uint64_t first = word(p->bytes + 40, 8), size = word(p->bytes + 48, 8);

        take_attrs(p);
        at = first < p->n ? (size_t)first : p->n;
        /* 0: perf was killed before it could say */
        if (size > p->n - at)
            p->cut = true;
        else if (size != 0)
            end = at + (size_t)size;
    }
    while (at < end && status == ETM_OK) {
        size_t taken = take_record(p, p->bytes + at, end - at, &status);

        if (taken == 0) {
            p->cut = true;
            break;
        }
        at += taken;
    }
    return status;
}

/* Sinks become buffers, in place of the file. */
static int add_buffers(struct perf *p, struct etm_diag *diag)
{
    struct etm_capture_buffer *all, whole;
    struct sink *sinks = p->sinks.data;
    const char *path = p->capture->path;
    int status = ETM_OK;

    for (size_t i = 0; i < p->sinks.n && status == ETM_OK; i++) {
        const struct etm_vec *pieces = &sinks[i].pieces;
        struct etm_file file;
        char *name = etm_text_print(&p->capture->allocator, "aux_%u",
                                    (unsigned)sinks[i].index);

        if (name == NULL)
            return ETM_ERR_MEMORY;
        status = etm_build_join(&file, pieces->data, pieces->n, path,
                                &p->capture->allocator, diag);
        if (status == ETM_OK)
            status = etm_build_buffer(p->capture, name, path,
                                      ETM_FRAMING_CORESIGHT, &file, 1, diag);
        etm_alloc_free(&p->capture->allocator, name);
    }
    if (status != ETM_OK)
        return status;
    all = p->capture->buffers.data;
    whole = all[0];
    memmove(all, all + 1, (p->capture->buffers.n - 1) * sizeof *all);
    all[p->capture->buffers.n - 1] = whole;
    etm_build_drop_buffer(p->capture);
    return ETM_OK;
}

static int add_source(struct perf *p, const struct cpu *cpu,
                      const struct etm_raw_options *o, struct etm_diag *diag)
{
    static const char *const names[PARAMS_ETMV3] = {"ETMCR", "ETMTRACEIDR",
                                                    "ETMCCER", "ETMIDR"};
    const struct etm_source_facts facts = {ETM_PROTOCOL_NONE, -1, o->profile};
    struct etm_capture *capture = p->capture;
    bool ptm = (cpu->registers[3] >> 8 & 0xf) == 3;
    char *name = etm_text_print(&capture->allocator, "%s_%u",
                                ptm ? "PTM" : "ETM", (unsigned)cpu->number);
    struct etm_diag why = {0};
    struct etm_capture_source *s;
    int status =
        name == NULL ? ETM_ERR_MEMORY : etm_build_source(capture, name, "");

    etm_alloc_free(&capture->allocator, name);
    if (status != ETM_OK)
        return status;
    s = etm_build_source_at(capture, capture->sources.n - 1);
    s->core = 0;
    s->id = (uint8_t)(cpu->registers[1] & 0x7f);
    for (size_t i = 0; i < PARAMS_ETMV3 && status == ETM_OK; i++) {
        struct etm_register r = {.number = etm_register_number(names[i]),
                                 .value = cpu->registers[i]};

        /* [31] of the ID says that it is only what older kernels would use */
        if (i == 1)
            r.value &= 0x7f;
        memcpy(r.name, names[i], strlen(names[i]) + 1);
        status = etm_vec_append(&s->registers, &r, 1);
    }
    for (size_t i = 0; i < capture->buffers.n && status == ETM_OK; i++)
        status = etm_vec_append(&s->buffers, &i, 1);
    if (status == ETM_OK)
        status =
            etm_build_configure(capture, capture->sources.n - 1, &facts, &why);
    if (status == ETM_ERR_CONFIG || status == ETM_ERR_FORMAT)
        status =
            etm_build_why_not(capture, capture->sources.n - 1, "%s", why.what);
    else if (status != ETM_OK && diag != NULL)
        *diag = why;
    return status;
}

/* A source for each CPU whose trace ID occurs. */
static int add_sources(struct perf *p, const struct etm_raw_options *o,
                       struct etm_diag *diag)
{
    const struct etm_capture_buffer *b = p->capture->buffers.data;
    const struct cpu *cpus = p->cpus.data;
    const struct cpu *owner[ETM_ID_RESERVED] = {NULL};
    uint64_t found[ETM_ID_RESERVED] = {0};
    int status = ETM_OK;

    for (size_t i = 0; i < p->capture->buffers.n && status == ETM_OK; i++) {
        const struct etm_file file = {b[i].bytes, b[i].n, b[i].mapped, 0};
        struct etm_frame_counts counts;

        status = etm_file_survey(&counts, ETM_FRAME_ALIGNED, b[i].first_frame,
                                 &file, &p->capture->allocator);
        for (unsigned id = 1; id < ETM_ID_RESERVED && status == ETM_OK; id++)
            found[id] += counts.bytes[id];
    }
    for (size_t i = 0; i < p->cpus.n && status == ETM_OK; i++) {
        uint32_t id = cpus[i].registers[1] & 0x7f;

        if (id != 0 && id < ETM_ID_RESERVED && found[id] != 0) {
            status = add_source(p, &cpus[i], o, diag);
            found[id] = 0;
            owner[id] = &cpus[i];
        } else if (id != 0 && id < ETM_ID_RESERVED && owner[id] != NULL) {
            status = etm_build_note(
                p->capture,
                "%s: CPU %u has trace ID 0x%02x as CPU %u has, for which its "
                "trace is taken",
                p->capture->path, (unsigned)cpus[i].number, (unsigned)id,
                (unsigned)owner[id]->number);
        }
    }
    for (unsigned id = 1; id < ETM_ID_RESERVED && status == ETM_OK; id++)
        if (found[id] != 0)
            status = etm_build_note(p->capture,
                                    "%s: trace ID 0x%02x is that of no CPU "
                                    "with an ETMv3 or PTM",
                                    p->capture->path, id);
    return status;
}

/* What there is in the file, or is missing, and cannot be seen in the trace. */
static int tell(struct perf *p)
{
    int status = ETM_OK;

    if (p->cut)
        status = etm_build_note(p->capture,
                                "%s is cut short: of trace, "
                                "what there is is taken",
                                p->capture->path);
    if (status == ETM_OK && p->compressed && !p->ids)
        status = etm_build_note(p->capture,
                                "%s: its records are compressed (perf record "
                                "-z), and trace IDs in them are not read",
                                p->capture->path);
    if (status == ETM_OK && p->ids_of_none)
        status = etm_build_note(p->capture,
                                "%s: it has trace IDs without their CPUs, "
                                "which do not count",
                                p->capture->path);
    return status;
}

static int refuse(const struct perf *p, const struct etm_raw_options *o,
                  struct etm_diag *diag)
{
    const char *what = NULL;

    if (o->framing != ETM_FRAMING_NONE || o->protocol != ETM_PROTOCOL_NONE ||
        o->n_registers > 0 || o->port_width != 0 || o->signals != NULL ||
        o->form != ETM_PORT_FORM_AUTO)
        return etm_text_fail(diag, ETM_ERR_CONFIG, p->capture->path,
                             ETM_DIAG_NONE,
                             "a file of perf has its own configuration: "
                             "protocol, framing and registers can only be "
                             "given for other files");
    if (p->sinks.n == 0)
        what = "a file of perf without CoreSight trace";
    else if (p->cpus.n == 0 && p->others > 0)
        what = "a file of perf with the trace of ETMv4 or ETE, which is not "
               "decoded here";
    else if (p->cpus.n == 0)
        what = "a file of perf that does not say what trace is in it";
    return what == NULL ? ETM_OK
                        : etm_text_fail(diag, ETM_ERR_FORMAT, p->capture->path,
                                        ETM_DIAG_NONE, "it is %s", what);
}

int etm_build_perf(struct etm_capture *capture,
                   const struct etm_raw_options *options, struct etm_diag *diag)
{
    const struct etm_capture_buffer *b = capture->buffers.data;
    struct perf p = {
        .capture = capture, .bytes = b->bytes, .n = b->n, .mapped = b->mapped};
    struct sink *sinks;
    int status;

    if (memcmp(p.bytes, MAGIC, 8) != 0)
        return etm_text_fail(diag, ETM_ERR_FORMAT, capture->path, ETM_DIAG_NONE,
                             "it is a file of perf %s, which is not read here",
                             memcmp(p.bytes, MAGIC_BIG, 8) == 0
                                 ? "of a big-endian machine"
                                 : "of before Linux 3.6");
    etm_vec_init(&p.cpus, sizeof(struct cpu), &capture->allocator);
    etm_vec_init(&p.sinks, sizeof(struct sink), &capture->allocator);
    status = take_records(&p);
    if (status == ETM_ERR_FORMAT)
        etm_text_fail(diag, status, capture->path, ETM_DIAG_NONE,
                      "it is a file of perf with more CPUs or sinks than any "
                      "machine has");
    if (status == ETM_OK)
        status = refuse(&p, options, diag);
    if (status == ETM_OK)
        status = add_buffers(&p, diag);
    if (status == ETM_OK)
        status = add_sources(&p, options, diag);
    if (status == ETM_OK)
        status = tell(&p);
    sinks = p.sinks.data;
    for (size_t i = 0; i < p.sinks.n; i++)
        etm_vec_fini(&sinks[i].pieces);
    etm_vec_fini(&p.sinks);
    etm_vec_fini(&p.cpus);
    return status;
}
