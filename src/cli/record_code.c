/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code without a program: a decoder of the trace only needs the opcodes of the
 * execution.
 */
#include "cli/record.h"

#include <stdlib.h>
#include <string.h>

/* A log may be of code in any places, each of which needs a page. */
enum { PAGE = 256 };

struct etm_cli_page {
    uint32_t number; /* address / PAGE */
    uint8_t known[PAGE / 8];
    uint8_t bytes[PAGE];
};

/* Where the page of that number is, or where it belongs. */
static size_t slot_of(struct etm_cli_page *const *slots, size_t n_slots,
                      uint32_t number)
{
    size_t i = number * UINT32_C(2654435761) >> 7 & (n_slots - 1);

    while (slots[i] && slots[i]->number != number)
        i = (i + 1) & (n_slots - 1);
    return i;
}

/* Twice as many slots, for half as many pages. */
static bool make_room(struct etm_cli_code *code)
{
    size_t n_slots = code->n_slots == 0 ? 64 : 2 * code->n_slots;
    struct etm_cli_page **slots;

    if (2 * code->n < code->n_slots)
        return true;
    slots = calloc(n_slots, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < code->n_slots; i++)
        if (code->slots[i])
            slots[slot_of(slots, n_slots, code->slots[i]->number)] =
                code->slots[i];
    free(code->slots);
    code->slots = slots;
    code->n_slots = n_slots;
    return true;
}

/* The page of an address, made if it is not there; NULL: no memory. */
static struct etm_cli_page *page_of(struct etm_cli_code *code, uint32_t number)
{
    size_t i;

    if (!make_room(code))
        return NULL;
    i = slot_of(code->slots, code->n_slots, number);
    if (!code->slots[i]) {
        code->slots[i] = calloc(1, sizeof *code->slots[i]);
        if (!code->slots[i])
            return NULL;
        code->slots[i]->number = number;
        code->n++;
    }
    return code->slots[i];
}

static bool is_known(const struct etm_cli_page *page, uint32_t at)
{
    return (page->known[at / 8] >> at % 8 & 1) != 0;
}

bool etm_cli_code_add(struct etm_cli_code *code, const struct etm_event *insn)
{
    uint32_t op = insn->u.insn.opcode;
    unsigned size = insn->u.insn.size < 4 ? insn->u.insn.size : 4;

    if (size == 4 && (insn->u.insn.isa == ETM_ISA_THUMB ||
                      insn->u.insn.isa == ETM_ISA_THUMBEE))
        op = op >> 16 | op << 16;
    for (unsigned i = 0; i < size; i++) {
        uint32_t address = insn->u.insn.address + i, at = address % PAGE;
        struct etm_cli_page *page = page_of(code, address / PAGE);

        if (!page)
            return false;
        if (is_known(page, at) && !code->changed &&
            page->bytes[at] != (uint8_t)(op >> (8 * i))) {
            code->changed = true;
            code->changed_at = insn->u.insn.address;
        }
        page->known[at / 8] |= (uint8_t)(1u << at % 8);
        page->bytes[at] = (uint8_t)(op >> (8 * i));
    }
    return true;
}

/* Stretches of known bytes, which follow each other in `bytes`. */
struct stretches {
    struct etm_snapshot_piece *pieces;
    size_t n, capacity;
    uint8_t *bytes;
    size_t n_bytes;
};

static bool add_byte(struct stretches *s, uint32_t address, uint8_t byte)
{
    struct etm_snapshot_piece *last = s->n > 0 ? &s->pieces[s->n - 1] : NULL;

    s->bytes[s->n_bytes] = byte;
    if (last && last->address + last->n == address) {
        last->n++;
    } else {
        if (s->n == s->capacity) {
            size_t capacity = 2 * s->capacity + 16;
            struct etm_snapshot_piece *pieces =
                realloc(s->pieces, capacity * sizeof *pieces);

            if (!pieces)
                return false;
            s->pieces = pieces;
            s->capacity = capacity;
        }
        s->pieces[s->n++] = (struct etm_snapshot_piece){
            .address = address, .bytes = s->bytes + s->n_bytes, .n = 1};
    }
    s->n_bytes++;
    return true;
}

static int by_number(const void *x, const void *y)
{
    const struct etm_cli_page *const *a = x, *const *b = y;

    return ((*a)->number > (*b)->number) - ((*a)->number < (*b)->number);
}

/* The pages in ascending order; to be freed. NULL: no memory. */
static struct etm_cli_page **sorted(const struct etm_cli_code *code)
{
    struct etm_cli_page **pages = calloc(code->n, sizeof *pages);
    size_t n = 0;

    for (size_t i = 0; pages && i < code->n_slots; i++)
        if (code->slots[i])
            pages[n++] = code->slots[i];
    if (pages)
        qsort(pages, n, sizeof *pages, by_number);
    return pages;
}

int etm_cli_code_write(const struct etm_cli_code *code,
                       struct etm_snapshot_writer *writer, size_t core,
                       struct etm_diag *diag)
{
    struct stretches s = {.n = 0};
    struct etm_cli_page **pages;
    bool good;
    int status = ETM_ERR_MEMORY;

    if (code->n == 0)
        return ETM_OK;
    pages = sorted(code);
    s.bytes = malloc(code->n * PAGE);
    good = pages && s.bytes;
    for (size_t i = 0; good && i < code->n; i++)
        for (uint32_t at = 0; at < PAGE && good; at++)
            if (is_known(pages[i], at))
                good = add_byte(&s, pages[i]->number * PAGE + at,
                                pages[i]->bytes[at]);
    /* one file: a log may be of a hundred thousand places */
    if (good)
        status = etm_snapshot_add_pieces(writer, core, "code.bin", s.pieces,
                                         s.n, NULL, diag);
    free(pages);
    free(s.pieces);
    free(s.bytes);
    return status;
}

void etm_cli_code_free(struct etm_cli_code *code)
{
    for (size_t i = 0; i < code->n_slots; i++)
        free(code->slots[i]);
    free(code->slots);
    *code = (struct etm_cli_code){0};
}
