/* SPDX-License-Identifier: Apache-2.0 */
/* What ran of the program, as `etm coverage` counts it: by file, and what of it
 * did not run or went one way only. */
#include "cli/report.h"

#include "cli/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* No more than this of each; files above are one together. */
#define MOST_FILES 2000u
#define MOST_NEVER 4000u
#define MOST_ONE_WAY 2000u

enum { LINES, BRANCHES, FUNCTIONS, INSNS, SHARES };

struct file {
    const char *name; /* NULL: of code without lines; "": several */
    uint64_t part[SHARES], whole[SHARES];
};

/* A function, or a branch or a condition. */
struct place {
    const char *file, *name;
    uint64_t n, other;
    uint32_t line, address, offset;
    uint8_t kind;
};

struct places {
    struct place *rows;
    size_t n, room;
    uint64_t all; /* n is as many as are shown */
};

struct covering {
    struct file *files;
    size_t n, room;
    struct places never, one_way;
    struct place function; /* the last one; name NULL: none */
};

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void *grow(void *rows, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return rows;
    rows = realloc(rows, (2 * *room + 64) * size);
    if (rows)
        *room = 2 * *room + 64;
    return rows;
}

static int add_place(struct places *places, const struct place *place,
                     size_t most)
{
    struct place *rows;

    if (places->all++ >= most)
        return ETM_OK;
    rows = grow(places->rows, places->n, &places->room, sizeof *rows);
    if (!rows)
        return ETM_ERR_MEMORY;
    places->rows = rows;
    rows[places->n++] = *place;
    return ETM_OK;
}

/* The file of what comes next; NULL: out of memory. */
static struct file *file_of(struct covering *c, const char *name)
{
    struct file *files;

    if (c->n != 0 && same(c->files[c->n - 1].name, name))
        return &c->files[c->n - 1];
    if (c->n == MOST_FILES) {
        c->files[c->n - 1].name = "";
        return &c->files[c->n - 1];
    }
    files = grow(c->files, c->n, &c->room, sizeof *files);
    if (!files)
        return NULL;
    c->files = files;
    files[c->n] = (struct file){.name = name};
    return &files[c->n++];
}

static void add_share(struct file *file, unsigned what, uint64_t part,
                      uint64_t whole)
{
    file->part[what] += part;
    file->whole[what] += whole;
}

/* A function of which there are copies, as of a header, is one. */
static int end_function(struct covering *c)
{
    struct place *f = &c->function;
    struct file *file;

    if (!f->name)
        return ETM_OK;
    file = file_of(c, f->file);
    if (!file)
        return ETM_ERR_MEMORY;
    add_share(file, FUNCTIONS, f->n != 0, 1);
    return f->n != 0 ? ETM_OK : add_place(&c->never, f, MOST_NEVER);
}

static int take_function(struct covering *c, const struct etm_covered *x)
{
    struct place *f = &c->function;
    int status = ETM_OK;

    if (f->name && x->file && x->line == f->line && same(x->file, f->file) &&
        same(x->name, f->name)) {
        f->n += x->n;
        return ETM_OK;
    }
    status = end_function(c);
    *f = (struct place){.file = x->file,
                        .name = x->name ? x->name : "",
                        .n = x->n,
                        .line = x->line,
                        .address = x->address,
                        .kind = x->kind};
    return status;
}

/* Of one whose outcomes the trace does not tell all, it is not known that it
 * went one way only. */
static int take_branch(struct covering *c, const struct etm_covered *x)
{
    const struct place place = {.file = x->file,
                                .name = x->name,
                                .n = x->n,
                                .other = x->other,
                                .line = x->line,
                                .address = x->address,
                                .offset = x->offset,
                                .kind = x->kind};

    return (x->n == 0) == (x->other == 0) || x->open != 0
               ? ETM_OK
               : add_place(&c->one_way, &place, MOST_ONE_WAY);
}

