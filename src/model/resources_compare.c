/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address comparators, single and in pairs, with their data value comparators
 * (ETM architecture 2.2.1, 2.7, 2.8). Rules change with the version:
 *
 *   up to v3.0   an access is known by its first address; the size of a
 *                single comparator masks low bits (2.7.3)
 *   from v3.1    every byte accessed counts (2.7.2)
 *
 *   v1.x a value is compared at its place on the data bus
 *   v2.0 - v3.2  ... as it is traced, at bit 0 (2.8.2)
 *   from v3.3    ... wherever an aligned access holds it (2.8.3)
 */
#include "model/resources.h"

/* Access types, ETMACTR[2:0] (table 3-27). */
enum type {
    TYPE_FETCH = 0,
    TYPE_EXECUTE = 1,
    TYPE_PASSED = 2,
    TYPE_FAILED = 3,
    TYPE_LOAD_STORE = 4,
    TYPE_LOAD = 5,
    TYPE_STORE = 6,
    TYPE_NEVER = 7 /* reserved, or not in this macrocell */
};

static bool is_data(const struct etm_sac *sac)
{
    return sac->type & 4u;
}

/* The access type as far as this macrocell has it. */
static uint8_t type_of(const struct etm_resources *r, uint32_t control)
{
    uint8_t type = control & 7u;

    if (type == TYPE_FETCH && r->config.no_fetch)
        return TYPE_NEVER;
    if ((type == TYPE_PASSED || type == TYPE_FAILED) && r->version < ETM_V1_2)
        return TYPE_NEVER;
    if (type >= TYPE_LOAD_STORE &&
        (r->config.counts.no_data_address || r->version >= ETM_PFT1_0))
        return TYPE_NEVER;
    return type;
}

/* Data value comparator k belongs to comparator 2k-1 (3.5.11). */
static void take_dvc(struct etm_resources *r, unsigned n, uint32_t control,
                     const uint32_t *value)
{
    struct etm_sac *sac = &r->sacs[n];
    unsigned mode = control >> 5 & 3u;

    if (n % 2 != 0 || n / 2 >= r->config.counts.dvcs || !is_data(sac))
        return;
    sac->dvc_value = value[ETM_REG_DCVR1 + n];
    sac->dvc_mask = value[ETM_REG_DCMR1 + n];
    if (mode == 1)
        sac->dvc = ETM_DVC_EQUAL;
    else if (mode == 3 && r->version >= ETM_V1_2)
        sac->dvc = ETM_DVC_DIFFERENT;
    else if (mode != 0)
        sac->type = TYPE_NEVER;
}

static void take_sac(struct etm_resources *r, unsigned n, const uint32_t *value)
{
    static const uint8_t sizes[4] = {1, 2, 1, 4};
    uint32_t control = value[ETM_REG_ACTR1 + n];
    struct etm_sac *sac = &r->sacs[n];

    *sac = (struct etm_sac){.address = value[ETM_REG_ACVR1 + n]};
    sac->size = sizes[control >> 3 & 3u];
    sac->type = type_of(r, control);
    take_dvc(r, n, control, value);
    if (r->version >= ETM_V2_0) {
        sac->cidc = control >> 8 & 3u;
        sac->exact = r->version < ETM_PFT1_0 && control >> 7 & 1u;
    }
    if (r->version >= ETM_V3_2 && r->config.security)
        sac->state =
            (uint8_t)(control >> 10 & (r->version >= ETM_V3_5 ? 0xfu : 0x3u));
    sac->hyp = r->config.virtualization && control >> 14 & 1u;
    sac->vmid = r->config.virtualization && control >> 15 & 1u;
}

/*
 * Take range n of comparators 2n and 2n+1, from 0; false if it is empty. With a
 * size of a word the highest address is included, which no exclusive bound
 * could express (2.7.7).
 */
static bool take_arc(struct etm_resources *r, unsigned n)
{
    const struct etm_sac *sac = &r->sacs[2 * n];
    uint32_t last = sac[1].address;

    if (last != UINT32_MAX || sac[1].size != 4)
        last--; /* of 0: the range is empty */
    r->low[n] = sac[0].address;
    r->span[n] = last - sac[0].address;
    return sac[1].address > sac[0].address;
}

/* Evaluate the exact match bit for a comparator and its range. */
static void take_exact(struct etm_resources *r, const struct etm_sac *sac,
                       uint32_t bits)
{
    /* Tables 2-8 and 2-9. */
    if (r->version >= ETM_V3_3 || r->config.exact_ranges_fire)
        r->fires |= bits & ETM_MATCH_ARCS;
    /* Table 2-6, note d. */
    if (is_data(sac) && (sac->dvc != ETM_DVC_NONE || r->version > ETM_V3_0))
        r->waits |= bits;
}

