/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage as XML of Cobertura (coverage-04.dtd), which build servers read. A
 * package is a folder, and a class a file of it. */
#include "write/coverage.h"

#include <stdlib.h>

/* A name as an attribute: what is not plain, of which XML has no place for
 * some, becomes '?'. */
static void put_text(struct etm_out *o, const char *text)
{
    char cut[ETM_NAME_SHOWN + 1];
    const char *at = etm_name_shown(text, cut);
    size_t left = strlen(at), length;

    for (; left > 0; at += length, left -= length) {
        bool plain;

        etm_out_line(o);
        length = etm_character(at, left, &plain);
        length = length != 0 ? length : 1;
        switch (*at) {
        case '&':
            ETM_OUT(o, "&amp;");
            break;
        case '<':
            ETM_OUT(o, "&lt;");
            break;
        case '>':
            ETM_OUT(o, "&gt;");
            break;
        case '"':
            ETM_OUT(o, "&quot;");
            break;
        default:
            etm_out_put(o, plain ? at : "?", plain ? length : 1);
        }
    }
}

/* The length of the folder of a file, with its last slash. */
static size_t folder(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash ? (size_t)(slash + 1 - name) : 0;
}

static int compare_folders(const char *a, const char *b)
{
    size_t n = folder(a), m = folder(b);
    int order = memcmp(a, b, n < m ? n : m);

    return order != 0 ? order : (n > m) - (n < m);
}

static int compare_files(const void *a, const void *b)
{
    const struct etm_covered_file *x = a, *y = b;
    int order = compare_folders(x->name, y->name);

    return order != 0 ? order : strcmp(x->name, y->name);
}

/* What was executed of a file or a folder. */
struct sums {
    uint64_t lines, lines_hit, branches, branches_hit;
};

static void add(struct sums *s, const struct etm_covered_file *file)
{
    s->lines += file->n[ETM_COVERED_LINE];
    s->lines_hit += file->hit[ETM_COVERED_LINE];
    s->branches += 2 * (uint64_t)file->n[ETM_COVERED_BRANCH];
    s->branches_hit += file->hit[ETM_COVERED_BRANCH];
}

static void put_rates(struct etm_out *o, const struct sums *s)
{
    ETM_OUT(o, " line-rate=\"");
    etm_coverage_put_rate(o, s->lines_hit, s->lines);
    ETM_OUT(o, "\" branch-rate=\"");
    etm_coverage_put_rate(o, s->branches_hit, s->branches);
    ETM_OUT(o, "\" complexity=\"0.0\"");
}

static void put_number(struct etm_out *o, const char *name, uint64_t n)
{
    etm_out_char(o, ' ');
    etm_out_word(o, name);
    ETM_OUT(o, "=\"");
    etm_out_decimal(o, n);
    etm_out_char(o, '"');
}

static void put_line(struct etm_out *o, const struct etm_covered *line)
{
    etm_out_line(o);
    ETM_OUT(o, "<line");
    put_number(o, "number", line->line);
    put_number(o, "hits", line->n);
}

static void put_share(struct etm_out *o, size_t hit, size_t n)
{
    etm_out_decimal(o, 100 * hit / n);
    etm_out_char(o, '%');
}

/* What comes after the attributes of a line: those of its branches, and each of
 * them. */
static void put_branches(struct etm_out *o, const struct etm_covered *branches,
                         size_t n)
{
    size_t hit = 0;

    if (n == 0) {
        ETM_OUT(o, " branch=\"false\"/>\n");
        return;
    }
    for (size_t i = 0; i < n; i++)
        hit += (branches[i].n != 0) + (size_t)(branches[i].other != 0);
    ETM_OUT(o, " branch=\"true\" condition-coverage=\"");
    put_share(o, hit, 2 * n);
    ETM_OUT(o, " (");
    etm_out_decimal(o, hit);
    etm_out_char(o, '/');
    etm_out_decimal(o, 2 * n);
    ETM_OUT(o, ")\"><conditions>");
    for (size_t i = 0; i < n; i++) {
        etm_out_line(o);
        ETM_OUT(o, "<condition");
        put_number(o, "number", i);
        ETM_OUT(o, " type=\"jump\" coverage=\"");
        put_share(o, (branches[i].n != 0) + (size_t)(branches[i].other != 0),
                  2);
        ETM_OUT(o, "\"/>");
    }
    ETM_OUT(o, "</conditions></line>\n");
}

static void put_functions(struct etm_out *o,
                          const struct etm_covered_file *file)
{
    ETM_OUT(o, "<methods>\n");
    for (size_t i = 0; i < file->n[ETM_COVERED_FUNCTION]; i++) {
        const struct etm_covered *f = &file->facts[ETM_COVERED_FUNCTION][i];
        struct sums sums = {.lines = 1, .lines_hit = f->n != 0};

        ETM_OUT(o, "<method name=\"");
        put_text(o, f->name);
        ETM_OUT(o, "\" signature=\"\"");
        put_rates(o, &sums);
        ETM_OUT(o, "><lines>");
        put_line(o, f);
        ETM_OUT(o, "/></lines></method>\n");
        etm_out_line(o);
    }
    ETM_OUT(o, "</methods>\n");
}

