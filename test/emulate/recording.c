/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "recording.h"

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

    text_add(&r->output, "%.*s", (int)n, text);
}

void recording_run(struct recording *r, struct etm_emulator_config config)
{
    const struct etm_core *core =
        core_named(config.core != NULL ? config.core : "Cortex-A9");

    memset(r, 0, sizeof *r);
    etm_vec_init(&r->events, sizeof(struct etm_event), &etm_allocator_malloc);
    text_add(&r->output, "%s", "");
    if (config.events == NULL)
        config.events = keep;
    config.output = take_output;
    config.context = r;
    r->profile = core != NULL ? core->profile : ETM_PROFILE_A;
    r->status = etm_emulator_new(&r->emulator, &config, &r->diag);
    if (r->status != ETM_OK)
        return;
    r->memory = recording_memory(r);
    r->status = etm_emulator_run(r->emulator, &r->result, &r->diag);
}

uint8_t *recording_memory(const struct recording *r)
{
    uint8_t *memory = calloc(1, MEMORY);

    for (uint32_t at = 0; at < MEMORY; at += 0x1000)
        (void)etm_emulator_read(r->emulator, at, memory + at, 0x1000);
    return memory;
}

void recording_close(struct recording *r)
{
    etm_emulator_free(r->emulator);
    etm_vec_fini(&r->events);
    free(r->output.text);
    free(r->memory);
    memset(r, 0, sizeof *r);
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
    if (file == NULL || fwrite(head, 1, sizeof head, file) != sizeof head ||
        fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
        abort();
    return name;
}
