/* SPDX-License-Identifier: Apache-2.0 */
/* What of an item is compared. */
#include "cli/diff.h"

#include <string.h>

bool etm_cli_diff_ignores_element(const struct etm_element *e, unsigned ignored)
{
    switch ((enum etm_element_kind)e->kind) {
    case ETM_ELEMENT_TIMESTAMP:
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
        return (ignored & ETM_CLI_IGNORE_TIMESTAMPS) != 0;
    case ETM_ELEMENT_CYCLES:
        return (ignored & ETM_CLI_IGNORE_CYCLES) != 0;
    case ETM_ELEMENT_CONTEXT:
        return (ignored & ETM_CLI_IGNORE_CONTEXT) != 0;
    case ETM_ELEMENT_DATA:
        return (ignored & ETM_CLI_IGNORE_DATA) != 0;
    case ETM_ELEMENT_END: /* it tells of the file alone */
        return true;
    case ETM_ELEMENT_TRACE_ON:
    case ETM_ELEMENT_LOST:
    case ETM_ELEMENT_RANGE:
    case ETM_ELEMENT_INSN:
    case ETM_ELEMENT_NO_IMAGE:
    case ETM_ELEMENT_EXCEPTION:
    case ETM_ELEMENT_EXCEPTION_RETURN:
    case ETM_ELEMENT_TRIGGER:
    case ETM_ELEMENT_SOFTWARE:
    case ETM_ELEMENT_PC_SAMPLE:
    case ETM_ELEMENT_EVENT_COUNTER:
        break;
    }
    return false;
}

/* Packets that are left out, by kind. An I-sync that tells why tracing begins
 * is no mere synchronization. */
static const struct {
    uint8_t kind;
    uint8_t ignored;
    bool periodic;
} kinds[] = {
    {ETM_PACKET_A_SYNC, ETM_CLI_IGNORE_SYNC, false},
    {ETM_PACKET_SYNCHRONIZATION, ETM_CLI_IGNORE_SYNC, false},
    {ETM_PACKET_IGNORE, ETM_CLI_IGNORE_SYNC, false},
    {ETM_PACKET_I_SYNC, ETM_CLI_IGNORE_SYNC, true},
    {ETM_PACKET_I_SYNC_CYCLE_COUNT, ETM_CLI_IGNORE_SYNC, true},
    {ETM_PACKET_LSIP_I_SYNC, ETM_CLI_IGNORE_SYNC, true},
    {ETM_PACKET_TIMESTAMP, ETM_CLI_IGNORE_TIMESTAMPS, false},
    {ETM_PACKET_LOCAL_TIMESTAMP, ETM_CLI_IGNORE_TIMESTAMPS, false},
    {ETM_PACKET_GLOBAL_TIMESTAMP_1, ETM_CLI_IGNORE_TIMESTAMPS, false},
    {ETM_PACKET_GLOBAL_TIMESTAMP_2, ETM_CLI_IGNORE_TIMESTAMPS, false},
    {ETM_PACKET_CYCLE_COUNT, ETM_CLI_IGNORE_CYCLES, false},
    {ETM_PACKET_CONTEXT_ID, ETM_CLI_IGNORE_CONTEXT, false},
    {ETM_PACKET_VMID, ETM_CLI_IGNORE_CONTEXT, false},
    {ETM_PACKET_NORMAL_DATA, ETM_CLI_IGNORE_DATA, false},
    {ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER, ETM_CLI_IGNORE_DATA, false},
    {ETM_PACKET_OUT_OF_ORDER_DATA, ETM_CLI_IGNORE_DATA, false},
    {ETM_PACKET_VALUE_NOT_TRACED, ETM_CLI_IGNORE_DATA, false},
    {ETM_PACKET_DATA_SUPPRESSED, ETM_CLI_IGNORE_DATA, false},
    {ETM_PACKET_STORE_FAILED, ETM_CLI_IGNORE_DATA, false},
    {ETM_PACKET_DATA_TRACE_PC, ETM_CLI_IGNORE_DATA, false},
    {ETM_PACKET_DATA_TRACE_ADDRESS, ETM_CLI_IGNORE_DATA, false},
    {ETM_PACKET_DATA_TRACE_MATCH, ETM_CLI_IGNORE_DATA, false},
    {ETM_PACKET_DATA_TRACE_VALUE, ETM_CLI_IGNORE_DATA, false},
};

bool etm_cli_diff_ignores_packet(const struct etm_packet *p, unsigned ignored)
{
    if (ignored == 0)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].kind == p->kind)
            return (kinds[i].ignored & ignored) != 0 &&
                   (!kinds[i].periodic || p->reason == ETM_SYNC_PERIODIC);
    return false;
}

/*
 * Keys that are not compared. The bytes of a packet have everything, so they
 * are compared only if nothing is ignored; how many bits of an address are sent
 * depends on the synchronization before.
 */
#define ALWAYS 0u
#define ANY (~0u)
static const struct {
    const char *key;
    uint8_t n;
    unsigned ignored;
} left_out[] = {
#define KEY(text, ignored)                                                     \
    {                                                                          \
        text, sizeof text - 1, ignored                                         \
    }
    KEY("off", ALWAYS),
    KEY("src", ALWAYS),
    KEY("bytes", ANY),
    KEY("address_bits", ETM_CLI_IGNORE_SYNC),
    KEY("cycles", ETM_CLI_IGNORE_CYCLES),
    KEY("since", ETM_CLI_IGNORE_CYCLES),
    KEY("cycle_count", ETM_CLI_IGNORE_CYCLES),
    KEY("context_id", ETM_CLI_IGNORE_CONTEXT),
    KEY("vmid", ETM_CLI_IGNORE_CONTEXT),
    KEY("exec", ETM_CLI_IGNORE_EXEC),
};

static bool is_left_out(const char *key, size_t n, unsigned ignored)
{
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (left_out[i].n == n && memcmp(left_out[i].key, key, n) == 0)
            return left_out[i].ignored == ALWAYS ||
                   (left_out[i].ignored & ignored) != 0;
    return false;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t add(uint64_t hash, const char *text, size_t n)
{
    uint64_t word;

    for (; n >= sizeof word; n -= sizeof word, text += sizeof word) {
        memcpy(&word, text, sizeof word);
        hash = mix(hash, word);
    }
    word = n;
    for (size_t i = 0; i < n; i++)
        word = word << 8 | (uint8_t)text[i];
    return mix(hash, word);
}

/* Where the value at `at` ends, which is behind it or within the line: at the
 * comma or brace of the object. */
static const char *end_of_value(const char *at, const char *end)
{
    unsigned depth = 0;
    bool quoted = false;

    for (; at < end; at++) {
        if (quoted) {
            if (*at == '\\' && at + 1 < end)
                at++;
            else if (*at == '"')
                quoted = false;
        } else if (*at == '"') {
            quoted = true;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (depth == 0 && (*at == ',' || *at == '}')) {
            break;
        } else if (*at == '}' || *at == ']') {
            depth--;
        }
    }
    return at;
}

uint64_t etm_cli_diff_key(const char *line, size_t n, unsigned ignored)
{
    const char *at = line + 1, *end = line + n; /* behind the brace */
    uint64_t hash = 0;

    while (at < end && *at == '"') {
        const char *key = at + 1;
        const char *close = memchr(key, '"', (size_t)(end - key));
        const char *next = close ? end_of_value(close + 1, end) : end;

        if (!close || !is_left_out(key, (size_t)(close - key), ignored))
            hash = add(hash, key, (size_t)(next - key));
        at = next + 1;
    }
    return hash;
}
