/* SPDX-License-Identifier: Apache-2.0 */
/* Text with the bytes of a trace. */
#ifndef ETM_INPUT_MEMORY_TEXT_H
#define ETM_INPUT_MEMORY_TEXT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Recognizes text with bytes: memory as listed by debuggers, hexadecimal dumps,
 * HEX files, S-records, and what analysers of serial lines export. Returns a
 * clause that says how to convert it to bytes; NULL: the beginning does not
 * look like this, or it may be samples of a port.
 */
const char *etm_memory_text(const uint8_t *bytes, size_t n);

#endif
