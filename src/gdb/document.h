/* SPDX-License-Identifier: Apache-2.0 */
/* The documents that GDB reads: XML in UTF-8, of any length. */
#ifndef ETM_GDB_DOCUMENT_H
#define ETM_GDB_DOCUMENT_H

#include "base/vec.h"

struct etm_gdb_document {
    struct etm_vec text; /* char */
    int status;          /* ETM_ERR_MEMORY: it is not complete */
};

void etm_gdb_document_init(struct etm_gdb_document *document);
void etm_gdb_document_fini(struct etm_gdb_document *document);
void etm_gdb_document_clear(struct etm_gdb_document *document);

/* Markup. */
void etm_gdb_document_put(struct etm_gdb_document *document, const char *text);

/* Markup of up to 500 characters, as printf() makes it. */
void etm_gdb_document_print(struct etm_gdb_document *document,
                            const char *format, ...);

/* A name from a file, in an attribute. '?' is put for each character that XML
 * does not have or a terminal does not show: GDB refuses all of a document for
 * one of these. */
void etm_gdb_document_name(struct etm_gdb_document *document, const char *name);

#endif
