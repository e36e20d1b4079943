/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses of a Tarmac log, and the instructions that made them. Models write
 * an access after its instruction. In logs of RTL it may come before that or
 * some instructions later; some name the instruction. Accesses are joined and
 * split arbitrarily: so bytes are collected, and divided into transfers
 * according to the opcode.
 */
#include "base/bytes.h"
#include "exec/tarmac_internal.h"

#include <string.h>

/* What of a value is at the address. */
enum order {
    ORDER_VALUE,  /* its last two digits */
    ORDER_MEMORY, /* its first two digits */
    ORDER_LANES   /* it is that of a 32-bit bus */
};

/* The longest access. */
enum { ACCESS_BYTES = 64 };

struct access {
    bool store;
    bool rtl;
    bool coprocessor; /* of a coprocessor's register */
    bool other;       /* a fetch, or one that the processor did not make */
    bool hidden;      /* its value cannot be read */
    bool failed;
    bool named; /* by `index`, the instruction at `place` */
    enum order order;
    unsigned size;
    uint32_t place, index;
};

/* Unnamed accesses belong to one of the last instructions. */
enum { NEAR = 4 };

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/*
 * What follows the size. Four characters are RTL of Cortex-M3, M4 and R; the
 * last names the bus: I fetches, D data, A peripherals, whose byte
 * order is not known. MR4_D and MW4ED are RTL of Cortex-M0 and M0+: P is the
 * I/O port, S the port of other masters. Without a bus, an O is a fetch; X, T
 * and L are exclusive, unprivileged and locked accesses.
 */
static void take_flags(struct access *a, struct etm_word flags)
{
    char bus = flags.n == 0 ? '\0' : flags.text[flags.n - 1];

    a->coprocessor = a->coprocessor && (bus == 'R' || bus == '\0');
    if (flags.n == 4) {
        a->other = bus == 'I' || (bus == '_' && flags.text[0] == 'O');
        a->hidden = !is_one_of(bus, "ID_R");
        a->order = bus == 'D' ? ORDER_MEMORY : ORDER_VALUE;
    } else if (flags.n == 2 && is_one_of(flags.text[0], "_E")) {
        a->rtl = true;
        a->other = bus != 'D' && bus != 'P';
        a->failed = flags.text[0] == 'E';
        a->order = ORDER_LANES;
    } else if (flags.n > 0) {
        a->other = flags.text[0] == 'O' || flags.text[0] == 'I';
    }
}

/* MR4, MW1X, MNR4___D, MSW4___D, MCR4___R, R08, W04; other words that begin
 * with these letters are no accesses. */
static bool take_name(struct etm_word name, struct access *a)
{
    struct etm_word digits, flags;
    bool memory = name.n > 0 && name.text[0] == 'M';
    size_t at = memory ? 1 : 0;
    uint64_t size;

    if (memory && name.n > 1 && is_one_of(name.text[1], "NSC")) {
        a->coprocessor = name.text[1] == 'C';
        a->rtl = true;
        at = 2;
    }
    if (name.n < at + 2 || !is_one_of(name.text[at], "RW"))
        return false;
    a->store = name.text[at] == 'W';
    digits = (struct etm_word){name.text + at + 1, 0};
    while (at + 1 + digits.n < name.n &&
           is_one_of(digits.text[digits.n], "0123456789"))
        digits.n++;
    if (!etm_word_dec(&digits, ACCESS_BYTES, &size) || size == 0 ||
        (size & (size - 1)) != 0 || (!memory && (digits.n != 2 || name.n != 3)))
        return false;
    a->size = (unsigned)size;
    flags.text = digits.text + digits.n;
    flags.n = name.n - (size_t)(flags.text - name.text);
    for (size_t i = 0; i < flags.n; i++) {
        if (flags.text[i] != '_' &&
            (flags.text[i] < 'A' || flags.text[i] > 'Z'))
            return false;
    }
    take_flags(a, flags);
    return true;
}

/* The words before the value: "(00000344:0000007a) TRANSFER", "X 00009000". */
static bool take_place(struct access *a, struct etm_word *rest,
                       uint32_t *address)
{
    struct etm_word group, word;

    if (etm_tarmac_group(rest, &group))
        a->named = etm_tarmac_index(group, &a->place, &a->index);
    *address = 0;
    if (a->coprocessor) { /* there is no address */
        struct etm_word behind = *rest;

        if (etm_word_next(&behind, &word) && etm_word_is(&word, "TRANSFER"))
            *rest = behind;
        return true;
    }
    if (!etm_word_next(rest, &word))
        return false;
    return etm_tarmac_address(word, address) ||
           (etm_word_next(rest, &word) && etm_tarmac_address(word, address));
}

