/* SPDX-License-Identifier: Apache-2.0 */
#include "packet_words.h"

#include "../support/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(name) FIELD(etm_packet, name)
#define RAW(name, base)                                                        \
    {                                                                          \
#name, base, 0, 1,                                                     \
        {                                                                      \
            MEMBER(name)                                                       \
        }                                                                      \
    }

#define ETM_FIELD_NONE 0u
#define KEY2(name, base, flag, a, b)                                           \
    {                                                                          \
        name, base, ETM_FIELD_##flag, 2,                                       \
        {                                                                      \
            MEMBER(a), MEMBER(b)                                               \
        }                                                                      \
    }
#define KEY3(name, base, flag, a, b, c)                                        \
    {                                                                          \
        name, base, ETM_FIELD_##flag, 3,                                       \
        {                                                                      \
            MEMBER(a), MEMBER(b), MEMBER(c)                                    \
        }                                                                      \
    }

/*
 * KEY=NUMBER, or with more of them behind slashes. `flag`: the field that is
 * set as well, if all of them are given. Packets are printed with the first
 * row that says what is not yet said.
 */
static const struct key {
    const char *name;
    int base;
    unsigned flag, n;
    struct field member[3];
} keys[] = {
    KEY2("cycles", 10, CYCLES, cycle_count, cycle_bytes),
    {"context", 16, ETM_FIELD_CONTEXT_ID, 1, {MEMBER(context_id)}},
    KEY3("address", 16, ADDRESS, address, address_bits, address_bytes),
    KEY2("data", 16, VALUE, value, value_bytes),
    KEY2("value", 16, NONE, value, value_bytes),
    KEY3("from", 16, NONE, address2, address2_bits, address2_bytes),
    KEY3("to", 16, NONE, address, address_bits, address_bytes),
    KEY3("then", 16, NONE, address2, address2_bits, address2_bytes),
    RAW(kind, 10),
    RAW(count, 10),
    RAW(tag, 10),
    RAW(exception, 10),
    RAW(resume, 10),
    RAW(info, 16),
    RAW(header, 16),
    RAW(size, 10),
    RAW(cycle_count, 10),
    RAW(cycle_bytes, 10),
    RAW(context_id, 16),
    RAW(address_bits, 10),
    RAW(address_bytes, 10),
    RAW(value_bytes, 10),
    RAW(reason, 10),
    RAW(isa, 10),
    RAW(use, 10),
};
#define KEYS (sizeof keys / sizeof *keys)

/* Bits of etm_packet.fields, from the lowest. */
static const char *const flags[16] = {
    "e0",  "e1",  "e2",     "deprecated", "cancel",  "ns",
    "alt", "hyp", "cycles", "context",    "address", "data",
    "be",  "a",   "r",      "truncated"};
static const char *const reasons[] = {"periodic", "start", "overflow",
                                      "debug_exit"};

static bool set(struct etm_packet *p, const struct field *m, uint64_t value)
{
    field_put(m, p, value);
    return field_value(m, p) == value;
}

static bool read_key(struct etm_packet *p, const char *word)
{
    size_t length = strcspn(word, "=");
    const struct key *key = keys;
    const char *next = word + length + 1;
    unsigned given = 0;
    char *end;

    if (word[length] == 0 || *next == 0)
        return false;
    for (unsigned i = 0; i < 4 && strncmp(word, "reason=", 7) == 0; i++)
        if (strcmp(next, reasons[i]) == 0)
            return p->reason = (uint8_t)i, true;
    while (key < keys + KEYS &&
           (strncmp(word, key->name, length) != 0 || key->name[length] != 0))
        key++;
    if (key == keys + KEYS)
        return false;
    for (;; next = end + 1) {
        uint64_t value = strtoull(next, &end, given == 0 ? key->base : 10);

        if (end == next || given == key->n ||
            !set(p, &key->member[given++], value))
            return false;
        if (*end != '/')
            break;
    }
    if (given == key->n)
        p->fields |= (uint16_t)key->flag;
    return *end == 0;
}

/* "EEN" of ETM_PACKET_ATOM and ETM_PACKET_P_HEADER. */
static bool read_atoms(struct etm_packet *p, const char *word)
{
    for (; *word != 0 && p->count < 16; word++, p->count++) {
        const char *letter = strchr("ENW", *word);

        if (letter == NULL)
            return false;
        p->value |= (uint64_t)(letter - "ENW") << (2 * p->count);
    }
    return *word == 0;
}

