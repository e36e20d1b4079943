/* SPDX-License-Identifier: Apache-2.0 */
/*
 * etm profile --format pprof: a message of profile.proto (github.com/google/
 * pprof), in a gzip file (RFC 1952) of stored blocks (RFC 1951, 3.2.4). Each
 * stack of functions is a sample.
 */
#include "cli/calls_tree.h"
#include "cli/protobuf.h"

#include <stdlib.h>

/* Fields of Profile, and of the messages in it. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING_TABLE = 6,
    VALUE_TYPE = 1,
    VALUE_UNIT = 2,
    SAMPLE_LOCATION = 1,
    SAMPLE_VALUE = 2,
    SAMPLE_LABEL = 3,
    LABEL_KEY = 1,
    LABEL_STR = 2,
    LOCATION_ID = 1,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4,
    LINE_FUNCTION = 1,
    LINE_LINE = 2,
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILE = 4
};

/* Strings that are always there; the first one is empty. */
enum {
    STRING_NONE,
    STRING_INSTRUCTIONS,
    STRING_COUNT,
    STRING_CYCLES,
    STRING_SOURCE
};

struct pprof {
    struct etm_cli_tree tree;
    struct etm_cli_message profile; /* the message */
    struct etm_cli_message nested[2];
    uint64_t strings, locations; /* so many are in it */
    bool cycles;                 /* some source has cycles */
};

/* The number of a new string. */
static uint64_t put_string(struct pprof *p, const char *text)
{
    etm_cli_message_text(&p->profile, PROFILE_STRING_TABLE, text);
    return p->strings++;
}

static void put_type(struct pprof *p, uint64_t type)
{
    struct etm_cli_message *m = &p->nested[0];

    etm_cli_message_number(m, VALUE_TYPE, type);
    etm_cli_message_number(m, VALUE_UNIT, STRING_COUNT);
    etm_cli_message_nest(&p->profile, PROFILE_SAMPLE_TYPE, m);
}

static void begin(struct etm_cli_replay *r)
{
    struct pprof *p = r->state;

    for (size_t i = 0; i < etm_session_sources(r->session); i++) {
        const struct etm_source_info *info = etm_session_source(r->session, i);

        p->cycles |= !info->why_not && info->config.cycle_accurate &&
                     !info->config.data_only;
    }
    put_string(p, "");
    put_string(p, "instructions");
    put_string(p, "count");
    put_string(p, "cycles");
    put_string(p, "source");
    put_type(p, STRING_INSTRUCTIONS);
    if (p->cycles)
        put_type(p, STRING_CYCLES);
}

static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;
    struct pprof *p = r->state;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        if (calls[i].kind != ETM_CALL_SWITCH)
            status = etm_cli_tree_take(&p->tree, r, &calls[i]);
    return status;
}

/* A function and a location of it, both with this number. */
static void put_function(struct etm_cli_replay *r, struct pprof *p, uint64_t id,
                         const struct etm_cli_subject *s)
{
    struct etm_cli_message *m = &p->nested[0], *line_message = &p->nested[1];
    struct etm_source_line line = {0};
    uint64_t name = put_string(p, s->name);

    etm_cli_message_number(m, FUNCTION_ID, id);
    etm_cli_message_number(m, FUNCTION_NAME, name);
    etm_cli_message_number(m, FUNCTION_SYSTEM_NAME, name);
    if (!s->exception &&
        r->names.line(r->names.context, s->address, &line) == ETM_OK)
        etm_cli_message_number(m, FUNCTION_FILE, put_string(p, line.file));
    etm_cli_message_nest(&p->profile, PROFILE_FUNCTION, m);
    etm_cli_message_number(m, LOCATION_ID, id);
    etm_cli_message_number(m, LOCATION_ADDRESS, s->address);
    etm_cli_message_number(line_message, LINE_FUNCTION, id);
    etm_cli_message_number(line_message, LINE_LINE, line.line);
    etm_cli_message_nest(m, LOCATION_LINE, line_message);
    etm_cli_message_nest(&p->profile, PROFILE_LOCATION, m);
}

/* Its own functions come first. */
static void put_sample(struct pprof *p, const struct etm_cli_node *node,
                       uint64_t first, uint64_t source)
{
    struct etm_cli_message *m = &p->nested[0], *label = &p->nested[1];
    const struct etm_cli_node *at = node;

    for (; at; at = etm_cli_tree_parent(&p->tree, at))
        etm_cli_message_number(m, SAMPLE_LOCATION, first + at->subject);
    etm_cli_message_number(m, SAMPLE_VALUE, node->self.instructions);
    if (p->cycles)
        etm_cli_message_number(m, SAMPLE_VALUE, node->self.cycles);
    etm_cli_message_number(label, LABEL_KEY, STRING_SOURCE);
    etm_cli_message_number(label, LABEL_STR, source);
    etm_cli_message_nest(m, SAMPLE_LABEL, label);
    etm_cli_message_nest(&p->profile, PROFILE_SAMPLE, m);
}

static int end_source(struct etm_cli_replay *r)
{
    struct pprof *p = r->state;
    const struct etm_cli_node *node = etm_cli_tree_first(&p->tree);
    uint64_t source = put_string(p, r->info->name), first = p->locations + 1;

    for (size_t i = 0; i < p->tree.subjects.n; i++)
        put_function(r, p, ++p->locations, &p->tree.subjects.rows[i]);
    for (; node; node = etm_cli_tree_next(&p->tree, node))
        if (node->self.instructions != 0 || node->self.cycles != 0)
            put_sample(p, node, first, source);
    etm_cli_tree_free(&p->tree);
    return p->profile.failed ? ETM_ERR_MEMORY : ETM_OK;
}

static uint32_t crc32(const uint8_t *bytes, size_t n)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~crc;
}

static void put_little_endian(struct etm_cli_replay *r, uint32_t value,
                              unsigned size)
{
    char bytes[4];

    for (unsigned i = 0; i < size; i++)
        bytes[i] = (char)(value >> (8 * i));
    etm_cli_put(r->output, bytes, size);
}

static int end(struct etm_cli_replay *r)
{
    static const char head[10] = {'\x1f', '\x8b', 8, 0, 0, 0, 0, 0, 0, '\xff'};
    struct pprof *p = r->state;
    const uint8_t *at = p->profile.data;
    size_t left = p->profile.n;

    if (p->profile.failed)
        return ETM_ERR_MEMORY;
    etm_cli_put(r->output, head, sizeof head);
    do {
        size_t n = left < 0xffff ? left : 0xffff;

        left -= n;
        put_little_endian(r, left == 0, 1);
        put_little_endian(r, (uint32_t)n, 2);
        put_little_endian(r, ~(uint32_t)n, 2);
        etm_cli_put(r->output, (const char *)at, n);
        at += n;
    } while (left != 0);
    put_little_endian(r, crc32(p->profile.data, p->profile.n), 4);
    put_little_endian(r, (uint32_t)p->profile.n, 4);
    return ETM_OK;
}

static void free_pprof(struct etm_cli_replay *r)
{
    struct pprof *p = r->state;

    etm_cli_tree_free(&p->tree);
    free(p->profile.data);
    free(p->nested[0].data);
    free(p->nested[1].data);
}

const struct etm_cli_view etm_cli_profile_pprof = {
    .command = ETM_CLI_PROFILE,
    .format = "pprof",
    .state_size = sizeof(struct pprof),
    .begin = begin,
    .calls = take_calls,
    .end_source = end_source,
    .end = end,
    .free = free_pprof,
    .binary = true,
};
