/* SPDX-License-Identifier: Apache-2.0 */
/* Files that cases of sessions are made of: frames, and samples of a port. */
#include "../input/scenario.h"

#include <etm/port.h>
#include <etm/write.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 400u

static bool put(const uint8_t *bytes, size_t n)
{
    if (n > sizeof content.bytes - content.n)
        return wrong("too long a file");
    memcpy(content.bytes + content.n, bytes, n);
    content.n += n;
    return true;
}

static bool write_content(const char *name)
{
    capture_begin();
    write_file(name, content.bytes, content.n);
    return true;
}

/* ---- Frames -------------------------------------------------------------- */

/* ID:HEX: so many times */
static bool push_word(struct etm_framer *framer, char *word)
{
    char *hex = strchr(word, ':');
    uint8_t bytes[64];
    uint64_t id;
    size_t n;

    if (hex == NULL)
        return wrong("ID:HEX");
    *hex++ = 0;
    n = strlen(hex) / 2;
    if (!number(word, 16, &id) || n > sizeof bytes)
        return wrong("too long");
    for (size_t i = 0; i < n; i++) {
        unsigned byte;

        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            return wrong("ID:HEX");
        bytes[i] = (uint8_t)byte;
    }
    return etm_framer_push(framer, (uint8_t)id, bytes, n) == ETM_OK ||
           wrong("it is not taken: %s", word);
}

/* The frames that are whole, and so many bytes of none. */
static bool push_zeros(struct etm_framer *framer, const char *text)
{
    const uint8_t *bytes, zero = 0;
    uint64_t zeros;
    size_t n;
    bool good = number(text, 10, &zeros);

    etm_framer_take(framer, &bytes, &n);
    good = good && put(bytes, n);
    for (; good && zeros != 0; zeros--)
        good = put(&zero, 1);
    return good;
}

/* Words up to the next `times=`, so often. */
static bool push_words(struct etm_framer *framer, struct words *w,
                       unsigned *from)
{
    char *is = value_of(w->word[*from], "times");
    uint64_t times = 1;
    unsigned to;

    if (is != NULL && !number(is, 10, &times))
        return false;
    *from += is != NULL;
    for (to = *from; to < w->n && value_of(w->word[to], "times") == NULL; to++)
        ;
    for (; times != 0; times--)
        for (unsigned i = *from; i < to; i++) {
            const char *zeros = value_of(w->word[i], "zeros");
            char word[200];

            snprintf(word, sizeof word, "%s", w->word[i]);
            if (!(zeros ? push_zeros(framer, zeros) : push_word(framer, word)))
                return false;
        }
    *from = to;
    return true;
}

/* frames NAME [tpiu] ID:HEX ... zeros=N times=N ID:HEX ...: in memory, or of a
 * TPIU, with synchronization packets; bytes of no frame */
bool frames_file(struct words *w)
{
    bool tpiu = w->n > 2 && strcmp(w->word[2], "tpiu") == 0, good = true;
    const struct etm_framer_config config = {.layout = tpiu ? ETM_FRAME_TPIU
                                                            : ETM_FRAME_ALIGNED,
                                             .full_sync = tpiu ? 2 : 0,
                                             .half_sync = tpiu ? 11 : 0};
    struct etm_framer *framer;
    const uint8_t *bytes;
    size_t n;

    if (w->n < 3 || etm_framer_new(&framer, &config) != ETM_OK)
        return wrong("frames NAME ID:HEX");
    content.n = 0;
    for (unsigned i = 2 + tpiu; i < w->n && good;)
        good = push_words(framer, w, &i);
    good = good && etm_framer_flush(framer) == ETM_OK;
    etm_framer_take(framer, &bytes, &n);
    good = good && put(bytes, n) && write_content(w->word[1]);
    etm_framer_free(framer);
    return good;
}

/* ---- Samples of ETMv1 ---------------------------------------------------- */

static struct etm_port_sample samples[SAMPLES];
static size_t n_samples;
static int half; /* a byte after the last record; -1: none */

/* BE1:80*4: status, TRACESYNC, TRACEPKT, how often; `!`: with a bit that no
 * record has */
static bool sample_word(const char *word)
{
    static const char names[] = "IEIDINWTBEBDTRTD";
    bool bad = *word == '!';
    struct etm_port_sample s = {0};
    unsigned status = 0, control = 2, data, times = 1, n;

    word += bad;
    while (status < 8 && strncmp(names + 2 * status, word, 2) != 0)
        status++;
    n = (unsigned)sscanf(word + 2, "%1u:%2x*%u", &control, &data, &times);
    if (status == 8 || control > 1 || n < 2)
        return wrong("not understood: %s", word);
    s.status = (uint8_t)(status | (bad ? 0x40 : 0));
    s.control = (uint8_t)control;
    s.data = data;
    for (; times != 0 && n_samples < SAMPLES; times--)
        samples[n_samples++] = s;
    return times == 0 || wrong("too many samples");
}

static bool put_be32(uint32_t value)
{
    const uint8_t bytes[] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16),
                             (uint8_t)(value >> 8), (uint8_t)value};

    return put(bytes, 4);
}

static bool as_text(const struct etm_port_config *port)
{
    bool good = true;

    (void)port;
    for (size_t i = 0; i < n_samples && good; i++) {
        char line[32];
        int n = snprintf(line, sizeof line, "%x %x %02x\n", samples[i].control,
                         samples[i].status, (unsigned)samples[i].data);

        good = put((const uint8_t *)line, (size_t)n);
    }
    return good;
}

