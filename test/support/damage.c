/* SPDX-License-Identifier: Apache-2.0 */
#include "damage.h"

#include "port/frame.h"

#include <stdlib.h>
#include <string.h>

bool etm_damage_open(struct etm_damage *damage, const char *capture)
{
    memset(damage, 0, sizeof *damage);
    for (size_t i = 0; i < etm_test_n_sources; i++) {
        struct etm_test_capture *source = &damage->sources[damage->n];
        struct etm_test_elements *whole = &damage->whole[damage->n];
        if (strncmp(etm_test_sources[i].name, capture, strlen(capture)) != 0)
            continue;
        if (!etm_test_open(&etm_test_sources[i], source)) {
            etm_damage_close(damage);
            return false;
        }
        damage->n++;
        if (etm_damage_decode(source, source->file.data, source->file.n,
                              whole) != ETM_OK)
            abort();
        damage->instructions += etm_damage_kept(whole, whole);
    }
    return true;
}

void etm_damage_close(struct etm_damage *damage)
{
    for (size_t i = 0; i < damage->n; i++) {
        free(damage->whole[i].all);
        etm_test_close(&damage->sources[i]);
    }
    damage->n = 0;
}

/* All runs of a source; what was lost before each is a gap. */
static int decode_runs(struct etm_decoder *decoder,
                       struct etm_deframer *deframer)
{
    struct etm_deframed made;
    int status = ETM_OK;

    etm_deframer_take(deframer, &made);
    for (size_t i = 0; i < made.n_runs && status == ETM_OK; i++) {
        const struct etm_frame_run *run = &made.runs[i];
        if (run->gap)
            status = etm_decoder_gap(decoder, run->lost);
        if (status == ETM_OK)
            status =
                etm_decoder_push(decoder, made.bytes + run->stream, run->n);
    }
    if (status == ETM_OK && made.lost != 0)
        status = etm_decoder_gap(decoder, made.lost);
    if (status == ETM_OK)
        status = etm_decoder_finish(decoder);
    return status;
}

int etm_damage_decode_as(const struct etm_config *config,
                         const struct etm_image *image,
                         enum etm_frame_layout layout, const uint8_t *file,
                         size_t n, struct etm_test_elements *out)
{
    struct etm_deframer *deframer = NULL;
    struct etm_decoder *decoder = NULL;
    struct etm_deframer_config frames = {
        .size = sizeof frames, .layout = layout, .id = config->trace_id};
    struct etm_decoder_config how =
        etm_test_collecting(config, image, ETM_LEVEL_INSTRUCTIONS, out);
    int status = etm_deframer_new(&deframer, &frames);
    uint8_t first = 0;

    /* a session begins with the first whole frame, too */
    if (layout == ETM_FRAME_ALIGNED)
        (void)etm_frame_phase(file, n, true, &first);
    if (status == ETM_OK)
        status = etm_decoder_new(&decoder, &how);
    if (status == ETM_OK)
        status = etm_deframer_push(deframer, file + first, n - first);
    if (status == ETM_OK)
        status = etm_deframer_finish(deframer);
    if (status == ETM_OK)
        status = decode_runs(decoder, deframer);
    etm_decoder_free(decoder);
    etm_deframer_free(deframer);
    return status;
}

int etm_damage_decode(const struct etm_test_capture *source,
                      const uint8_t *file, size_t n,
                      struct etm_test_elements *out)
{
    return etm_damage_decode_as(&source->config, source->image,
                                ETM_FRAME_ALIGNED, file, n, out);
}

