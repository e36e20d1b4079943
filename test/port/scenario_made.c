/* SPDX-License-Identifier: Apache-2.0 */
/* Captures that are written out or made at random, and damage to them. */
#define _POSIX_C_SOURCE 200809L
#include "scenario.h"

#include "../support/capture.h"

#include <stdio.h>
#include <unistd.h>

struct capture capture;

static bool add(uint8_t byte, uint32_t place, uint8_t at)
{
    if (capture.n == MOST_BYTES)
        return wrong("too long a capture");
    capture.items[capture.n++] = (struct item){place, byte, at};
    return true;
}

const uint8_t *capture_bytes(size_t *n)
{
    static uint8_t bytes[MOST_BYTES];

    for (size_t i = 0; i < capture.n; i++)
        bytes[i] = capture.items[i].byte;
    *n = capture.n;
    return bytes;
}

/* From now on it is damaged. */
static bool made_whole(void)
{
    const uint8_t *bytes = capture_bytes(&capture.n_whole);

    memcpy(capture.whole, bytes, capture.n_whole);
    return true;
}

bool place_in_capture(const char *text, size_t *place)
{
    unsigned a, b;
    int used = 0;
    uint64_t more = 0;

    if (sscanf(text, "%u/%u%n", &a, &b, &used) == 2 && b != 0) {
        if (text[used] != 0 && !number(text + used + 1, 10, &more))
            return false;
        *place = capture.n * a / b + (size_t)more;
    } else if (number(text, 10, &more)) {
        *place = (size_t)more;
    } else {
        return false;
    }
    return *place <= capture.n || wrong("not in the capture: %s", text);
}

static bool layout_of(const char *word, enum etm_frame_layout *layout)
{
    static const char *const names[] = {"aligned", "tpiu"};

    for (unsigned i = 0; i < 2; i++)
        if (strcmp(word, names[i]) == 0) {
            *layout = (enum etm_frame_layout)i;
            return true;
        }
    return false;
}

/* ---- Bytes --------------------------------------------------------------- */

/* Adds whole frames and synchronization from the first byte on. */
static bool add_frames(const uint8_t *bytes, size_t n)
{
    uint8_t at = 0;
    bool tpiu = capture.layout == ETM_FRAME_TPIU, good = true;

    for (size_t i = 0; i < n && good;) {
        unsigned sync = 0;

        if (tpiu && at == 0 && n - i >= 4 &&
            memcmp(bytes + i, "\xff\xff\xff\x7f", 4) == 0)
            sync = 4;
        else if (tpiu && at % 2 == 0 && n - i >= 2 && bytes[i] == 0xff &&
                 bytes[i + 1] == 0x7f)
            sync = 2;
        for (unsigned k = 0; k < (sync != 0 ? sync : 1) && good; k++, i++)
            good = add(bytes[i], (uint32_t)capture.n,
                       sync != 0 ? ETM_FRAME_BYTES : at);
        at = sync != 0 ? at : (at + 1) % ETM_FRAME_BYTES;
    }
    return good && made_whole();
}

/* frames LAYOUT BYTES; more BYTES */
static bool frames_line(struct words *w)
{
    static uint8_t bytes[MOST_BYTES];
    bool more = strcmp(w->word[0], "more") == 0;
    size_t n = 0;

    if (!more) {
        capture.n = 0;
        if (w->n < 2 || !layout_of(w->word[1], &capture.layout))
            return wrong("frames LAYOUT BYTES");
    }
    return take_bytes(w, more ? 1 : 2, bytes, &n, MOST_BYTES) &&
           add_frames(bytes, n);
}

static bool missing;

bool made_stopped(void)
{
    return missing;
}

/* capture FILE LAYOUT: of a real chip, which stands beside the project or
 * nowhere. */
static bool capture_line(struct words *w)
{
    struct etm_test_bytes file;
    char path[1024];
    bool good;

    made_begin();
    if (w->n != 3 || !layout_of(w->word[2], &capture.layout))
        return wrong("capture FILE LAYOUT");
    missing = !etm_test_shared_path(w->word[1], path, sizeof path) ||
              access(path, R_OK) != 0;
    if (missing) {
        if (cases.n_expected++ == 0)
            printf("# no %s below ETM_SHARED: skipped\n", w->word[1]);
        return true;
    }
    if (!etm_test_shared(w->word[1], &file))
        return wrong("it cannot be read");
    good = add_frames(file.data, file.n);
    free(file.data);
    return good;
}

