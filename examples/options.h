/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the examples read, with the options of `etm` for it:
 *
 *     [CAPTURE] [--source ID|NAME] [--image FILE[@ADDRESS]] [--sysroot DIR]
 *     [--protocol NAME] [--framing NAME] [--reg NAME=VALUE]
 *
 * Without a capture it is the current directory. What is not said of a raw file
 * is taken from its bytes, if these leave no doubt.
 */
#ifndef EXAMPLE_OPTIONS_H
#define EXAMPLE_OPTIONS_H

#include <etm/capture.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXAMPLE_OPTIONS_MAX 32

/* The number of the name that `value` is; -1: it is none of the `n`. */
static inline int example_choose(const char *value, int n,
                                 const char *(*name)(int number))
{
    for (int i = 0; i < n; i++)
        if (strcmp(value, name(i)) == 0)
            return i;
    return -1;
}

static inline const char *example_framing(int number)
{
    return etm_framing_name((enum etm_framing)number);
}

static inline const char *example_protocol(int number)
{
    return etm_protocol_name((enum etm_protocol)number);
}

/* NAME=VALUE. Returns whether it is that. */
static inline bool example_register(const char *text, struct etm_register *reg)
{
    const char *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : 0;
    char *end;

    if (n == 0 || n >= sizeof reg->name)
        return false;
    memset(reg, 0, sizeof *reg);
    memcpy(reg->name, text, n);
    reg->number = etm_register_number(reg->name);
    reg->value = strtoul(equals + 1, &end, 0);
    return *end == '\0' && end != equals + 1;
}

/*
 * Open the capture of the command line. `source` gets the index of the chosen
 * source. A status; the message is printed.
 */
static inline int example_open(struct etm_session **session, size_t *source,
                               int argc, char **argv)
{
    struct etm_register registers[EXAMPLE_OPTIONS_MAX];
    const char *images[EXAMPLE_OPTIONS_MAX];
    const char *capture = ".", *chosen = NULL;
    struct etm_session_options options;
    struct etm_diag diag;
    int status;

    *session = NULL;
    *source = 0;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.registers = registers;
    options.images = images;
    options.guess = true;
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        int number = 0;

        if (name[0] != '-' || name[1] == '\0') {
            capture = name;
            continue;
        }
        if (strcmp(name, "--source") == 0) {
            chosen = value;
        } else if (strcmp(name, "--sysroot") == 0) {
            options.sysroot = value;
        } else if (strcmp(name, "--image") == 0 &&
                   options.n_images < EXAMPLE_OPTIONS_MAX) {
            images[options.n_images++] = value;
        } else if (strcmp(name, "--protocol") == 0) {
            number =
                example_choose(value, ETM_PROTOCOL_PFT + 1, example_protocol);
            options.protocol = (enum etm_protocol)number;
        } else if (strcmp(name, "--framing") == 0) {
            number = example_choose(value, ETM_FRAMING_TPIU_PORT + 1,
                                    example_framing);
            options.framing = (enum etm_framing)number;
            options.framing_told = true;
        } else if (strcmp(name, "--reg") == 0 &&
                   options.n_registers < EXAMPLE_OPTIONS_MAX &&
                   example_register(value, &registers[options.n_registers])) {
            options.n_registers++;
        } else {
            number = -1;
        }
        if (number < 0 || i + 1 == argc) {
            fprintf(stderr, "%s %s: not understood\n", name, value);
            return ETM_ERR_ARGUMENT;
        }
        i++;
    }
    status = etm_session_open(session, capture, &options, &diag);
    if (status != ETM_OK)
        fprintf(stderr, "%s: %s\n", diag.source, diag.what);
    else if (chosen && etm_session_find(*session, chosen, source) != ETM_OK) {
        fprintf(stderr, "%s: no such source\n", chosen);
        etm_session_free(*session);
        *session = NULL;
        return ETM_ERR_NOT_FOUND;
    }
    return status;
}

#endif
