/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses of a Tarmac log. Models join and split them arbitrarily: so the
 * bytes of an instruction are collected, and divided into transfers according
 * to the opcode.
 */
#include "exec/tarmac_internal.h"

#include <stdlib.h>
#include <string.h>

static void add_byte(struct etm_tarmac *t, uint32_t address, uint8_t value,
                     bool store)
{
    t->has_data = true;
    /* the same byte again: an access that was repeated */
    for (size_t i = 0; i < t->n_bytes; i++) {
        if (t->bytes[i].address == address && t->bytes[i].store == store) {
            t->bytes[i].value = value;
            return;
        }
    }
    if (t->n_bytes < ETM_TARMAC_BYTES)
        t->bytes[t->n_bytes++] =
            (struct etm_tarmac_byte){address, value, store};
}

/* Digits of a value, with _ between them; the last two are the byte at
 * `address`, or `in_memory_order` the first two. */
static bool take_value(struct etm_tarmac *t, const struct etm_word *word,
                       uint32_t address, bool store, unsigned size,
                       bool in_memory_order)
{
    unsigned n = 0;

    for (size_t i = word->n; i > 0 && n < size;) {
        char pair[2] = {'0', '0'};
        struct etm_word digits = {pair, 2};
        uint64_t value;

        if (word->text[i - 1] == '_') {
            i--;
            continue;
        }
        pair[1] = word->text[--i];
        if (i > 0 && word->text[i - 1] != '_')
            pair[0] = word->text[--i];
        if (!etm_word_hex(&digits, UINT8_MAX, &value))
            return false;
        add_byte(t, address + (in_memory_order ? size - 1 - n : n),
                 (uint8_t)value, store);
        n++;
    }
    return n == size;
}

bool etm_tarmac_access(struct etm_execution_reader *r, struct etm_word *rest,
                       bool store, unsigned size, bool in_memory_order)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_word word;
    uint64_t address;

    if (!etm_word_next(rest, &word))
        return false;
    /* an attribute may come before the address: "W04 X ffbdc3c15c30 ..." */
    if (!etm_tarmac_address(word, &address) &&
        (!etm_word_next(rest, &word) || !etm_tarmac_address(word, &address)))
        return false;
    if (!etm_word_next(rest, &word))
        return false;
    /* "(ABORTED)": nothing was moved */
    if (word.text[0] == '(')
        return true;
    return take_value(t, &word, (uint32_t)address, store, size,
                      in_memory_order);
}

bool etm_tarmac_sixteen(struct etm_execution_reader *r, struct etm_word *rest,
                        bool store)
{
    struct etm_word word;
    uint64_t address;

    if (!etm_word_next(rest, &word) || !etm_tarmac_address(word, &address))
        return false;
    for (unsigned i = 0; i < 4; i++) {
        if (!etm_word_next(rest, &word) || word.n != 8)
            return false;
        for (unsigned k = 0; k < 4; k++) {
            struct etm_word digits = {word.text + 2 * k, 2};
            uint32_t at = (uint32_t)address + 15 - 4 * i - k;
            uint64_t value;

            /* "..": not accessed; "##": not known yet, comes again */
            if (etm_word_hex(&digits, UINT8_MAX, &value))
                add_byte(&r->tarmac, at, (uint8_t)value, store);
            else if (strchr(".#-", digits.text[0]) == NULL)
                return false;
        }
    }
    return true;
}

static int by_address(const void *a, const void *b)
{
    const struct etm_tarmac_byte *x = a, *y = b;

    return x->address < y->address ? -1 : x->address > y->address;
}

/* The bytes of one direction, in ascending order of their addresses. */
static size_t sort(const struct etm_tarmac *t, bool store, size_t most,
                   struct etm_tarmac_byte *bytes)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n_bytes && n < most; i++) {
        if (t->bytes[i].store == store)
            bytes[n++] = t->bytes[i];
    }
    qsort(bytes, n, sizeof *bytes, by_address);
    return n;
}