/* ---- At random ----------------------------------------------------------- */

/* Bytes of a source. */
enum bytes_kind {
    BYTES_RANDOM,
    BYTES_ODD,     /* no zeros, as all are odd */
    BYTES_HEADERS, /* many like P-headers */
    BYTES_ZEROS,   /* many zeros, but never five in a row */
    BYTES_LOOP,    /* of a program that repeats itself */
    BYTES_ITM,     /* samples and texts */
    BYTES_ONES,    /* 00 7f fe ff in every position, and other ones */
};

struct source {
    uint8_t packet[5]; /* of an ITM, */
    unsigned n, left;  /* its bytes, and those to come */
    uint64_t at;       /* bytes */
    unsigned kind;     /* enum bytes_kind */
};

struct making {
    struct etm_framer_config framer;
    struct source sources[MOST_SOURCES];
    unsigned kinds[MOST_SOURCES], n_kinds; /* of the bytes of each */
    unsigned pieces, least, most;
    unsigned sync, first;    /* bytes from A-sync to A-sync, before the first */
    unsigned flush, trigger; /* in a hundred pieces */
    unsigned drop;           /* of the bytes that are made, the first ones */
    bool bare;               /* the bytes of one source, without frames */
    uint64_t random;
};

static uint8_t itm_byte(struct source *s, uint64_t *random)
{
    uint32_t r = random_next(random);
    const uint8_t sample[] = {0x17, (uint8_t)r, (uint8_t)(r >> 8), 0, 8};
    const uint8_t text[] = {0x01, (uint8_t)(0x41 + (r >> 8) % 26)};

    if (s->left == 0) {
        bool is_sample = r >> 31 != 0;

        s->left = s->n = is_sample ? sizeof sample : sizeof text;
        memcpy(s->packet, is_sample ? sample : text, s->n);
    }
    return s->packet[s->n - s->left--];
}

static uint8_t next_byte(struct making *m, struct source *s)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80, 0x08};
    static const uint8_t often[] = {0x84, 0x91, 0xf2, 0x84, 0x13, 0x22,
                                    0x84, 0xa0, 0x05, 0xc8, 0x91, 0x3f};
    static const uint8_t ones[] = {0x00, 0x7f, 0xff, 0xfe};
    uint64_t at = s->at++;
    uint32_t r = random_next(&m->random);

    if (m->sync != 0 && at >= m->first &&
        (at - m->first) % m->sync < sizeof a_sync)
        return a_sync[(at - m->first) % m->sync];
    switch ((enum bytes_kind)s->kind) {
    case BYTES_RANDOM:
        break;
    case BYTES_ODD:
        return (uint8_t)(r >> 8 | 1);
    case BYTES_HEADERS:
        return (uint8_t)(r % 4 != 0 ? 0x84 | (r >> 8 & 0x38) : r >> 8 | 1);
    case BYTES_ZEROS:
        return (uint8_t)(r % 5 == 0 && at % 4 != 3 ? 0 : r >> 8 | 1);
    case BYTES_LOOP:
        return r % 8 == 0 ? (uint8_t)(r >> 8) : often[(r >> 8) % sizeof often];
    case BYTES_ONES:
        return r % 2 != 0 ? ones[r >> 8 & 3] : (uint8_t)(r >> 8);
    case BYTES_ITM:
        return itm_byte(s, &m->random);
    }
    return (uint8_t)(r >> 8);
}

static bool sources_of(char *list)
{
    capture.n_ids = 0;
    for (char *id = strtok(list, ","); id != NULL; id = strtok(NULL, ",")) {
        uint64_t value;

        if (!number(id, 16, &value) || capture.n_ids == MOST_SOURCES)
            return wrong("sources=10,11");
        capture.ids[capture.n_ids++] = (uint8_t)value;
    }
    return true;
}

static bool kinds_of(struct making *m, char *list)
{
    static const char *const kinds[] = {"random", "odd", "headers", "zeros",
                                        "loop",   "itm", "ones"};

    for (char *word = strtok(list, ","); word != NULL;
         word = strtok(NULL, ",")) {
        unsigned kind = 0;

        while (kind < sizeof kinds / sizeof *kinds &&
               strcmp(word, kinds[kind]) != 0)
            kind++;
        if (kind == sizeof kinds / sizeof *kinds || m->n_kinds == MOST_SOURCES)
            return wrong("no such bytes: %s", word);
        m->kinds[m->n_kinds++] = kind;
    }
    return m->n_kinds != 0;
}

