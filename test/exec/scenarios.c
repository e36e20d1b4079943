/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the cases of a folder (test/README.md): execution logs and Tarmac logs,
 * what is read of them, and what is wrong with them.
 *
 *     scenarios FOLDER            test; one line of TAP a case
 *     scenarios --rebase FOLDER   write the execution logs that came out
 *     scenarios --wrong FOLDER    each case fails, for the reason in its name
 */
#include "../support/case_words.h"

#include <etm/model.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A log, and how it is read. */
static struct {
    char *text, *cpu;
    size_t n;
    bool is_read;
    enum etm_execution_format format;
    struct etm_execution_reader_config config;
    /* What came of it. */
    struct scenario_text log;
    struct etm_execution_report report;
    struct etm_diag diag;
    int status;
} now;

static void clear(void)
{
    free(now.text);
    free(now.cpu);
    free(now.log.text);
    memset(&now, 0, sizeof now);
}

static int take_text(void *context, const char *text, size_t n)
{
    text_add(context, "%.*s", (int)n, text);
    return ETM_OK;
}

static int pass_on(void *context, const struct etm_event *events, size_t n)
{
    return etm_execution_writer_push(context, events, n);
}

/* Read in pieces of `piece` bytes, and written as an execution log. */
static int convert(const char *text, size_t n, size_t piece,
                   struct scenario_text *log,
                   const struct etm_allocator *allocator)
{
    struct etm_execution_reader_config from = now.config;
    struct etm_execution_writer_config to = {.profile = from.profile,
                                             .write = take_text,
                                             .context = log,
                                             .allocator = allocator};
    struct etm_execution_writer *writer = NULL;
    struct etm_execution_reader *reader = NULL;
    int status = etm_execution_writer_new(&writer, &to);

    log->n = 0;
    text_add(log, "%s", "");
    from.events = pass_on;
    from.context = writer;
    from.allocator = allocator;
    now.diag = (struct etm_diag){0};
    if (status == ETM_OK)
        status = etm_execution_reader_new(&reader, &from);
    for (size_t at = 0; at < n && status == ETM_OK; at += piece)
        status = etm_execution_reader_push(
            reader, text + at, piece < n - at ? piece : n - at, &now.diag);
    if (status == ETM_OK)
        status = etm_execution_reader_finish(reader, &now.diag);
    if (status == ETM_OK)
        status = etm_execution_writer_finish(writer);
    if (status == ETM_OK)
        etm_execution_reader_report(reader, &now.report);
    etm_execution_reader_free(reader);
    etm_execution_writer_free(writer);
    return status;
}

static struct scenario_text other; /* the same, in another way */

static int convert_all(const struct etm_allocator *allocator)
{
    return convert(now.text, now.n, now.n, &other, allocator);
}

/* However it is cut it is the same, and so is what is read of the result. */
static bool read_log(void)
{
    static const size_t pieces[] = {1, 7};
    bool good = true;

    if (now.is_read)
        return true;
    if (now.text == NULL)
        return wrong("there is no log");
    now.is_read = true;
    now.status = convert(now.text, now.n, now.n, &now.log, NULL);
    for (size_t i = 0; i < 2; i++)
        if (convert(now.text, now.n, pieces[i], &other, NULL) != now.status ||
            (now.status == ETM_OK && strcmp(other.text, now.log.text) != 0))
            good = wrong("it depends on how it is cut");
    good = each_call_fails(convert_all, now.status, 0) && good;
    if (now.status == ETM_OK && now.report.instructions != 0) {
        struct etm_execution_report report = now.report;

        now.config.format = ETM_EXECUTION_LOG;
        if (convert(now.log.text, now.log.n, now.log.n, &other, NULL) !=
                ETM_OK ||
            strcmp(other.text, now.log.text) != 0)
            good = wrong("what came out is read in another way");
        now.report = report;
    }
    if (now.status != ETM_OK) /* once more, for its message */
        (void)convert(now.text, now.n, now.n, &now.log, NULL);
    return good;
}

static bool expect_log(const struct line *line, const char *text)
{
    const char *first = "version 1\n", *got = now.log.text;
    size_t n;
    char *expected = rows_below(text, &n);
    bool good = expected != NULL;

    if (good && now.status != ETM_OK)
        good = wrong("it is refused: line %u: %s", (unsigned)now.diag.line,
                     now.diag.what);
    if (good && strncmp(got, first, strlen(first)) == 0)
        got += strlen(first);
    if (good && strcmp(got, expected) != 0) {
        if (cases.rebase && strchr(line->text, '$') == NULL)
            ((struct line *)line)->given = rows_given("expect log", got);
        else
            good = wrong("it is\n%s", got);
    }
    free(expected);
    return good;
}

