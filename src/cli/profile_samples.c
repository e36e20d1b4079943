/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/profile_samples.h"

#include "cli/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sampled {
    char *name; /* of a function, or the address that has none */
    uint32_t address;
    uint64_t samples;
};

struct etm_cli_samples {
    struct etm_cli_replay *replay;
    struct sampled *rows; /* in the order of addresses */
    size_t n, room;
    uint64_t running, sleeping, prohibited;
};

/* The address of the function that a sample is in, or the sample's own. */
static uint32_t function_of(const struct etm_cli_replay *r, uint32_t address,
                            const char **name)
{
    struct etm_symbol symbol;

    *name = NULL;
    if (!r->names.symbol ||
        r->names.symbol(r->names.context, address, &symbol) != ETM_OK)
        return address;
    *name = symbol.name;
    return address - symbol.offset;
}

static char *copy_name(const char *name, uint32_t address)
{
    size_t n = name ? strlen(name) + 1 : ETM_CLI_CALL_NAME;
    char *text = malloc(n);

    if (!text)
        return NULL;
    if (name)
        memcpy(text, name, n);
    else
        (void)snprintf(text, n, "0x%08x", (unsigned)address);
    return text;
}

/* The row of a function, in the order of addresses; NULL: out of memory. */
static struct sampled *row_of(struct etm_cli_samples *x, uint32_t address,
                              const char *name)
{
    size_t low = 0, high = x->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (x->rows[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < x->n && x->rows[low].address == address)
        return &x->rows[low];
    if (x->n == x->room) {
        size_t room = 2 * x->room + 64;
        struct sampled *rows = realloc(x->rows, room * sizeof *rows);

        if (!rows)
            return NULL;
        x->rows = rows;
        x->room = room;
    }
    memmove(x->rows + low + 1, x->rows + low, (x->n - low) * sizeof *x->rows);
    x->n++;
    x->rows[low] = (struct sampled){copy_name(name, address), address, 0};
    return x->rows[low].name ? &x->rows[low] : NULL;
}

static int take_sample(struct etm_cli_samples *x, const struct etm_element *e)
{
    struct sampled *row;
    uint32_t address;
    const char *name;

    if (e->u.pc_sample.state != ETM_PC_RUNNING) {
        x->sleeping += e->u.pc_sample.state == ETM_PC_SLEEPING;
        x->prohibited += e->u.pc_sample.state == ETM_PC_PROHIBITED;
        return ETM_OK;
    }
    x->running++;
    address = function_of(x->replay, e->u.pc_sample.address, &name);
    row = row_of(x, address, name);
    if (!row)
        return ETM_ERR_MEMORY;
    row->samples++;
    return ETM_OK;
}

struct etm_cli_samples *etm_cli_samples_new(struct etm_cli_replay *r)
{
    struct etm_cli_samples *x = calloc(1, sizeof *x);

    if (x)
        x->replay = r;
    return x;
}

int etm_cli_samples_take(struct etm_cli_samples *x,
                         const struct etm_element *elements, size_t n)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        if (elements[i].kind == ETM_ELEMENT_PC_SAMPLE)
            status = take_sample(x, &elements[i]);
    return status;
}

static int by_samples(const void *a, const void *b)
{
    const struct sampled *x = a, *y = b;

    if (x->samples != y->samples)
        return (x->samples < y->samples) - (x->samples > y->samples);
    return (x->address > y->address) - (x->address < y->address);
}

static void put_sampled(struct etm_cli_replay *r, uint64_t all,
                        uint64_t samples, const char *name)
{
    etm_cli_print(r->output, "%7.2f%%%10" PRIu64 "  ",
                  all != 0 ? 100.0 * (double)samples / (double)all : 0.0,
                  samples);
    etm_cli_put_name(r->output, name);
    etm_cli_put(r->output, "\n", 1);
}

static void put_title(struct etm_cli_replay *r)
{
    char title[256];

    etm_cli_title(r->info, title, sizeof title);
    etm_cli_print(r->output, "%s\n", title);
}

static const char *name_of(const struct etm_cli_samples *x, size_t i)
{
    return etm_cli_demangle(x->replay->demangler, i, x->rows[i].name, false);
}

static void profile_text(struct etm_cli_samples *x)
{
    struct etm_cli_replay *r = x->replay;
    uint64_t all = x->running + x->sleeping + x->prohibited;

    put_title(r);
    etm_cli_print(r->output, "%8s%10s  function\n", "share", "samples");
    for (size_t i = 0; i < x->n; i++)
        put_sampled(r, all, x->rows[i].samples, name_of(x, i));
    if (x->sleeping != 0)
        put_sampled(r, all, x->sleeping, "[sleeping]");
    if (x->prohibited != 0)
        put_sampled(r, all, x->prohibited, "[prohibited]");
    etm_cli_print(r->output, "%" PRIu64 " sample%s of the program counter\n\n",
                  all, etm_cli_plural(all));
}

static void profile_folded(struct etm_cli_samples *x)
{
    for (size_t i = 0; i < x->n; i++) {
        const char *name = name_of(x, i);

        etm_cli_put_name(x->replay->output, name);
        etm_cli_print(x->replay->output, " %" PRIu64 "\n", x->rows[i].samples);
    }
}

static void profile_jsonl(struct etm_cli_samples *x)
{
    struct etm_cli_replay *r = x->replay;

    for (size_t i = 0; i < x->n; i++) {
        etm_cli_print(r->output, "{\"k\":\"function\",\"src\":%u", r->info->id);
        etm_cli_json_text(r->output, "name", name_of(x, i));
        etm_cli_print(r->output, ",\"addr\":\"0x%08x\"",
                      (unsigned)x->rows[i].address);
        etm_cli_json_number(r->output, "samples", true, x->rows[i].samples);
        etm_cli_put(r->output, "}\n", 2);
    }
    etm_cli_print(r->output, "{\"k\":\"total\",\"src\":%u", r->info->id);
    etm_cli_json_number(r->output, "samples", true, x->running);
    etm_cli_json_number(r->output, "sleeping", true, x->sleeping);
    etm_cli_json_number(r->output, "prohibited", true, x->prohibited);
    etm_cli_put(r->output, "}\n", 2);
}

static const struct {
    const char *format;
    void (*show)(struct etm_cli_samples *);
} forms[] = {
    {"text", profile_text},
    {"jsonl", profile_jsonl},
    {"folded", profile_folded},
};
#define FORMS (sizeof forms / sizeof *forms)

bool etm_cli_samples_fit(const struct etm_cli_options *o, const char *format)
{
    const char *by = o->view.by;

    for (size_t i = 0; i < FORMS; i++)
        if (strcmp(forms[i].format, format) == 0)
            return (!by || strcmp(by, "function") == 0) && !o->view.annotate;
    return false;
}

void etm_cli_samples_show(struct etm_cli_samples *x, const char *format)
{
    if (x->n != 0)
        qsort(x->rows, x->n, sizeof *x->rows, by_samples);
    for (size_t i = 0; i < FORMS; i++)
        if (strcmp(forms[i].format, format) == 0)
            forms[i].show(x);
}

void etm_cli_samples_free(struct etm_cli_samples *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->n; i++)
        free(x->rows[i].name);
    free(x->rows);
    free(x);
}
