/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/disassembly.h"

#include <string.h>

/* Of a line of a listing: the offset in the capture, which means nothing
 * here. */
#define OFFSET_COLUMN 8u

/* What the listing writes, line by line; a name may come before the
 * instruction. */
static int take_text(void *context, const char *text, size_t n)
{
    struct etm_cli_disassembly *d = context;

    for (size_t i = 0; i < n; i++) {
        if (text[i] != '\n') {
            if (d->n < sizeof d->line - 1)
                d->line[d->n++] = text[i];
            continue;
        }
        d->line[d->n] = '\0';
        if (d->n > OFFSET_COLUMN && d->line[OFFSET_COLUMN - 1] == '0')
            memcpy(d->text, d->line + OFFSET_COLUMN, d->n - OFFSET_COLUMN + 1);
        d->n = 0;
    }
    return ETM_OK;
}

int etm_cli_disassembly_begin(struct etm_cli_disassembly *d,
                              const struct etm_cli_replay *r)
{
    const struct etm_listing_config config = {.size = sizeof config,
                                              .format = "text",
                                              .write = take_text,
                                              .context = d};
    const struct etm_listing_source source = {.size = sizeof source,
                                              .config = &r->info->config,
                                              .names = r->names,
                                              .id = r->info->id};
    int status;

    d->n = 0;
    status = etm_listing_new(&d->listing, &config);
    return status == ETM_OK ? etm_listing_begin(d->listing, &source) : status;
}

int etm_cli_disassembly_of(struct etm_cli_disassembly *d,
                           const struct etm_element *insn, const char **text)
{
    struct etm_element e = *insn;
    int status;

    e.offset = 0;
    e.u.insn.exec = ETM_TRUE; /* it may have passed and failed */
    e.u.insn.type = ETM_INSN_TYPE_OTHER;
    d->text[0] = '\0';
    status = etm_listing_elements(d->listing, &e, 1);
    if (status == ETM_OK)
        status = etm_listing_flush(d->listing);
    *text = d->text;
    return status;
}

void etm_cli_disassembly_end(struct etm_cli_disassembly *d)
{
    etm_listing_free(d->listing);
    d->listing = NULL;
}