size_t etm_damage_keys(const struct etm_test_elements *elements, uint64_t **out)
{
    size_t n = 0;

    *out = malloc((elements->n + 1) * sizeof **out);
    if (*out == NULL)
        abort();
    for (size_t i = 0; i < elements->n; i++) {
        const struct etm_element *e = &elements->all[i];
        if (e->kind == ETM_ELEMENT_INSN)
            (*out)[n++] = (uint64_t)e->u.insn.address << 8 |
                          (uint64_t)e->u.insn.isa << 4 | e->u.insn.exec;
    }
    return n;
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The different keys of `a`, sorted, and for each a row of bits: where it
 * stands. */
struct places {
    uint64_t *keys, *rows;
    size_t n, words;
};

static const uint64_t *row_of(const struct places *places, uint64_t key)
{
    const uint64_t *at = places->n == 0
                             ? NULL
                             : bsearch(&key, places->keys, places->n,
                                       sizeof *places->keys, ascending);

    return at == NULL
               ? NULL
               : places->rows + (size_t)(at - places->keys) * places->words;
}

static struct places places_of(const uint64_t *a, size_t n)
{
    struct places places = {.keys = malloc((n + 1) * sizeof *a),
                            .words = (n + 63) / 64};

    if (places.keys == NULL)
        abort();
    if (n != 0)
        memcpy(places.keys, a, n * sizeof *a);
    qsort(places.keys, n, sizeof *a, ascending);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || places.keys[i] != places.keys[places.n - 1])
            places.keys[places.n++] = places.keys[i];
    places.rows = calloc(places.n * places.words + 1, sizeof *places.rows);
    if (places.rows == NULL)
        abort();
    for (size_t i = 0; i < n; i++) {
        size_t row = (size_t)(row_of(&places, a[i]) - places.rows);
        places.rows[row + i / 64] |= UINT64_C(1) << i % 64;
    }
    return places;
}

/*
 * The longest common subsequence, 64 columns of the textbook's table at a time:
 * a bit of `column` is 0 where the length grows by one (H. Hyyro, "Bit-parallel
 * LCS-length computation revisited", 2004).
 */
static uint64_t common(const uint64_t *a, size_t n, const uint64_t *b, size_t m)
{
    struct places places = places_of(a, n);
    uint64_t *column = malloc((places.words + 1) * sizeof *column);
    uint64_t length = 0;

    if (column == NULL)
        abort();
    memset(column, 0xff, places.words * sizeof *column);
    for (size_t j = 0; j < m; j++) {
        const uint64_t *row = row_of(&places, b[j]);
        uint64_t carry = 0;
        for (size_t i = 0; row != NULL && i < places.words; i++) {
            uint64_t v = column[i], u = v & row[i], sum = v + u;
            uint64_t over = sum < v;
            column[i] = (sum + carry) | (v & ~u);
            carry = over | (uint64_t)(sum + carry < sum);
        }
    }
    for (size_t i = 0; i < n; i++)
        length += (column[i / 64] >> i % 64 & 1) == 0;
    free(column);
    free(places.keys);
    free(places.rows);
    return length;
}

uint64_t etm_damage_common(const uint64_t *a, size_t n, const uint64_t *b,
                           size_t m)
{
    size_t head = 0, tail = 0;

    while (head < n && head < m && a[head] == b[head])
        head++;
    while (tail < n - head && tail < m - head &&
           a[n - tail - 1] == b[m - tail - 1])
        tail++;
    return head + tail +
           common(a + head, n - head - tail, b + head, m - head - tail);
}

uint64_t etm_damage_kept(const struct etm_test_elements *whole,
                         const struct etm_test_elements *damaged)
{
    uint64_t *a, *b;
    size_t n = etm_damage_keys(whole, &a), m = etm_damage_keys(damaged, &b);
    uint64_t kept = etm_damage_common(a, n, b, m);

    free(a);
    free(b);
    return kept;
}

uint64_t etm_damage_place(const struct etm_test_capture *source, size_t i,
                          unsigned bit)
{
    uint64_t at = source->stream.at[i];

    if (bit == 0 && at % 2 == 0)
        return (at / 16 * 16 + 15) * 8 + at % 16 / 2;
    return at * 8 + bit;
}
