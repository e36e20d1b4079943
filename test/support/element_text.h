/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements as lines of text that tell everything, for tests to compare: what
 * would be no news in a context, an exception or a transfer is left out, but
 * two different elements never have the same text.
 */
#ifndef ETM_TEST_SUPPORT_ELEMENT_TEXT_H
#define ETM_TEST_SUPPORT_ELEMENT_TEXT_H

#include <etm/decode.h>

#define ETM_ELEMENT_TEXT_MAX 200

/* One line without its end; returns `text`. */
const char *etm_element_text(const struct etm_element *element,
                             char text[ETM_ELEMENT_TEXT_MAX]);

#endif