/* NAME=NUMBER, bytes=KIND,KIND, size=LEAST-MOST, sources=ID,ID */
static bool making_word(struct making *m, char *word)
{
    static const struct field fields[] = {
        FIELD(making, pieces),
        FIELD(making, sync),
        FIELD(making, first),
        FIELD(making, flush),
        FIELD(making, drop),
        FIELD(making, trigger),
        FIELD(making, bare),
        FIELD_AS("full", making, framer.full_sync),
        FIELD_AS("half", making, framer.half_sync),
        FIELD_AS("repeat", making, framer.repeat_id),
        FIELD_AS("repeat_id", making, framer.no_deferred_id),
        NO_FIELD,
    };
    char *value = strchr(word, '=');
    uint64_t is;

    if (layout_of(word, &m->framer.layout) || field_set(fields, m, word, 10))
        return true;
    if (value == NULL)
        return wrong("not known: %s", word);
    *value++ = 0;
    if (strcmp(word, "sources") == 0)
        return sources_of(value);
    if (strcmp(word, "size") == 0) {
        int n = sscanf(value, "%u-%u", &m->least, &m->most);

        m->most = n == 1 ? m->least : m->most;
        return n > 0 || wrong("size=1-9");
    }
    if (strcmp(word, "bytes") == 0)
        return kinds_of(m, value);
    if (strcmp(word, "seed") == 0 && number(value, 10, &is))
        return (m->random = is * 0x9e3779b97f4a7c15) != 0;
    return wrong("not known: %s", word);
}

static int push(struct etm_framer *f, unsigned which, uint8_t byte)
{
    if (capture.n_sent[which] < MOST_SENT)
        capture.sent[which][capture.n_sent[which]++] = byte;
    return etm_framer_push(f, capture.ids[which], &byte, 1);
}

static bool make(struct making *m, struct etm_framer *f)
{
    const uint8_t trigger = 0;

    for (unsigned i = 0; i < m->pieces; i++) {
        unsigned which = i % capture.n_ids;
        unsigned n =
            m->least + random_next(&m->random) % (m->most - m->least + 1);
        int status = ETM_OK;

        for (; n != 0 && status == ETM_OK; n--) {
            uint8_t byte = next_byte(m, &m->sources[which]);

            if (!m->bare)
                status = push(f, which, byte);
            else if (!add(byte, (uint32_t)capture.n, ETM_FRAME_BYTES))
                return false;
        }
        if (random_next(&m->random) % 100 < m->trigger)
            status |= etm_framer_push(f, ETM_ID_TRIGGER, &trigger, 1);
        if (random_next(&m->random) % 100 < m->flush)
            status |= etm_framer_flush(f);
        if (status != ETM_OK)
            return wrong("the framer refuses it");
    }
    return etm_framer_flush(f) == ETM_OK;
}

/* made [+] WORD ...: after what there is, or in its place. */
static bool made_line(struct words *w)
{
    struct making m = {
        .random = 0x9e3779b97f4a7c15, .pieces = 1, .least = 1, .most = 1};
    unsigned first = w->n > 1 && strcmp(w->word[1], "+") == 0 ? 2 : 1;
    struct etm_framer *f;
    const uint8_t *bytes;
    size_t n;
    bool good = true;

    m.framer.size = sizeof m.framer;
    for (unsigned i = first; i < w->n && good; i++)
        good = making_word(&m, w->word[i]);
    if (!good || capture.n_ids == 0 || m.most < m.least)
        return wrong("made sources=10,11 pieces=100 size=1-20");
    for (unsigned i = 0; i < capture.n_ids && m.n_kinds != 0; i++)
        m.sources[i].kind = m.kinds[i % m.n_kinds];
    if (etm_framer_new(&f, &m.framer) != ETM_OK)
        return wrong("the framer refuses it");
    capture.layout = m.framer.layout;
    capture.n = first == 2 ? capture.n : 0;
    memset(capture.n_sent, 0, sizeof capture.n_sent);
    good = make(&m, f);
    etm_framer_take(f, &bytes, &n);
    good = good && m.drop <= n &&
           (m.drop == n || add_frames(bytes + m.drop, n - m.drop));
    etm_framer_free(f);
    return good;
}

/* Symbols of an ELF file of 64 bits: a name, a kind, an address and a size,
 * each with more zeros than an A-sync has. */
