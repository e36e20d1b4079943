/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/known.h"

#include <etm/types.h>

#include <stdlib.h>

#define PAGE 64u

struct etm_cli_known_page {
    uint32_t base;
    uint32_t gaps;  /* that had been when it was written, and 1; 0: unused */
    uint64_t known; /* bit 0: the first byte */
    uint8_t bytes[PAGE];
};

/* The page of an address, or where it is to be. */
static struct etm_cli_known_page *slot_of(struct etm_cli_known_page *pages,
                                          size_t room, uint32_t base)
{
    size_t i = (size_t)((base / PAGE) * UINT32_C(0x9e3779b1)) & (room - 1);

    while (pages[i].gaps != 0 && pages[i].base != base)
        i = (i + 1) & (room - 1);
    return &pages[i];
}

static int grow(struct etm_cli_known *k)
{
    size_t room = k->room != 0 ? 2 * k->room : 64;
    struct etm_cli_known_page *pages = calloc(room, sizeof *pages);

    if (!pages)
        return ETM_ERR_MEMORY;
    for (size_t i = 0; i < k->room; i++)
        if (k->pages[i].gaps != 0)
            *slot_of(pages, room, k->pages[i].base) = k->pages[i];
    free(k->pages);
    k->pages = pages;
    k->room = room;
    return ETM_OK;
}

int etm_cli_known_set(struct etm_cli_known *k, uint32_t address,
                      const uint8_t *bytes, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        uint32_t at = address + i, base = at & ~(PAGE - 1);
        uint64_t bit = UINT64_C(1) << (at % PAGE);
        struct etm_cli_known_page *page;

        if (2 * k->n >= k->room && grow(k) != ETM_OK)
            return ETM_ERR_MEMORY;
        page = slot_of(k->pages, k->room, base);
        k->n += page->gaps == 0;
        if (page->gaps != k->gaps + 1) {
            page->base = base;
            page->gaps = k->gaps + 1;
            page->known = 0;
        }
        if (bytes) {
            page->bytes[at % PAGE] = bytes[i];
            page->known |= bit;
        } else {
            page->known &= ~bit;
        }
    }
    return ETM_OK;
}

void etm_cli_known_forget(struct etm_cli_known *k)
{
    k->gaps++;
}

unsigned etm_cli_known_get(const struct etm_cli_known *k, uint32_t address,
                           uint8_t *bytes, unsigned n)
{
    unsigned known = 0;

    for (unsigned i = 0; i < n; i++) {
        uint32_t at = address + i;
        const struct etm_cli_known_page *page =
            k->room != 0 ? slot_of(k->pages, k->room, at & ~(PAGE - 1)) : NULL;

        bytes[i] = 0;
        if (!page || page->gaps != k->gaps + 1 ||
            (page->known >> (at % PAGE) & 1) == 0)
            continue;
        bytes[i] = page->bytes[at % PAGE];
        known |= 1u << i;
    }
    return known;
}

void etm_cli_known_free(struct etm_cli_known *k)
{
    free(k->pages);
    *k = (struct etm_cli_known){0};
}
