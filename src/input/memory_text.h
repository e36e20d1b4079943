/* SPDX-License-Identifier: Apache-2.0 */
/* Text in which the bytes of a trace stand. */
#ifndef ETM_INPUT_MEMORY_TEXT_H
#define ETM_INPUT_MEMORY_TEXT_H

#include <stddef.h>
#include <stdint.h>

/*
 * What a text is that tells of bytes by their addresses: memory as debuggers
 * list it, a hexadecimal dump, records of a programmer. How to make bytes of
 * it, in a clause; NULL: the beginning does not look like that.
 */
const char *etm_memory_text(const uint8_t *bytes, size_t n);

#endif
