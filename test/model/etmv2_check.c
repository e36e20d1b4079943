/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of a decoder against the truth of an ETMv2 execution. */
#include "etmv2_round.h"

#include "isa/insn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The next truth of a stream of its own (data, or the rest). */
static const struct port_truth *next(size_t *i, bool data)
{
    while (*i < v2.walk.n_truth &&
           (v2.walk.truth[*i].e.kind == ETM_ELEMENT_DATA) != data)
        (*i)++;
    return *i < v2.walk.n_truth ? &v2.walk.truth[(*i)++] : NULL;
}

/* An overflow is not reported when Debug state comes after it (MF-11). */
static bool debug_behind(uint64_t time)
{
    const struct etm_element *e = the.elements.data;

    for (size_t i = 0; i < the.elements.n; i++)
        if (e[i].kind == ETM_ELEMENT_TRACE_ON && e[i].offset / the.size > time)
            return e[i].u.trace_on.reason == ETM_TRACE_ON_DEBUG_EXIT;
    return false;
}

/* Before the element there is such an instruction, and Debug state is the next
 * that comes after it. */
static bool is_before_debug(uint32_t address, const struct etm_element *e)
{
    const struct etm_element *at = the.elements.data;

    for (; at < e; at++)
        if (at->kind == ETM_ELEMENT_INSN && at->u.insn.address == address &&
            debug_behind(at->offset / the.size))
            return true;
    return false;
}

/* Where an instruction was not complete, nothing tells which of its transfers
 * came (E-377). A value may come long after Debug state. */
static bool is_unplaced(const struct port_truth *t, const struct etm_element *e)
{
    struct port_truth left = *t;

    if (e->u.data.index != ETM_DATA_INDEX_UNKNOWN)
        return false;
    left.e.u.data.index = e->u.data.index;
    left.e.u.data.reg_kind = ETM_REGISTER_NO;
    left.e.u.data.reg = 0;
    if (e->u.data.store == ETM_UNKNOWN) /* of a swap */
        left.e.u.data.store = ETM_UNKNOWN;
    if (!e->u.data.address_known && the.config.pc_first) {
        left.e.u.data.address_known = false; /* on the count (3.5.18) */
        left.e.u.data.address = 0;
    }
    return is_before_debug(t->e.u.data.insn, e) && port_same_data(&left, e);
}

/* The value of a load that missed may be missing then (6.4.3). */
static bool is_without_value(const struct etm_element *e)
{
    return the.config.data_value && e->u.data.status == ETM_DATA_OK &&
           !e->u.data.value_known && e->u.data.insn_known &&
           is_before_debug(e->u.data.insn, e);
}

/* What an instruction moves that was executed. */
static struct etm_transfers transfers_of(const struct etm_element *e)
{
    struct etm_insn insn = {.transfers = {.kind = ETM_TRANSFER_NONE}};
    enum etm_isa isa = (enum etm_isa)e->u.insn.isa;

    if (e->kind != ETM_ELEMENT_INSN || e->u.insn.exec != ETM_TRUE)
        return insn.transfers;
    if (isa == ETM_ISA_ARM)
        etm_insn_decode_arm(&insn, ETM_PROFILE_UNKNOWN, 0, e->u.insn.opcode);
    else if (e->u.insn.size == 4)
        etm_insn_decode_thumb32(&insn, isa, ETM_PROFILE_UNKNOWN, 0,
                                e->u.insn.opcode);
    else
        etm_insn_decode_thumb16(&insn, isa, ETM_PROFILE_UNKNOWN, 0,
                                (uint16_t)e->u.insn.opcode);
    return insn.transfers;
}

/* Whether there is no other execution of the instruction, traced or not, whose
 * values could come late. */
static bool is_executed_once(uint32_t address)
{
    unsigned n = 0;

    for (size_t i = 0; i < v2.walk.n; i++)
        n += v2.walk.events[i].kind == ETM_EVENT_INSN &&
             v2.walk.events[i].u.insn.address == address;
    return n == 1;
}

/* Values that came out of order may be among the transfers after `restart`. If
 * the instruction at `from` makes more than there are, none of those before it
 * is numbered. */
