/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of reading a file of Linux's perf. */
#ifndef ETM_INPUT_PERF_PRIVATE_H
#define ETM_INPUT_PERF_PRIVATE_H

#include "input/perf_code.h"
#include "port/frame.h"

/* ETMCR, ETMTRACEIDR, ETMCCER, ETMIDR */
#define ETM_PERF_PARAMS 4u

/* Maximum number of events whose attributes are kept until it is known which
 * one is the trace: it is among the first. */
#define ETM_PERF_EVENTS 64u

/* The macrocell of a CPU. */
struct etm_perf_cpu {
    uint64_t number;
    uint32_t registers[ETM_PERF_PARAMS];
};

/* What one sink captured: pieces of the file, and barriers. */
struct etm_perf_sink {
    uint32_t index;
    uint64_t next;         /* offset of the byte after the last piece */
    uint64_t n;            /* bytes of all pieces */
    struct etm_vec pieces; /* struct etm_file, borrowed */
};

struct etm_perf_event {
    uint32_t pmu;
    uint64_t sample_type;
    uint64_t flags;
};

/* Records that perf compressed. */
struct etm_perf_unpacker {
    struct etm_allocator allocator;
    void *stream;        /* of zstd; NULL: none yet */
    uint8_t *piece;      /* where records are unpacked to; NULL: none yet */
    size_t n;            /* bytes in it, of an incomplete record */
    struct etm_vec kept; /* uint8_t *, owned: pieces with names of files */
    uint64_t packed;     /* bytes that went in, and that came out */
    uint64_t unpacked;
    bool full;    /* the piece was: more may come out */
    bool stopped; /* what follows is not read */
};

struct etm_perf {
    struct etm_capture *capture;
    const uint8_t *bytes;
    size_t n;
    bool mapped;
    struct etm_perf_event events[ETM_PERF_EVENTS];
    unsigned n_events;
    uint64_t sample_type; /* of the event that is the trace */
    uint64_t flags;       /* and those of its attributes */
    struct etm_perf_code code;
    struct etm_vec cpus;  /* struct etm_perf_cpu */
    struct etm_vec sinks; /* struct etm_perf_sink */
    bool others;          /* there are macrocells of later architectures */
    bool cut;             /* the file ends within a record */
    struct etm_perf_unpacker unpacker;
    bool unpacking;   /* these records were compressed */
    bool ids_of_none; /* some record has a trace ID without a CPU */
};

/* perf_unpack.c */
void etm_perf_unpacker_init(struct etm_perf_unpacker *u,
                            const struct etm_allocator *allocator);
void etm_perf_unpacker_fini(struct etm_perf_unpacker *u);

/*
 * Unpack a piece of the n bytes of a compressed record, which become the rest
 * of them: `piece` begins with a record then. False: nothing is left, `stopped`
 * is set because this is not possible, or *status is not ETM_OK.
 */
bool etm_perf_unpack(struct etm_perf_unpacker *u, const uint8_t **at, size_t *n,
                     int *status);

/* The complete records in the piece were taken, `taken` bytes; `keep`: names in
 * them are borrowed. ETM_OK, ETM_ERR_MEMORY. */
int etm_perf_unpacked(struct etm_perf_unpacker *u, size_t taken, bool keep);

/* Why it has stopped. */
const char *etm_perf_unpack_fault(const struct etm_perf_unpacker *u);

/* perf_sources.c: sinks become buffers, instead of the file. */
int etm_perf_buffers(struct etm_perf *p, struct etm_diag *diag);

/* Each CPU whose trace ID occurs becomes a source. */
int etm_perf_sources(struct etm_perf *p, const struct etm_raw_options *options,
                     struct etm_diag *diag);

#endif