/*
 * Tables of the comparators, for those that etm_resources_filters() and the
 * events select.
 */
void etm_resources_comparators(struct etm_resources *r, const uint32_t *value)
{
    unsigned count = 2u * r->config.counts.sac_pairs;
    uint32_t used = r->resources_used | r->te_matches | r->start | r->stop |
                    r->vd_include | r->vd_exclude | r->full_matches;

    r->insn_used = r->data_used = r->fires = r->fetches = r->waits = 0;
    r->plain_modes = r->plain_hyp = 0;
    for (unsigned n = 0; n < count; n++) {
        take_sac(r, n, value);
        r->at[n] = r->sacs[n].address;
    }
    for (unsigned n = 0; n < count; n++) {
        const struct etm_sac *sac = &r->sacs[n];
        uint32_t bits = UINT32_C(1) << n;

        if (n % 2 == 0 && take_arc(r, n / 2))
            bits |= UINT32_C(1) << (16 + n / 2);
        if (sac->type == TYPE_NEVER)
            continue;
        if (is_data(sac))
            r->data_used |= used & bits;
        else
            r->insn_used |= used & bits;
        if (sac->type <= TYPE_EXECUTE && !sac->exact && sac->cidc == 0 &&
            sac->state == 0 && !sac->vmid) {
            r->plain_modes |= bits;
            r->plain_hyp |= sac->hyp ? bits : 0;
        }
        if (sac->type == TYPE_FETCH)
            r->fetches |= bits;
        if (sac->exact)
            take_exact(r, sac, bits);
    }
}

/*
 * v3.5 and PFT: two bits for each security state, bits 0 and 2 of `state` for
 * Secure, 1 and 3 for Non-secure: all modes, none, all but User, User only.
 */
static bool mode_fits(const struct etm_resources *r, unsigned state)
{
    unsigned bits = r->context.non_secure ? state >> 1 : state;

    if (!(bits & 4u))
        return !(bits & 1u);
    return r->context.user == (bits & 1u);
}

/* Security state and context ID (table 3-27). Reserved states never match. */
static bool context_fits(const struct etm_resources *r,
                         const struct etm_sac *sac)
{
    if (sac->cidc != 0 && !((unsigned)r->cidcs >> (sac->cidc - 1u) & 1u))
        return false;
    if (sac->vmid && r->context.vmid != r->vmid_value)
        return false;
    /* Hyp mode is not one of the modes selected by [13] and [11]. */
    if (r->context.hyp)
        return sac->hyp;
    if (r->version >= ETM_V3_5)
        return mode_fits(r, sac->state);
    switch (sac->state) {
    case 0:
        return true;
    case 1:
        return r->context.non_secure;
    case 2:
        return !r->context.non_secure;
    default:
        return false;
    }
}

static bool insn_fits(const struct etm_resources *r, const struct etm_sac *sac,
                      const struct etm_resource_insn *insn)
{
    if (sac->type == TYPE_PASSED && !insn->passed)
        return false;
    if (sac->type == TYPE_FAILED && insn->passed)
        return false;
    /* Table 2-4. The fetch stage does not know of exceptions. */
    if (sac->exact && insn->cancelled && sac->type != TYPE_FETCH)
        return false;
    return context_fits(r, sac);
}

/* The address is in range n, from 0. */
static bool in_range(const struct etm_resources *r, unsigned n,
                     uint32_t address)
{
    return address - r->low[n] <= r->span[n];
}

/* Without branches, as this is most of the work of a cycle. */
uint32_t etm_resources_candidates(const struct etm_resources *r,
                                  uint32_t address)
{
    uint32_t found = 0;

    if (r->insn_used & ETM_MATCH_SACS)
        for (unsigned n = 0; n < 16; n++)
            found |= (uint32_t)(r->at[n] == address) << n;
    if (r->insn_used & ETM_MATCH_ARCS)
        for (unsigned n = 0; n < 8; n++)
            found |= (uint32_t)in_range(r, n, address) << (16 + n);
    return found & r->insn_used;
}

/*
 * The size does not matter for instructions, which are known by their first
 * byte (2.7.1, 2.7.2).
 */
static uint32_t match_at(const struct etm_resources *r,
                         const struct etm_resource_insn *insn, uint32_t address)
{
    uint32_t matches = etm_resources_candidates(r, address);
    uint32_t rest = matches & ~r->plain;

    for (unsigned n = 0; rest != 0; rest >>= 1, n++)
        if (rest & 1u &&
            !insn_fits(r, &r->sacs[n < 16 ? n : 2 * (n - 16)], insn))
            matches &= ~(UINT32_C(1) << n);
    return matches;
}

