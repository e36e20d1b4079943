/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/demangle_library.h"

#include <etm/types.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a name that are made. A hundred characters can stand for gigabytes:
 * each part of a name may stand for two of the one before. More than this is
 * never shown. */
#define MOST ((size_t)4 * ETM_NAME_SHOWN)

struct making {
    char text[MOST + 1];
    size_t n;
    jmp_buf full;
};

/* The library asks for nothing that says "enough"; it has no memory of its own
 * when it calls. */
static void take(const char *piece, size_t n, void *context)
{
    struct making *m = context;
    size_t room = MOST - m->n, part = n < room ? n : room;

    memcpy(m->text + m->n, piece, part);
    m->n += part;
    if (n > room)
        longjmp(m->full, 1);
}

/* What a name is if that is too long: as much as there is room for, and the
 * name in the program, so that different ones stay different. */
static char *join(const char *beginning, size_t n, const char *name)
{
    char *text = malloc(n + strlen(name) + 1);

    if (text) {
        memcpy(text, beginning, n);
        strcpy(text + n, name);
    }
    return text;
}

/* C++ (Itanium C++ ABI, 5.1), and Rust in both of its forms: the legacy one and
 * v0 (RFC 2603), without the hashes that tell namesakes apart. */
char *etm_cli_demangle_text(const char *name)
{
    const int options = DMGL_PARAMS | DMGL_ANSI;
    struct making m;

    m.n = 0;
    if (setjmp(m.full) != 0)
        return join(m.text, m.n, name);
    if (!rust_demangle_callback(name, options, take, &m)) {
        m.n = 0;
        if (!cplus_demangle_v3_callback(name, options, take, &m))
            return NULL;
    }
    return join(m.text, m.n, "");
}
