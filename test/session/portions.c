/* SPDX-License-Identifier: Apache-2.0 */
#include "portions.h"
#include "../support/status.h"

#include <stdlib.h>
#include <string.h>

/* Functions of 64 bytes, not everywhere, and lines of some of them. */
static const char *const functions[8] = {"reset", "main", NULL,   "loop",
                                         "send",  "idle", "copy", NULL};

static int find_symbol(void *context, uint32_t address,
                       struct etm_symbol *symbol)
{
    const char *name = functions[address >> 6 & 7];

    (void)context;
    *symbol = (struct etm_symbol){.name = name, .offset = address & 63};
    return name != NULL ? ETM_OK : ETM_ERR_NOT_FOUND;
}

static int find_line(void *context, uint32_t address,
                     struct etm_source_line *line)
{
    (void)context;
    *line = (struct etm_source_line){.file = address >> 8 & 1 ? "a.c" : "b.c",
                                     .line = address >> 3 & 7};
    return (address >> 6 & 3) != 1 ? ETM_OK : ETM_ERR_NOT_FOUND;
}

static int keep_text(void *context, const char *text, size_t n)
{
    struct test_text *t = context;

    if (t->n + n > t->capacity) {
        t->capacity = 2 * (t->n + n);
        t->bytes = realloc(t->bytes, t->capacity);
        assert_non_null(t->bytes);
    }
    memcpy(t->bytes + t->n, text, n);
    t->n += n;
    return ETM_OK;
}

static int no_text(void *context, const char *text, size_t n)
{
    (void)context;
    (void)text;
    (void)n;
    return ETM_ERR_ARGUMENT;
}

void test_portions_init(struct test_portions *p, unsigned form,
                        const struct etm_config *config)
{
    memset(p, 0, sizeof *p);
    p->config = (struct etm_listing_config){
        .format = form == 0 ? "jsonl" : "text",
        .cycles = (form & 2) != 0,
        .lines = (form & 1) != 0,
        .write = keep_text,
        .context = &p->text,
    };
    p->source = (struct etm_listing_source){
        .config = config,
        .names = {.symbol = find_symbol, .line = find_line},
        .id = 1};
    OK(etm_listing_new(&p->listing, &p->config));
    OK(etm_listing_begin(p->listing, &p->source));
}

void test_portions_fini(struct test_portions *p)
{
    etm_listing_free(p->listing);
    for (unsigned i = 0; i < TEST_MAKERS; i++)
        etm_listing_free(p->makers[i]);
    free(p->text.bytes);
}

struct portion {
    struct test_portions *all;
    struct etm_listing *maker;
    struct etm_listing_portion *part;
};

static int begin(void *context, unsigned thread, void **portion)
{
    struct test_portions *all = context;
    struct portion *p = *portion;
    struct etm_listing_config config = all->config;
    int status = ETM_OK;

    if (thread >= TEST_MAKERS)
        return ETM_ERR_ARGUMENT;
    if (!p) {
        p = calloc(1, sizeof *p);
        if (!p)
            return ETM_ERR_MEMORY;
        *portion = p;
        atomic_fetch_add(&all->made, 1);
    }
    config.write = no_text;
    if (!all->makers[thread]) {
        status = etm_listing_new(&all->makers[thread], &config);
        if (status == ETM_OK)
            status = etm_listing_begin(all->makers[thread], &all->source);
    }
    p->all = all;
    p->maker = all->makers[thread];
    if (status == ETM_OK)
        status = etm_listing_portion_begin(p->maker, &p->part);
    if (status != ETM_OK)
        return status;
    atomic_fetch_add(&all->begun, 1);
    atomic_fetch_add(&all->at_hand, 1);
    return ETM_OK;
}

static int make(void *portion, const struct etm_element *elements, size_t n)
{
    struct portion *p = portion;

    return etm_listing_elements(p->maker, elements, n);
}

static int end(void *portion)
{
    struct portion *p = portion;

    atomic_fetch_sub(&p->all->at_hand, 1);
    return etm_listing_portion_end(p->maker);
}

static int take(void *context, void *portion)
{
    struct test_portions *all = context;
    const struct portion *p = portion;

    all->taken++;
    return etm_listing_append(all->listing, p->part);
}

static void free_portion(void *context, void *portion)
{
    struct portion *p = portion;

    (void)context;
    etm_listing_portion_free(p->part);
    free(p);
}

struct etm_portions test_portions_hook(struct test_portions *all)
{
    return (struct etm_portions){.begin = begin,
                                 .elements = make,
                                 .end = end,
                                 .take = take,
                                 .free = free_portion,
                                 .context = all,
                                 /* several portions a stretch, or one */
                                 .element_size = all->config.lines ? 128 : 0};
}

int test_portions_elements(void *context, const struct etm_element *elements,
                           size_t n)
{
    struct test_portions *p = context;

    return etm_listing_elements(p->listing, elements, n);
}
