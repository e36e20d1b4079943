/* SPDX-License-Identifier: Apache-2.0 */
/* The comparators of the plain resources. */
#include "plain_resources.h"

enum { FETCH, EXECUTE, PASSED, FAILED, ANY_DATA, LOAD, STORE };

bool plain_non_secure(const struct plain *p)
{
    return p->config.security && p->context.non_secure;
}

/* Context ID comparator n, from 0 (3.5.15). */
bool plain_cidc(const struct plain *p, unsigned n)
{
    uint32_t differs =
        p->context.context_id ^ plain_reg(p, ETM_REG_CIDCVR1 + n);

    return plain_version(p) >= ETM_V2_0 && n < p->config.counts.cidcs &&
           !plain_closed(p) && (differs & ~plain_reg(p, ETM_REG_CIDCMR)) == 0;
}

/* The VMID comparator as a resource. */
bool plain_vmidc(const struct plain *p)
{
    return p->config.virtualization && !plain_closed(p) &&
           p->context.vmid == (plain_reg(p, ETM_REG_VMIDCVR) & 0xff);
}

/* ETMACTR of the comparator that decides for item n: of a range, the lower. */
static uint32_t control(const struct plain *p, unsigned sac)
{
    return plain_reg(p, ETM_REG_ACTR1 + sac);
}

static bool state_fits(const struct plain *p, uint32_t c)
{
    bool user = p->context.user;

    if (p->config.virtualization && plain_bit(c, 15) &&
        p->context.vmid != (plain_reg(p, ETM_REG_VMIDCVR) & 0xff))
        return false;
    if (p->config.virtualization && p->context.hyp)
        return plain_bit(c, 14);
    if (plain_version(p) < ETM_V3_2 || !p->config.security)
        return true;
    if (plain_version(p) >= ETM_V3_5) {
        unsigned mode = plain_non_secure(p)
                            ? plain_bit(c, 13) << 1 | plain_bit(c, 11)
                            : plain_bit(c, 12) << 1 | plain_bit(c, 10);

        return mode == 0 || (mode == 2 && !user) || (mode == 3 && user);
    }
    return plain_bits(c, 11, 10) == 0 ||
           (plain_bits(c, 11, 10) == 1 && plain_non_secure(p)) ||
           (plain_bits(c, 11, 10) == 2 && !plain_non_secure(p));
}

static bool context_fits(const struct plain *p, uint32_t c)
{
    if (plain_version(p) >= ETM_V2_0 && plain_bits(c, 9, 8) != 0 &&
        !plain_cidc(p, plain_bits(c, 9, 8) - 1))
        return false;
    return state_fits(p, c);
}

static bool exact(const struct plain *p, uint32_t c)
{
    return plain_version(p) >= ETM_V2_0 && plain_version(p) < ETM_PFT1_0 &&
           plain_bit(c, 7);
}

/* A type that this macrocell has (table 3-27). */
static bool type_exists(const struct plain *p, unsigned type)
{
    switch (type) {
    case FETCH:
        return !p->config.no_fetch;
    case EXECUTE:
        return true;
    case PASSED:
    case FAILED:
        return plain_version(p) >= ETM_V1_2;
    case ANY_DATA:
    case LOAD:
    case STORE:
        return plain_version(p) < ETM_PFT1_0 &&
               !p->config.counts.no_data_address;
    default:
        return false;
    }
}

/* Of comparator n, from 0; 0: no comparison, 1: equal, 3: different, 2: none
 * that there is. */
static unsigned value_mode(const struct plain *p, unsigned n)
{
    unsigned mode = plain_bits(control(p, n), 6, 5);

    if (n % 2 != 0 || n / 2 >= p->config.counts.dvcs)
        return 0;
    return mode == 3 && plain_version(p) < ETM_V1_2 ? 2 : mode;
}

static unsigned size_of(const struct plain *p, unsigned n)
{
    unsigned code = plain_bits(control(p, n), 4, 3);

    return code == 3 ? 4 : code == 1 ? 2 : 1;
}

static bool range_exists(const struct plain *p, unsigned k)
{
    return plain_reg(p, ETM_REG_ACVR1 + 2 * k + 1) >
           plain_reg(p, ETM_REG_ACVR1 + 2 * k);
}

/* 2.2.1, 2.7.7 */
static bool inside(const struct plain *p, unsigned k, uint32_t address)
{
    uint32_t high = plain_reg(p, ETM_REG_ACVR1 + 2 * k + 1);

    if (!range_exists(p, k) || address < plain_reg(p, ETM_REG_ACVR1 + 2 * k))
        return false;
    return address < high || (high == UINT32_MAX && size_of(p, 2 * k + 1) == 4);
}

/* Does comparator n (its range, if `range`) match the instruction at
 * `address`? */
static bool insn_at(const struct plain *p, unsigned n, bool range,
                    const struct etm_resource_insn *i, uint32_t address)
{
    uint32_t c = control(p, n);
    unsigned type = plain_bits(c, 2, 0);

    if (type > FAILED || !type_exists(p, type) || !context_fits(p, c))
        return false;
    if ((type == PASSED && !i->passed) || (type == FAILED && i->passed))
        return false;
    if (type != FETCH && exact(p, c) && i->cancelled)
        return false;
    return range ? inside(p, n / 2, address)
                 : address == plain_reg(p, ETM_REG_ACVR1 + n);
}