uint32_t etm_resources_match_insn(const struct etm_resources *r,
                                  const struct etm_resource_insn *insn)
{
    uint32_t matches = match_at(r, insn, insn->address);

    if (r->config.split && insn->size == 4 &&
        (insn->isa == ETM_ISA_THUMB || insn->isa == ETM_ISA_THUMBEE))
        matches |= match_at(r, insn, insn->address + 2);
    return matches;
}

/* The address of a data access at a single comparator. */
static bool sac_covers(const struct etm_resources *r, const struct etm_sac *sac,
                       const struct etm_resource_transfer *t)
{
    if (r->version <= ETM_V3_0)
        return (t->address & ~(sac->size - UINT32_C(1))) == sac->address;
    return sac->address - t->address < t->size ||
           t->address - sac->address < sac->size;
}

/* ... and at a range. */
static bool arc_covers(const struct etm_resources *r, unsigned n,
                       const struct etm_resource_transfer *t)
{
    if (in_range(r, n, t->address))
        return true;
    return r->version > ETM_V3_0 && t->address < r->low[n] &&
           r->low[n] - t->address < t->size;
}

/* Low bits of a value of that many bytes. */
static uint32_t truncated(uint32_t value, unsigned size)
{
    return size >= 4 ? value : value & ((UINT32_C(1) << 8 * size) - 1);
}

/*
 * What the data value comparator sees; false if there is nothing to compare.
 * Lanes of the bus beside the access are UNPREDICTABLE: 0 here.
 */
static bool presented(const struct etm_resources *r, const struct etm_sac *sac,
                      bool range, const struct etm_resource_transfer *t,
                      uint32_t *value)
{
    uint32_t v = truncated(t->value, t->size);
    unsigned offset = sac->address - t->address; /* of what is watched */

    if (t->size == 0 || t->size > 4)
        return false;
    if (r->version < ETM_V2_0) { /* the data bus */
        unsigned lane = t->address & 3u & ~(t->size - 1u);

        if (t->big_endian)
            lane = 4u - t->size - lane;
        *value = v << 8 * lane;
        return true;
    }
    if (r->version < ETM_V3_3) {
        *value = v;
        return true;
    }
    if (range)
        offset = 0;
    if (t->size < sac->size || (range && t->size != sac->size) ||
        t->address % sac->size != 0 || offset > t->size - (unsigned)sac->size)
        return false;
    if (t->big_endian)
        offset = t->size - sac->size - offset;
    v = truncated(v >> 8 * offset, sac->size);
    if (sac->size == 1)
        v *= UINT32_C(0x01010101);
    else if (sac->size == 2)
        v *= UINT32_C(0x00010001);
    *value = v;
    return true;
}

static bool value_fits(const struct etm_resources *r, const struct etm_sac *sac,
                       bool range, const struct etm_resource_transfer *t)
{
    uint32_t value;
    bool equal;

    if (sac->dvc == ETM_DVC_NONE)
        return true;
    if (!presented(r, sac, range, t, &value))
        return false;
    equal = ((value ^ sac->dvc_value) & ~sac->dvc_mask) == 0;
    return equal == (sac->dvc == ETM_DVC_EQUAL);
}

/*
 * A transfer at a comparator whose address fits: type, context and tables 2-5
 * and 2-6. `bit` is that of the comparator or range.
 */
static bool data_fits(const struct etm_resources *r, const struct etm_sac *sac,
                      uint32_t bit, const struct etm_resource_transfer *t)
{
    if (sac->type == (t->store ? TYPE_LOAD : TYPE_STORE))
        return false;
    if (!context_fits(r, sac))
        return false;
    /* Comparators that wait for data match then, and no others do. */
    if (t->phase == ETM_TRANSFER_WAITS)
        return !(r->waits & bit);
    if (t->phase == ETM_TRANSFER_RETURNED && !(r->waits & bit))
        return false;
    if (t->failed)
        return !sac->exact;
    return value_fits(r, sac, bit & ETM_MATCH_ARCS, t);
}

uint32_t etm_resources_match_data(const struct etm_resources *r,
                                  const struct etm_resource_transfer *t)
{
    uint32_t matches = 0;

    for (uint32_t rest = r->data_used & ETM_MATCH_SACS, n = 0; rest != 0;
         rest >>= 1, n++) {
        uint32_t bit = UINT32_C(1) << n;

        if (rest & 1u && sac_covers(r, &r->sacs[n], t) &&
            data_fits(r, &r->sacs[n], bit, t))
            matches |= bit;
    }
    for (uint32_t rest = r->data_used >> 16, n = 0; rest != 0;
         rest >>= 1, n++) {
        uint32_t bit = UINT32_C(1) << (16 + n);

        if (rest & 1u && arc_covers(r, n, t) &&
            data_fits(r, &r->sacs[2 * n], bit, t))
            matches |= bit;
    }
    return matches;
}