/* The two digits before `*i`, or one, or _ and those. */
static bool take_pair(const struct etm_word *word, size_t *i, uint8_t *value)
{
    char pair[2] = {'0', '0'};
    struct etm_word digits = {pair, 2};
    uint64_t number;

    if (*i > 0 && word->text[*i - 1] == '_')
        --*i;
    if (*i == 0)
        return false;
    pair[1] = word->text[--*i];
    if (*i > 0 && word->text[*i - 1] != '_')
        pair[0] = word->text[--*i];
    if (!etm_word_hex(&digits, UINT8_MAX, &number))
        return false;
    *value = (uint8_t)number;
    return true;
}

/* A word's bytes, the last two digits first; 0: it is not one of digits. */
static unsigned take_word(const struct etm_word *word,
                          uint8_t bytes[ACCESS_BYTES])
{
    unsigned n = 0;
    size_t i = word->n;

    while (n < ACCESS_BYTES && take_pair(word, &i, &bytes[n]))
        n++;
    return i == 0 ? n : 0;
}

/*
 * The bytes of a value, in ascending order of their addresses. A doubleword may
 * be two words, the one at the lower address first.
 */
static bool take_value(const struct access *a, struct etm_word *rest,
                       uint32_t address, uint8_t bytes[ACCESS_BYTES])
{
    unsigned lane = a->order == ORDER_LANES ? address & 3 : 0, n = 0;
    struct etm_word word;

    while (n < a->size && etm_word_next(rest, &word)) {
        uint8_t all[ACCESS_BYTES];
        unsigned found = take_word(&word, all);

        if (found == 0 || (found < a->size && found % 4 != 0) ||
            (found > a->size && a->order == ORDER_MEMORY))
            return false;
        for (unsigned k = a->size; k < found; k++) {
            if (all[k] != 0 && a->order == ORDER_VALUE)
                return false; /* it is longer than the access */
        }
        for (unsigned k = lane; k < found && n < a->size; k++)
            bytes[n++] = all[a->order == ORDER_MEMORY ? found - 1 - k : k];
    }
    return n == a->size;
}

static bool has_byte(const struct etm_tarmac_insn *e, uint32_t address,
                     bool store)
{
    for (size_t i = 0; i < e->n_bytes; i++) {
        if (e->bytes[i].address == address && e->bytes[i].store == store)
            return true;
    }
    return false;
}

/* Would these be the next bytes that an instruction moves? */
static bool accepts(const struct etm_tarmac_insn *e, uint32_t address,
                    unsigned size, bool store)
{
    size_t have = 0;

    for (size_t i = 0; i < e->n_bytes; i++)
        have += e->bytes[i].store == store;
    if (e->aborted || have + size > etm_tarmac_needed(e, store))
        return false;
    return have == 0 || has_byte(e, address - 1, store) ||
           has_byte(e, address + size, store);
}

/* Whether it is a transfer from or to a coprocessor that is still to come. */
static bool awaits_word(const struct etm_tarmac_insn *e, bool store)
{
    const struct etm_transfers *x = &e->insn.transfers;

    return e->event.u.insn.passed && x->kind == ETM_TRANSFER_CPRT &&
           (x->direction == ETM_DIRECTION_STORE) == store &&
           e->n_words < x->count;
}

static struct etm_tarmac_insn *find_named(struct etm_tarmac *t,
                                          const struct access *a)
{
    for (unsigned i = t->n; i-- > 0;) {
        struct etm_tarmac_insn *e = etm_tarmac_waiting(t, i);

        if (e->rtl && e->index == a->index && e->at.address == a->place)
            return e;
    }
    return NULL;
}

/*
 * The instruction that made an unnamed access. In RTL it is the oldest one that
 * lacks it, among the last few; whether an exclusive one lacks any, or one
 * whose number of transfers is not known, nothing says. NULL: none that is
 * known.
 */
static struct etm_tarmac_insn *
find_owner(struct etm_tarmac *t, const struct access *a, uint32_t address)
{
    struct etm_tarmac_insn *last = etm_tarmac_last(t);

    if (last == NULL || last->closed)
        return NULL;
    if (!a->rtl && t->m_profile && !accepts(last, address, a->size, a->store)) {
        /* the processor pushes registers, or pops them after a return */
        last->returned = last->returned || !a->store;
        return NULL;
    }
    if (!a->rtl)
        return last;
    for (unsigned i = t->n > NEAR ? t->n - NEAR : 0; i < t->n; i++) {
        struct etm_tarmac_insn *e = etm_tarmac_waiting(t, i);
        bool open =
            e == last || (!e->insn.transfers.exclusive &&
                          etm_tarmac_needed(e, a->store) != ETM_TARMAC_ANY);

        if (e->closed || !open)
            continue;
        if (a->coprocessor ? awaits_word(e, a->store)
                           : accepts(e, address, a->size, a->store))
            return e;
    }
    return NULL;
}

