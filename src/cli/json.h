/* SPDX-License-Identifier: Apache-2.0 */
/* Members of JSON objects behind another one: ,"key":value. */
#ifndef ETM_CLI_JSON_H
#define ETM_CLI_JSON_H

#include "cli/cli.h"

/* null where it is not known. */
void etm_cli_json_number(struct etm_cli_output *output, const char *key,
                         bool known, uint64_t value);
/* NULL: null. */
void etm_cli_json_text(struct etm_cli_output *output, const char *key,
                       const char *text);

#endif
