/* SPDX-License-Identifier: Apache-2.0 */
/* Members of JSON objects behind another one: ,"key":value. */
#ifndef ETM_CLI_JSON_H
#define ETM_CLI_JSON_H

#include "cli/cli.h"

#include <etm/program.h>

/* null where it is not known. */
void etm_cli_json_number(struct etm_cli_output *output, const char *key,
                         bool known, uint64_t value);
/* As a string, since it may need more than the 53 bits of a double. */
void etm_cli_json_time(struct etm_cli_output *output, const char *key,
                       const struct etm_clock_time *time);
/* NULL: null. */
void etm_cli_json_text(struct etm_cli_output *output, const char *key,
                       const char *text);

#endif
