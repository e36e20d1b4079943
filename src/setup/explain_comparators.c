/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address comparators and ranges in words: where, what access, and further
 * conditions (ETM architecture 2.7, 2.8, 3.5.10, 3.5.11, 3.5.15).
 */
#include "setup/explain.h"

#include <string.h>

/* Access types (table 3-27). */
static const char *type_name(const struct etm_view *view, unsigned type)
{
    static const char *const names[8] = {
        "instruction fetched",
        "instruction executed",
        "instruction that passed its condition",
        "instruction that failed its condition",
        "load or store",
        "load",
        "store",
        "access of a reserved type",
    };

    if ((type == 2 || type == 3) && view->version < ETM_V1_2)
        return names[7];
    return names[type & 7];
}

static const char *unit_name(unsigned bytes)
{
    return bytes == 1 ? "byte" : bytes == 2 ? "halfword" : "word";
}

/* The meaning of the size field of an instruction comparison (2.7.1). */
static const char *size_name(uint32_t actr)
{
    static const char *const names[4] = {"Jazelle", "Thumb", "reserved", "ARM"};

    return names[actr >> 3 & 3];
}

/* `bits` bits of a value, those of `mask` ignored: 0x12xx if possible. */
void etm_words_masked(struct etm_words *w, uint32_t value, uint32_t mask,
                      unsigned bits)
{
    bool nibbles = true;

    for (unsigned i = 0; i < bits; i += 4) {
        unsigned nibble = mask >> i & 15;

        nibbles = nibbles && (nibble == 0 || nibble == 15);
    }
    etm_words_add(w, "0x");
    for (unsigned i = bits; i > 0; i -= 4) {
        if (nibbles && (mask >> (i - 4) & 15) == 15)
            etm_words_add(w, "x");
        else
            etm_words_add(w, "%x", (unsigned)(value >> (i - 4) & 15));
    }
    if (!nibbles)
        etm_words_add(w, " with the bits 0x%x ignored", (unsigned)mask);
}

static uint32_t low_bits(unsigned n)
{
    return n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
}

/* v1.x compares the data bus as it is (2.8.2): which lanes? */
static void add_bus_value(struct etm_words *w, uint32_t value, uint32_t mask)
{
    for (unsigned bits = 8; bits <= 16; bits += 8) {
        for (unsigned low = 0; low < 32; low += bits) {
            if (mask != ~(low_bits(bits) << low))
                continue;
            etm_words_masked(w, value >> low, 0, bits);
            etm_words_add(w, " on bits [%u:%u] of the data bus", low + bits - 1,
                          low);
            return;
        }
    }
    etm_words_masked(w, value, mask, 32);
    etm_words_add(w, " on the data bus");
}

/* 2.8.2, 2.8.3: the position of the value depends on the version. */
static void add_value(struct etm_words *w, const struct etm_view *view,
                      unsigned n, uint32_t actr)
{
    uint32_t value = view->value[ETM_REG_DCVR1 + n - 1];
    uint32_t mask = view->value[ETM_REG_DCMR1 + n - 1];
    unsigned mode = actr >> 5 & 3;
    unsigned bits = 8 * etm_actr_bytes(actr);

    if (mode == 0 || !etm_actr_data(actr))
        return;
    if (n % 2 == 0) {
        etm_words_add(w, ", with a value comparison that it does not support");
        return;
    }
    etm_words_add(w, ", value %s", mode == 3 ? "other than " : "");
    if (!etm_view_knows(view, ETM_REG_DCVR1 + n - 1) ||
        !etm_view_knows(view, ETM_REG_DCMR1 + n - 1))
        etm_words_add(w, "that is not known");
    else if (view->version < ETM_V2_0)
        add_bus_value(w, value, mask);
    else if (view->version >= ETM_V3_3 || (mask | low_bits(bits)) == UINT32_MAX)
        etm_words_masked(w, value & low_bits(bits), mask & low_bits(bits),
                         bits);
    else
        etm_words_masked(w, value, mask, 32);
}

static void add_context_id(struct etm_words *w, const struct etm_view *view,
                           unsigned comparator)
{
    uint32_t number = ETM_REG_CIDCVR1 + comparator - 1;

    if (comparator == 0 || view->version < ETM_V2_0)
        return;
    etm_words_add(w, ", context ID ");
    if (!etm_view_knows(view, number) || !etm_view_knows(view, ETM_REG_CIDCMR))
        etm_words_add(w, "of comparator %u", comparator);
    else
        etm_words_masked(w, view->value[number], view->value[ETM_REG_CIDCMR],
                         32);
}

/*
 * Security state (table 3-27); from ETMv3.5 on, two bits for each state say
 * which modes in it match: [13,11] Non-secure, [12,10] Secure.
 */
static void add_state(struct etm_words *w, const struct etm_view *view,
                      uint32_t actr)
{
    static const char *const states[4] = {"", "Non-secure only", "Secure only",
                                          "a reserved security state"};
    static const char *const modes[4] = {
        "any mode", "never", "not in User mode", "in User mode only"};
    unsigned non_secure, secure;

    if (view->version < ETM_V3_2 || !view->security)
        return;
    non_secure = (actr >> 11 & 1) | (actr >> 13 & 1) << 1;
    secure = (actr >> 10 & 1) | (actr >> 12 & 1) << 1;
    if (view->version < ETM_V3_5 || (actr >> 12 & 3) == 0) {
        if ((actr >> 10 & 3) != 0)
            etm_words_add(w, ", %s", states[actr >> 10 & 3]);
    } else if (non_secure == secure) {
        etm_words_add(w, ", %s", modes[secure]);
    } else {
        etm_words_add(w, ", Non-secure: %s, Secure: %s", modes[non_secure],
                      modes[secure]);
    }
}

