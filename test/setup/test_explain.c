/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that explain registers and find mistakes: their arguments, and values
 * at random. What is said is in the scenarios. */
#include "../support/test.h"
#include "rig.h"

struct setting {
    struct rig rig;
    struct etm_register registers[200];
    struct etm_explain_config explain;
};

static void machine(struct setting *s, const char *core, const char *version)
{
    memset(s, 0, sizeof *s);
    rig_make(&s->rig, core, version);
    s->explain.registers = s->registers;
    s->explain.macrocell = &s->rig.macrocell;
}

static int count_text(void *context, const struct etm_explain_line *line)
{
    *(size_t *)context += strlen(line->text);
    return 0;
}

TEST(words_are_cut_where_there_is_no_room)
{
    char text[8] = "xxxxxxx";

    assert_string_equal(etm_event_words(0x40, text, sizeof text), "counter");
    assert_string_equal(etm_event_words(0x40, text, 1), "");
    assert_ptr_equal(etm_event_words(0x40, text, 0), text);
}

TEST(nothing_is_an_invalid_argument)
{
    struct setting s;
    size_t said = 0;
    struct etm_diag diag;

    assert_int_equal(etm_explain(NULL, NULL, NULL, &diag), ETM_ERR_ARGUMENT);
    assert_string_not_equal(diag.what, "");
    assert_int_equal(etm_lint_values(NULL, NULL, 0, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_lint_accesses(NULL, NULL, 0, NULL, 0, NULL),
                     ETM_ERR_ARGUMENT);
    machine(&s, "cortex-m4", NULL);
    assert_ok(etm_configure(&s.rig.setup, &s.rig.request, &s.rig.macrocell,
                            NULL, NULL));
    assert_int_equal(etm_explain(&s.explain, NULL, NULL, &diag),
                     ETM_ERR_ARGUMENT);
    s.explain.size = 3;
    assert_int_equal(etm_explain(&s.explain, count_text, &said, &diag),
                     ETM_ERR_ARGUMENT);
}

/* Nothing that registers hold makes it fail. */
TEST(any_value_can_be_explained)
{
    uint64_t x = 1;

    for (unsigned round = 0; round < 400; round++) {
        struct setting s;
        size_t said = 0;

        machine(&s, round % 2 ? "cortex-a8" : "arm7tdmi-large",
                versions[round % COUNT(versions)]);
        for (uint32_t i = 0; i < 120; i++) {
            uint32_t n;

            x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
            n = (uint32_t)(x >> 33) % 0x92;
            /* what it is stays what it is */
            if (n == 0x079 || n == 0x001 || n == 0x07a || n == 0x005)
                n = 0x000;
            s.registers[s.explain.n_registers++] = (struct etm_register){
                .number = n, .value = (uint32_t)(x >> 29)};
        }
        assert_ok(etm_explain(&s.explain, count_text, &said, NULL));
        assert_true(said > 200);
        assert_true(etm_lint_values(&s.explain, NULL, 0, NULL) >= 0);
    }
}
