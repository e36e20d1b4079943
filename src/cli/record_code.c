/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code without a program: a decoder of the trace only needs the opcodes of the
 * execution.
 */
#include "cli/record.h"

#include <stdlib.h>
#include <string.h>

/*
 * A log may be of code in any places, each of which needs a page. They are in
 * tables by the bits of an address, not in one by a hash of it: nobody can
 * write a log whose pages are slow to find.
 */
enum { PAGE = 256 };

struct etm_cli_page {
    uint8_t known[PAGE / 8];
    uint8_t bytes[PAGE];
};

struct pages {
    struct etm_cli_page *of[256]; /* by bits [15:8]; NULL: none */
};

struct etm_cli_area {
    struct pages *of[256]; /* by bits [23:16] */
};

/* The page of an address, made if it is not there; NULL: no memory. */
static struct etm_cli_page *page_of(struct etm_cli_code *code, uint32_t address)
{
    struct etm_cli_area **area = &code->of[address >> 24];
    struct pages **pages;
    struct etm_cli_page **page;

    if (*area == NULL && (*area = calloc(1, sizeof **area)) == NULL)
        return NULL;
    pages = &(*area)->of[address >> 16 & 0xff];
    if (*pages == NULL && (*pages = calloc(1, sizeof **pages)) == NULL)
        return NULL;
    page = &(*pages)->of[address >> 8 & 0xff];
    if (*page == NULL && (*page = calloc(1, sizeof **page)) != NULL)
        code->n++;
    return *page;
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
        struct etm_cli_page *page = page_of(code, address);

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

static bool add_page(struct stretches *s, uint32_t address,
                     const struct etm_cli_page *page)
{
    bool good = true;

    for (uint32_t at = 0; page != NULL && at < PAGE && good; at++)
        if (is_known(page, at))
            good = add_byte(s, address + at, page->bytes[at]);
    return good;
}

/* The pages in ascending order. */
static bool add_pages(struct stretches *s, const struct etm_cli_code *code)
{
    bool good = true;

    for (uint32_t top = 0; top < 256; top++) {
        const struct etm_cli_area *area = code->of[top];

        for (uint32_t middle = 0; area != NULL && middle < 256; middle++) {
            const struct pages *pages = area->of[middle];

            for (uint32_t low = 0; pages != NULL && good && low < 256; low++)
                good = add_page(s, top << 24 | middle << 16 | low << 8,
                                pages->of[low]);
        }
    }
    return good;
}

int etm_cli_code_write(const struct etm_cli_code *code,
                       struct etm_snapshot_writer *writer, size_t core,
                       struct etm_diag *diag)
{
    struct stretches s = {.n = 0};
    int status = ETM_ERR_MEMORY;

    if (code->n == 0)
        return ETM_OK;
    s.bytes = malloc(code->n * PAGE);
    /* one file: a log may be of a hundred thousand places */
    if (s.bytes != NULL && add_pages(&s, code))
        status = etm_snapshot_add_pieces(writer, core, "code.bin", s.pieces,
                                         s.n, NULL, diag);
    free(s.pieces);
    free(s.bytes);
    return status;
}

void etm_cli_code_free(struct etm_cli_code *code)
{
    for (size_t top = 0; top < 256; top++) {
        struct etm_cli_area *area = code->of[top];

        for (size_t middle = 0; area != NULL && middle < 256; middle++) {
            struct pages *pages = area->of[middle];

            for (size_t low = 0; pages != NULL && low < 256; low++)
                free(pages->of[low]);
            free(pages);
        }
        free(area);
    }
    *code = (struct etm_cli_code){.n = 0};
}
