/* SPDX-License-Identifier: Apache-2.0 */
/* etm coverage --format jsonl: functions, branches, conditions, lines, gaps. */
#include "cli/coverage.h"

#include "cli/put.h"

#include <assert.h>

/* Names are cut where they are longer than this. */
#define LINE (2 * ETM_CLI_JSON + 512)

struct adding {
    struct etm_cli_covered *covered;
    const struct etm_listing_source *source;
};

/* {"k":"line","src":0 */
static char *put_kind(char *at, const struct adding *a, const char *kind)
{
    at = etm_cli_put_text(at, "{\"k\":\"");
    at = etm_cli_put_text(at, kind);
    at = etm_cli_put_text(at, "\",\"src\":");
    return etm_cli_put_decimal(at, a->source->id, 0);
}

/* ,"symbol":"main" */
static char *put_string(char *at, const char *key, const char *text)
{
    char string[ETM_CLI_JSON];

    at = etm_cli_put_text(at, ",\"");
    at = etm_cli_put_text(at, key);
    at = etm_cli_put_text(at, "\":");
    return etm_cli_put_text(at,
                            text ? etm_cli_json_name(text, string) : "null");
}

static char *put_address(char *at, uint32_t address)
{
    at = etm_cli_put_text(at, ",\"addr\":\"");
    at = etm_cli_put_hex(at, address, 8);
    return etm_cli_put_text(at, "\"");
}

static char *put_place(char *at, const struct etm_covered *c)
{
    at = put_string(at, "file", c->file);
    at = etm_cli_put_text(at, ",\"line\":");
    return c->file ? etm_cli_put_decimal(at, c->line, 0)
                   : etm_cli_put_text(at, "null");
}

static bool add(struct etm_cli_tally *tally, char *text, char *at, uint64_t n)
{
    *etm_cli_put_text(at, ",\"n\":") = '\0';
    return etm_cli_tally_add(tally, text, n);
}

/* The outcomes of a branch or a condition, a line each. */
static bool add_outcomes(const struct adding *a, const struct etm_covered *c)
{
    static const char *const words[2][2] = {{"\"taken\"", "\"not_taken\""},
                                            {"\"passed\"", "\"failed\""}};
    bool condition = c->kind == ETM_COVERED_CONDITION;
    char text[LINE], *at = text, *end;

    static_assert(ETM_CLI_ROW >= LINE, "etm merge reads them back");
    at = put_kind(at, a, condition ? "condition" : "branch");
    at = put_address(at, c->address);
    at = put_string(at, "symbol", c->name);
    at = etm_cli_put_text(at, ",\"offset\":");
    at = c->name ? etm_cli_put_decimal(at, c->offset, 0)
                 : etm_cli_put_text(at, "null");
    at = put_place(at, c);
    at = etm_cli_put_text(at, ",\"outcome\":");
    end = etm_cli_put_text(at, words[condition][0]);
    if (!add(&a->covered->before, text, end, c->n))
        return false;
    end = etm_cli_put_text(at, words[condition][1]);
    if (!add(&a->covered->before, text, end, c->other))
        return false;
    end = etm_cli_put_text(at, "null");
    return c->open == 0 || add(&a->covered->before, text, end, c->open);
}

static int take_covered(void *context, const struct etm_covered *c)
{
    const struct adding *a = context;
    char text[LINE], *at = text;
    bool good = true;

    switch ((enum etm_covered_kind)c->kind) {
    case ETM_COVERED_BRANCH:
    case ETM_COVERED_CONDITION:
        good = add_outcomes(a, c);
        break;
    case ETM_COVERED_FUNCTION:
        at = put_string(put_kind(at, a, "function"), "name", c->name);
        at = put_place(put_address(at, c->address), c);
        good = add(&a->covered->after, text, at, c->n);
        break;
    case ETM_COVERED_LINE:
        at = put_place(put_kind(at, a, "line"), c);
        good = add(&a->covered->after, text, at, c->n);
        break;
    }
    return good ? ETM_OK : ETM_ERR_MEMORY;
}

static bool add_gaps(const struct adding *a, const struct etm_gaps *gaps)
{
    for (unsigned i = 0; i < ETM_GAPS; i++) {
        char text[LINE];

        if (gaps->n[i] != 0 && !add(&a->covered->after, text,
                                    put_string(put_kind(text, a, "gap"), "what",
                                               etm_gap_name((enum etm_gap)i)),
                                    gaps->n[i]))
            return false;
    }
    return true;
}

int etm_cli_covered_add(struct etm_cli_covered *covered,
                        const struct etm_listing_source *source,
                        const struct etm_counts *counts)
{
    struct adding a = {covered, source};
    int status = etm_covered_walk(source, counts, take_covered, &a);

    if (status == ETM_OK && !add_gaps(&a, source->gaps))
        status = ETM_ERR_MEMORY;
    return status;
}

bool etm_cli_covered_print(struct etm_cli_covered *covered, bool after,
                           struct etm_cli_output *output)
{
    return etm_cli_tally_print(after ? &covered->after : &covered->before,
                               ETM_CLI_JSONL_END, output);
}

void etm_cli_covered_free(struct etm_cli_covered *covered)
{
    etm_cli_tally_free(&covered->before);
    etm_cli_tally_free(&covered->after);
}