static void check_partial(size_t from, size_t restart)
{
    const struct etm_element *e = the.elements.data;
    unsigned n = 0, numbered = 0;
    uint64_t first = 0;

    for (size_t i = from + 1; i < the.elements.n; i++) {
        if (e[i].kind != ETM_ELEMENT_DATA || !e[i].u.data.insn_known ||
            e[i].u.data.insn != e[from].u.insn.address)
            continue;
        first = n++ == 0 ? e[i].offset : first;
        numbered += i < restart && e[i].u.data.index != ETM_DATA_INDEX_UNKNOWN;
    }
    /* E-375 may have ended it */
    if (n < transfers_of(&e[from]).count && numbered != 0 &&
        e[restart].offset - first <= 8192 &&
        is_executed_once(e[from].u.insn.address))
        trip_fail("a transfer is numbered that may be another one", from);
}

/* E-104, E-377: packets of the last data instruction before an overflow or
 * Debug state may be missing. */
static void check_indices(void)
{
    const struct etm_element *e = the.elements.data;

    for (size_t i = 0, last = SIZE_MAX; i < the.elements.n; i++) {
        if (transfers_of(&e[i]).kind != ETM_TRANSFER_NONE)
            last = i;
        /* the one that was cancelled may have ended it */
        if (e[i].kind == ETM_ELEMENT_EXCEPTION &&
            e[i].u.exception.cancels_known)
            last = SIZE_MAX;
        if (e[i].kind != ETM_ELEMENT_TRACE_ON)
            continue;
        if (last != SIZE_MAX && e[i].u.trace_on.reason != ETM_TRACE_ON_START)
            check_partial(last, i);
        last = SIZE_MAX;
    }
}

/* The next element of the instruction side is a restart after an overflow,
 * reported or not. */
static bool lost_behind(size_t i)
{
    const struct etm_element *e = the.elements.data;

    for (i++; i < the.elements.n; i++)
        if (e[i].kind == ETM_ELEMENT_INSN ||
            e[i].kind == ETM_ELEMENT_EXCEPTION ||
            e[i].kind == ETM_ELEMENT_TRACE_ON)
            return e[i].kind == ETM_ELEMENT_TRACE_ON &&
                   e[i].u.trace_on.reason != ETM_TRACE_ON_START;
    return v2.overflow;
}

/* What an element says of a transfer was so at some time: an overflow takes
 * away, and changes nothing. */
static bool is_true(const struct etm_element *e)
{
    if (!e->u.data.insn_known || !e->u.data.value_known ||
        e->u.data.index == ETM_DATA_INDEX_UNKNOWN)
        return true;
    for (size_t i = 0; i < v2.walk.n_truth; i++) {
        const struct port_truth *t = &v2.walk.truth[i];

        if (t->e.kind == ETM_ELEMENT_DATA && port_same_data(t, e) &&
            (!v2.walk.exact || t->time == e->offset / the.size))
            return true;
    }
    return false;
}

/* What cancelled the instruction of a transfer was lost. */
static bool may_be_void(size_t i)
{
    const struct etm_element *e = the.elements.data;
    uint32_t address = e[i].u.data.insn;

    while (i-- != 0)
        if (e[i].kind == ETM_ELEMENT_INSN && e[i].u.insn.address == address &&
            lost_behind(i))
            return true;
    return false;
}