static bool as_records(const struct etm_port_config *port)
{
    bool good = true;

    (void)port;
    for (size_t i = 0; i < n_samples && good; i++) {
        const uint8_t record[] = {
            (uint8_t)(samples[i].status | (unsigned)samples[i].control << 7),
            (uint8_t)samples[i].data};

        good = put(record, 2);
    }
    return good && (half < 0 || put(&(uint8_t){(uint8_t)half}, 1));
}

/* The head of a file of OpenOCD says that the port has 8 pins. */
static bool as_openocd(const struct etm_port_config *port)
{
    bool good =
        put_be32(4) && put_be32(0x1014) && put_be32((uint32_t)n_samples);

    (void)port;
    for (size_t i = 0; i < n_samples && good; i++)
        good = put_be32(samples[i].status) &&
               put_be32((uint32_t)samples[i].data) &&
               put_be32(samples[i].control);
    return good;
}

/* Two of 12 bits in a word: PIPESTAT, TRACEPKT, TRACESYNC. */
static bool as_etb(const struct etm_port_config *port)
{
    bool good = n_samples % 2 == 0 || wrong("an odd number of samples");

    (void)port;
    for (size_t i = 0; i < n_samples && good; i += 2) {
        uint8_t bytes[4];
        uint32_t word = 0;

        for (unsigned k = 0; k < 2; k++)
            word |=
                (samples[i + k].status | (uint32_t)samples[i + k].data << 3 |
                 (uint32_t)samples[i + k].control << 11)
                << 12 * k;
        for (unsigned k = 0; k < 4; k++)
            bytes[k] = (uint8_t)(word >> 8 * k);
        good = put(bytes, 4);
    }
    return good;
}

static int take_text(void *context, const char *text, size_t n)
{
    (void)context;
    return put((const uint8_t *)text, n) ? ETM_OK : ETM_ERR_STOPPED;
}

static bool as_vcd(const struct etm_port_config *port)
{
    const struct etm_vcd_writer_config config = {.port = port,
                                                 .write = take_text};
    struct etm_vcd_writer *writer;
    bool good;

    if (etm_vcd_writer_new(&writer, &config, NULL) != ETM_OK)
        return wrong("there is no such port");
    good = etm_vcd_writer_push(writer, samples, n_samples) == ETM_OK &&
           etm_vcd_writer_finish(writer) == ETM_OK;
    etm_vcd_writer_free(writer);
    return good;
}

/* samples NAME FORM [multiplexed] [demultiplexed] [half_rate] [half=BYTE]
 * SAMPLE ...: of a port of 8 pins, and half a record */
bool samples_file(struct words *w)
{
    static bool (*const write[])(const struct etm_port_config *port) = {
        [ETM_PORT_FORM_TEXT] = as_text,
        [ETM_PORT_FORM_VCD] = as_vcd,
        [ETM_PORT_FORM_OPENOCD] = as_openocd,
        [ETM_PORT_FORM_RECORDS] = as_records,
        [ETM_PORT_FORM_ETB] = as_etb,
    };
    struct etm_port_config port = {.protocol = ETM_PROTOCOL_ETMV1, .width = 8};
    int form;

    n_samples = content.n = 0;
    half = -1;
    if (w->n < 3 || !NAMED(forms, w->word[2], &form))
        return false;
    for (unsigned i = 3; i < w->n; i++) {
        if (strcmp(w->word[i], "multiplexed") == 0)
            port.mode = ETM_PORT_MULTIPLEXED;
        else if (strcmp(w->word[i], "demultiplexed") == 0)
            port.mode = ETM_PORT_DEMULTIPLEXED;
        else if (strcmp(w->word[i], "half_rate") == 0)
            port.half_rate = true;
        else if (value_of(w->word[i], "half") != NULL)
            half = (int)strtol(value_of(w->word[i], "half"), NULL, 16);
        else if (!sample_word(w->word[i]))
            return false;
    }
    if ((size_t)form >= sizeof write / sizeof *write || write[form] == NULL)
        return wrong("not written: %s", w->word[2]);
    return write[form](&port) && write_content(w->word[1]);
}

/* pins NAME: the last file comes off four pins of a TPIU, without TRACECTL and
 * from half a byte on, as sigrok records it */
bool pins_file(struct words *w)
{
    static uint8_t bytes[4096];
    char text[2000] = "$scope module libsigrok $end\n";
    size_t n = content.n;
    bool good;

    if (w->n != 2 || n > sizeof bytes)
        return wrong("pins NAME");
    memcpy(bytes, content.bytes, n);
    content.n = 0;
    for (unsigned i = 0; i < 4; i++)
        sprintf(text + strlen(text), "$var wire 1 %c TRACED%u $end\n", 'a' + i,
                i);
    strcat(text, "$var wire 1 k TRACECK $end $upscope $end\n"
                 "$enddefinitions $end\n#0 0k\n");
    good = put((uint8_t *)text, strlen(text));
    for (size_t i = 1; i < 2 * n && good; i++) {
        unsigned pins = bytes[i / 2] >> i % 2 * 4;

        sprintf(text, "#%zu %ua %ub %uc %ud\n#%zu %uk\n", 10 * i, pins & 1,
                pins >> 1 & 1, pins >> 2 & 1, pins >> 3 & 1, 10 * i + 5,
                (unsigned)(i % 2));
        good = put((uint8_t *)text, strlen(text));
    }
    return good && write_content(w->word[1]);
}
