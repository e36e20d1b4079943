/* SPDX-License-Identifier: Apache-2.0 */
#include "input/wrap.h"

#include "input/build.h"
#include "input/other_trace.h"
#include "input/spool.h"
#include "input/text.h"
#include "proto/mtb.h"

#include <string.h>

/* The value of a register; false: it is not given. */
static bool find(const struct etm_wrap_facts *facts, const char *name,
                 uint64_t *value)
{
    for (size_t i = 0; i < facts->n_registers; i++)
        if (etm_register_number(facts->registers[i].name) ==
            etm_register_number(name)) {
            *value = facts->registers[i].value;
            return true;
        }
    return false;
}

/* POSITION: the pointer, from the beginning of the memory, of which the buffer
 * is so many bytes, and WRAP (MTB-M0+ TRM, 3.2.1, 3.2.2). */
#define MTB_POINTER UINT64_C(0xfffffff8)
#define MTB_WRAP 4u
#define MTB_MASK 0x1fu
#define MTB_LEAST 4u /* of 2^(MASK + 4) bytes */

static bool of_mtb(struct etm_wrap_facts *facts, size_t n)
{
    uint64_t position, master, size = n;

    if (!find(facts, "MTB_POSITION", &position))
        return false;
    facts->pointer = position & MTB_POINTER;
    facts->wrapped = (position & MTB_WRAP) != 0 ? ETM_TRUE : ETM_FALSE;
    if (find(facts, "MTB_MASTER", &master))
        size = UINT64_C(1) << ((master & MTB_MASK) + MTB_LEAST);
    if (size != 0 && (size & (size - 1)) == 0)
        facts->pointer &= size - 1;
    return true;
}

/* RWP, which counts words in an ETB and bytes in a TMC, there from the
 * beginning of its memory; STS: Full. */
#define FULL 1u

static void of_etb(struct etm_wrap_facts *facts)
{
    uint64_t rwp, sts, base = 0;
    bool etb = find(facts, "ETB_RWP", &rwp);

    if (!etb && !find(facts, "TMC_RWP", &rwp))
        return;
    if (!etb && find(facts, "TMC_DBALO", &base) && rwp >= base)
        rwp -= base;
    facts->pointer = etb ? 4 * rwp : rwp;
    if (find(facts, etb ? "ETB_STS" : "TMC_STS", &sts))
        facts->wrapped = (sts & FULL) != 0 ? ETM_TRUE : ETM_FALSE;
}

bool etm_wrap_is_told(const struct etm_wrap_facts *facts)
{
    uint64_t value;

    return facts->pointer != 0 || find(facts, "MTB_POSITION", &value) ||
           find(facts, "ETB_RWP", &value) || find(facts, "TMC_RWP", &value);
}

int etm_wrap_find(struct etm_wrap *wrap, const struct etm_wrap_facts *facts,
                  const struct etm_file *file, const char *path,
                  struct etm_diag *diag)
{
    struct etm_wrap_facts f = *facts;

    *wrap = (struct etm_wrap){.pointer = 0};
    if (f.pointer == 0 && !of_mtb(&f, file->n))
        of_etb(&f);
    if (f.pointer == file->n)
        return ETM_OK;
    if (f.pointer > file->n)
        return etm_text_fail(diag, ETM_ERR_CONFIG, path, ETM_DIAG_NONE,
                             "the write pointer is at byte 0x%llx, but there "
                             "are only 0x%zx bytes",
                             (unsigned long long)f.pointer, file->n);
    wrap->pointer = (size_t)f.pointer;
    /* what was never written is usually all the same (E-643) */
    wrap->cut = f.wrapped == ETM_FALSE ||
                (f.wrapped == ETM_UNKNOWN && wrap->pointer != 0 &&
                 etm_bytes_are_one(file->bytes + wrap->pointer,
                                   file->n - wrap->pointer));
    return ETM_OK;
}

/* The pieces of the file in the order of time. */
struct pieces {
    const uint8_t *bytes[2];
    size_t n[2];
};