static void count(struct scenario_text *t, const char *name, uint64_t n)
{
    if (n != 0)
        text_add(t, " %s=%" PRIu64, name, n);
}

/* All that was counted, but what is 0. */
static bool expect_counted(char *text)
{
    struct scenario_text t = {0}, single = {0}; /* blanks between words */
    struct words w, is;

    if (now.status != ETM_OK || !cut(text, &w))
        return wrong("it is refused");
    count(&t, "instructions", now.report.instructions);
    count(&t, "exceptions", now.report.exceptions);
    count(&t, "transfers", now.report.transfers);
    count(&t, "passed_over", now.report.passed_over);
    count(&t, "step", now.report.step);
    count(&t, "aarch64", now.report.aarch64);
    count(&t, "from", now.report.aarch64_line);
    if (now.report.profile == ETM_PROFILE_M)
        text_add(&t, " profile=m");
    count(&t, "not_understood", now.report.not_understood);
    count(&t, "first", now.report.first);
    if (now.report.first != 0)
        text_add(&t, " %.40s", now.report.text);
    if (t.text != NULL && cut(t.text, &is))
        add_words(&single, &is, 0, is.n);
    free(t.text);
    return all_words(&w, 0, &single, strlen("expect counted"));
}

static bool expect_refused(char *text)
{
    unsigned line;
    int n;

    if (sscanf(text, "%u %n", &line, &n) != 1)
        return wrong("expect refused LINE TEXT");
    if (now.status != ETM_ERR_FORMAT || now.diag.status != ETM_ERR_FORMAT ||
        strcmp(now.diag.source, "a.log") != 0 || now.diag.line != line ||
        strstr(now.diag.what, text + n) == NULL)
        return wrong("status %d, line %u: %s", now.status,
                     (unsigned)now.diag.line, now.diag.what);
    return true;
}

static bool expect(const struct line *line, char *text)
{
    cases.n_expected++;
    if (!read_log())
        return false;
    if (strncmp(text, "expect log", 10) == 0)
        return expect_log(line, text);
    if (strncmp(text, "expect counted", 14) == 0)
        return expect_counted(text + 14);
    if (strncmp(text, "expect refused ", 15) == 0)
        return expect_refused(text + 15);
    if (strcmp(text, "expect read") == 0)
        return now.status == ETM_OK ||
               wrong("line %u: %s", (unsigned)now.diag.line, now.diag.what);
    return wrong("not understood: %s", text);
}

/* "log" or "tarmac", how it is read, and its lines; "again": the same lines. */
static bool new_log(char *text)
{
    enum etm_execution_format format = now.format;
    bool again = strncmp(text, "again", 5) == 0, good;
    char *rows = again ? now.text : rows_below(text, &now.n);
    size_t n = now.n;
    struct words w;

    if (again)
        now.text = NULL;
    clear();
    now.text = rows;
    now.n = n;
    good = rows != NULL;
    text[strcspn(text, "\n")] = 0;
    good = good && cut(text, &w);
    if (good && strcmp(w.word[0], "tarmac") == 0)
        format = ETM_EXECUTION_TARMAC;
    else if (good && strcmp(w.word[0], "log") == 0)
        format = ETM_EXECUTION_LOG;
    else if (good && !again)
        good = wrong("not understood: %s", w.word[0]);
    now.config.format = now.format = format;
    now.config.name = "a.log";
    for (unsigned i = 1; good && i < w.n; i++) {
        if (strcmp(w.word[i], "profile=a") == 0)
            now.config.profile = ETM_PROFILE_A;
        else if (strcmp(w.word[i], "profile=m") == 0)
            now.config.profile = ETM_PROFILE_M;
        else if (strcmp(w.word[i], "pc_first") == 0)
            now.config.pc_first = true;
        else if (strncmp(w.word[i], "cpu=", 4) == 0)
            now.config.cpu = now.cpu = copy_of(w.word[i] + 4);
        else if (strncmp(w.word[i], "period=", 7) == 0)
            now.config.period = strtoull(w.word[i] + 7, NULL, 10);
        else
            good = wrong("not understood: %s", w.word[i]);
    }
    return good;
}

static bool line(const struct line *line)
{
    static char text[1 << 16];

    if (!substitute(line->text, text, sizeof text))
        return false;
    return begins(line, "expect") ? expect(line, text) : new_log(text);
}

int main(int argc, char **argv)
{
    static const struct case_room room = {
        .ending = ".scn", .line = line, .clear = clear};

    return cases_main(argc, argv, &room);
}
