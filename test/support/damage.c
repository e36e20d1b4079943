/* SPDX-License-Identifier: Apache-2.0 */
#include "damage.h"

#include <etm/port.h>

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

int etm_damage_decode(const struct etm_test_capture *source,
                      const uint8_t *file, size_t n,
                      struct etm_test_elements *out)
{
    struct etm_deframer *deframer = NULL;
    struct etm_decoder *decoder = NULL;
    struct etm_deframer_config frames = {.size = sizeof frames,
                                         .layout = ETM_FRAME_ALIGNED,
                                         .id = source->config.trace_id};
    struct etm_decoder_config how = {.size = sizeof how,
                                     .config = &source->config,
                                     .image = source->image,
                                     .level = ETM_LEVEL_INSTRUCTIONS,
                                     .elements = etm_test_collect,
                                     .context = out};
    int status = etm_deframer_new(&deframer, &frames);

    out->n = 0;
    if (status == ETM_OK)
        status = etm_decoder_new(&decoder, &how);
    if (status == ETM_OK)
        status = etm_deframer_push(deframer, file, n);
    if (status == ETM_OK)
        status = etm_deframer_finish(deframer);
    if (status == ETM_OK)
        status = decode_runs(decoder, deframer);
    etm_decoder_free(decoder);
    etm_deframer_free(deframer);
    return status;
}

/* What must be the same of an instruction, as a number. */
static size_t keys(const struct etm_test_elements *elements, uint64_t **out)
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

/* The longest common subsequence by the textbook, one row at a time. */
static uint64_t common(const uint64_t *a, size_t n, const uint64_t *b, size_t m)
{
    uint32_t *row = calloc(m + 1, sizeof *row);
    uint64_t result;

    if (row == NULL)
        abort();
    for (size_t i = 0; i < n; i++) {
        uint32_t diagonal = 0; /* row[j - 1] of the row before */
        for (size_t j = 1; j <= m; j++) {
            uint32_t above = row[j];
            if (a[i] == b[j - 1])
                row[j] = diagonal + 1;
            else if (row[j] < row[j - 1])
                row[j] = row[j - 1];
            diagonal = above;
        }
    }
    result = row[m];
    free(row);
    return result;
}

uint64_t etm_damage_kept(const struct etm_test_elements *whole,
                         const struct etm_test_elements *damaged)
{
    uint64_t *a, *b;
    size_t n = keys(whole, &a), m = keys(damaged, &b);
    size_t head = 0, tail = 0;
    uint64_t kept;

    while (head < n && head < m && a[head] == b[head])
        head++;
    while (tail < n - head && tail < m - head &&
           a[n - tail - 1] == b[m - tail - 1])
        tail++;
    kept = head + tail +
           common(a + head, n - head - tail, b + head, m - head - tail);
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