void v2_check_data(void)
{
    const struct etm_element *e = the.elements.data;
    size_t at = 0;
    const struct port_truth *t;

    for (size_t i = 0; i < the.elements.n; i++) {
        if (e[i].kind != ETM_ELEMENT_DATA)
            continue;
        t = next(&at, true);
        while (t != NULL && v2.walk.exact &&
               (v2.overflow || debug_behind(t->time)) &&
               t->time < e[i].offset / the.size)
            t = next(&at, true); /* these were lost */
        /* a value that was lost in an overflow, or its instruction */
        if ((v2.overflow || is_without_value(&e[i])) &&
            (t == NULL || !e[i].u.data.value_known ||
             !port_same_data(t, &e[i]) ||
             (v2.walk.exact && t->time != e[i].offset / the.size))) {
            if (t != NULL)
                at--;
            if (!is_true(&e[i]) && !may_be_void(i)) {
                trip_print(&e[i]);
                trip_fail("a transfer that was not made", i);
            }
            continue;
        }
        if (t == NULL ||
            (!port_same_data(t, &e[i]) && !is_unplaced(t, &e[i]))) {
            trip_print(&e[i]);
            if (t != NULL)
                port_truth_print(t);
            trip_fail("another transfer", i);
        }
        if (v2.walk.exact && e[i].offset / the.size != t->time) {
            trip_print(&e[i]);
            port_truth_print(t);
            trip_fail("a transfer at another time", i);
        }
    }
    do
        t = next(&at, true);
    while (t != NULL && debug_behind(t->time));
    if (t != NULL && !v2.overflow) {
        port_truth_print(t);
        trip_fail("a transfer is missing", the.elements.n);
    }
    check_indices();
}

/* Every record is a cycle: an instruction's are those since the one before, or
 * since the TFO (E-258). */
static void check_cycles(const struct etm_element *e, uint64_t *last, size_t i)
{
    uint64_t now = e->offset / the.size;

    if (e->kind == ETM_ELEMENT_TRACE_ON)
        *last = now;
    if (e->kind != ETM_ELEMENT_INSN)
        return;
    if (!the.config.cycle_accurate && e->u.insn.cycles != ETM_CYCLES_UNKNOWN)
        trip_fail("cycles that are not traced", i);
    if (the.config.cycle_accurate && e->u.insn.cycles != now - *last)
        trip_fail("other cycles", i);
    *last = now;
}

static bool is_overflow(const struct etm_element *e)
{
    return e->kind == ETM_ELEMENT_TRACE_ON &&
           e->u.trace_on.reason == ETM_TRACE_ON_OVERFLOW;
}

/* V2-OVF-01, V2-OVF-02: what is missing, is missing before a restart. */
static const struct port_truth *skip_lost(size_t *at, uint64_t time)
{
    const struct port_truth *t;

    do {
        t = next(at, false);
        if (t != NULL && t->time == time && t->e.kind == ETM_ELEMENT_TRACE_ON)
            return next(at, false); /* tracing had been off */
    } while (t != NULL && t->time <= time);
    return t;
}

/* Where the truth of the instruction side is. */
struct place_in_truth {
    size_t at;
    bool fresh; /* nothing since a restart after an overflow */
    struct etm_element context;
};

/* A restart from Debug state; NULL: there is none left. */
static const struct port_truth *next_debug_exit(size_t *at)
{
    const struct port_truth *t;

    do
        t = next(at, false);
    while (t != NULL && (t->e.kind != ETM_ELEMENT_TRACE_ON ||
                         t->e.u.trace_on.reason != ETM_TRACE_ON_DEBUG_EXIT));
    return t;
}

/* The first that comes after a restart. */
static bool is_first(const struct port_truth *t, const struct etm_element *e)
{
    if (t == NULL || t->e.kind != e->kind)
        return false;
    if (e->kind == ETM_ELEMENT_EXCEPTION)
        return t->e.u.exception.type == e->u.exception.type &&
               t->e.u.exception.cancels == e->u.exception.cancels;
    return e->kind == ETM_ELEMENT_INSN &&
           t->e.u.insn.address == e->u.insn.address;
}

/* Where times are not right, a restart may be lost with all up to the next one:
 * that which `e` is begins with the same instruction, or with the exception
 * that cancelled it. */
static void skip_lost_exits(size_t *at, const struct etm_element *e)
{
    const struct etm_element *end = the.elements.data;
    size_t from = *at;

    end += the.elements.n;
    do
        e++;
    while (e < end && e->kind != ETM_ELEMENT_INSN &&
           e->kind != ETM_ELEMENT_EXCEPTION && e->kind != ETM_ELEMENT_TRACE_ON);
    if (e == end || v2.walk.exact)
        return;
    do {
        size_t behind = from;

        if (is_first(next(&behind, false), e)) {
            *at = from;
            return;
        }
    } while (next_debug_exit(&from) != NULL);
}