static bool symbols_line(struct words *w)
{
    static const uint8_t kinds[] = {0x12, 0x12, 0x22, 0x11};
    uint64_t n;

    if (w->n != 2 || !number(w->word[1], 10, &n))
        return wrong("symbols N");
    capture.n = 0;
    for (; n != 0; n--) {
        uint32_t r = random_next(&capture.random);
        uint32_t at = random_next(&capture.random);
        uint8_t bytes[24] = {(uint8_t)r, (uint8_t)(r >> 8),
                             (uint8_t)(r >> 16 & 3), 0, kinds[r >> 20 & 3]};

        bytes[6] = 0x0d;
        bytes[8] = (uint8_t)(at & 0xf0);
        bytes[9] = (uint8_t)(at >> 8);
        bytes[10] = (uint8_t)(at >> 16 & 0x1f);
        bytes[16] = (uint8_t)(at >> 24 & 0x7f);
        for (unsigned i = 0; i < sizeof bytes; i++)
            if (!add(bytes[i], NO_PLACE, 16))
                return false;
    }
    return true;
}

/* ---- A framer ------------------------------------------------------------ */

static struct etm_framer *framer;

/* framer WORD ...; push ID BYTES; flush: what was made is the capture. */
static bool framer_line(struct words *w)
{
    static uint8_t bytes[MOST_BYTES];
    struct making m = {.framer = {.size = sizeof m.framer}};
    const uint8_t *made;
    size_t n = 0;
    uint64_t id = 0;

    if (strcmp(w->word[0], "framer") == 0) {
        for (unsigned i = 1; i < w->n; i++)
            if (!making_word(&m, w->word[i]))
                return false;
        made_begin();
        capture.layout = m.framer.layout;
        return etm_framer_new(&framer, &m.framer) == ETM_OK ||
               wrong("the framer is refused");
    }
    if (framer == NULL)
        return wrong("framer");
    if (strcmp(w->word[0], "flush") == 0) {
        if (etm_framer_flush(framer) != ETM_OK)
            return wrong("it is not flushed");
        etm_framer_take(framer, &made, &n);
        return add_frames(made, n);
    }
    return (w->n > 1 && number(w->word[1], 16, &id) &&
            take_bytes(w, 2, bytes, &n, MOST_BYTES) &&
            etm_framer_push(framer, (uint8_t)id, bytes, n) == ETM_OK) ||
           wrong("the framer refuses it");
}

/* bytes BYTES: the capture has these */
bool expect_bytes(struct words *w)
{
    struct scenario_text t = {0};

    for (size_t i = 0; i < capture.n; i++)
        text_add(&t, "%02x ", capture.items[i].byte);
    return same_text(w, 2, &t);
}

int frame_all(const struct etm_allocator *allocator)
{
    struct etm_framer_config config = {.size = sizeof config,
                                       .layout = ETM_FRAME_TPIU,
                                       .full_sync = 8,
                                       .half_sync = 3,
                                       .allocator = allocator};
    struct etm_framer *f;
    int status = etm_framer_new(&f, &config);

    for (unsigned i = 0; i < 100 && status == ETM_OK; i++)
        status = etm_framer_push(f, 0x10, (const uint8_t *)"abcdefghijklm", 13);
    if (status == ETM_OK)
        status = etm_framer_flush(f);
    etm_framer_free(f);
    return status;
}

/* ---- Damage -------------------------------------------------------------- */

static void drop(size_t at, size_t n)
{
    capture.n -= n;
    memmove(capture.items + at, capture.items + at + n,
            (capture.n - at) * sizeof *capture.items);
}

static bool insert(size_t at, const uint8_t *bytes, size_t n)
{
    if (n > MOST_BYTES - capture.n)
        return wrong("too long a capture");
    memmove(capture.items + at + n, capture.items + at,
            (capture.n - at) * sizeof *capture.items);
    capture.n += n;
    for (size_t i = 0; i < n; i++)
        capture.items[at + i] =
            (struct item){NO_PLACE, bytes[i], ETM_FRAME_BYTES};
    return true;
}

/* cut N: the first bytes; short N: the last ones; lose N PLACE. head N, tail N:
 * all but these. */
