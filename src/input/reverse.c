/* SPDX-License-Identifier: Apache-2.0 */
/* Memory whose words were stored in a byte order other than a processor's
 * (doc/errata.md, E-353). */
#include "input/spool.h"

#include "base/vec.h"

/* Whole words with their bytes reversed; what is no whole word is kept. */
void etm_bytes_reverse(uint8_t *to, const uint8_t *from, size_t n,
                       unsigned word)
{
    size_t whole = n - n % word;

    for (size_t i = 0; i < n; i++)
        to[i] = from[i < whole ? i ^ (word - 1) : i];
}

static int reverse_in_memory(struct etm_file *made, const struct etm_file *file,
                             unsigned word,
                             const struct etm_allocator *allocator)
{
    uint8_t *bytes = etm_alloc_zero(allocator, file->n);

    if (bytes == NULL)
        return ETM_ERR_MEMORY;
    etm_bytes_reverse(bytes, file->bytes, file->n, word);
    *made = (struct etm_file){.bytes = bytes, .n = file->n};
    return ETM_OK;
}

static int reverse_in_file(struct etm_file *made, const struct etm_file *file,
                           unsigned word, const char *path,
                           struct etm_diag *diag)
{
    uint8_t piece[4096];
    struct etm_spool spool;
    int status = etm_spool_open(&spool, path, diag);

    if (status != ETM_OK)
        return status;
    for (size_t at = 0; at < file->n && status == ETM_OK; at += sizeof piece) {
        size_t n = file->n - at < sizeof piece ? file->n - at : sizeof piece;

        etm_bytes_reverse(piece, file->bytes + at, n, word);
        status = etm_spool_write(&spool, piece, n, diag);
    }
    if (status == ETM_OK)
        status = etm_spool_map(&spool, made, diag);
    etm_spool_close(&spool);
    return status;
}

int etm_file_reverse(struct etm_file *file, unsigned word, const char *path,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag)
{
    struct etm_file made;
    int status;

    if (file->n < word)
        return ETM_OK;
    if (file->n > ETM_SPOOL_KEPT && etm_spool_possible())
        status = reverse_in_file(&made, file, word, path, diag);
    else
        status = reverse_in_memory(&made, file, word, allocator);
    if (status != ETM_OK)
        return status;
    etm_file_close(file, allocator);
    *file = made;
    return ETM_OK;
}