static int add_transfer(struct etm_execution_reader *r, uint32_t address,
                        uint64_t value, uint8_t size, bool store)
{
    struct etm_event event = {.kind = ETM_EVENT_DATA};

    event.u.data.address = address;
    event.u.data.value = value;
    event.u.data.size = size;
    event.u.data.store = store;
    r->report.transfers++;
    return etm_pending_add(r, &event);
}

/* Whether the bytes of `count` transfers in one direction are there. */
static bool has_side(const struct etm_tarmac *t, bool store, size_t bytes)
{
    struct etm_tarmac_byte side[ETM_TARMAC_BYTES];

    return sort(t, store, bytes, side) == bytes;
}

/* `count` transfers in one direction. */
static int add_side(struct etm_execution_reader *r, bool store, unsigned count,
                    uint8_t size)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_tarmac_byte bytes[ETM_TARMAC_BYTES];
    size_t n = sort(t, store, (size_t)count * size, bytes);
    int status = ETM_OK;

    for (size_t i = 0; i + size <= n && status == ETM_OK; i += size) {
        uint64_t value = 0;

        for (unsigned k = 0; k < size; k++)
            value |= (uint64_t)bytes[i + k].value << (8 * k);
        status = add_transfer(r, bytes[i].address, value, size, store);
    }
    return status;
}

/* A store-exclusive that did not store still has a transfer. */
static bool has_failed(const struct etm_tarmac *t, const struct etm_insn *insn)
{
    return insn->transfers.exclusive &&
           insn->transfers.direction == ETM_DIRECTION_STORE && t->n_bytes == 0;
}

int etm_tarmac_transfers(struct etm_execution_reader *r,
                         const struct etm_insn *insn)
{
    const struct etm_transfers *x = &insn->transfers;
    struct etm_tarmac *t = &r->tarmac;
    unsigned count = x->count;
    uint8_t size = x->size == 0 ? 4 : x->size;
    int status = ETM_OK;

    if (x->kind == ETM_TRANSFER_NONE || !t->has_data)
        return ETM_OK;
    if (x->kind == ETM_TRANSFER_CPRT) {
        for (unsigned i = 0; i < count && status == ETM_OK; i++)
            status = add_transfer(r, 0, (uint32_t)t->value, 4,
                                  x->direction == ETM_DIRECTION_STORE);
        return status;
    }
    if (has_failed(t, insn)) {
        struct etm_event event = {.kind = ETM_EVENT_DATA};

        event.u.data.size = size;
        event.u.data.store = event.u.data.failed = true;
        for (unsigned i = 0; i < count && status == ETM_OK; i++)
            status = etm_pending_add(r, &event);
        return status;
    }
    if (count == 0) /* the opcode does not say */
        count = (unsigned)(t->n_bytes / size);
    if (x->direction == ETM_DIRECTION_SWAP)
        count = 1;
    /* it is not known which are missing: the others cannot be identified */
    if ((x->direction != ETM_DIRECTION_STORE &&
         !has_side(t, false, (size_t)count * size)) ||
        (x->direction != ETM_DIRECTION_LOAD &&
         !has_side(t, true, (size_t)count * size))) {
        etm_tarmac_puzzle(r, NULL, t->line);
        return ETM_OK;
    }
    if (x->direction != ETM_DIRECTION_STORE)
        status = add_side(r, false, count, size);
    if (status == ETM_OK && x->direction != ETM_DIRECTION_LOAD)
        status = add_side(r, true, count, size);
    return status;
}

bool etm_tarmac_last_load(const struct etm_tarmac *t, uint32_t *value)
{
    struct etm_tarmac_byte bytes[ETM_TARMAC_BYTES];
    size_t n = sort(t, false, ETM_TARMAC_BYTES, bytes);

    if (n < 4)
        return false;
    *value = bytes[n - 4].value | (uint32_t)bytes[n - 3].value << 8 |
             (uint32_t)bytes[n - 2].value << 16 |
             (uint32_t)bytes[n - 1].value << 24;
    return true;
}
