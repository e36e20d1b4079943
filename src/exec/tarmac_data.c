/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transfers of an instruction of a Tarmac log: its bytes, divided according
 * to the opcode. A value that the log does not give is not made up: the
 * instruction has no transfers then.
 */
#include "exec/tarmac_internal.h"

#include <stdlib.h>

enum { WORD = 4 };

static uint8_t size_of(const struct etm_transfers *x)
{
    return x->size == 0 ? WORD : x->size;
}

static unsigned count_of(const struct etm_transfers *x)
{
    return x->direction == ETM_DIRECTION_SWAP ? 1 : x->count;
}

size_t etm_tarmac_needed(const struct etm_tarmac_insn *e, bool store)
{
    const struct etm_transfers *x = &e->insn.transfers;
    uint8_t other = store ? ETM_DIRECTION_LOAD : ETM_DIRECTION_STORE;

    if (!e->event.u.insn.passed || x->kind == ETM_TRANSFER_NONE ||
        x->kind == ETM_TRANSFER_CPRT || x->direction == ETM_DIRECTION_NONE ||
        x->direction == other)
        return 0;
    if (x->count == 0)
        return ETM_TARMAC_ANY;
    return (size_t)count_of(x) * size_of(x);
}

static int by_address(const void *a, const void *b)
{
    const struct etm_tarmac_byte *x = a, *y = b;

    return x->address < y->address ? -1 : x->address > y->address;
}

/* The bytes of one direction, in ascending order of their addresses. */
static size_t sort(const struct etm_tarmac_insn *e, bool store,
                   struct etm_tarmac_byte bytes[ETM_TARMAC_BYTES])
{
    size_t n = 0;

    for (size_t i = 0; i < e->n_bytes; i++) {
        if (e->bytes[i].store == store)
            bytes[n++] = e->bytes[i];
    }
    qsort(bytes, n, sizeof *bytes, by_address);
    return n;
}

static uint64_t value_of(const struct etm_tarmac_byte *bytes, unsigned size)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)bytes[i].value << (8 * i);
    return value;
}

bool etm_tarmac_is_complete(const struct etm_tarmac_insn *e)
{
    size_t stores = 0;

    for (size_t i = 0; i < e->n_bytes; i++)
        stores += e->bytes[i].store;
    if (e->aborted)
        return false;
    if (e->insn.transfers.count == 0) /* the opcode does not say */
        return true;
    return stores == etm_tarmac_needed(e, true) &&
           e->n_bytes - stores == etm_tarmac_needed(e, false);
}

struct etm_tarmac_value etm_tarmac_loaded_pc(const struct etm_tarmac_insn *e)
{
    struct etm_tarmac_byte bytes[ETM_TARMAC_BYTES];
    size_t n;

    /* RFE loads it from the lower address, and the status from the higher */
    if (!e->insn.transfers.pc || !etm_tarmac_is_complete(e) || e->hidden)
        return (struct etm_tarmac_value){0};
    n = sort(e, false, bytes);
    if (n < WORD || (etm_insn_returns_from_exception(&e->insn) &&
                     e->insn.transfers.registers == 0))
        return (struct etm_tarmac_value){0};
    return (struct etm_tarmac_value){(uint32_t)value_of(bytes + n - WORD, WORD),
                                     true};
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

/* The transfers in one direction. */
static int add_side(struct etm_execution_reader *r,
                    const struct etm_tarmac_insn *e, bool store)
{
    struct etm_tarmac_byte bytes[ETM_TARMAC_BYTES];
    size_t n = sort(e, store, bytes);
    uint8_t size = size_of(&e->insn.transfers);
    int status = ETM_OK;

    for (size_t i = 0; i + size <= n && status == ETM_OK; i += size)
        status = add_transfer(r, bytes[i].address, value_of(bytes + i, size),
                              size, store);
    return status;
}

/* Word `i` that moved between a coprocessor and a core register. In RTL, lines
 * of registers are not in the order of the instructions. */
static struct etm_tarmac_value word_of(const struct etm_tarmac_insn *e,
                                       unsigned i)
{
    const struct etm_transfers *x = &e->insn.transfers;
    uint8_t n = i == 0 ? x->first : x->second;

    if (e->n_words >= x->count)
        return (struct etm_tarmac_value){e->words[i], true};
    if (e->rtl)
        return (struct etm_tarmac_value){0};
    if (x->direction == ETM_DIRECTION_STORE)
        return e->sources[i];
    return (struct etm_tarmac_value){n < 15 ? e->values[n] : 0,
                                     n < 15 && (e->written >> n & 1) != 0};
}

static int add_words(struct etm_execution_reader *r,
                     const struct etm_tarmac_insn *e)
{
    const struct etm_transfers *x = &e->insn.transfers;
    int status = ETM_OK;

    for (unsigned i = 0; i < x->count; i++) {
        if (i > 1 || !word_of(e, i).known)
            return ETM_OK;
    }
    for (unsigned i = 0; i < x->count && status == ETM_OK; i++)
        status = add_transfer(r, 0, word_of(e, i).value, WORD,
                              x->direction == ETM_DIRECTION_STORE);
    return status;
}

/* A store-exclusive that did not store still has a transfer (ETM architecture
 * 7.4.7). It wrote 1 to its register, and its address is that of the
 * load-exclusive before it. */
static int add_failed(struct etm_execution_reader *r,
                      const struct etm_tarmac_insn *e)
{
    struct etm_event event = {.kind = ETM_EVENT_DATA};
    int status = ETM_OK;

    event.u.data.size = size_of(&e->insn.transfers);
    event.u.data.store = event.u.data.failed = true;
    for (unsigned i = 0; i < e->insn.transfers.count && status == ETM_OK; i++) {
        event.u.data.address = e->monitor.value + i * WORD;
        r->report.transfers++;
        status = etm_pending_add(r, &event);
    }
    return status;
}

int etm_tarmac_transfers(struct etm_execution_reader *r,
                         const struct etm_tarmac_insn *e)
{
    const struct etm_transfers *x = &e->insn.transfers;
    int status = ETM_OK;

    if (x->kind == ETM_TRANSFER_NONE || !r->tarmac.has_data)
        return ETM_OK;
    if (x->kind == ETM_TRANSFER_CPRT)
        return add_words(r, e);
    if (x->exclusive && x->direction == ETM_DIRECTION_STORE && e->one &&
        e->n_bytes == 0 && e->monitor.known)
        return add_failed(r, e);
    if (e->aborted || e->hidden)
        return ETM_OK;
    /* it is not known which are missing, or not its own: the others cannot be
     * identified */
    if (!etm_tarmac_is_complete(e)) {
        etm_tarmac_puzzle(r, etm_tarmac_text(e), e->line);
        return ETM_OK;
    }
    if (x->direction != ETM_DIRECTION_STORE)
        status = add_side(r, e, false);
    if (status == ETM_OK && x->direction != ETM_DIRECTION_LOAD)
        status = add_side(r, e, true);
    return status;
}
