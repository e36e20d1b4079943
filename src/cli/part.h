/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of captures: --from, --to, --last, --shard; and the index. */
#ifndef ETM_CLI_PART_H
#define ETM_CLI_PART_H

#include "cli/cli.h"

/* What a part is cut by. */
enum etm_cli_unit { ETM_CLI_BYTES = 0, ETM_CLI_TIMESTAMP, ETM_CLI_CYCLES };

/* A part of a source, and where its output ends. */
struct etm_cli_part {
    uint64_t begin, end; /* bytes; end 0: to the end */
    enum etm_session_start start;
    bool nothing; /* it has no byte */

    /* The output ends with what comes at or after this. */
    enum etm_cli_unit until;
    uint64_t limit;  /* time, or cycles */
    uint64_t cycles; /* counted before the part */
    bool timed;      /* a time came before the end */
};

/* It begins by itself, and has something. */
static inline bool etm_cli_part_is_whole(const struct etm_cli_part *part)
{
    return part->start != ETM_START_JOIN && !part->nothing;
}

/* Are the values of the options well formed? -1, or an exit status with the
 * message printed. */
int etm_cli_part_check(const struct etm_cli_options *options);

/* Does a source have the unit by which its part is cut? An exit status; the
 * message is printed. */
int etm_cli_part_fits(const struct etm_cli_options *options,
                      const struct etm_session *session, size_t source);

/* Find the requested part of a source. An exit status; the message is
 * printed. */
int etm_cli_part_find(const struct etm_cli_options *options,
                      const struct etm_session *session, size_t source,
                      struct etm_cli_part *part);

/* How many of the elements come before the end of the part; counts cycles. */
size_t etm_cli_part_before_end(struct etm_cli_part *part,
                               const struct etm_element *elements, size_t n);

/* Report that a part extends to the end of the capture, if this was not
 * requested. */
void etm_cli_part_tell(const struct etm_cli_part *part,
                       const struct etm_cli_options *options,
                       const struct etm_source_info *info);

/* One synchronization point. */
struct etm_cli_point {
    uint64_t offset; /* bytes of the capture, all buffers of the source; not
                        known of the samples of a trace port: */
    bool offset_known;
    uint64_t file;   /* place in the file of its buffer: byte, or sample */
    uint64_t stream; /* offset in the source's stream */
    uint64_t cycles; /* counted before it; what ETMv1 and ETMv2 do not store
                        in gaps is missing: */
    bool cycles_known;
    uint64_t time; /* of the last timestamp before it that tells one */
    bool time_known, address_known;
    uint32_t address;
    uint8_t isa;    /* enum etm_isa */
    uint8_t reason; /* enum etm_sync_reason */
    bool has_reason;
    bool context_id_known;
    uint32_t context_id;
};

typedef int etm_cli_point_fn(void *context, const struct etm_cli_point *point);

/* Who looks for points. */
struct etm_cli_seeker {
    etm_cli_point_fn *take;
    etm_session_idle_fn *idle; /* a pipe is waited for; or NULL */
    void *context;
    struct etm_cli_progress *progress; /* or NULL */
    /* Only points after this one, which begins before the end of the capture;
     * or NULL: all. */
    const struct etm_cli_point *from;
    /* Set to what is known at the end, if everything was read: the cycles, the
     * time; or NULL. */
    struct etm_cli_point *end;
};

/* Call a function with each synchronization point of a source, by its packets
 * alone. As etm_session_run(). */
int etm_cli_points(const struct etm_session *session, size_t source,
                   const struct etm_cli_seeker *seeker, struct etm_diag *diag);

/* Find why there is no time in its trace; NULL: there is one, or no trace at
 * all. Errors as for etm_session_run(). */
int etm_cli_why_no_times(const struct etm_session *session, size_t source,
                         const char **why, struct etm_diag *diag);

/* Read the points of a source from a file that `etm index --format jsonl`
 * wrote. ETM_OK, ETM_ERR_IO, ETM_ERR_FORMAT, or what the function returned. */
int etm_cli_points_read(const char *path, unsigned id, etm_cli_point_fn *take,
                        void *context);

/* A number with K, M or G after it (of 1024); false if it is none. */
bool etm_cli_bytes(const char *text, uint64_t *value);

#endif
