/* SPDX-License-Identifier: Apache-2.0 */
/* Files with the values of registers. */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum size of a file: a dump has a few thousand bytes. */
#define MOST ((size_t)1 << 20)

char *etm_cli_text_read(const char *path, size_t *length)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *text = file ? malloc(MOST + 1) : NULL;

    *length = 0;
    if (text) {
        *length = fread(text, 1, MOST + 1, file);
        if (ferror(file) || *length > MOST) {
            errno = ferror(file) ? errno : EFBIG;
            free(text);
            text = NULL;
        } else {
            text[*length] = '\0';
        }
    }
    if (!text)
        etm_cli_error("%s: %s", etm_cli_path(path),
                      strerror(errno != 0 ? errno : ENOMEM));
    if (file && file != stdin)
        (void)fclose(file);
    return text;
}

int etm_cli_setup_read(const char *path, const char *text, size_t length,
                       struct etm_setup *setup, struct etm_diag *diag)
{
    struct etm_setup_listing listing;
    int status = etm_setup_read_listing(setup, &listing, text, length, diag);

    if (status != ETM_OK && diag->source[0] == '\0')
        (void)snprintf(diag->source, sizeof diag->source, "%s", path);
    for (size_t i = 0; i < listing.notes.n && status == ETM_OK; i++)
        etm_cli_error("%s: note: %s", etm_cli_path(path),
                      listing.notes.text[i]);
    return status;
}

static void take(const struct etm_setup *setup, struct etm_register *registers)
{
    for (size_t i = 0; i < setup->n; i++) {
        const char *name = etm_register_name(setup->values[i].number);

        registers[i] = (struct etm_register){.number = setup->values[i].number,
                                             .value = setup->values[i].value};
        (void)snprintf(registers[i].name, sizeof registers[i].name, "%s",
                       name ? name : "");
    }
}

int etm_cli_dump_read(const char *path, struct etm_register **registers,
                      size_t *n)
{
    struct etm_setup *setup = calloc(1, sizeof *setup);
    struct etm_diag diag = {0};
    size_t length = 0;
    char *text = setup ? etm_cli_text_read(path, &length) : NULL;
    int status =
        text ? etm_cli_setup_read(path, text, length, setup, &diag) : ETM_OK;

    *registers = NULL;
    *n = setup ? setup->n : 0;
    if (status != ETM_OK) {
        etm_cli_diag(status, &diag);
    } else if (text) {
        *registers = calloc(ETM_SETUP_CAPACITY, sizeof **registers);
        if (*registers)
            take(setup, *registers);
    }
    if (!setup || (text && status == ETM_OK && !*registers))
        etm_cli_error("out of memory");
    free(text);
    free(setup);
    return *registers ? -1 : ETM_EXIT_UNREADABLE;
}

int etm_cli_dump_add(struct etm_cli_options *o)
{
    struct etm_register *registers, *all;
    size_t n, given = o->session.n_registers;
    int status = etm_cli_dump_read(o->dump, &registers, &n);

    if (status >= 0)
        return status;
    all = realloc(o->registers, (given + n) * sizeof *all);
    if (!all) {
        free(registers);
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    o->registers = all;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;

        while (k < given && all[k].number != registers[i].number)
            k++;
        if (k == given)
            all[o->session.n_registers++] = registers[i];
    }
    free(registers);
    return -1;
}
