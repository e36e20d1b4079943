/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of encodings: configuration, bytes, packets, for decoder and encoder
 * alike (test/README.md).
 *
 *     encodings FOLDER           test; one line of TAP a case
 *     encodings --wrong FOLDER   each file is refused
 */
#define _POSIX_C_SOURCE 200809L
#include "../support/scenario.h"
#include "encoding.h"
#include "session/protocols.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned n_tests, n_wrong;

bool encoding_wrong(struct table *t, const char *format, ...)
{
    va_list arguments;

    printf("# %s:%u: ", t->path, t->line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    t->good = false;
    t->stray |= t->name[0] == 0;
    return false;
}

/* "84" "00*9" "gap". */
static bool read_byte(struct row *row, const char *word)
{
    char *end;
    unsigned long byte = strtoul(word, &end, 16), times = 1;

    if (strcmp(word, "gap") == 0 && row->n_gaps < GAPS)
        return row->gap[row->n_gaps++] = row->n, true;
    if (*end == '*')
        times = strtoul(end + 1, &end, 10);
    if (*end != 0 || end == word || byte > 255 || times > BYTES - row->n)
        return false;
    memset(row->bytes + row->n, (int)byte, times);
    row->n += times;
    return true;
}

/* Packets, parted by words that end with a semicolon. */
static bool read_packets(struct table *t, struct row *row, char **words,
                         size_t n)
{
    for (size_t first = 0, i = 0; i < n; i++) {
        size_t length = strlen(words[i]);
        bool last = words[i][length - 1] == ';';
        const char *strange;

        if (!last && i + 1 < n)
            continue;
        if (last)
            words[i][length - 1] = 0;
        if (row->n_packets == PACKETS)
            return encoding_wrong(t, "too many packets");
        strange = packet_read(row->config->protocol, words + first,
                              i + 1 - first, &row->packet[row->n_packets++]);
        if (strange != NULL)
            return encoding_wrong(t, "not known: %s", strange);
        first = i + 1;
    }
    return true;
}

/* [first] BYTES | PACKETS */
static bool read_row(struct table *t, struct row *row, char **words, size_t n)
{
    bool prefix = row->config->protocol == ETM_PROTOCOL_PFT ||
                  row->config->protocol == ETM_PROTOCOL_ETMV3;
    size_t i = strcmp(words[0], "first") == 0;

    row->first = prefix && i != 0;
    if (prefix && i == 0) {
        row->begin = 1;
        row->bytes[5] = 0x80;
        row->n = A_SYNC;
        row->packet[row->n_packets++] =
            (struct etm_packet){.kind = ETM_PACKET_A_SYNC, .size = A_SYNC};
    }
    for (; i < n && strcspn(words[i], "|><") != 0; i++)
        if (!read_byte(row, words[i]))
            return encoding_wrong(t, "no byte: %s", words[i]);
    if (i + 1 >= n || words[i][1] != 0 || row->n == row->begin * A_SYNC)
        return encoding_wrong(t, "no bytes, or no packets");
    row->way = words[i][0];
    return read_packets(t, row, words + i + 1, n - i - 1) &&
           encoding_check(t, row);
}

/* refused PACKET, unsupported PACKET */
static bool read_refusal(struct table *t, struct row *row, char **words,
                         size_t n, int status)
{
    uint8_t bytes[ETM_PACKET_BYTES_MAX];
    struct etm_writer w = etm_writer_of(bytes, sizeof bytes);
    int is;

    if (!read_packets(t, row, words + 1, n - 1))
        return false;
    if (row->n_packets != 1)
        return encoding_wrong(t, "one packet is refused at a time");
    is = etm_protocol_row(row->config->protocol)
             ->encode(row->config, row->packet, &w);
    if (etm_writer_size(&w) != 0)
        return encoding_wrong(t, "something is written");
    return is == status || encoding_wrong(t, "encoding it gives %d", is);
}

static void result(struct table *t, const char *name)
{
    n_tests++;
    if (!t->quiet)
        printf("%sok %u - %s: %s\n", t->good ? "" : "not ", n_tests, t->path,
               name);
    n_wrong += !t->good;
}

static void end_case(struct table *t)
{
    if (t->name[0] == 0)
        return;
    if (t->rows == 0)
        encoding_wrong(t, "a case without rows");
    result(t, t->name);
    t->n_cases++;
    t->name[0] = 0;
}

static void read_config(struct table *t, char **words, size_t n)
{
    struct etm_config *config;
    struct etm_diag diag;

    if (!t->configuring)
        t->n_configs = 0;
    if (t->n_configs == CONFIGS) {
        encoding_wrong(t, "too many configurations");
        return;
    }
    config = &t->config[t->n_configs++];
    *config = (struct etm_config){.size = sizeof *config};
    for (size_t i = 1; i < n; i++)
        if (!etm_scenario_config(config, words[i]))
            encoding_wrong(t, "not known: %s", words[i]);
    if (etm_config_check(config, &diag) != ETM_OK)
        encoding_wrong(t, "%s", diag.what);
}

/* One line with those that continue it. */
static void read_line(struct table *t, char *text)
{
    static struct row row;
    static char again[1 << 16];
    char *words[WORDS];

    for (unsigned i = 0; i == 0 || i < t->n_configs; i++) {
        size_t n = 0;

        snprintf(again, sizeof again, "%s", text);
        for (char *word = strtok(again, " "); word != NULL && n < WORDS;
             word = strtok(NULL, " "))
            words[n++] = word;
        if (n == 0)
            return;
        if (strcmp(words[0], "==") == 0) {
            end_case(t);
            t->rows = 0;
            t->good = true;
            snprintf(t->name, sizeof t->name, "%s", n == 2 ? words[1] : "?");
            return;
        }
        if (strcmp(words[0], "config") == 0) {
            read_config(t, words, n);
            t->configuring = true;
            return;
        }
        t->configuring = false;
        if (t->n_configs == 0 || t->name[0] == 0) {
            encoding_wrong(t, "a row without a configuration, or of no case");
            return;
        }
        t->rows++;
        memset(&row, 0, sizeof row);
        row.config = &t->config[i];
        if (strcmp(words[0], "refused") == 0)
            read_refusal(t, &row, words, n, ETM_ERR_ARGUMENT);
        else if (strcmp(words[0], "unsupported") == 0)
            read_refusal(t, &row, words, n, ETM_ERR_UNSUPPORTED);
        else
            read_row(t, &row, words, n);
    }
}

static void read_table(const char *path, bool quiet)
{
    static char line[1 << 16], joined[1 << 16];
    struct table t = {.path = path, .good = true, .quiet = quiet};
    FILE *file = fopen(path, "r");
    unsigned number = 0;
    size_t length;

    joined[0] = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "#\r\n")] = 0;
        number++;
        if (line[0] != ' ') {
            read_line(&t, joined);
            joined[0] = 0;
            t.line = number;
        }
        length = strlen(joined);
        snprintf(joined + length, sizeof joined - length, "%s", line);
    }
    read_line(&t, joined);
    end_case(&t);
    if (file != NULL)
        fclose(file);
    if (t.n_cases == 0 || t.stray) {
        t.good = false;
        result(&t, "no cases, or what is none");
    }
}

static int tables(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');

    return end != NULL && strcmp(end, ".enc") == 0;
}

int main(int argc, char **argv)
{
    bool all_wrong = argc == 3 && strcmp(argv[1], "--wrong") == 0;
    const char *folder = argv[argc - 1];
    struct dirent **entries;
    int n = argc > 1 ? scandir(folder, &entries, tables, alphasort) : -1;
    unsigned n_right = 0;
    char path[1024];

    for (int i = 0; i < n; i++) {
        unsigned before = n_wrong;

        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        read_table(path, all_wrong);
        if (all_wrong)
            printf("%sok %d - %s is refused\n", n_wrong > before ? "" : "not ",
                   i + 1, path);
        n_right += n_wrong == before;
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    printf("1..%u\n", all_wrong ? (unsigned)n : n_tests);
    return n < 1 || (all_wrong ? n_right : n_wrong) != 0;
}
