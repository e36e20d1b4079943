/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of text, and instructions whose text is kept. */
#include "../support/scarce.h"
#include "../support/test.h"
#include "write/put.h"
#include "write/text_cache.h"

#include <inttypes.h>

/* Numbers at which the digits, or the parts that are kept, change. */
static const uint64_t numbers[] = {
    0,          1,      9,          10,         99,         100,
    101,        255,    256,        257,        999,        1000,
    9999,       10000,  10001,      65535,      65536,      99999,
    100000,     100000, 4294967295, 4294967296, 4294967551, 4294967552,
    9999999999, 123,    7,          UINT64_MAX, UINT64_MAX, 0,
};

#define NUMBERS (sizeof numbers / sizeof *numbers)

TEST(decimal_numbers_are_those_of_printf)
{
    struct etm_slow_number last = {0};
    char text[64] = {0}, expected[32];

    for (size_t i = 0; i < NUMBERS; i++) {
        (void)snprintf(expected, sizeof expected, "%" PRIu64, numbers[i]);
        *etm_put_decimal(text, numbers[i]) = '\0';
        assert_string_equal(text, expected);
        *etm_put_slow_decimal(text, &last, numbers[i]) = '\0';
        assert_string_equal(text, expected);
    }
}

TEST(offsets_keep_their_column)
{
    struct etm_slow_number last = {0};
    char text[64] = {0}, expected[32];

    for (size_t i = 0; i < NUMBERS; i++) {
        (void)snprintf(expected, sizeof expected, "%8" PRIx64, numbers[i]);
        *etm_put_slow_offset(text, &last, numbers[i]) = '\0';
        assert_string_equal(text, expected);
    }
}

TEST(numbers_that_grow_slowly_are_right_at_each_step)
{
    struct etm_slow_number decimal = {0}, offset = {0};
    char text[64] = {0}, expected[32];

    for (uint64_t i = 0; i < 70000; i += 1 + i % 3) {
        (void)snprintf(expected, sizeof expected, "%" PRIu64, i);
        *etm_put_slow_decimal(text, &decimal, i) = '\0';
        assert_string_equal(text, expected);
        (void)snprintf(expected, sizeof expected, "%8" PRIx64, i);
        *etm_put_slow_offset(text, &offset, i) = '\0';
        assert_string_equal(text, expected);
    }
}

TEST(bytes_and_words_are_hexadecimal)
{
    char text[64] = {0}, expected[32];

    for (unsigned i = 0; i < 256; i++) {
        (void)snprintf(expected, sizeof expected, "%02x ", i);
        assert_memory_equal(etm_put_bytes[i], expected, 4);
    }
    *etm_put_hex32(text, 0x0a1b2c3d) = '\0';
    assert_string_equal(text, "0a1b2c3d");
    *etm_put_hex(text, UINT64_C(0x1122334455667788), 5) = '\0';
    assert_string_equal(text, "4455667788");
}