static int copy_in_memory(struct etm_file *made, const struct pieces *p,
                          const struct etm_allocator *allocator)
{
    uint8_t *bytes = etm_alloc_zero(allocator, p->n[0] + p->n[1] + 1);

    if (bytes == NULL)
        return ETM_ERR_MEMORY;
    memcpy(bytes, p->bytes[0], p->n[0]);
    memcpy(bytes + p->n[0], p->bytes[1], p->n[1]);
    *made = (struct etm_file){.bytes = bytes, .n = p->n[0] + p->n[1]};
    return ETM_OK;
}

static int copy_in_file(struct etm_file *made, const struct pieces *p,
                        const char *path, struct etm_diag *diag)
{
    struct etm_spool spool;
    int status = etm_spool_open(&spool, path, diag);

    if (status != ETM_OK)
        return status;
    for (unsigned i = 0; i < 2 && status == ETM_OK; i++)
        status = etm_spool_write(&spool, p->bytes[i], p->n[i], diag);
    if (status == ETM_OK)
        status = etm_spool_map(&spool, made, diag);
    etm_spool_close(&spool);
    return status;
}

int etm_wrap_undo(const struct etm_wrap *wrap, struct etm_file *file,
                  const char *path, const struct etm_allocator *allocator,
                  struct etm_diag *diag)
{
    const size_t at = wrap->pointer;
    const struct pieces p = {{file->bytes + at, file->bytes},
                             {wrap->cut ? 0 : file->n - at, at}};
    struct etm_file made;
    int status;

    if (at == 0 && !wrap->cut)
        return ETM_OK;
    if (p.n[0] + p.n[1] > ETM_SPOOL_KEPT && etm_spool_possible())
        status = copy_in_file(&made, &p, path, diag);
    else
        status = copy_in_memory(&made, &p, allocator);
    if (status != ETM_OK)
        return status;
    etm_file_close(file, allocator);
    *file = made;
    return ETM_OK;
}

int etm_wrap_note(struct etm_capture *capture, struct etm_capture_buffer *b,
                  const struct etm_wrap *wrap)
{
    b->wrap = *wrap;
    if (wrap->pointer == 0 && !wrap->cut)
        return ETM_OK;
    return etm_build_note(
        capture,
        wrap->cut ? "%s: nothing was written from the write pointer, byte "
                    "0x%zx, on"
                  : "%s: its oldest byte is at the write pointer, 0x%zx: "
                    "offsets count from there",
        etm_file_name(b->name), wrap->pointer);
}

/* A packet of an MTB. */
struct ends {
    uint32_t from, to;
    bool start;
};

static struct ends ends_at(const uint8_t *bytes)
{
    uint32_t words[2] = {0, 0};

    for (unsigned i = 0; i < ETM_MTB_PACKET_SIZE; i++)
        words[i / 4] |= (uint32_t)bytes[i] << 8 * (i % 4);
    return (struct ends){words[0] & ~ETM_MTB_FLAG, words[1] & ~ETM_MTB_FLAG,
                         (words[1] & ETM_MTB_FLAG) != 0};
}

/* Can a packet come after another one? No straight line is longer. */
#define STRAIGHT 0x10000u

static bool follows(struct ends a, struct ends b)
{
    if (etm_mtb_is_return(a.to) || etm_mtb_is_return(b.from))
        return a.to == b.from;
    return b.from >= a.to && b.from - a.to < STRAIGHT;
}

/* The packets break off where one source, and not more, is before the last
 * destination or far behind it, if the first packet follows the last one
 * (E-643). */
size_t etm_wrap_seam(const uint8_t *bytes, size_t n)
{
    const size_t each = ETM_MTB_PACKET_SIZE;
    size_t seam = 0;

    if (n < 4 * each || n % each != 0)
        return 0;
    for (size_t at = each; at < n; at += each) {
        struct ends here = ends_at(bytes + at);

        if (here.start || follows(ends_at(bytes + at - each), here))
            continue;
        if (seam != 0)
            return 0;
        seam = at;
    }
    return !ends_at(bytes).start &&
                   follows(ends_at(bytes + n - each), ends_at(bytes))
               ? seam
               : 0;
}
