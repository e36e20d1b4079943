/* SPDX-License-Identifier: Apache-2.0 */
/* What is available in a capture that lacks what was requested. */
#ifndef ETM_CLI_AVAILABLE_H
#define ETM_CLI_AVAILABLE_H

#include <etm/session.h>

/* Room for each of these; all return `text`. */
#define ETM_CLI_AVAILABLE 1024u

/* ": there is ETM_0 (0x10), ETM_1 (0x11)"; empty if there is no source. */
const char *etm_cli_sources_available(const struct etm_session *session,
                                      char *text, size_t capacity);

/* Of a source without trace: "; the trace IDs there are 0x10, 0x11"; empty
 * if that is not known, or no reason. */
const char *etm_cli_ids_available(const struct etm_session *session,
                                  size_t source, char *text, size_t capacity);

/* Are the files with the trace of a source empty? */
bool etm_cli_is_empty(const struct etm_session *session, size_t source);

#endif