static int take_covered(void *context, const struct etm_covered *x)
{
    struct covering *c = context;
    struct file *file;

    if (x->kind == ETM_COVERED_FUNCTION)
        return take_function(c, x);
    if (end_function(c) != ETM_OK)
        return ETM_ERR_MEMORY;
    c->function.name = NULL;
    file = file_of(c, x->file);
    if (!file)
        return ETM_ERR_MEMORY;
    if (x->kind == ETM_COVERED_LINE) {
        add_share(file, LINES, x->n != 0, 1);
        add_share(file, INSNS, x->ran, x->insns);
        return ETM_OK;
    }
    if (x->kind == ETM_COVERED_BRANCH)
        add_share(file, BRANCHES, (x->n != 0) + (uint64_t)(x->other != 0), 2);
    return take_branch(c, x);
}

static void put_gaps(struct etm_cli_replay *r)
{
    const struct etm_cli_report *p = r->state;
    const char *between = "";

    etm_cli_print(r->output, ",\"coverage\":{\"gaps\":[");
    for (unsigned i = 0; i < ETM_GAPS; i++) {
        if (p->gaps_of_code.n[i] == 0)
            continue;
        etm_cli_print(r->output, "%s[\"%s\",%" PRIu64 "]", between,
                      etm_gap_name((enum etm_gap)i), p->gaps_of_code.n[i]);
        between = ",";
    }
}

static void put_files(struct etm_cli_replay *r, const struct covering *c)
{
    etm_cli_print(r->output, "],\"files\":[");
    for (size_t i = 0; i < c->n; i++) {
        const struct file *file = &c->files[i];

        etm_cli_print(r->output, "%s{\"n\":[", i == 0 ? "" : ",\n");
        for (unsigned k = 0; k < SHARES; k++)
            etm_cli_print(r->output, "%s[%" PRIu64 ",%" PRIu64 "]",
                          k == 0 ? "" : ",", file->part[k], file->whole[k]);
        etm_cli_put(r->output, "]", 1);
        etm_cli_json_text(r->output, "file", file->name);
        etm_cli_put(r->output, "}", 1);
    }
    etm_cli_put(r->output, "]", 1);
}

/* The text of the line of a branch. */
static const char *text_of(const struct etm_cli_replay *r,
                           const struct place *place)
{
    struct etm_source_line line;

    if (place->kind == ETM_COVERED_FUNCTION || !r->names.line ||
        r->names.line(r->names.context, place->address, &line) != ETM_OK ||
        line.line != place->line || !line.text)
        return NULL;
    return line.text + strspn(line.text, " \t");
}

static void put_places(struct etm_cli_replay *r, const char *key,
                       const struct places *places)
{
    etm_cli_print(r->output, ",\"%s_in_all\":%" PRIu64 ",\"%s\":[", key,
                  places->all, key);
    for (size_t i = 0; i < places->n; i++) {
        const struct place *x = &places->rows[i];

        etm_cli_print(r->output,
                      "%s{\"addr\":\"0x%08" PRIx32 "\",\"line\":%" PRIu32
                      ",\"offset\":%" PRIu32 ",\"n\":[%" PRIu64 ",%" PRIu64
                      "],\"condition\":%s",
                      i == 0 ? "" : ",\n", x->address, x->line, x->offset, x->n,
                      x->other,
                      x->kind == ETM_COVERED_CONDITION ? "true" : "false");
        etm_cli_json_text(r->output, "file", x->file);
        etm_cli_json_text(
            r->output, "name",
            x->name ? etm_cli_demangle_symbol(r->demangler, x->name) : NULL);
        etm_cli_json_text(r->output, "text", text_of(r, x));
        etm_cli_put(r->output, "}", 1);
    }
    etm_cli_put(r->output, "]", 1);
}

int etm_cli_report_coverage(struct etm_cli_replay *r)
{
    const struct etm_cli_report *p = r->state;
    const struct etm_listing_source source = {.size = sizeof source,
                                              .name = r->info->name,
                                              .config = &r->info->config,
                                              .names = r->names,
                                              .id = r->info->id,
                                              .image = r->info->image,
                                              .conditions =
                                                  p->counting.conditions};
    struct covering c = {.files = NULL};
    int status =
        etm_covered_walk(&source, p->counting.ranges, take_covered, &c);

    if (status == ETM_OK)
        status = end_function(&c);
    if (status == ETM_OK) {
        put_gaps(r);
        put_files(r, &c);
        put_places(r, "never", &c.never);
        put_places(r, "one_way", &c.one_way);
        etm_cli_put(r->output, "}", 1);
    }
    free(c.files);
    free(c.never.rows);
    free(c.one_way.rows);
    return status;
}
