/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of encodings: configuration, bytes, packets, for decoder and encoder
 * alike (test/README.md). */
#include "../support/scenario.h"
#include "encoding.h"
#include "proto/etmv2.h"
#include "session/protocols.h"

#include <stdlib.h>
#include <string.h>

#define CONFIGS 16u

/* Those that the rows in hand are true of. */
static struct {
    struct etm_config of[CONFIGS];
    unsigned n;
    bool given;                         /* by the line before */
    struct etm_broadcast told[CONFIGS]; /* by the rows before */
    bool fifo; /* the rows are packets of the FIFO of ETMv2 */
} configs;

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

/* Up to a sign. */
static bool read_bytes(struct row *row, char **words, size_t n, size_t *i)
{
    for (; *i < n && strcspn(words[*i], "|><") != 0; ++*i)
        if (!read_byte(row, words[*i]))
            return wrong("no byte: %s", words[*i]);
    return true;
}

/* Packets, parted by words that end with a semicolon. */
static bool read_packets(struct row *row, char **words, size_t n)
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
            return wrong("too many packets");
        strange = packet_read(row->config->protocol, words + first,
                              i + 1 - first, &row->packet[row->n_packets++]);
        if (strange != NULL)
            return wrong("not known: %s", strange);
        first = i + 1;
    }
    return true;
}

/* [first] BYTES | PACKETS, [tfo] BYTES | PACKET of the FIFO */
static bool read_row(struct row *row, char **words, size_t n)
{
    bool prefix = row->config->protocol == ETM_PROTOCOL_PFT ||
                  row->config->protocol == ETM_PROTOCOL_ETMV3;
    size_t i = strcmp(words[0], configs.fifo ? "tfo" : "first") == 0;

    row->first = (prefix || configs.fifo) && i != 0;
    if (prefix && i == 0) {
        row->begin = 1;
        row->bytes[5] = 0x80;
        row->n = A_SYNC;
        row->packet[row->n_packets++] =
            (struct etm_packet){.kind = ETM_PACKET_A_SYNC, .size = A_SYNC};
    }
    if (!read_bytes(row, words, n, &i))
        return false;
    if (i + 1 >= n || words[i][1] != 0 || row->n == row->begin * A_SYNC)
        return wrong("no bytes, or no packets");
    row->way = words[i][0];
    return read_packets(row, words + i + 1, n - i - 1) &&
           (configs.fifo ? fifo_check(row) : encoding_check(row));
}

/* full BYTES > WHAT IS KNOWN */
static bool read_full(struct row *row, char **words, size_t n)
{
    size_t i = 1;

    return read_bytes(row, words, n, &i) &&
           full_check(row, words + i + 1, i < n ? n - i - 1 : 0);
}

/* refused PACKET, unsupported PACKET */
static bool read_refusal(struct row *row, char **words, size_t n, int status)
{
    uint8_t bytes[ETM_PACKET_BYTES_MAX];
    struct etm_writer w = etm_writer_of(bytes, sizeof bytes);
    int is;

    if (!read_packets(row, words + 1, n - 1))
        return false;
    if (row->n_packets != 1)
        return wrong("one packet is refused at a time");
    is = configs.fifo ? etm_etmv2_put(row->config, row->packet, false, &w)
                      : etm_protocol_row(row->config->protocol)
                            ->encode(row->config, row->packet, &w);
    if (etm_writer_size(&w) != 0)
        return wrong("something is written");
    return is == status || wrong("encoding it gives %d", is);
}

static bool read_config(char **words, size_t n)
{
    bool checked = strcmp(words[n - 1], "unchecked") != 0;
    struct etm_config *config;
    struct etm_diag diag;

    if (!configs.given)
        configs.n = 0;
    configs.given = true;
    configs.fifo = strcmp(words[0], "fifo") == 0;
    if (configs.n == CONFIGS)
        return wrong("too many configurations");
    config = &configs.of[configs.n++];
    *config = (struct etm_config){.size = sizeof *config};
    configs.told[configs.n - 1] = (struct etm_broadcast){0};
    for (size_t i = 1; i < n - !checked; i++)
        if (!etm_scenario_config(config, words[i]))
            return wrong("not known: %s", words[i]);
    return !checked || etm_config_check(config, &diag) == ETM_OK ||
           wrong("%s", diag.what);
}

static bool read_line(const struct line *line)
{
    static struct row row;
    static char text[1 << 16], again[1 << 16];
    static struct words w;
    bool good = true;

    if (!substitute(line->text, text, sizeof text))
        return false;
    if (begins(line, "config") || begins(line, "fifo"))
        return cut(text, &w) && read_config(w.word, w.n);
    configs.given = false;
    cases.n_expected++;
    if (configs.n == 0)
        return wrong("a row without a configuration");
    for (unsigned i = 0; good && i < configs.n; i++) {
        memcpy(again, text, sizeof again);
        if (!cut(again, &w))
            return false;
        memset(&row, 0, sizeof row);
        row.config = &configs.of[i];
        if (begins(line, "refused"))
            good = read_refusal(&row, w.word, w.n, ETM_ERR_ARGUMENT);
        else if (begins(line, "unsupported"))
            good = read_refusal(&row, w.word, w.n, ETM_ERR_UNSUPPORTED);
        else if (begins(line, "cycles"))
            good =
                cycles_read(&row, w.word + 1, w.n - 1) && encoding_check(&row);
        else if (begins(line, "full"))
            good = read_full(&row, w.word, w.n);
        else if (begins(line, "told"))
            good = broadcast_check(row.config, &configs.told[i], w.word, w.n);
        else
            good = read_row(&row, w.word, w.n);
    }
    return good;
}

static void begin(void)
{
    memset(&configs, 0, sizeof configs);
}

static void end(bool good)
{
    (void)good;
}

int main(int argc, char **argv)
{
    static const struct case_room room = {
        .ending = ".enc", .line = read_line, .end = end, .begin = begin};

    return cases_main(argc, argv, &room);
}
