/* SPDX-License-Identifier: Apache-2.0 */
/* What lists and sums of variables have in common. */
#include "cli/variables.h"

#include <string.h>

const char *etm_cli_variables_traced(const struct etm_cli_replay *r)
{
    const struct etm_config *c = &r->info->config;

    if (c->protocol == ETM_PROTOCOL_ITM)
        return "data trace: as the DWT is set";
    if (c->data_address && c->data_value)
        return "data trace: addresses and values";
    if (c->data_address)
        return "data trace: addresses only; no value is known";
    return c->data_value ? "data trace: values only; it is not known of which "
                           "variables"
                         : "no data trace";
}

/* RFC 4180: quoted if there is something in it that means something. */
void etm_cli_csv_text(struct etm_cli_output *o, const char *text)
{
    bool quoted = text && strpbrk(text, ",\"\r\n") != NULL;

    etm_cli_put(o, ",", 1);
    if (!text)
        return;
    if (quoted)
        etm_cli_put(o, "\"", 1);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            etm_cli_put(o, "\"", 1);
        etm_cli_put(o, text, 1);
    }
    if (quoted)
        etm_cli_put(o, "\"", 1);
}