/* Hyp mode and VMID: ETMACTR[15:14] with virtualization (doc/errata.md). */
static void add_virtual(struct etm_words *w, const struct etm_view *view,
                        uint32_t actr)
{
    if (view->version < ETM_V3_5 || !view->config.virtualization)
        return;
    if ((actr & 0x4000) == 0)
        etm_words_add(w, ", not in Hyp mode");
    if ((actr & 0x8000) == 0)
        return;
    if (etm_view_knows(view, ETM_REG_VMIDCVR))
        etm_words_add(w, ", VMID 0x%02x", view->value[ETM_REG_VMIDCVR] & 0xff);
    else
        etm_words_add(w, ", VMID of the comparator");
}

static void add_conditions(struct etm_words *w, const struct etm_view *view,
                           unsigned n, uint32_t actr)
{
    if (!etm_actr_data(actr))
        etm_words_add(w, ", size %s", size_name(actr));
    add_value(w, view, n, actr);
    add_context_id(w, view, actr >> 8 & 3);
    add_state(w, view, actr);
    add_virtual(w, view, actr);
    /* 2.7.4: it does not apply to a fetch. */
    if (view->version >= ETM_V2_0 && !view->pft && etm_actr_type(actr) != 0)
        etm_words_add(w, "%s",
                      etm_actr_exact(view, actr) ? ", exact match"
                                                 : ", not exact");
}

/* Only the place: "0x00001000", "function sort". */
static void sac_place(struct etm_words *w, const struct etm_view *view,
                      unsigned n)
{
    uint32_t number = ETM_REG_ACVR1 + n - 1;

    if (etm_view_knows(view, number))
        etm_words_address(w, view, view->value[number]);
    else
        etm_words_add(w, "at an unknown address");
}

void etm_words_sac(struct etm_words *w, const struct etm_view *view, unsigned n)
{
    uint32_t actr = view->value[ETM_REG_ACTR1 + n - 1];
    unsigned bytes = etm_actr_bytes(actr);

    if (!etm_view_knows(view, ETM_REG_ACTR1 + n - 1)) {
        etm_words_add(w, "an access of unknown type, ");
        sac_place(w, view, n);
        return;
    }
    etm_words_add(w, "%s", type_name(view, etm_actr_type(actr)));
    /* 2.7.2: each byte accessed counts; 2.7.3: the size masks the address. */
    if (!etm_actr_data(actr))
        etm_words_add(w, " at ");
    else if (view->version >= ETM_V3_1)
        etm_words_add(w, " that touches the %s at ", unit_name(bytes));
    else if (bytes == 1)
        etm_words_add(w, " whose address is ");
    else
        etm_words_add(w, " whose address is in the %s at ", unit_name(bytes));
    sac_place(w, view, n);
    add_conditions(w, view, n, actr);
}

/* A range that is just one function, by its name. */
static bool add_function(struct etm_words *w, const struct etm_view *view,
                         uint32_t low, uint32_t high)
{
    struct etm_symbol symbol;

    if (view->names == NULL || view->names->symbol == NULL ||
        view->names->symbol(view->names->context, low, &symbol) != ETM_OK ||
        symbol.offset != 0 || symbol.size == 0 || high - low < symbol.size ||
        /* functions are padded to the next one */
        high - low > ((symbol.size + 3) & ~UINT32_C(3)))
        return false;
    etm_words_add(w, "function %s, ", symbol.name);
    return true;
}

static void arc_place(struct etm_words *w, const struct etm_view *view,
                      unsigned n)
{
    uint32_t number = ETM_REG_ACVR1 + 2 * (n - 1);
    uint32_t low = view->value[number], high = view->value[number + 1];
    uint32_t actr = view->value[ETM_REG_ACTR1 + 2 * n - 1];
    bool function;

    if (!etm_view_knows(view, number) || !etm_view_knows(view, number + 1)) {
        etm_words_add(w, "unknown addresses");
        return;
    }
    function = add_function(w, view, low, high);
    if (high == UINT32_MAX && (actr >> 3 & 3) == 3) {
        /* 2.7.7: the only case in which the upper bound is included */
        etm_words_add(w, "0x%08x to the top of memory", (unsigned)low);
        return;
    }
    etm_words_add(w, "[");
    if (function)
        etm_words_add(w, "0x%08x", (unsigned)low);
    else
        etm_words_address(w, view, low);
    etm_words_add(w, ", ");
    if (function)
        etm_words_add(w, "0x%08x", (unsigned)high);
    else
        etm_words_address(w, view, high);
    etm_words_add(w, ")");
}

void etm_words_arc(struct etm_words *w, const struct etm_view *view, unsigned n)
{
    unsigned low = 2 * n - 1;
    uint32_t actr = view->value[ETM_REG_ACTR1 + low - 1];

    if (!etm_view_knows(view, ETM_REG_ACTR1 + low - 1)) {
        etm_words_add(w, "accesses of unknown type, ");
        arc_place(w, view, n);
        return;
    }
    etm_words_add(w, "%s", type_name(view, etm_actr_type(actr)));
    if (!etm_actr_data(actr))
        etm_words_add(w, " in ");
    else if (view->version >= ETM_V3_1)
        etm_words_add(w, " that touches ");
    else
        etm_words_add(w, " whose address is in ");
    arc_place(w, view, n);
    if (etm_actr_data(actr))
        etm_words_add(w, ", by %ss", unit_name(etm_actr_bytes(actr)));
    add_conditions(w, view, low, actr);
}
