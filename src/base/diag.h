/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing a diagnosis without stdio: begin it, then append to its sentence.
 * Every function accepts NULL and does nothing then; text that does not fit
 * is cut.
 *
 *     status = etm_diag_begin(diag, ETM_ERR_CONFIG, "ETMIDR");
 *     etm_diag_text(diag, "ETMIDR is ");
 *     etm_diag_hex(diag, value);
 */
#ifndef ETM_BASE_DIAG_H
#define ETM_BASE_DIAG_H

#include <etm/types.h>

/* An empty sentence about `source` (may be NULL). Returns `status`. */
int etm_diag_begin(struct etm_diag *diag, int status, const char *source);

/* A whole one. */
int etm_diag_say(struct etm_diag *diag, int status, const char *source,
                 const char *what);

/* Append text, a decimal number, a number as 0x1f. */
void etm_diag_text(struct etm_diag *diag, const char *text);
void etm_diag_dec(struct etm_diag *diag, uint64_t value);
void etm_diag_hex(struct etm_diag *diag, uint64_t value);

#endif
