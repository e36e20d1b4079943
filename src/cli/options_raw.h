/* SPDX-License-Identifier: Apache-2.0 */
/* The options that say what a raw file is: each takes its value. -1, or the
 * exit status after a message. */
#ifndef ETM_CLI_OPTIONS_RAW_H
#define ETM_CLI_OPTIONS_RAW_H

#include "cli/args.h"
#include "cli/cli.h"

int etm_cli_set_protocol(struct etm_cli_options *o, const char *value);
int etm_cli_set_framing(struct etm_cli_options *o, const char *value);
int etm_cli_set_port_format(struct etm_cli_options *o, const char *value);
int etm_cli_set_port_width(struct etm_cli_options *o, const char *value);
int etm_cli_set_endian(struct etm_cli_options *o, const char *value);
int etm_cli_set_coprocessor(struct etm_cli_options *o, const char *value);
int etm_cli_set_reverse_bytes(struct etm_cli_options *o, const char *value);
int etm_cli_set_baud(struct etm_cli_options *o, const char *value);
int etm_cli_set_write_pointer(struct etm_cli_options *o, const char *value);

#endif
