/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ETM_BASE_PLAIN_H
#define ETM_BASE_PLAIN_H

/* Each character of `text` that is not plain (etm_character()) becomes one '?',
 * but those in `keep` stay. */
void etm_make_plain(char *text, const char *keep);

#endif
