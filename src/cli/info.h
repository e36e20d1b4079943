/* SPDX-License-Identifier: Apache-2.0 */
/* What `etm info` finds out about a source. */
#ifndef ETM_CLI_INFO_H
#define ETM_CLI_INFO_H

#include "cli/cli.h"

struct etm_cli_counts {
    uint64_t bytes; /* of the source's stream */
    uint64_t packets;
    uint64_t a_syncs, i_syncs;
    uint64_t bad, bad_bytes; /* bad and reserved packets */
    uint64_t unsynchronized_bytes;
    uint64_t gaps; /* I-syncs after an overflow, overflows of an ITM */
    /* ETMv1, ETMv2: cycles of the port, those with a trigger, and those at
       which synchronization is possible (TRACESYNC, TFO); ITM: its
       synchronization packets */
    uint64_t samples, triggers, syncs;
};

/* One buffer, and what was found out about it. */
struct etm_cli_buffer {
    const struct etm_buffer_info *info;
    enum etm_framing likely; /* the framing that its bytes suggest */
    struct etm_frame_counts counts;
};

/* A source as info shows it. */
struct etm_cli_source {
    const struct etm_session *session;
    const struct etm_source_info *info;
    size_t index;
    struct etm_cli_counts counts;
    bool guessed; /* registers are missing */
    struct etm_guess guess;
};

/*
 * The configuration in words: "cycle-accurate, no context ID, ...". Returns
 * `text`.
 */
const char *etm_cli_config_words(const struct etm_config *config, char *text,
                                 size_t capacity);

void etm_cli_info_text(struct etm_cli_output *output,
                       const struct etm_cli_options *options,
                       const struct etm_cli_source *source);
void etm_cli_info_jsonl(struct etm_cli_output *output,
                        const struct etm_cli_source *source);

void etm_cli_buffer_text(struct etm_cli_output *output,
                         const struct etm_cli_buffer *buffer);
void etm_cli_buffer_jsonl(struct etm_cli_output *output,
                          const struct etm_cli_buffer *buffer);
void etm_cli_notes_text(struct etm_cli_output *output,
                        const struct etm_session *session);
void etm_cli_notes_jsonl(struct etm_cli_output *output,
                         const struct etm_session *session);

#endif
