/* SPDX-License-Identifier: Apache-2.0 */
/* etm variables: what was traced, a line for each variable; elements of an
 * array are counted together. */
#include "cli/json.h"
#include "cli/variables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    char name[sizeof((struct etm_scalar *)NULL)->name];
    struct etm_scalar scalar;       /* the first one */
    uint64_t reads, writes, others; /* others: it is not known which */
    uint64_t known;                 /* of all, those with a whole value */
    struct etm_cli_value first, last, least, most;
    struct etm_clock_time first_time, last_time; /* of any transfer */
};

struct etm_cli_sum {
    struct row *rows;
    size_t n, room;
    uint32_t *index; /* row + 1, by a hash of the name; or 0 */
    size_t n_index;
};

/* "samples[3].x" becomes "samples[].x", but a comparator stays. */
static void fold(const char *name, char *folded)
{
    bool within = false;

    for (; *name != '\0'; name++) {
        within = within && *name != ']';
        if (!within || *name < '0' || *name > '9')
            *folded++ = *name;
        within = within || (*name == '[' && name[1] >= '0' && name[1] <= '9');
    }
    *folded = '\0';
}

static size_t hash(const char *name)
{
    uint32_t h = UINT32_C(2166136261);

    for (; *name != '\0'; name++)
        h = (h ^ (uint8_t)*name) * UINT32_C(16777619);
    return h;
}

static int grow(struct etm_cli_sum *s)
{
    size_t room = s->room != 0 ? 2 * s->room : 32;
    struct row *rows = realloc(s->rows, room * sizeof *rows);
    uint32_t *index;

    if (!rows)
        return ETM_ERR_MEMORY;
    s->rows = rows;
    index = calloc(2 * room, sizeof *index);
    if (!index)
        return ETM_ERR_MEMORY;
    free(s->index);
    s->index = index;
    s->n_index = 2 * room;
    s->room = room;
    for (size_t i = 0; i < s->n; i++) {
        size_t at = hash(rows[i].name) % s->n_index;

        while (index[at] != 0)
            at = (at + 1) % s->n_index;
        index[at] = (uint32_t)i + 1;
    }
    return ETM_OK;
}

/* NULL: out of memory. */
static struct row *row_of(struct etm_cli_sum *s,
                          const struct etm_scalar *scalar)
{
    char name[sizeof scalar->name];
    size_t at;

    fold(scalar->name, name);
    if (s->n == s->room && grow(s) != ETM_OK)
        return NULL;
    for (at = hash(name) % s->n_index; s->index[at] != 0;
         at = (at + 1) % s->n_index)
        if (strcmp(s->rows[s->index[at] - 1].name, name) == 0)
            return &s->rows[s->index[at] - 1];
    s->rows[s->n] = (struct row){.scalar = *scalar};
    memcpy(s->rows[s->n].name, name, sizeof name);
    s->index[at] = (uint32_t)++s->n;
    return &s->rows[s->n - 1];
}

static int take(struct etm_cli_replay *r, const struct etm_cli_sight *sight,
                const struct etm_clock_time *time)
{
    struct etm_cli_variables *v = r->state;
    struct etm_scalar scalar = {0};
    struct etm_cli_value value;
    struct row *row;

    if (!v->sum)
        v->sum = calloc(1, sizeof *v->sum);
    etm_cli_sight_scalar(&v->sights, sight, &scalar);
    row = v->sum ? row_of(v->sum, &scalar) : NULL;
    if (!row)
        return ETM_ERR_MEMORY;
    if (row->reads + row->writes + row->others == 0)
        row->first_time = *time;
    row->last_time = *time;
    row->reads += sight->store == ETM_FALSE;
    row->writes += sight->store == ETM_TRUE;
    row->others += sight->store == ETM_UNKNOWN;
    if (!etm_cli_sight_is_whole(sight, &scalar))
        return ETM_OK;
    value = etm_cli_value_of(&scalar, sight->raw);
    if (row->known++ == 0)
        row->first = row->least = row->most = value;
    row->last = value;
    if (etm_cli_value_less(&value, &row->least))
        row->least = value;
    if (etm_cli_value_less(&row->most, &value))
        row->most = value;
    return ETM_OK;
}

