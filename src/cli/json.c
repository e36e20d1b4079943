/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/json.h"

#include <inttypes.h>

void etm_cli_json_number(struct etm_cli_output *output, const char *key,
                         bool known, uint64_t value)
{
    if (known)
        etm_cli_print(output, ",\"%s\":%" PRIu64, key, value);
    else
        etm_cli_print(output, ",\"%s\":null", key);
}

void etm_cli_json_text(struct etm_cli_output *output, const char *key,
                       const char *text)
{
    char json[ETM_CLI_JSON];

    if (text)
        etm_cli_print(output, ",\"%s\":%s", key, etm_cli_json_name(text, json));
    else
        etm_cli_print(output, ",\"%s\":null", key);
}

void etm_cli_json_time(struct etm_cli_output *output, const char *key,
                       const struct etm_clock_time *time)
{
    if (time->known)
        etm_cli_print(output, ",\"%s\":\"%" PRIu64 "\"", key, time->ticks);
    else
        etm_cli_print(output, ",\"%s\":null", key);
}
