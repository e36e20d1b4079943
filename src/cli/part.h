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

/* What comes before or after it was not requested, or is in another shard. */
static inline bool etm_cli_part_is_part(const struct etm_cli_part *part)
{
    return part->begin != 0 || part->end != 0 || part->until != ETM_CLI_BYTES ||
           part->start == ETM_START_JOIN;
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

static inline bool etm_cli_tells_time(const struct etm_element *e)
{
    return e->kind == ETM_ELEMENT_TIMESTAMP &&
           e->u.timestamp.value != ETM_TIMESTAMP_UNKNOWN;
}

/* Why a source of this protocol has no times; NULL: it may have some. */
const char *etm_cli_never_has_times(const struct etm_config *config);

/* Has it times? What a pipe has is what its registers say. Errors as for
 * etm_session_run_source(). */
int etm_cli_has_times(const struct etm_session *session, size_t source,
                      bool *has, struct etm_diag *diag);

/* Find why there is no time in its trace; NULL: there is one, or no trace at
 * all. Errors as for etm_session_run_source(). */
int etm_cli_why_no_times(const struct etm_session *session, size_t source,
                         const char **why, struct etm_diag *diag);

/* Read the points of a source from a file that `etm index --format jsonl`
 * wrote. ETM_OK, ETM_ERR_IO, ETM_ERR_FORMAT, or what the function returned. */
int etm_cli_points_read(const char *path, unsigned id, etm_point_fn *take,
                        void *context);
#endif