/* The truth that an element has to be; NULL: there is none left. What was lost
 * before it is passed over; *done if nothing is to be compared. */
static const struct port_truth *find_truth(struct place_in_truth *place,
                                           const struct etm_element *e,
                                           bool *done)
{
    const struct port_truth *t = next(&place->at, false);
    uint64_t time = e->offset / the.size;
    bool on = e->kind == ETM_ELEMENT_TRACE_ON;

    *done = false;
    /* an overflow is not reported when Debug state comes between (MF-11) */
    if (on && e->u.trace_on.reason == ETM_TRACE_ON_DEBUG_EXIT) {
        while (t != NULL &&
               (t->e.kind != ETM_ELEMENT_TRACE_ON ||
                t->e.u.trace_on.reason != ETM_TRACE_ON_DEBUG_EXIT)) {
            t = next(&place->at, false);
            v2.overflow = true;
        }
        skip_lost_exits(&place->at, e);
    }
    if (is_overflow(e)) {
        if (t != NULL)
            place->at--;
        if (skip_lost(&place->at, time) != NULL)
            place->at--;
        place->fresh = *done = true;
        return NULL;
    }
    /* trace went off, or on, while the FIFO was draining */
    while (t != NULL && v2.overflow && v2.walk.exact && t->time < time)
        t = next(&place->at, false);
    return t;
}

static void check_insn(struct place_in_truth *place, size_t i)
{
    const struct etm_element *e = (struct etm_element *)the.elements.data + i;
    bool done;
    const struct port_truth *t = find_truth(place, e, &done);

    if (done)
        return;
    /* it is of an instruction that was lost: no return address */
    if (place->fresh && t != NULL && e->kind == t->e.kind &&
        t->e.kind == ETM_ELEMENT_EXCEPTION &&
        e->u.exception.type == t->e.u.exception.type)
        return;
    place->fresh = false;
    if (t != NULL && port_same_insn(t, e, &place->context)) {
        if (!v2.walk.exact || e->offset / the.size == t->time)
            return;
        trip_print(e);
        port_truth_print(t);
        trip_fail("an instruction at another time", i);
    }
    if (t != NULL)
        place->at--;
    if (lost_behind(i)) /* the exception that cancelled it was lost */
        return;
    trip_print(e);
    if (t != NULL)
        port_truth_print(t);
    trip_fail("another instruction", i);
}

void v2_check_insns(void)
{
    const struct etm_element *e = the.elements.data;
    struct place_in_truth place = {0};
    size_t triggers = 0;
    uint64_t last = 0;

    for (size_t i = 0; i < the.elements.n; i++) {
        triggers += e[i].kind == ETM_ELEMENT_TRIGGER;
        if (e[i].kind == ETM_ELEMENT_CONTEXT)
            place.context = e[i];
        if (e[i].kind == ETM_ELEMENT_LOST || e[i].kind == ETM_ELEMENT_NO_IMAGE)
            trip_fail("something was lost", i);
        if (e[i].kind != ETM_ELEMENT_INSN &&
            e[i].kind != ETM_ELEMENT_EXCEPTION &&
            e[i].kind != ETM_ELEMENT_TRACE_ON)
            continue;
        check_cycles(&e[i], &last, i);
        if (is_overflow(&e[i]) && !v2.walk.exact)
            return; /* what was lost cannot be known */
        check_insn(&place, i);
    }
    if (!v2.overflow && next(&place.at, false) != NULL)
        trip_fail("an instruction is missing", the.elements.n);
    if (triggers != v2.walk.n_triggers)
        trip_fail("another number of triggers", triggers);
}

void v2_note_overflow(void)
{
    const struct etm_element *e = the.elements.data;

    v2.overflow = false;
    for (size_t i = 0; i < the.elements.n; i++)
        if (is_overflow(&e[i]) ||
            (!v2.walk.exact && e[i].kind == ETM_ELEMENT_TRACE_ON &&
             e[i].u.trace_on.reason == ETM_TRACE_ON_DEBUG_EXIT))
            v2.overflow = true;
}
