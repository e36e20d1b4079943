/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of `etm configure`. */
#ifndef ETM_CLI_CONFIGURE_H
#define ETM_CLI_CONFIGURE_H

#include "cli/cli.h"

#include <etm/setup.h>

#define ETM_CLI_MATCHES 32u

struct etm_cli_matches {
    struct etm_request_match match[ETM_CLI_MATCHES];
    size_t n;
};

struct etm_cli_configure {
    const char *option, *value; /* that is being read */
    const char *core, *version, *dump, *elf, *output;
    const char *from; /* --from that waits for its --to */
    const char *chip, *rom_table;
    enum etm_setup_format format;
    bool big_endian;
    uint8_t data_size;       /* of the data matches; 0: not given */
    enum etm_look data_look; /* and their access */
    struct etm_setup_script script;
    struct etm_trace_path path;  /* if it has a sink, that of the script */
    struct etm_symbols *symbols; /* NULL without --elf */

    struct etm_cli_matches include, exclude, start, stop;
    struct etm_cli_matches data_include, data_exclude;
    struct etm_request_condition chain[3];
    struct etm_request_condition joined[16]; /* second ones of "A&B" */
    size_t n_joined;
    uint32_t after_count;
    struct etm_request request;
    struct etm_macrocell_config macrocell;
    struct etm_config config; /* of the macrocell */
};

/* Words of the value of an option, which c->option and c->value say; each
   returns -1, or an exit status after its message. */
int etm_cli_configure_number(const struct etm_cli_configure *c,
                             const char *text, uint32_t most, uint32_t *value);
int etm_cli_configure_elf(struct etm_cli_configure *c, const char *value);
/* ADDR or SYMBOL[+OFFSET]; `to` after a minus is exclusive. */
int etm_cli_configure_place(struct etm_cli_configure *c, const char *text,
                            struct etm_request_match *match);
int etm_cli_configure_function(struct etm_cli_configure *c, const char *name,
                               struct etm_request_match *match);
int etm_cli_configure_variable(struct etm_cli_configure *c, const char *name,
                               struct etm_request_match *match);
int etm_cli_configure_range(struct etm_cli_configure *c, const char *from,
                            const char *to, struct etm_request_match *match);
/* V[/MASK][@ADDR] */
int etm_cli_configure_value(struct etm_cli_configure *c, const char *text,
                            struct etm_request_match *match);
/* ADDR, an access to one address, or EmbeddedICE comparator 1 to 8 */
int etm_cli_configure_point(struct etm_cli_configure *c, const char *text,
                            struct etm_request_condition *point);
int etm_cli_configure_condition(struct etm_cli_configure *c, const char *text,
                                struct etm_request_condition *condition);

/* Only in these processor states; -1, or an exit status after a message. */
int etm_cli_configure_security(struct etm_request *request, bool secure);
int etm_cli_configure_mode(struct etm_request *request, bool user);

/* Apply options to all data matches, and check the whole command line; -1, or
   an exit status after a message. */
int etm_cli_configure_check(struct etm_cli_configure *c);

/* configure_chip.c: the path of the trace out of a chip. */
int etm_cli_configure_sink(struct etm_cli_configure *c, const char *value);
int etm_cli_configure_trace(struct etm_cli_configure *c, const char *value);
int etm_cli_configure_funnel(struct etm_cli_configure *c, const char *value);
/* Check its options, with the others not looked at yet; -1 or an exit status.
 */
int etm_cli_configure_chip_check(struct etm_cli_configure *c);
/* When the macrocell is known: each source in a formatter gets an ID of its
   own. */
void etm_cli_configure_ids(struct etm_cli_configure *c);
/* After that: complete the path; -1 or an exit status, as
   above. */
int etm_cli_configure_path(struct etm_cli_configure *c);
/* Whether the macrocell is to be set up. */
bool etm_cli_configure_macrocell(const struct etm_cli_configure *c);
int etm_cli_configure_list_chips(struct etm_cli_output *output);

int etm_cli_configure_help(void);

/* The rest, when the command line is read; an exit status. */
int etm_cli_configure_run(struct etm_cli_configure *c);

#endif
