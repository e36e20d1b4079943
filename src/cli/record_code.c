/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code without a program: a decoder of the trace only needs the opcodes of the
 * execution.
 */
#include "cli/record.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 1024 };

struct etm_cli_page {
    uint32_t number; /* address / PAGE */
    bool known[PAGE];
    uint8_t bytes[PAGE];
};

/* The page of an address, made if it is not there; NULL: no memory. */
static struct etm_cli_page *page_of(struct etm_cli_code *code, uint32_t number)
{
    size_t low = 0, high = code->n;
    struct etm_cli_page *page;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (code->pages[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < code->n && code->pages[low]->number == number)
        return code->pages[low];
    if (code->n == code->capacity) {
        size_t capacity = code->capacity == 0 ? 16 : 2 * code->capacity;
        struct etm_cli_page **pages =
            realloc(code->pages, capacity * sizeof(code->pages[0]));

        if (!pages)
            return NULL;
        code->pages = pages;
        code->capacity = capacity;
    }
    page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    page->number = number;
    memmove(code->pages + low + 1, code->pages + low,
            (code->n - low) * sizeof(code->pages[0]));
    code->pages[low] = page;
    code->n++;
    return page;
}

bool etm_cli_code_add(struct etm_cli_code *code, const struct etm_event *insn)
{
    uint32_t op = insn->u.insn.opcode;
    unsigned size = insn->u.insn.size < 4 ? insn->u.insn.size : 4;

    if (size == 4 && (insn->u.insn.isa == ETM_ISA_THUMB ||
                      insn->u.insn.isa == ETM_ISA_THUMBEE))
        op = op >> 16 | op << 16;
    for (unsigned i = 0; i < size; i++) {
        uint32_t address = insn->u.insn.address + i;
        struct etm_cli_page *page = page_of(code, address / PAGE);

        if (!page)
            return false;
        if (page->known[address % PAGE] && !code->changed &&
            page->bytes[address % PAGE] != (uint8_t)(op >> (8 * i))) {
            code->changed = true;
            code->changed_at = insn->u.insn.address;
        }
        page->known[address % PAGE] = true;
        page->bytes[address % PAGE] = (uint8_t)(op >> (8 * i));
    }
    return true;
}

/* Write one stretch of known bytes as a file. */
static int write_piece(struct etm_snapshot_writer *writer, size_t core,
                       uint32_t address, const uint8_t *bytes, size_t n,
                       struct etm_diag *diag)
{
    char name[32];

    (void)snprintf(name, sizeof name, "code_%08lx.bin", (unsigned long)address);
    return etm_snapshot_add_memory(writer, core, name, address, bytes, n, NULL,
                                   diag);
}

int etm_cli_code_write(const struct etm_cli_code *code,
                       struct etm_snapshot_writer *writer, size_t core,
                       struct etm_diag *diag)
{
    int status = ETM_OK;

    for (size_t i = 0; i < code->n && status == ETM_OK; i++) {
        const struct etm_cli_page *page = code->pages[i];

        for (uint32_t at = 0; at < PAGE && status == ETM_OK;) {
            uint32_t first = at;

            while (at < PAGE && page->known[at])
                at++;
            if (at > first)
                status = write_piece(writer, core, page->number * PAGE + first,
                                     page->bytes + first, at - first, diag);
            while (at < PAGE && !page->known[at])
                at++;
        }
    }
    return status;
}

void etm_cli_code_free(struct etm_cli_code *code)
{
    for (size_t i = 0; i < code->n; i++)
        free(code->pages[i]);
    free(code->pages);
    *code = (struct etm_cli_code){0};
}