static bool read_flag(struct etm_packet *p, const char *word)
{
    for (int isa = ETM_ISA_ARM; isa <= ETM_ISA_JAZELLE; isa++)
        if (strcmp(word, etm_isa_name((enum etm_isa)isa)) == 0) {
            /* the second one is that of the second address */
            *(p->isa == ETM_ISA_UNKNOWN ? &p->isa : &p->isa2) = (uint8_t)isa;
            return true;
        }
    for (unsigned i = 0; i < 16; i++)
        if (strcmp(word, flags[i]) == 0) {
            p->fields |= (uint16_t)(1u << i);
            return true;
        }
    return false;
}

static bool read_kind(enum etm_protocol protocol, struct etm_packet *p,
                      const char *word)
{
    if (strcmp(word, "atoms") == 0)
        p->kind = protocol == ETM_PROTOCOL_PFT ? ETM_PACKET_ATOM
                                               : ETM_PACKET_P_HEADER;
    else if (strcmp(word, "branch") == 0)
        p->kind = ETM_PACKET_BRANCH_ADDRESS;
    else
        for (p->kind = 0; p->kind <= ETM_PACKET_EXECUTION_TRACE; p->kind++)
            if (strcmp(word, etm_packet_kind_name(
                                 (enum etm_packet_kind)p->kind)) == 0)
                return true;
    return p->kind <= ETM_PACKET_EXECUTION_TRACE;
}

const char *packet_read(enum etm_protocol protocol, char *const *words,
                        size_t n, struct etm_packet *p)
{
    *p = (struct etm_packet){0};
    if (n == 0)
        return "a packet without words";
    if (strcmp(words[0], "packet") != 0 && !read_kind(protocol, p, words[0]))
        return words[0];
    for (size_t i = 1; i < n; i++)
        if (!(i == 1 && strcmp(words[0], "atoms") == 0 &&
              read_atoms(p, words[i])) &&
            !read_flag(p, words[i]) && !read_key(p, words[i]))
            return words[i];
    return NULL;
}

/* `key` as text, if it has what `said` does not have yet. */
static int print_key(const struct key *key, const struct etm_packet *p,
                     struct etm_packet *said, char *text, size_t size)
{
    bool wanted = (p->fields & ~said->fields & key->flag) != 0;
    int n;

    for (unsigned i = 0; i < key->n && key->flag == 0; i++)
        wanted |= field_value(&key->member[i], p) !=
                  field_value(&key->member[i], said);
    if (!wanted)
        return 0;
    n = snprintf(text, size, " %s", key->name);
    for (unsigned i = 0; i < key->n; i++) {
        uint64_t value = field_value(&key->member[i], p);

        n += snprintf(text + n, size - (size_t)n,
                      i != 0            ? "/%llu"
                      : key->base == 16 ? "=%llx"
                                        : "=%llu",
                      (unsigned long long)value);
        (void)set(said, &key->member[i], value);
    }
    said->fields |= (uint16_t)key->flag;
    return n;
}

void packet_print(const struct etm_packet *p, char *text, size_t size)
{
    bool atoms = p->kind == ETM_PACKET_ATOM || p->kind == ETM_PACKET_P_HEADER;
    struct etm_packet said = {.kind = p->kind, .reason = p->reason};
    char *at = text;

    if (size < 512)
        return;
    at += sprintf(at, "%s",
                  atoms ? "atoms"
                  : p->kind == ETM_PACKET_BRANCH_ADDRESS
                      ? "branch"
                      : etm_packet_kind_name((enum etm_packet_kind)p->kind));
    if (atoms && p->count != 0)
        at += sprintf(at, " ");
    for (; atoms && said.count < p->count; said.count++)
        *at++ = "ENW?"[p->value >> (2 * said.count) & 3];
    said.value = atoms ? p->value : 0;
    *at = 0;
    if (p->reason != 0)
        at += p->reason < 4 ? sprintf(at, " reason=%s", reasons[p->reason])
                            : sprintf(at, " reason=%u", p->reason);
    said.isa = p->isa;
    for (size_t i = 0; i < KEYS; i++)
        if (strcmp(keys[i].name, "from") != 0 ||
            p->kind == ETM_PACKET_EXECUTION_TRACE)
            at += print_key(&keys[i], p, &said, at, size - (size_t)(at - text));
    if (p->isa != ETM_ISA_UNKNOWN)
        at += sprintf(at, " %s", etm_isa_name((enum etm_isa)p->isa));
    if (p->isa2 != ETM_ISA_UNKNOWN)
        at += sprintf(at, " %s", etm_isa_name((enum etm_isa)p->isa2));
    for (unsigned i = 0; i < 16; i++)
        if ((p->fields & ~said.fields) >> i & 1)
            at += sprintf(at, " %s", flags[i]);
}
