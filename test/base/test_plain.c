/* SPDX-License-Identifier: Apache-2.0 */
/* What a terminal is given of text from files, and how much of a name. */
#include "../support/test.h"

#include <etm/types.h>

static void expect(const char *text, size_t length, bool plain)
{
    bool is = !plain;

    assert_int_equal(etm_character(text, strlen(text), &is), length);
    assert_int_equal(is, plain);
}

TEST(commands_to_a_terminal_are_not_plain)
{
    static const char *const bad[] = {
        "\x1b[2J",      "\n",           "\t",           "\x7f",
        "\xc2\x9b",     "\xc2\x80",     "\xd8\x9c",     "\xe2\x80\x8e",
        "\xe2\x80\x8f", "\xe2\x80\xa8", "\xe2\x80\xaa", "\xe2\x80\xae",
        "\xe2\x81\xa6", "\xe2\x81\xa9"};
    static const size_t lengths[] = {1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect(bad[i], lengths[i], false);
    expect("a", 1, true);
    expect("~", 1, true);
    expect("\xc2\xa0", 2, true);
    expect("\xc3\xa9", 2, true);
    expect("\xe2\x80\xa6", 3, true);
    expect("\xe2\x81\xaa", 3, true);
    expect("\xef\xbf\xbd", 3, true);
    expect("\xef\xbf\xbe", 3, false); /* not in XML */
    expect("\xef\xbf\xbf", 3, false);
    expect("\xef\xbe\xbe", 3, true);
    expect("\xf0\x9f\x98\x80", 4, true);
    expect("\xf4\x80\x80\x80", 4, true); /* U+100000 */
    expect("\xf4\x8f\xbf\xbf", 4, true); /* U+10FFFF */
}

TEST(what_is_no_utf_8_is_no_character)
{
    bool plain = true;

    expect("\x9b", 0, false); /* CSI of a terminal with eight bits */
    expect("\xff", 0, false);
    expect("\xc0\xaf", 0, false);
    expect("\xe0\x80\x80", 0, false);
    expect("\xed\xa0\x80", 0, false);
    expect("\xf4\x90\x80\x80", 0, false);
    assert_int_equal(etm_character("\xe2\x80\xa6", 2, &plain), 0);
    assert_false(plain);
    assert_int_equal(etm_character("", 0, &plain), 0);
    assert_false(plain);
}

TEST(a_long_name_is_cut)
{
    static char name[300001], other[sizeof name];
    char cut[ETM_NAME_SHOWN + 1], second[ETM_NAME_SHOWN + 1];

    memset(name, 'A', sizeof name - 1);
    name[ETM_NAME_SHOWN] = '\0';
    assert_ptr_equal(etm_name_shown(name, cut), name);
    name[ETM_NAME_SHOWN] = 'A';
    assert_ptr_equal(etm_name_shown(name, cut), cut);
    assert_int_equal(strlen(cut), ETM_NAME_SHOWN);
    assert_memory_equal(cut, name, ETM_NAME_SHOWN - 11);
    assert_memory_equal(cut + ETM_NAME_SHOWN - 11, "\xe2\x80\xa6", 3);
    assert_int_equal(strspn(cut + ETM_NAME_SHOWN - 8, "0123456789abcdef"), 8);
    /* one that differs anywhere is another one */
    for (size_t at = 0; at < sizeof name - 1; at += 7919) {
        memcpy(other, name, sizeof name);
        other[at] = 'B';
        (void)etm_name_shown(other, second);
        assert_string_not_equal(cut, second);
    }
    memcpy(other, name, sizeof name);
    other[sizeof name - 2] = '\0';
    (void)etm_name_shown(other, second);
    assert_string_not_equal(cut, second);
}

TEST(a_name_is_not_cut_within_a_character)
{
    static char name[3001];
    char cut[ETM_NAME_SHOWN + 1];

    for (size_t before = 0; before < 3; before++) {
        size_t n;

        memset(name, 'A', before);
        for (size_t i = before; i + 3 < sizeof name; i += 3)
            memcpy(name + i, "\xe2\x82\xac", 3);
        (void)etm_name_shown(name, cut);
        for (size_t at = 0; cut[at] != '\0'; at += n) {
            bool plain;

            n = etm_character(cut + at, strlen(cut + at), &plain);
            assert_true(plain);
        }
    }
}
