/* SPDX-License-Identifier: Apache-2.0 */
/* What lines of the text form have in common. */
#include "write/text.h"

void etm_text_colour(struct etm_listing *l, enum etm_colour colour)
{
    static const char *const sequences[] = {
        [ETM_COLOUR_NONE] = "\033[0m",   [ETM_COLOUR_DIM] = "\033[2m",
        [ETM_COLOUR_TITLE] = "\033[1m",  [ETM_COLOUR_TAKEN] = "\033[32m",
        [ETM_COLOUR_EVENT] = "\033[35m", [ETM_COLOUR_NOTE] = "\033[36m",
        [ETM_COLOUR_GAP] = "\033[1;31m",
    };

    if (l->config.colour)
        etm_out_word(&l->out, sequences[colour]);
}

void etm_text_offset(struct etm_listing *l, uint64_t offset)
{
    struct etm_text *text = l->state;
    char *at = etm_out_at(&l->out);

    if (!l->config.no_offset)
        at = etm_put_slow_offset(at, &text->offset, offset);
    etm_out_upto(&l->out, ETM_PUT(at, "  "));
}