static int compare(const void *x, const void *y)
{
    const struct row *a = x, *b = y;

    if (a->scalar.address != b->scalar.address)
        return a->scalar.address < b->scalar.address ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* In the order of addresses; the next source has rows of its own. */
static size_t order(struct etm_cli_variables *v)
{
    struct etm_cli_sum *s = v->sum;

    if (!s)
        return 0;
    if (s->n != 0)
        qsort(s->rows, s->n, sizeof *s->rows, compare);
    return s->n;
}

static void forget(struct etm_cli_variables *v)
{
    if (!v->sum)
        return;
    v->sum->n = 0;
    if (v->sum->n_index != 0)
        memset(v->sum->index, 0, v->sum->n_index * sizeof *v->sum->index);
}

void etm_cli_variables_sum_free(struct etm_cli_variables *v)
{
    if (!v->sum)
        return;
    free(v->sum->rows);
    free(v->sum->index);
    free(v->sum);
    v->sum = NULL;
}

/* ---- Text ---------------------------------------------------------------- */

static void no_head(struct etm_cli_replay *r)
{
    (void)r;
}

static void put_text(struct etm_cli_replay *r, const struct row *row,
                     const struct etm_cli_value *value)
{
    struct etm_cli_variables *v = r->state;
    char memory[ETM_CLI_VALUE], text[ETM_CLI_VALUE];

    if (row->known == 0)
        (void)snprintf(text, sizeof text, "?");
    else
        (void)etm_cli_value_text(&row->scalar, value,
                                 etm_cli_value_name(r, v->sights.programs,
                                                    &row->scalar, value,
                                                    memory),
                                 text);
    etm_cli_put(r->output, "  ", 2);
    for (size_t n = strlen(text); n < 14; n++)
        etm_cli_put(r->output, " ", 1);
    etm_cli_put_name(r->output, text);
}

static void text_end(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;
    const struct etm_cli_transfers *t = &v->sights.transfers;
    size_t n = order(v);
    char title[256];

    etm_cli_title(r->info, title, sizeof title);
    etm_cli_print(r->output, "%s\n  %s\n", title, etm_cli_variables_traced(r));
    if (n != 0)
        etm_cli_print(r->output, "%10s%10s  %14s  %14s  %14s  %14s  %s\n",
                      "writes", "reads", "first", "last", "least", "most",
                      "variable");
    for (size_t i = 0; i < n; i++) {
        const struct row *row = &v->sum->rows[i];

        etm_cli_print(r->output, "%10" PRIu64 "%10" PRIu64, row->writes,
                      row->reads);
        put_text(r, row, &row->first);
        put_text(r, row, &row->last);
        put_text(r, row, &row->least);
        put_text(r, row, &row->most);
        etm_cli_put(r->output, "  ", 2);
        etm_cli_put_name(r->output, row->name);
        if (row->scalar.type_name[0] != '\0')
            etm_cli_print(r->output, " (%s)", row->scalar.type_name);
        etm_cli_put(r->output, "\n", 1);
    }
    etm_cli_print(r->output,
                  "%" PRIu64 " transfer%s: %" PRIu64 " of these, %" PRIu64
                  " elsewhere (stack, heap, peripherals), %" PRIu64
                  " without an address; %" PRIu64 " without a value\n\n",
                  t->all, etm_cli_plural(t->all), t->shown, t->elsewhere,
                  t->without_address, t->without_value);
    forget(v);
}

/* ---- JSON Lines ---------------------------------------------------------- */

static void put_json(struct etm_cli_replay *r, const char *key,
                     const struct row *row, const struct etm_cli_value *value)
{
    char number[ETM_CLI_VALUE];

    etm_cli_json_text(r->output, key,
                      row->known != 0
                          ? etm_cli_value_number(&row->scalar, value, number)
                          : NULL);
}

static void jsonl_end(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;
    const struct etm_cli_transfers *t = &v->sights.transfers;
    size_t n = order(v);

    for (size_t i = 0; i < n; i++) {
        const struct row *row = &v->sum->rows[i];

        etm_cli_print(r->output, "{\"k\":\"variable\",\"src\":%u", r->info->id);
        etm_cli_json_text(r->output, "name", row->name);
        etm_cli_json_text(
            r->output, "type",
            row->scalar.type_name[0] != '\0' ? row->scalar.type_name : NULL);
        etm_cli_json_number(r->output, "writes", true, row->writes);
        etm_cli_json_number(r->output, "reads", true, row->reads);
        etm_cli_json_number(r->output, "known", true, row->known);
        put_json(r, "first", row, &row->first);
        put_json(r, "last", row, &row->last);
        put_json(r, "least", row, &row->least);
        put_json(r, "most", row, &row->most);
        etm_cli_json_time(r->output, "first_time", &row->first_time);
        etm_cli_json_time(r->output, "last_time", &row->last_time);
        etm_cli_put(r->output, "}\n", 2);
    }
    etm_cli_print(r->output, "{\"k\":\"transfers\",\"src\":%u", r->info->id);
    etm_cli_json_number(r->output, "n", true, t->all);
    etm_cli_json_number(r->output, "of_variables", true, t->shown);
    etm_cli_json_number(r->output, "elsewhere", true, t->elsewhere);
    etm_cli_json_number(r->output, "without_address", true, t->without_address);
    etm_cli_json_number(r->output, "without_value", true, t->without_value);
    etm_cli_put(r->output, "}\n", 2);
    forget(v);
}

/* ---- CSV ----------------------------------------------------------------- */

static void csv_head(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;

    if (!v->headed)
        etm_cli_print(r->output,
                      "writes,source,variable,type,reads,known,first,"
                      "last,least,most\n");
    v->headed = true;
}

static void csv_end(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;
    size_t n = order(v);

    for (size_t i = 0; i < n; i++) {
        const struct row *row = &v->sum->rows[i];
        const struct etm_cli_value *values[] = {&row->first, &row->last,
                                                &row->least, &row->most};

        etm_cli_print(r->output, "%" PRIu64, row->writes);
        etm_cli_csv_text(r->output, r->info->name);
        etm_cli_csv_text(r->output, row->name);
        etm_cli_csv_text(r->output, row->scalar.type_name);
        etm_cli_print(r->output, ",%" PRIu64 ",%" PRIu64, row->reads,
                      row->known);
        for (size_t j = 0; j < 4; j++) {
            char number[ETM_CLI_VALUE];

            etm_cli_csv_text(r->output, row->known != 0 ? etm_cli_value_number(
                                                              &row->scalar,
                                                              values[j], number)
                                                        : NULL);
        }
        etm_cli_put(r->output, "\n", 1);
    }
    forget(v);
}

const struct etm_cli_variables_form *etm_cli_variables_sum(const char *format)
{
    static const struct etm_cli_variables_form text = {no_head, take, text_end},
                                               jsonl = {no_head, take,
                                                        jsonl_end},
                                               csv = {csv_head, take, csv_end};

    return strcmp(format, "csv") == 0     ? &csv
           : strcmp(format, "jsonl") == 0 ? &jsonl
                                          : &text;
}
