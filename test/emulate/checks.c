/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of any run (E-150): each event fits to those before it. */
#include "recording.h"

#include <stdlib.h>
#include <string.h>

/* The next instruction stands where the one before leads, or the exception. */
static bool follow(const struct recording *r)
{
    struct etm_place place = etm_emulator_start(r->emulator);
    bool chained = false;

    for (size_t i = 0; i < r->events.n; i++) {
        const struct etm_event *e = event_of(r, i);

        if (e->kind == ETM_EVENT_INSN) {
            if (chained || place.address != e->u.insn.address ||
                place.isa != e->u.insn.isa)
                return wrong("at %x, but %x was to come", e->u.insn.address,
                             place.address);
            place = e->u.insn.next;
            if (!e->u.insn.passed &&
                place.address != e->u.insn.address + e->u.insn.size)
                return wrong("%x failed, and leads on", e->u.insn.address);
            chained = place.isa == ETM_ISA_UNKNOWN;
        } else if (e->kind == ETM_EVENT_EXCEPTION) {
            if (e->u.exception.chain !=
                (chained ? ETM_CHAIN_TAIL : ETM_CHAIN_NONE))
                return wrong("chained or not? event %zu", i);
            chained = false;
            place = e->u.exception.next;
        }
    }
    return true;
}

/* An exception follows, maybe after its stacking, that cancels. */
static bool is_cancelled(const struct recording *r, size_t i)
{
    while (i < r->events.n && (event_of(r, i)->kind == ETM_EVENT_STACKING ||
                               event_of(r, i)->kind == ETM_EVENT_DATA))
        i++;
    return i < r->events.n && event_of(r, i)->kind == ETM_EVENT_EXCEPTION &&
           event_of(r, i)->u.exception.cancels;
}

/* The data events before the next instruction, exception or stacking are those
 * of the opcode, which is that in memory, as stores have left it. */
static bool transfers(const struct recording *r, size_t i)
{
    const struct etm_event *e = event_of(r, i);
    struct etm_insn insn;
    uint8_t bytes[4] = {0};
    unsigned n = 0, stores = 0, wanted = 0;

    if (e->u.insn.address <= MEMORY - 4)
        memcpy(bytes, r->memory + e->u.insn.address, e->u.insn.size);
    else
        (void)etm_emulator_read(r->emulator, e->u.insn.address, bytes,
                                e->u.insn.size);
    etm_insn_decode(&insn, (enum etm_isa)e->u.insn.isa, r->profile,
                    e->u.insn.address, bytes, 4);
    if (insn.opcode != e->u.insn.opcode)
        return wrong("%08x at %x", e->u.insn.opcode, e->u.insn.address);
    for (i++; i < r->events.n; i++) {
        const struct etm_event *data = event_of(r, i);

        if (data->kind == ETM_EVENT_CONTEXT)
            continue;
        if (data->kind != ETM_EVENT_DATA)
            break;
        n++;
        stores += data->u.data.store;
        if (data->u.data.size != insn.transfers.size)
            return wrong("%u bytes at %x", data->u.data.size,
                         e->u.insn.address);
    }
    if (is_cancelled(r, i) ||
        (i == r->events.n && r->result.end == ETM_RUN_END_LOCKUP))
        return true;
    if (n != (e->u.insn.passed ? insn.transfers.count : 0))
        return wrong("%u transfers of %08x at %x", n, insn.opcode,
                     e->u.insn.address);
    switch ((enum etm_transfer_direction)insn.transfers.direction) {
    case ETM_DIRECTION_NONE:
    case ETM_DIRECTION_LOAD:
        break;
    case ETM_DIRECTION_STORE:
        wanted = n;
        break;
    case ETM_DIRECTION_SWAP:
        wanted = n / 2;
        break;
    }
    return stores == wanted ||
           wrong("%u of %u are stores at %x", stores, n, e->u.insn.address);
}

