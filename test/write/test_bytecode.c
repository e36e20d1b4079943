/* SPDX-License-Identifier: Apache-2.0 */
/* Bytecodes of Jazelle, which may be longer than their opcode (doc/elements.md,
 * "Instructions, data and exceptions"). */
#include "../support/test.h"

#include <etm/write.h>

static int take(void *context, const char *text, size_t n)
{
    strncat(context, text, n);
    return ETM_OK;
}

TEST(opcode_has_the_first_four_bytes)
{
    for (unsigned size = 1; size <= 9; size++) {
        const unsigned digits = 2 * (size < 4 ? size : 4);
        char got[512] = "", expected[512];
        const struct etm_listing_config config = {
            .format = "jsonl", .write = take, .context = got};
        const struct etm_listing_source source = {.id = 1};
        struct etm_element e = {.kind = ETM_ELEMENT_INSN, .source = 1};
        struct etm_listing *listing;

        e.u.insn.address = 0x8001;
        e.u.insn.opcode = 0xaa112233u >> (32 - 4 * digits);
        e.u.insn.isa = ETM_ISA_JAZELLE;
        e.u.insn.size = (uint8_t)size;
        e.u.insn.exec = ETM_TRUE;
        e.u.insn.type = ETM_INSN_TYPE_OTHER;
        snprintf(expected, sizeof expected,
                 "{\"k\":\"insn\",\"src\":1,\"off\":0,\"addr\":\"0x00008001\","
                 "\"isa\":\"jazelle\",\"opcode\":\"0x%.*s\",\"size\":%u,"
                 "\"exec\":true,\"type\":\"other\",\"cycles\":0}\n",
                 (int)digits, "aa112233", size);
        assert_ok(etm_listing_new(&listing, &config));
        assert_ok(etm_listing_begin(listing, &source));
        assert_ok(etm_listing_elements(listing, &e, 1));
        assert_ok(etm_listing_flush(listing));
        assert_string_equal(got, expected);
        etm_listing_free(listing);
    }
}
