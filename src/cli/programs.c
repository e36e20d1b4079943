/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/programs.h"

#include <stdlib.h>

#define REMEMBERED 2048u /* a power of 2 */

/* A lookup, and its result. */
struct lookup {
    struct etm_scalar scalar;
    uint32_t address;
    unsigned n; /* + 1; 0: none yet */
    int status;
};

struct etm_cli_programs {
    struct etm_symbols **rows;
    size_t n;
    struct lookup lookups[REMEMBERED];
};

struct etm_cli_programs *
etm_cli_programs_open(const struct etm_session *session)
{
    struct etm_cli_programs *p = calloc(1, sizeof *p);
    size_t n = 0;
    const char *path;

    while (etm_session_code_file(session, n))
        n++;
    if (p)
        p->rows = calloc(n + 1, sizeof *p->rows);
    if (!p || !p->rows) {
        free(p);
        return NULL;
    }
    for (size_t i = 0; (path = etm_session_code_file(session, i)) != NULL;
         i++) {
        struct etm_diag diag;

        if (etm_symbols_open(&p->rows[p->n], path, NULL, &diag) == ETM_OK)
            p->n++;
    }
    return p;
}

void etm_cli_programs_free(struct etm_cli_programs *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n; i++)
        etm_symbols_free(p->rows[i]);
    free(p->rows);
    free(p);
}

static int look_up(struct etm_cli_programs *p, uint32_t address, unsigned n,
                   struct etm_scalar *scalar)
{
    int status = ETM_ERR_NOT_FOUND;

    for (size_t i = 0; i < p->n && status == ETM_ERR_NOT_FOUND; i++) {
        const struct etm_scalar *found;

        status = etm_symbols_scalar(p->rows[i], address, n, &found);
        if (status == ETM_OK)
            *scalar = *found;
    }
    return status;
}

int etm_cli_programs_scalar(struct etm_cli_programs *p, uint32_t address,
                            unsigned n, const struct etm_scalar **scalar)
{
    struct lookup *l = &p->lookups[(address + 257 * n) % REMEMBERED];

    if (l->n != n + 1 || l->address != address) {
        l->status = look_up(p, address, n, &l->scalar);
        l->address = address;
        l->n = n + 1;
    }
    *scalar = &l->scalar;
    return l->status;
}

const char *etm_cli_programs_enumerator(struct etm_cli_programs *p,
                                        const struct etm_scalar *scalar,
                                        uint64_t value)
{
    const char *name;

    for (size_t i = 0; i < p->n; i++) {
        const struct etm_scalar *found;

        /* the program that has the scalar has its type */
        if (etm_symbols_scalar(p->rows[i], scalar->address, 0, &found) !=
            ETM_OK)
            continue;
        return etm_symbols_enumerator(p->rows[i], scalar, value, &name) ==
                       ETM_OK
                   ? name
                   : NULL;
    }
    return NULL;
}