static bool cut_line(struct words *w)
{
    const char *verb = w->word[0];
    bool lose = strcmp(verb, "lose") == 0, head = strcmp(verb, "head") == 0;
    size_t n, at = 0;

    if (w->n != 2u + lose || !place_in_capture(w->word[1], &n) ||
        (lose && !place_in_capture(w->word[2], &at)))
        return wrong("%s N", verb);
    if (n > capture.n - at)
        return wrong("not so many bytes");
    if (head)
        at = n;
    if (head || strcmp(verb, "tail") == 0)
        n = capture.n - n;
    if (strcmp(verb, "short") == 0)
        at = capture.n - n;
    drop(at, n);
    return true;
}

/* moved N AT: so many ones more before that bit; moved -N AT: so many bits are
 * lost there, and as many zeros come at the end; doubled N AT: these bits come
 * twice. */
static bool bits_line(struct words *w)
{
    static uint8_t before[MOST_BYTES], after[MOST_BYTES];
    long n = w->n == 3 ? strtol(w->word[1], NULL, 10) : 0;
    uint64_t at;
    size_t bytes = 0;
    bool again = strcmp(w->word[0], "doubled") == 0;

    if (w->n != 3 || (n < 0 && again) || !number(w->word[2], 10, &at))
        return wrong("%s N AT", w->word[0]);
    memcpy(before, capture_bytes(&bytes), capture.n);
    memset(after, 0, bytes + 1);
    for (size_t i = 0; i < 8 * bytes + 8; i++) {
        size_t from = n < 0 && i >= at               ? i - (size_t)n
                      : n > 0 && i >= at + (size_t)n ? i - (size_t)n
                                                     : i;
        bool one = n > 0 && !again && i >= at && i < at + (size_t)n;

        if (one ||
            (from < 8 * bytes && (before[from / 8] >> from % 8 & 1) != 0))
            after[i / 8] |= (uint8_t)(1u << i % 8);
    }
    capture.n = 0;
    for (size_t i = 0; i < bytes + (n > 0); i++)
        if (!add(after[i], NO_PLACE, ETM_FRAME_BYTES))
            return false;
    return true;
}

/* add PLACE BYTES, over PLACE BYTES */
static bool add_line(struct words *w)
{
    static uint8_t bytes[MOST_BYTES];
    size_t at, n = 0;

    if (w->n < 3 || !place_in_capture(w->word[1], &at) ||
        !take_bytes(w, 2, bytes, &n, MOST_BYTES))
        return wrong("%s PLACE BYTES", w->word[0]);
    if (strcmp(w->word[0], "add") == 0)
        return insert(at, bytes, n);
    if (n > capture.n - at)
        return wrong("not so many bytes");
    for (size_t i = 0; i < n; i++)
        capture.items[at + i].byte = bytes[i];
    return true;
}

/* random N PLACE: so many more, all `odd`; noise PLACE PLACE: in place of what
 * is there */
static bool random_line(struct words *w)
{
    bool noise = strcmp(w->word[0], "noise") == 0;
    uint8_t odd = w->n == 4 && strcmp(w->word[3], "odd") == 0;
    size_t at, end;
    uint64_t n = 0;

    if (w->n != 3u + odd || !place_in_capture(w->word[2], &end) ||
        (noise ? !place_in_capture(w->word[1], &at) || at > end
               : !number(w->word[1], 10, &n)))
        return wrong("random N PLACE, noise PLACE PLACE");
    for (; n != 0; n--)
        if (!insert(end,
                    (uint8_t[]){(uint8_t)random_next(&capture.random) | odd},
                    1))
            return false;
    for (; noise && at < end; at++)
        capture.items[at].byte = (uint8_t)random_next(&capture.random);
    return true;
}

/* fill N BYTES: these again and again; `random`: 16 of any value */
static bool fill_line(struct words *w)
{
    static uint8_t bytes[MOST_BYTES];
    size_t n = 0;
    uint64_t all;

    if (w->n < 3 || !number(w->word[1], 10, &all))
        return wrong("fill N BYTES");
    if (strcmp(w->word[2], "random") == 0)
        while (n < 16)
            bytes[n++] = (uint8_t)(random_next(&capture.random) >> 8);
    else if (!take_bytes(w, 2, bytes, &n, MOST_BYTES))
        return false;
    for (size_t i = 0; i < all; i++)
        if (!add(bytes[i % n], NO_PLACE, ETM_FRAME_BYTES))
            return false;
    return true;
}

/* halves PERCENT: so often there is halfword synchronization between the
 * halfwords of frames, and again after itself. */
