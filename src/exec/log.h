/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the execution log's reader. */
#ifndef ETM_EXEC_LOG_H
#define ETM_EXEC_LOG_H

#include "exec/reader.h"

/* The version of the format that is read and written. */
#define ETM_LOG_VERSION 1u

/* A word in a message: "%.*s". */
#define ETM_WORD_TEXT(word) (int)((word)->n < 60 ? (word)->n : 60), (word)->text

/* "WORD" is WHAT. Returns ETM_ERR_FORMAT. */
int etm_log_bad(struct etm_execution_reader *reader,
                const struct etm_word *word, const char *what);

/* "8000" or "8000:tn"; what is not given is as in *place. */
int etm_log_place(struct etm_execution_reader *reader, struct etm_word word,
                  struct etm_place *place);

/* "+12"; "+?" where the number may be unknown. */
int etm_log_cycles(struct etm_execution_reader *reader,
                   const struct etm_word *word, struct etm_event *event);

/* A decimal number up to `most`; otherwise it is WHAT. */
int etm_log_count(struct etm_execution_reader *reader,
                  const struct etm_word *value, uint64_t most, const char *what,
                  uint64_t *number);

/* A line of an event that has no transfers; *known: it begins with `word`. */
int etm_log_event_line(struct etm_execution_reader *reader,
                       const struct etm_word *word, struct etm_word *line,
                       bool *known);

#endif
