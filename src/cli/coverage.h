/* SPDX-License-Identifier: Apache-2.0 */
/* etm decode --coverage. */
#ifndef ETM_CLI_COVERAGE_H
#define ETM_CLI_COVERAGE_H

#include "cli/cli.h"

#include <etm/decode.h>

int etm_cli_coverage(const struct etm_cli_options *options,
                     struct etm_cli_output *output);

#endif