/* Eight words follow one another, up or down the stack. */
static bool stacking(const struct recording *r, size_t i)
{
    bool pop = event_of(r, i)->u.stacking.pop;

    for (size_t k = 1; k <= 8; k++) {
        const struct etm_event *data = event_of(r, i + k);

        if (i + k >= r->events.n || data->kind != ETM_EVENT_DATA ||
            data->u.data.store == pop ||
            data->u.data.address !=
                event_of(r, i + 1)->u.data.address + 4 * (k - 1))
            return wrong("no word of a stack: event %zu", i + k);
    }
    return true;
}

/* What is loaded is in memory, and what is stored from now on. */
static bool moves(const struct recording *r, const struct etm_event *e,
                  bool debugger_writes)
{
    if (e->u.data.failed)
        return true;
    for (unsigned b = 0; b < e->u.data.size; b++) {
        uint8_t byte = (uint8_t)(e->u.data.value >> (8 * b));

        if (e->u.data.address + b >= MEMORY || e->u.data.address == 0)
            continue; /* peripherals; coprocessors */
        if (e->u.data.store)
            r->memory[e->u.data.address + b] = byte;
        else if (r->memory[e->u.data.address + b] != byte && !debugger_writes)
            return wrong("%x is not loaded", e->u.data.address);
    }
    return true;
}

/* The result counts the events. */
static bool counts(const struct recording *r, bool debugger_writes)
{
    const struct etm_run_result *is = &r->result;
    uint64_t instructions = 0, exceptions = 0, data = 0, cycles = 0;

    for (size_t i = 0; i < r->events.n; i++) {
        const struct etm_event *e = event_of(r, i);

        instructions += e->kind == ETM_EVENT_INSN;
        exceptions += e->kind == ETM_EVENT_EXCEPTION;
        data += e->kind == ETM_EVENT_DATA;
        cycles += e->cycles;
        if ((e->kind == ETM_EVENT_INSN && !transfers(r, i)) ||
            (e->kind == ETM_EVENT_STACKING && !stacking(r, i)) ||
            (e->kind == ETM_EVENT_DATA && !moves(r, e, debugger_writes)))
            return false;
    }
    return (instructions == is->instructions && exceptions == is->exceptions &&
            data == is->transfers && cycles == is->cycles) ||
           wrong("the result does not count the events");
}

/* Only its stores change memory. */
static bool stores(const struct recording *r)
{
    uint8_t *memory = recording_memory(r);
    bool good = memcmp(memory, r->memory, MEMORY) == 0 ||
                wrong("memory is not what the stores made of it");

    free(memory);
    return good;
}

/* Generators refuse events that contradict each other. */
static bool generate(const struct recording *r, const struct etm_config *config)
{
    struct etm_generator_config options = {.size = sizeof options,
                                           .config = config};
    struct etm_event on = {.kind = ETM_EVENT_TRACE_ON};
    struct etm_generator *generator;
    bool good;

    on.u.trace_on.reason = ETM_TRACE_ON_START;
    on.u.trace_on.at = etm_emulator_start(r->emulator);
    if (etm_generator_new(&generator, &options) != ETM_OK)
        return wrong("no generator");
    good =
        etm_generator_push(generator, &on, 1) == ETM_OK &&
        etm_generator_push(generator, r->events.data, r->events.n) == ETM_OK &&
        etm_generator_finish(generator) == ETM_OK;
    etm_generator_free(generator);
    return good || wrong("a generator refuses the events");
}

bool check_run(const struct recording *r, bool debugger_writes)
{
    const struct etm_config etmv3 = {.size = sizeof etmv3,
                                     .protocol = ETM_PROTOCOL_ETMV3,
                                     .profile = r->profile,
                                     .minor = 4,
                                     .cycle_accurate = true,
                                     .context_id_bytes = 4,
                                     .data_value = true,
                                     .data_address = true,
                                     .cprt = true,
                                     .alternative_branches = true};
    const struct etm_config pft = {.size = sizeof pft,
                                   .protocol = ETM_PROTOCOL_PFT,
                                   .profile = r->profile,
                                   .context_id_bytes = 4,
                                   .cycle_accurate = true};

    return follow(r) && counts(r, debugger_writes) &&
           (debugger_writes || stores(r)) && generate(r, &etmv3) &&
           (r->profile == ETM_PROFILE_M || generate(r, &pft));
}