static void put_file(struct etm_out *o, const struct etm_covered_file *file)
{
    const struct etm_covered *branch = file->facts[ETM_COVERED_BRANCH];
    const struct etm_covered *end =
        branch ? branch + file->n[ETM_COVERED_BRANCH] : NULL;
    struct sums sums = {0};

    add(&sums, file);
    etm_out_line(o);
    ETM_OUT(o, "<class name=\"");
    put_text(o, file->name + folder(file->name));
    ETM_OUT(o, "\" filename=\"");
    put_text(o, file->name);
    etm_out_char(o, '"');
    put_rates(o, &sums);
    ETM_OUT(o, ">\n");
    put_functions(o, file);
    ETM_OUT(o, "<lines>\n");
    for (size_t i = 0; i < file->n[ETM_COVERED_LINE]; i++) {
        const struct etm_covered *line = &file->facts[ETM_COVERED_LINE][i];
        size_t n = etm_covered_of_line(&branch, end, line->line);

        put_line(o, line);
        put_branches(o, n != 0 ? branch - n : NULL, n);
    }
    etm_out_line(o);
    ETM_OUT(o, "</lines>\n</class>\n");
}

/* The files of one folder; returns their number. */
static size_t put_package(struct etm_out *o,
                          const struct etm_covered_file *files, size_t n)
{
    struct sums sums = {0};
    size_t i = 0;

    while (i < n && compare_folders(files[0].name, files[i].name) == 0)
        add(&sums, &files[i++]);
    etm_out_line(o);
    ETM_OUT(o, "<package name=\"");
    for (size_t at = 0; at + 1 < folder(files[0].name); at++) {
        char c[2] = {files[0].name[at], '\0'};

        put_text(o, c);
    }
    etm_out_char(o, '"');
    put_rates(o, &sums);
    ETM_OUT(o, ">\n<classes>\n");
    for (size_t file = 0; file < i; file++)
        put_file(o, &files[file]);
    ETM_OUT(o, "</classes>\n</package>\n");
    return i;
}

static void put_document(struct etm_out *o, const struct etm_gaps *gaps,
                         const struct etm_covered_file *files, size_t n)
{
    struct sums sums = {0};

    for (size_t i = 0; i < n; i++)
        add(&sums, &files[i]);
    etm_out_line(o);
    ETM_OUT(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<!DOCTYPE coverage SYSTEM "
               "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n");
    if (etm_gaps_count(gaps) != 0) {
        ETM_OUT(o, "<!-- ");
        etm_coverage_put_gaps(o, gaps, NULL);
        ETM_OUT(o, " -->\n");
    }
    ETM_OUT(o, "<coverage");
    put_rates(o, &sums);
    put_number(o, "lines-covered", sums.lines_hit);
    put_number(o, "lines-valid", sums.lines);
    put_number(o, "branches-covered", sums.branches_hit);
    put_number(o, "branches-valid", sums.branches);
    ETM_OUT(o, " timestamp=\"0\" version=\"etm\">\n"
               "<sources><source>.</source></sources>\n<packages>\n");
    for (size_t i = 0; i < n && o->status == ETM_OK;)
        i += put_package(o, &files[i], n - i);
    ETM_OUT(o, "</packages>\n</coverage>\n");
}

static void cobertura_finish(struct etm_listing *l)
{
    struct etm_coverage_doc *doc = l->state;
    const struct etm_covered *all;
    struct etm_vec files;
    int status = ETM_OK;

    etm_vec_init(&files, sizeof(struct etm_covered_file), &l->out.allocator);
    etm_covered_join(&doc->facts);
    all = doc->facts.data;
    for (size_t i = 0; i < doc->facts.n && status == ETM_OK;) {
        struct etm_covered_file file;

        i += etm_covered_file(&file, all + i, doc->facts.n - i);
        if (file.name)
            status = etm_vec_append(&files, &file, 1);
    }
    if (files.n != 0)
        qsort(files.data, files.n, sizeof(struct etm_covered_file),
              compare_files);
    if (status == ETM_OK)
        put_document(&l->out, &doc->gaps, files.data, files.n);
    else if (l->out.status == ETM_OK)
        l->out.status = status;
    etm_vec_fini(&files);
}

static void cobertura_begin(struct etm_listing *l)
{
    (void)l;
}

const struct etm_format etm_format_cobertura = {
    .about = {.name = "cobertura",
              .extension = "xml",
              .description = "Cobertura's XML: lines, branches, functions",
              .takes = ETM_LISTING_COUNTS},
    .state_size = sizeof(struct etm_coverage_doc),
    .begin = cobertura_begin,
    .counts = etm_coverage_doc_counts,
    .finish = cobertura_finish,
    .fini = etm_coverage_doc_fini,
};
