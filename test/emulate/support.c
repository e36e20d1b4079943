/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "support.h"
#include "../support/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int keep(void *context, const struct etm_event *events, size_t n)
{
    struct recording *r = context;

    return etm_vec_append(&r->events, events, n);
}

static void take_output(void *context, const char *text, size_t n)
{
    struct recording *r = context;

    assert_true(n < sizeof r->output - r->n_output);
    memcpy(r->output + r->n_output, text, n);
    r->n_output += n;
}

void recording_open(struct recording *r, const char *program,
                    struct etm_emulator_config config)
{
    const char *folder = getenv("ETM_PROGRAMS");
    struct etm_diag diag = {.what = ""};
    char path[512];

    memset(r, 0, sizeof *r);
    assert_non_null(folder);
    snprintf(path, sizeof path, "%s/%s", folder, program);
    etm_vec_init(&r->events, sizeof(struct etm_event), &etm_allocator_malloc);
    config.size = sizeof config;
    config.program = strchr(program, '/') != NULL ? program : path;
    config.events = keep;
    config.output = take_output;
    config.context = r;
    if (config.limit == 0)
        config.limit = 200000;
    r->profile = core_named(config.core)->profile;
    if (etm_emulator_new(&r->emulator, &config, &diag) != ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
}

void recording_run(struct recording *r)
{
    struct etm_diag diag = {.what = ""};

    if (etm_emulator_run(r->emulator, &r->result, &diag) != ETM_OK)
        fail_msg("%s: %s at %08x", diag.source, diag.what,
                 (unsigned)diag.address);
}

void recording_close(struct recording *r)
{
    etm_emulator_free(r->emulator);
    etm_vec_fini(&r->events);
}

const struct etm_event *recording_event(const struct recording *r, size_t i)
{
    assert_true(i < r->events.n);
    return (const struct etm_event *)r->events.data + i;
}

static void put(uint8_t *p, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

const char *make_elf(const void *bytes, size_t n, uint32_t entry)
{
    static char name[64]; /* its own, as tests run side by side */
    uint8_t head[52 + 32] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    FILE *file;

    snprintf(name, sizeof name, "./emulate-%ld.elf", (long)getpid());
    file = fopen(name, "wb");
    head[16] = 2;  /* executable */
    head[18] = 40; /* Arm */
    put(head + 24, entry);
    put(head + 28, 52); /* the program header comes next */
    head[42] = 32;
    head[44] = 1;
    put(head + 52, 1); /* load */
    put(head + 52 + 4, sizeof head);
    put(head + 52 + 16, (uint32_t)n);
    put(head + 52 + 20, (uint32_t)n);
    assert_non_null(file);
    assert_int_equal(fwrite(head, 1, sizeof head, file), sizeof head);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
    return name;
}

void run_code(struct recording *r, const void *code, size_t n, uint32_t entry,
              struct etm_emulator_config config)
{
    const char *file = make_elf(code, n, entry);

    recording_open(r, file, config);
    remove(file);
    recording_run(r);
}
