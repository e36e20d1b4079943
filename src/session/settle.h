/* SPDX-License-Identifier: Apache-2.0 */
/* What was not said of a raw file is concluded from its bytes. */
#ifndef ETM_SESSION_SETTLE_H
#define ETM_SESSION_SETTLE_H

#include "session/session.h"

/*
 * order.c: is a buffer that is no pipe in words whose bytes are to be reversed?
 * `told`: if it has no frames, this was given. *word is the bytes of such a
 * word, or 0. ETM_ERR_MEMORY.
 */
int etm_order_find(const struct etm_capture_buffer *buffer, bool told,
                   const struct etm_allocator *allocator, unsigned *word);

/*
 * If a raw file was opened with these options: open it again with the byte
 * order and, if `guess`, the framing that its bytes show. On failure nothing is
 * open.
 * ETM_ERR_MEMORY; errors of etm_capture_open_raw().
 */
int etm_session_settle(struct etm_session *session, const char *path,
                       const struct etm_raw_options *options, bool guess,
                       struct etm_diag *diag);

/*
 * other.c: do not decode the sources of a raw file that evidently are the trace
 * of something else (E-612): if nothing says what they are, and of several also
 * if `told`, the protocol was given, unless it is `sure` that this is of each.
 * ETM_ERR_MEMORY.
 */
int etm_session_name_others(struct etm_session *session, bool told, bool sure);

/* Was this one? */
bool etm_source_is_other(const struct etm_session *session, size_t source);

/*
 * Give the sources of a raw file, which were described, what their bytes show
 * of protocol and registers, where nothing else tells. *changed: they are to be
 * described again. `told`: the protocol was given.
 */
int etm_session_settle_sources(struct etm_session *session, bool told,
                               bool *changed, struct etm_diag *diag);

#endif
