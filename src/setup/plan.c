/* SPDX-License-Identifier: Apache-2.0 */
/* What all parts of a plan need: refusals, notes, and the size of transfers. */
#include "setup/plan.h"

#include "base/diag.h"

#include <stdio.h>
#include <string.h>

int etm_plan_refuse(struct etm_plan *p, int code, const char *what)
{
    return etm_diag_say(p->diag, code, NULL, what);
}

int etm_plan_lacks(struct etm_plan *p, const char *what)
{
    int status = etm_diag_begin(p->diag, ETM_ERR_UNSUPPORTED, NULL);

    etm_diag_text(p->diag, "this macrocell has no ");
    etm_diag_text(p->diag, what);
    return status;
}

int etm_plan_short(struct etm_plan *p, const char *what, unsigned needed,
                   unsigned there)
{
    int status = etm_diag_begin(p->diag, ETM_ERR_UNSUPPORTED, NULL);

    etm_diag_dec(p->diag, needed);
    etm_diag_text(p->diag, " ");
    etm_diag_text(p->diag, what);
    etm_diag_text(p->diag, " are needed, but this macrocell has ");
    etm_diag_dec(p->diag, there);
    return status;
}

void etm_plan_note(struct etm_plan *p, const char *text)
{
    struct etm_notes *notes = p->notes;

    if (!notes)
        return;
    for (size_t i = 0; i < notes->n; i++)
        if (strcmp(notes->text[i], text) == 0)
            return;
    if (notes->n < sizeof notes->text / sizeof *notes->text)
        (void)snprintf(notes->text[notes->n++], sizeof notes->text[0], "%s",
                       text);
}

/* Whether a comparison of `size` bytes is possible at these addresses (2.7.1);
 * the top of memory is exempt (2.7.7). */
static bool aligned(const struct etm_request_match *m, uint32_t size)
{
    if (m->from % size != 0)
        return false;
    return !m->range || m->to == UINT32_MAX || (m->to + 1) % size == 0;
}

int etm_plan_data_size(struct etm_plan *p, const struct etm_request_match *m,
                       uint32_t *size)
{
    *size = m->size;
    if (*size == 0)
        for (*size = 4; !aligned(m, *size); *size /= 2)
            continue;
    if ((*size == 1 || *size == 2 || *size == 4) && aligned(m, *size))
        return ETM_OK;
    return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                           "a data address is not aligned to the size to be "
                           "compared (1, 2 or 4)");
}