/* Those of a word where the size is not known, or none of a transfer. E-341 */
TEST(values_have_the_bytes_of_their_transfer)
{
    static const struct {
        uint64_t value;
        unsigned size, bytes;
    } rows[] = {{0xab, 0, 4}, {0xab, 1, 1}, {0x1ab, 1, 2},      {0xab, 2, 2},
                {0xab, 8, 8}, {0xab, 9, 4}, {UINT64_MAX, 9, 8}, {0, 255, 4}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(etm_put_value_bytes(rows[i].value, rows[i].size),
                         rows[i].bytes);
}

/* An entry with a text that tells which one it is. */
union spare {
    struct etm_text_entry entry;
    char room[sizeof(struct etm_text_entry) + ETM_TEXT_MOST + 8];
};

static struct etm_disasm_insn insn_at(uint32_t i)
{
    return (struct etm_disasm_insn){
        .address = 0x8000 + 4 * i, .opcode = 0xe1a00000u + i, .isa = 1};
}

static struct etm_text_entry *keep(struct etm_text_cache *cache, uint32_t i)
{
    struct etm_disasm_insn insn = insn_at(i);
    union spare spare;

    memset(&spare, 0, sizeof spare);
    spare.entry.address = insn.address;
    spare.entry.opcode = insn.opcode;
    spare.entry.isa = insn.isa;
    spare.entry.n =
        (uint8_t)snprintf(spare.entry.text, ETM_TEXT_MOST, "%0*" PRIu32,
                          (int)(1 + i * 7 % (ETM_TEXT_MOST - 1)), i);
    return etm_text_cache_keep(cache, &spare.entry);
}

static void assert_is(const struct etm_text_entry *entry, uint32_t i)
{
    char expected[256];
    int n = snprintf(expected, sizeof expected, "%0*" PRIu32,
                     (int)(1 + i * 7 % (ETM_TEXT_MOST - 1)), i);

    assert_non_null(entry);
    assert_int_equal(entry->n, n);
    assert_memory_equal(entry->text, expected, (size_t)n);
}

TEST(kept_instructions_are_found)
{
    static struct etm_text_cache cache;

    etm_text_cache_init(&cache, 1, &etm_allocator_malloc);
    for (uint32_t i = 0; i < 20000; i++) {
        struct etm_disasm_insn insn = insn_at(i);

        assert_null(etm_text_cache_find(&cache, &insn));
        (void)keep(&cache, i);
    }
    for (uint32_t i = 0; i < 20000; i++) {
        struct etm_disasm_insn insn = insn_at(i);
        struct etm_text_entry *entry = etm_text_cache_find(&cache, &insn);

        assert_is(entry, i);
        assert_ptr_equal(etm_text_cache_at(&cache, entry->number), entry);
        insn.it = 0x1e; /* in an IT block it reads otherwise */
        assert_null(etm_text_cache_find(&cache, &insn));
    }
    etm_text_cache_fini(&cache);
}

TEST(a_full_cache_forgets_and_stays_in_its_limit)
{
    static struct etm_text_cache cache;
    size_t most = 0;

    etm_text_cache_init(&cache, 1, &etm_allocator_malloc);
    cache.limit = 2;
    for (uint32_t i = 0; i < 50000; i++) {
        assert_is(keep(&cache, i), i);
        most = cache.n > most ? cache.n : most;
    }
    assert_in_range(most, 2000, 10000);
    assert_null(cache.chunks[2]);
    for (uint32_t i = 0; i < 49999 - (uint32_t)most; i++) {
        struct etm_disasm_insn insn = insn_at(i);

        assert_null(etm_text_cache_find(&cache, &insn));
    }
    etm_text_cache_forget(&cache);
    for (uint32_t i = 0; i < 50000; i++) {
        struct etm_disasm_insn insn = insn_at(i);

        assert_null(etm_text_cache_find(&cache, &insn));
    }
    etm_text_cache_fini(&cache);
}

/* Several caches have together as much as one. */
TEST(caches_share_their_memory)
{
    static struct etm_text_cache cache;

    for (unsigned caches = 0; caches <= 1000; caches++) {
        etm_text_cache_init(&cache, caches, &etm_allocator_malloc);
        assert_in_range(cache.limit, 1, ETM_TEXT_CHUNKS);
        assert_true(cache.limit == 1 ||
                    caches * cache.limit <= ETM_TEXT_CHUNKS);
        if (caches < 2)
            assert_int_equal(cache.limit, ETM_TEXT_CHUNKS);
        etm_text_cache_fini(&cache);
    }
}

TEST(without_memory_the_text_is_not_kept)
{
    struct scarce scarce = {0};
    const struct etm_allocator none = {scarce_resize, &scarce};
    static struct etm_text_cache cache;
    struct etm_disasm_insn insn = insn_at(1);
    union spare spare;

    etm_text_cache_init(&cache, 1, &none);
    memset(&spare, 0, sizeof spare);
    spare.entry.address = insn.address;
    assert_ptr_equal(etm_text_cache_keep(&cache, &spare.entry), &spare.entry);
    assert_int_equal(spare.entry.number, 0);
    assert_null(etm_text_cache_find(&cache, &insn));
    etm_text_cache_fini(&cache);
}
