/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of the rows that begin at or before an address reach beyond it. Rows
 * may be in each other in any number, and one that has everything in it must
 * not be looked for through all the others: a tree has the greatest end of each
 * run of rows.
 */
#include "input/elf_private.h"

int etm_elf_cover_make(struct etm_elf_cover *cover, size_t n,
                       const struct etm_allocator *allocator)
{
    size_t leaves = 1;
    uint64_t *tree;

    while (leaves <= n) /* one after the last row, too */
        leaves *= 2;
    etm_elf_cover_free(cover, allocator);
    tree = etm_alloc_zero(allocator, 2 * leaves * sizeof *tree);
    if (tree == NULL)
        return ETM_ERR_MEMORY;
    cover->tree = tree;
    cover->leaves = leaves;
    return ETM_OK;
}

void etm_elf_cover_put(struct etm_elf_cover *cover, size_t i, uint64_t end)
{
    for (i += cover->leaves; i > 0 && cover->tree[i] < end; i /= 2)
        cover->tree[i] = end;
}

size_t etm_elf_cover_before(const struct etm_elf_cover *cover, size_t i,
                            uint64_t address)
{
    const uint64_t *tree = cover->tree;

    if (tree == NULL)
        return 0;
    /* up, to the left, until there is one */
    for (i += cover->leaves; i > 1; i /= 2) {
        if (i % 2 == 0 || tree[i - 1] <= address)
            continue;
        for (i--; i < cover->leaves;)
            i = tree[2 * i + 1] > address ? 2 * i + 1 : 2 * i;
        return i - cover->leaves + 1;
    }
    return 0;
}

void etm_elf_cover_free(struct etm_elf_cover *cover,
                        const struct etm_allocator *allocator)
{
    etm_alloc_free(allocator, cover->tree);
    *cover = (struct etm_elf_cover){.tree = NULL};
}