static bool halves_line(struct words *w)
{
    static struct item before[MOST_BYTES];
    size_t n = capture.n;
    uint64_t many;

    if (w->n != 2 || !number(w->word[1], 10, &many) || many > 90)
        return wrong("halves PERCENT");
    memcpy(before, capture.items, n * sizeof *before);
    capture.n = 0;
    for (size_t i = 0; i < n; i++) {
        const struct item *b = &before[i];

        while (b->at % 2 == 0 && b->at < ETM_FRAME_BYTES &&
               random_next(&capture.random) % 100 < many)
            if (!add(0xff, NO_PLACE, ETM_FRAME_BYTES) ||
                !add(0x7f, NO_PLACE, ETM_FRAME_BYTES))
                return false;
        if (!add(b->byte, b->place, b->at))
            return false;
    }
    capture.layout = ETM_FRAME_TPIU;
    return true;
}

/* flip N: so many bits */
static bool flip_line(struct words *w)
{
    uint64_t n;

    if (w->n != 2 || !number(w->word[1], 10, &n))
        return wrong("flip N");
    for (; n != 0; n--) {
        size_t at = random_next(&capture.random) % capture.n;

        capture.items[at].byte ^=
            (uint8_t)(1u << random_next(&capture.random) % 8);
    }
    return true;
}

/* swap BYTES: of each word; the last stays if it is not whole. */
static bool swap_line(struct words *w)
{
    uint64_t word;

    if (w->n != 2 || !number(w->word[1], 10, &word))
        return wrong("swap BYTES");
    for (size_t i = 0; i + word <= capture.n; i += word)
        for (size_t k = 0; k < word / 2; k++) {
            struct item *a = capture.items + i + k;
            struct item *b = capture.items + i + word - 1 - k, last = *b;

            *b = *a;
            *a = last;
        }
    return true;
}

/* rotate PLACE: it is the first byte then, and those before it follow. */
static bool rotate_line(struct words *w)
{
    static struct item before[MOST_BYTES];
    size_t at;

    if (w->n != 2 || !place_in_capture(w->word[1], &at))
        return wrong("rotate PLACE");
    memcpy(before, capture.items, at * sizeof *before);
    memmove(capture.items, capture.items + at,
            (capture.n - at) * sizeof *before);
    memcpy(capture.items + capture.n - at, before, at * sizeof *before);
    return true;
}

/* blocks: those of a DSTREAM, with a footer of anything. */
static bool blocks_line(struct words *w)
{
    (void)w;
    for (size_t at = ETM_BLOCK_TRACE; at <= capture.n; at += ETM_BLOCK_BYTES)
        for (unsigned k = 0; k < ETM_BLOCK_BYTES - ETM_BLOCK_TRACE; k++) {
            uint32_t r = random_next(&capture.random);

            if (!insert(at, (uint8_t[]){r % 3 != 0 ? (uint8_t)(r >> 8) : 0xff},
                        1))
                return false;
        }
    capture.layout = ETM_FRAME_DSTREAM;
    return true;
}

/* begin N: of a frame, or of a block, so many bytes were before it; seed N */
static bool state_line(struct words *w)
{
    uint64_t n;

    if (w->n != 2 || !number(w->word[1], 10, &n))
        return wrong("%s N", w->word[0]);
    if (strcmp(w->word[0], "seed") == 0)
        capture.random = n * 0x9e3779b97f4a7c15;
    else
        capture.begin = (unsigned)n;
    return true;
}

void made_begin(void)
{
    capture.layout = ETM_FRAME_ALIGNED;
    capture.n = capture.n_whole = 0;
    capture.n_ids = capture.begin = 0;
    capture.n_wrong = 0;
    missing = false;
    capture.random = 0x2545f4914f6cdd1d;
    etm_framer_free(framer);
    framer = NULL;
}

const struct verb made_verbs[] = {
    {"frames", frames_line}, {"more", frames_line},
    {"made", made_line},     {"symbols", symbols_line},
    {"cut", cut_line},       {"lose", cut_line},
    {"short", cut_line},     {"add", add_line},
    {"over", add_line},      {"random", random_line},
    {"noise", random_line},  {"flip", flip_line},
    {"swap", swap_line},     {"rotate", rotate_line},
    {"blocks", blocks_line}, {"begin", state_line},
    {"seed", state_line},    {"moved", bits_line},
    {"doubled", bits_line},  {"capture", capture_line},
    {"framer", framer_line}, {"push", framer_line},
    {"flush", framer_line},  {"head", cut_line},
    {"tail", cut_line},      {"fill", fill_line},
    {"halves", halves_line}, {NULL, NULL},
};
