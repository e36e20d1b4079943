/* SPDX-License-Identifier: Apache-2.0 */
/* Disassembly where memory is short: it ends the listing, and is not left out
 * without a word. */
#include "../support/test.h"
#include "listing.h"

#include "../support/scarce.h"

#include <capstone/capstone.h>

static struct scarce memory;

static void *take(size_t size)
{
    return scarce_resize(&memory, NULL, size != 0 ? size : 1);
}

static void *take_zero(size_t n, size_t size)
{
    void *block = take(n * size);

    return block != NULL ? memset(block, 0, n * size) : NULL;
}

static void *take_more(void *old, size_t size)
{
    return scarce_resize(&memory, old, size != 0 ? size : 1);
}

/* A listing of an element: its disassembler is made with `first` allocations
 * that succeed, and used with `then`. */
static int list(const struct etm_element *e, struct written *w, size_t first,
                size_t then)
{
    struct etm_listing *listing = new_listing("text", w);
    int status;

    memory.left = first;
    status = etm_listing_begin(listing, &(struct etm_listing_source){0});
    memory.left = then;
    if (status == ETM_OK)
        status = etm_listing_elements(listing, e, 1);
    if (status == ETM_OK)
        status = etm_listing_flush(listing);
    etm_listing_free(listing);
    return status;
}

TEST(lack_of_memory_is_reported)
{
    static struct written whole, w;
    const cs_opt_mem scarcity = {.malloc = take,
                                 .calloc = take_zero,
                                 .realloc = take_more,
                                 .free = free,
                                 .vsnprintf = vsnprintf};
    const struct etm_element e = {
        .kind = ETM_ELEMENT_INSN,
        .u.insn = {.address = 0x8004,
                   .opcode = 0xe0810002, /* add r0, r1, r2 */
                   .isa = ETM_ISA_ARM,
                   .size = 4,
                   .cycles = ETM_CYCLES_UNKNOWN}};

    assert_int_equal(cs_option(0, CS_OPT_MEM, (size_t)&scarcity), CS_ERR_OK);
    assert_ok(list(&e, &whole, SIZE_MAX, SIZE_MAX));
    assert_non_null(strstr(whole.text, "add     r0, r1, r2"));
    /* where the first one fails: Capstone 4 does not outlive a later one */
    assert_int_equal(list(&e, &w, 0, SIZE_MAX), ETM_ERR_MEMORY);
    assert_int_equal(list(&e, &w, SIZE_MAX, 0), ETM_ERR_MEMORY);
    assert_ok(list(&e, &w, SIZE_MAX, SIZE_MAX));
    assert_string_equal(w.text, whole.text);
}
