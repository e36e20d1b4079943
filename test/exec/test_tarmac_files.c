/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Tarmac logs of a folder, and what is made of each: NAME.tarmac becomes
 * NAME.log, an execution log that ends with what was counted. However the text
 * is cut, it is the same; and the execution log is read back as it is.
 *
 *     test_tarmac_files FOLDER          compare
 *     test_tarmac_files FOLDER rebase   write the execution logs again
 */
#include <etm/model.h>

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1 << 16, FILES = 100 };

struct text {
    char text[SIZE];
    size_t n;
};

static int take_text(void *context, const char *text, size_t n)
{
    struct text *to = context;

    if (n >= sizeof to->text - to->n)
        return ETM_ERR_MEMORY;
    memcpy(to->text + to->n, text, n);
    to->n += n;
    to->text[to->n] = '\0';
    return ETM_OK;
}

static int pass_on(void *context, const struct etm_event *events, size_t n)
{
    return etm_execution_writer_push(context, events, n);
}

/* Read a log in pieces and write an execution log; a status. */
static int convert(const struct text *from, enum etm_execution_format format,
                   size_t piece, struct text *to,
                   struct etm_execution_report *report)
{
    struct etm_execution_writer_config writes = {.write = take_text,
                                                 .context = to};
    struct etm_execution_reader_config reads = {.format = format,
                                                .events = pass_on};
    struct etm_execution_writer *writer;
    struct etm_execution_reader *reader;
    int status = etm_execution_writer_new(&writer, &writes);

    to->n = 0;
    if (status != ETM_OK)
        return status;
    reads.context = writer;
    status = etm_execution_reader_new(&reader, &reads);
    for (size_t at = 0; at < from->n && status == ETM_OK; at += piece) {
        size_t n = piece > from->n - at ? from->n - at : piece;

        status = etm_execution_reader_push(reader, from->text + at, n, NULL);
    }
    if (status == ETM_OK)
        status = etm_execution_reader_finish(reader, NULL);
    if (status == ETM_OK)
        status = etm_execution_writer_finish(writer);
    if (status == ETM_OK)
        etm_execution_reader_report(reader, report);
    etm_execution_reader_free(reader);
    etm_execution_writer_free(writer);
    return status;
}

/* What was counted, as comments. */
static void put_report(struct text *to,
                       const struct etm_execution_report *report)
{
    int n =
        snprintf(to->text + to->n, sizeof to->text - to->n,
                 "# %" PRIu64 " instructions, %" PRIu64 " exceptions, %" PRIu64
                 " transfers\n# not understood: %" PRIu64 ", first: %" PRIu64
                 " \"%.40s\"\n# AArch64: %" PRIu64 ", first: %" PRIu64
                 "\n# step: %" PRIu64 "%s\n",
                 report->instructions, report->exceptions, report->transfers,
                 report->not_understood, report->first, report->text,
                 report->aarch64, report->aarch64_line, report->step,
                 report->profile == ETM_PROFILE_M ? ", M profile" : "");

    to->n += (size_t)n;
}

static bool load(const char *path, struct text *text)
{
    FILE *file = fopen(path, "rb");

    text->n = file ? fread(text->text, 1, sizeof text->text - 1, file) : 0;
    text->text[text->n] = '\0';
    if (file)
        fclose(file);
    return file != NULL;
}

static bool is_same(const struct text *a, const struct text *b)
{
    return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

static const char *check(const char *path, bool rebase)
{
    static const size_t pieces[] = {SIZE, 1, 7};
    static struct text from, to, first, back, expected;
    struct etm_execution_report report;
    char log[4096];

    if (!load(path, &from))
        return "cannot be read";
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        if (convert(&from, ETM_EXECUTION_TARMAC, pieces[i], &to, &report) !=
            ETM_OK)
            return "is refused";
        if (i == 0)
            first = to;
        if (!is_same(&first, &to))
            return "depends on how it is cut";
    }
    if (report.instructions > 0 &&
        (convert(&first, ETM_EXECUTION_LOG, SIZE, &back,
                 &(struct etm_execution_report){0}) != ETM_OK ||
         !is_same(&first, &back)))
        return "makes an execution log that is read in another way";
    put_report(&first, &report);
    snprintf(log, sizeof log, "%.*s.log", (int)strlen(path) - 7, path);
    if (rebase) {
        FILE *file = fopen(log, "wb");

        if (!file || fwrite(first.text, 1, first.n, file) != first.n ||
            fclose(file) != 0)
            return "cannot be written";
        return NULL;
    }
    if (!load(log, &expected))
        return "has no .log";
    if (is_same(&first, &expected))
        return NULL;
    printf("# got:\n%s", first.text);
    return "becomes another execution log";
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

int main(int argc, char **argv)
{
    bool rebase = argc > 2 && strcmp(argv[2], "rebase") == 0;
    DIR *folder = argc > 1 ? opendir(argv[1]) : NULL;
    static char names[FILES][256];
    struct dirent *entry;
    size_t n = 0, failed = 0;

    if (!folder)
        return 99;
    while (n < FILES && (entry = readdir(folder)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');

        if (dot && strcmp(dot, ".tarmac") == 0)
            snprintf(names[n++], sizeof *names, "%s", entry->d_name);
    }
    closedir(folder);
    qsort(names, n, sizeof *names, by_name);
    printf("1..%zu\n", n);
    for (size_t i = 0; i < n; i++) {
        char path[4000];
        const char *what;

        snprintf(path, sizeof path, "%.3000s/%.255s", argv[1], names[i]);
        what = check(path, rebase);
        printf("%s %zu - %s%s%s\n", what ? "not ok" : "ok", i + 1, names[i],
               what ? " " : "", what ? what : "");
        failed += what != NULL;
    }
    return failed > 0 || n == 0;
}
