/* SPDX-License-Identifier: Apache-2.0 */
/* The syntax of ini files, and of numbers and lists in them. */
#include "../support/test.h"
#include "support.h"

#include "input/ini.h"
#include "input/text.h"

static struct etm_ini ini;

static void open_text(const char *text)
{
    struct etm_diag diag;

    write_text("a.ini", text);
    assert_ok(etm_ini_open(&ini, in_directory("a.ini"), NULL, &diag));
}

static const char *value(const char *section, const char *key)
{
    const struct etm_ini_entry *e =
        etm_ini_find(&ini, etm_ini_section(&ini, section), key);

    return e != NULL ? e->value : NULL;
}

TEST(keys_have_values)
{
    open_text("[one]\nkey=value\nother=1 2\n\n[two]\nkey=x=y\nempty=\n");
    assert_string_equal(value("one", "key"), "value");
    assert_string_equal(value("one", "other"), "1 2");
    assert_string_equal(value("two", "key"), "x=y");
    assert_string_equal(value("two", "empty"), "");
    assert_null(value("two", "other"));
    assert_null(value("three", "key"));
    assert_int_equal(
        etm_ini_find(&ini, etm_ini_section(&ini, "two"), "key")->line, 6);
    etm_ini_close(&ini);
}

TEST(comments_blanks_and_line_ends_do_not_matter)
{
    open_text("\xef\xbb\xbf; first\r\n# second\r\n\r\n"
              "  [ One ]  ; behind\r\n\t key \t=  value  # comment\r\n"
              "plain = v;w\r\nquoted = \" a;b # c \" ; d\r\n"
              "single = 'x y'\r\nlast=end");
    assert_string_equal(value("one", "KEY"), "value");
    assert_string_equal(value("ONE", "plain"), "v");
    assert_string_equal(value("One", "quoted"), " a;b # c ");
    assert_string_equal(value("One", "single"), "x y");
    assert_string_equal(value("One", "last"), "end");
    etm_ini_close(&ini);
}

TEST(what_a_terminal_takes_for_a_command_is_none)
{
    open_text("[one]\nname=PTM\033[2J_0\nplace=a\tb\177\xc3\xa4\xc2\x9b\n");
    assert_string_equal(value("one", "name"), "PTM?[2J_0");
    assert_string_equal(value("one", "place"), "a\tb?\xc3\xa4?");
    etm_ini_close(&ini);
}

TEST(sections_of_one_name_stay_apart)
{
    const struct etm_ini_section *sections;

    open_text("[dump]\nfile=a\n[dump]\nfile=b\n");
    assert_int_equal(ini.sections.n, 2);
    sections = ini.sections.data;
    assert_string_equal(etm_ini_entry(&ini, &sections[0], 0)->value, "a");
    assert_string_equal(etm_ini_entry(&ini, &sections[1], 0)->value, "b");
    assert_int_equal(sections[1].line, 3);
    etm_ini_close(&ini);
}

TEST(an_empty_file_has_no_sections)
{
    open_text("");
    assert_int_equal(ini.sections.n, 0);
    etm_ini_close(&ini);
}

TEST(malformed_lines_are_errors)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *what;
    } rows[] = {
        {"key=1\n", 1, "before the first section"},
        {"[a]\n\nnonsense\n", 3, "neither a section nor a key"},
        {"[a\n", 1, "without ']'"},
        {"[a]x\n", 1, "after the section's name"},
        {"[ ]\n", 1, "without a name"},
        {"[a]\n=1\n", 2, "a value without a key"},
        {"[a]\nk=\"abc\n", 2, "quotation mark is never closed"},
        {"[a]\nk='abc' d\n", 2, "after the quoted value"},
    };
    struct etm_diag diag;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_text("a.ini", rows[i].text);
        assert_int_equal(etm_ini_open(&ini, in_directory("a.ini"), NULL, &diag),
                         ETM_ERR_FORMAT);
        expect_diag(&diag, ETM_ERR_FORMAT, "/a.ini", rows[i].line,
                    rows[i].what);
        assert_int_equal(etm_ini_open(&ini, in_directory("a.ini"), NULL, NULL),
                         ETM_ERR_FORMAT);
    }
    write_file("a.ini", "[a]\0", 4);
    assert_int_equal(etm_ini_open(&ini, in_directory("a.ini"), NULL, &diag),
                     ETM_ERR_FORMAT);
    expect_diag(&diag, ETM_ERR_FORMAT, "/a.ini", 0, "not a text file");
    assert_int_equal(etm_ini_open(&ini, in_directory("none"), NULL, &diag),
                     ETM_ERR_IO);
    expect_diag(&diag, ETM_ERR_IO, "/none", 0, "cannot read");
    etm_ini_close(&ini); /* accepts one that failed to open */
}

TEST(numbers_are_decimal_or_hexadecimal)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } rows[] = {
        {"0", true, 0},
        {"010", true, 10},
        {"0x1fC", true, 0x1fc},
        {"0XffffFFFFffffFFFF", true, UINT64_MAX},
        {"18446744073709551615", true, UINT64_MAX},
        {"18446744073709551616", false, 0},
        {"0x10000000000000000", false, 0},
        {"", false, 0},
        {"0x", false, 0},
        {"-1", false, 0},
        {"12a", false, 0},
        {"1 2", false, 0},
        {"1e3", false, 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t number = 42;

        assert_int_equal(etm_text_number(rows[i].text, &number), rows[i].good);
        assert_int_equal(number, rows[i].good ? rows[i].value : 42);
    }
}

TEST(lists_are_cut_at_commas)
{
    char text[] = " a , b c,,d";
    char *rest = text;

    assert_string_equal(etm_text_item(&rest), "a");
    assert_string_equal(etm_text_item(&rest), "b c");
    assert_string_equal(etm_text_item(&rest), "");
    assert_string_equal(etm_text_item(&rest), "d");
    assert_null(etm_text_item(&rest));
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
