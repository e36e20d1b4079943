/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of listings.txt, which says what its lines mean. */
#include "../support/test.h"
#include "rig.h"

static const char *path;

struct example {
    char name[128];
    char text[4096];
    char want[2048];
    size_t n;
};

/* A line of the text, with its escapes. */
static void add_text(struct example *e, const char *line)
{
    for (; *line != '\0'; line++) {
        char c = *line;

        if (c == '\\' && line[1] != '\n') {
            c = *++line;
            c = c == 'r' ? '\r' : c == 't' ? '\t' : c;
        }
        assert_true(e->n + 1 < sizeof e->text);
        e->text[e->n++] = c;
    }
    e->text[e->n] = '\0';
}

/* The next one; false in the end. `line` is the first one of it, or empty. */
static bool next_example(FILE *file, char *line, int room, struct example *e)
{
    memset(e, 0, sizeof *e);
    while (strncmp(line, "@@ ", 3) != 0)
        if (!fgets(line, room, file))
            return false;
    (void)snprintf(e->name, sizeof e->name, "%.*s",
                   (int)strcspn(line + 3, "\n"), line + 3);
    line[0] = '\0';
    while (fgets(line, room, file) && strncmp(line, "@@ ", 3) != 0) {
        if (line[0] == '@')
            strncat(e->want, line + 2, sizeof e->want - strlen(e->want) - 1);
        else if (e->want[0] == '\0')
            add_text(e, line);
        else
            assert_int_equal(line[0], '\n');
    }
    return true;
}

/* What was read, in the form of the file, except notes. */
static void say(const struct etm_setup *setup,
                const struct etm_setup_listing *listing, char *to, size_t room)
{
    size_t n = 0;

    if (listing->core[0] != '\0')
        n += (size_t)snprintf(to, room, "core %s %s\n", listing->core,
                              listing->version);
    for (size_t i = 0; i < setup->n; i++)
        n += (size_t)snprintf(to + n, room - n, "%s%s=%x", i ? " " : "",
                              etm_register_name(setup->values[i].number),
                              (unsigned)setup->values[i].value);
    (void)snprintf(to + n, room - n, "\n");
}

static bool has_note(const struct etm_setup_listing *listing, const char *text)
{
    for (size_t i = 0; i < listing->notes.n; i++)
        if (strstr(listing->notes.text[i], text))
            return true;
    return false;
}

/* Compare with what is wanted; the notes and errors in this are taken out. */
static bool agrees(const struct example *e, int status,
                   const struct etm_setup *setup,
                   const struct etm_setup_listing *listing,
                   const struct etm_diag *diag)
{
    char want[2048] = "", got[2048], copy[2048];

    memcpy(copy, e->want, sizeof copy);
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "error ", 6) == 0) {
            const char *text = strchr(line + 6, ' ') + 1;
            bool none = line[6] == '-' || line[6] == '0';

            return status == ETM_ERR_FORMAT && strstr(diag->what, text) &&
                   diag->line ==
                       (none ? ETM_DIAG_NONE : strtoull(line + 6, NULL, 10));
        }
        if (strncmp(line, "note ", 5) == 0) {
            if (!has_note(listing, line + 5))
                return false;
        } else {
            strncat(want, line, sizeof want - strlen(want) - 2);
            strcat(want, "\n");
        }
    }
    say(setup, listing, got, sizeof got);
    if (strcmp(want, got) != 0)
        print_message("got %s", got);
    return status == ETM_OK && strcmp(want, got) == 0;
}

TEST(texts_are_read_as_they_are_meant)
{
    FILE *file = fopen(path, "r");
    char line[512] = "";
    struct example e;
    unsigned n = 0, wrong = 0;

    assert_non_null(file);
    for (; next_example(file, line, sizeof line, &e); n++) {
        struct etm_setup setup;
        struct etm_setup_listing listing;
        struct etm_diag diag = {0};
        int status =
            etm_setup_read_listing(&setup, &listing, e.text, e.n, &diag);

        if (agrees(&e, status, &setup, &listing, &diag))
            continue;
        print_message("%s: line %lld: %s\n", e.name, (long long)diag.line,
                      diag.what);
        for (size_t i = 0; i < listing.notes.n; i++)
            print_message("note %s\n", listing.notes.text[i]);
        wrong++;
    }
    (void)fclose(file);
    assert_true(n > 60);
    assert_int_equal(wrong, 0);
}

/* Each of them cut anywhere, and with bytes that are not theirs. */
TEST(any_of_them_may_be_damaged)
{
    FILE *file = fopen(path, "r");
    char line[512] = "";
    uint32_t seed = 1;
    struct example e;

    assert_non_null(file);
    while (next_example(file, line, sizeof line, &e)) {
        for (size_t k = 1; k <= e.n; k += 1 + k / 40) {
            char *copy = malloc(k); /* no terminator after it */
            struct etm_setup setup;
            struct etm_setup_listing listing;
            struct etm_diag diag;
            int status;

            assert_non_null(copy);
            memcpy(copy, e.text, k);
            for (unsigned i = 0; i < 3; i++) {
                seed = seed * 1664525u + 1013904223u;
                copy[(seed >> 8) % k] = e.text[(seed >> 20) % e.n];
            }
            status = etm_setup_read_listing(&setup, &listing, copy, k, &diag);
            assert_true(status == ETM_OK || status == ETM_ERR_FORMAT);
            assert_true(setup.n <= ETM_SETUP_CAPACITY);
            assert_true((status == ETM_OK) == (setup.n != 0) ||
                        status != ETM_OK);
            free(copy);
        }
    }
    (void)fclose(file);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 99;
    path = argv[1];
    return tests_run();
}