bool plain_insn_matches(const struct plain *p, unsigned n, bool range,
                        const struct etm_resource_insn *i)
{
    bool halves = p->config.split && i->size == 4 &&
                  (i->isa == ETM_ISA_THUMB || i->isa == ETM_ISA_THUMBEE);

    return insn_at(p, n, range, i, i->address) ||
           (halves && insn_at(p, n, range, i, i->address + 2));
}

/* The address of a transfer (2.7.2, 2.7.3). */
static bool address_matches(const struct plain *p, unsigned n, bool range,
                            const struct etm_resource_transfer *t)
{
    uint32_t watched = plain_reg(p, ETM_REG_ACVR1 + n);
    unsigned size = size_of(p, n);

    if (plain_version(p) <= ETM_V3_0 && range)
        return inside(p, n / 2, t->address);
    if (plain_version(p) <= ETM_V3_0)
        return t->address / size * size == watched;
    for (unsigned i = 0; i < t->size; i++) {
        uint32_t byte = t->address + i;

        if (range ? inside(p, n / 2, byte) : byte - watched < size)
            return true;
    }
    return false;
}

/* Byte i of the memory that the transfer moves. */
static unsigned byte_at(const struct etm_resource_transfer *t, unsigned i)
{
    return t->value >> 8 * (t->big_endian ? t->size - 1 - i : i) & 0xff;
}

/* From v3.3 on: the unit of `size` bytes at `offset` (2.8.3). */
static uint32_t unit_at(const struct etm_resource_transfer *t, unsigned offset,
                        unsigned size)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value |= (uint32_t)byte_at(t, offset + i)
                 << 8 * (t->big_endian ? size - 1 - i : i);
    return value;
}

/* What is compared; false: nothing can be. */
static bool shown(const struct plain *p, unsigned n, bool range,
                  const struct etm_resource_transfer *t, uint32_t *value)
{
    uint32_t watched = plain_reg(p, ETM_REG_ACVR1 + n);
    unsigned size = size_of(p, n), offset = 0;

    *value = t->size == 4 ? t->value : t->value & ((1u << 8 * t->size) - 1);
    if (plain_version(p) < ETM_V2_0) {
        unsigned lane = (t->address & 3) / t->size * t->size;

        *value <<= 8 * (t->big_endian ? 4 - t->size - lane : lane);
        return true;
    }
    if (plain_version(p) < ETM_V3_3)
        return true;
    if (range && t->size != size)
        return false;
    if (t->size < size || t->address % size != 0)
        return false;
    if (!range) {
        if (watched < t->address || watched - t->address + size > t->size)
            return false;
        offset = watched - t->address;
    }
    *value = unit_at(t, offset, size);
    if (size == 1)
        *value |= *value << 8;
    if (size <= 2)
        *value |= *value << 16;
    return true;
}

static bool waits(const struct plain *p, unsigned n)
{
    return exact(p, control(p, n)) &&
           (value_mode(p, n) != 0 || plain_version(p) >= ETM_V3_1);
}

/* Tables 2-5 and 2-6. */
static bool result(const struct plain *p, unsigned n, bool range,
                   const struct etm_resource_transfer *t)
{
    unsigned mode = value_mode(p, n);
    uint32_t value;
    bool equal;

    if (mode == 2)
        return false;
    if (t->phase == ETM_TRANSFER_WAITS)
        return !waits(p, n);
    if (t->phase == ETM_TRANSFER_RETURNED && !waits(p, n))
        return false; /* it has matched */
    if (t->failed)
        return !exact(p, control(p, n));
    if (mode == 0)
        return true;
    if (!shown(p, n, range, t, &value))
        return false;
    equal = ((value ^ plain_reg(p, ETM_REG_DCVR1 + n)) &
             ~plain_reg(p, ETM_REG_DCMR1 + n)) == 0;
    return equal == (mode == 1);
}

bool plain_data_matches(const struct plain *p, unsigned n, bool range,
                        const struct etm_resource_transfer *t)
{
    uint32_t c = control(p, n);
    unsigned type = plain_bits(c, 2, 0);

    if (t->cprt || type < ANY_DATA || !type_exists(p, type) ||
        !context_fits(p, c))
        return false;
    if ((type == LOAD && t->store) || (type == STORE && !t->store))
        return false;
    return address_matches(p, n, range, t) && result(p, n, range, t);
}

bool plain_is_data(const struct plain *p, unsigned n)
{
    return plain_bits(control(p, n), 2, 0) >= ANY_DATA;
}

/* An exact range matches for one cycle (tables 2-8 and 2-9). */
bool plain_fires(const struct plain *p, unsigned k)
{
    return exact(p, control(p, 2 * k)) &&
           (plain_version(p) >= ETM_V3_3 || p->config.exact_ranges_fire);
}