static void add_byte(struct etm_tarmac_byte *bytes, size_t *n, uint32_t address,
                     uint8_t value, bool store)
{
    /* the same byte again: an access that was repeated */
    for (size_t i = 0; i < *n; i++) {
        if (bytes[i].address == address && bytes[i].store == store) {
            bytes[i].value = value;
            return;
        }
    }
    if (*n < ETM_TARMAC_BYTES)
        bytes[(*n)++] = (struct etm_tarmac_byte){address, value, store};
}

static void add_words(struct etm_tarmac_insn *e, const uint8_t *bytes,
                      unsigned size)
{
    for (unsigned i = 0; i + 4 <= size && e->n_words < 2; i += 4)
        e->words[e->n_words++] = etm_le32(bytes + i);
}

/* Note what an access moved, at the instruction that made it. */
static void give(const struct access *a, struct etm_tarmac_insn *e,
                 uint32_t address, const uint8_t *bytes)
{
    e->aborted = e->aborted || a->failed;
    e->hidden = e->hidden || a->hidden;
    if (a->failed)
        return;
    if (a->coprocessor)
        add_words(e, bytes, a->size);
    for (unsigned i = 0; i < a->size && !a->coprocessor; i++)
        add_byte(e->bytes, &e->n_bytes, address + i, bytes[i], a->store);
}

/* No instruction before it made it: in RTL, the next one may have. */
static void keep(struct etm_tarmac *t, const struct access *a, uint32_t address,
                 const uint8_t *bytes)
{
    const struct etm_tarmac_insn *last = etm_tarmac_last(t);

    if (!a->rtl || a->coprocessor || a->failed || a->hidden ||
        (last != NULL && last->closed))
        return;
    for (unsigned i = 0; i < a->size; i++)
        add_byte(t->early, &t->n_early, address + i, bytes[i], a->store);
}

bool etm_tarmac_access(struct etm_execution_reader *r,
                       const struct etm_word *name, struct etm_word *rest,
                       bool *known)
{
    struct access a = {0};
    uint8_t bytes[ACCESS_BYTES] = {0};
    struct etm_tarmac *t = &r->tarmac;
    struct etm_tarmac_insn *e;
    struct etm_word group;
    uint32_t address;

    *known = take_name(*name, &a) && !a.other && !t->outside;
    if (!*known)
        return true;
    if (!take_place(&a, rest, &address))
        return false;
    t->has_data = true;
    if (etm_tarmac_group(rest, &group)) { /* "(ABORTED)", "(wait)" */
        if (etm_word_begins(&group, "wait"))
            return true;
        a.failed = true;
    } else if (!a.hidden && !take_value(&a, rest, address, bytes)) {
        return false;
    }
    e = a.named ? find_named(t, &a) : find_owner(t, &a, address);
    if (e != NULL)
        give(&a, e, address, bytes);
    else if (!a.named)
        keep(t, &a, address, bytes);
    return e != NULL || !a.named;
}

bool etm_tarmac_sixteen(struct etm_execution_reader *r, struct etm_word *rest,
                        bool store)
{
    struct etm_tarmac_insn *e = etm_tarmac_last(&r->tarmac);
    struct etm_word word;
    uint32_t address;

    if (!etm_word_next(rest, &word) || !etm_tarmac_address(word, &address))
        return false;
    r->tarmac.has_data = true;
    for (unsigned i = 0; i < 4; i++) {
        if (!etm_word_next(rest, &word) || word.n != 8)
            return false;
        for (unsigned k = 0; k < 4; k++) {
            struct etm_word digits = {word.text + 2 * k, 2};
            uint32_t at = address + 15 - 4 * i - k;
            uint64_t value;

            /* "..": not accessed; "##": not known yet, comes again */
            if (!etm_word_hex(&digits, UINT8_MAX, &value)) {
                if (!is_one_of(digits.text[0], ".#-"))
                    return false;
            } else if (e != NULL && !e->closed) {
                add_byte(e->bytes, &e->n_bytes, at, (uint8_t)value, store);
            }
        }
    }
    return true;
}

void etm_tarmac_take_early(struct etm_tarmac *t)
{
    struct etm_tarmac_insn *e = etm_tarmac_last(t);
    size_t stores = 0;

    for (size_t i = 0; i < t->n_early; i++)
        stores += t->early[i].store;
    if (t->n_early > 0 && stores == etm_tarmac_needed(e, true) &&
        t->n_early - stores == etm_tarmac_needed(e, false)) {
        memcpy(e->bytes, t->early, t->n_early * sizeof *t->early);
        e->n_bytes = t->n_early;
    }
    t->n_early = 0;
}
