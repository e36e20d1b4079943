/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/document.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void etm_gdb_document_init(struct etm_gdb_document *d)
{
    etm_vec_init(&d->text, 1, &etm_allocator_malloc);
    d->status = ETM_OK;
}

void etm_gdb_document_fini(struct etm_gdb_document *d)
{
    etm_vec_fini(&d->text);
}

void etm_gdb_document_clear(struct etm_gdb_document *d)
{
    d->text.n = 0;
    d->status = ETM_OK;
}

static void put(struct etm_gdb_document *d, const char *text, size_t n)
{
    if (d->status == ETM_OK)
        d->status = etm_vec_append(&d->text, text, n);
}

void etm_gdb_document_put(struct etm_gdb_document *d, const char *text)
{
    put(d, text, strlen(text));
}

void etm_gdb_document_print(struct etm_gdb_document *d, const char *format, ...)
{
    char text[501];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    etm_gdb_document_put(d, text);
}

void etm_gdb_document_name(struct etm_gdb_document *d, const char *name)
{
    size_t left = strlen(name), length;

    for (; left > 0; name += length, left -= length) {
        bool plain;

        length = etm_character(name, left, &plain);
        if (strchr("<>&\"'", *name) != NULL)
            etm_gdb_document_print(d, "&#%d;", *name);
        else
            put(d, plain ? name : "?", plain ? length : 1);
        if (length == 0)
            length = 1;
    }
}
