/* SPDX-License-Identifier: Apache-2.0 */
/* The names that a text with registers defines, and some that it need not. */
#include "setup/read.h"

#include <string.h>

struct etm_read_name *etm_read_find(struct etm_reader *r, struct etm_span name)
{
    for (size_t i = r->n_names; i-- > 0;)
        if (r->names[i].length == name.n &&
            memcmp(r->names[i].name, name.at, name.n) == 0)
            return &r->names[i];
    return NULL;
}

struct etm_read_name *etm_read_push(struct etm_reader *r, struct etm_span name)
{
    struct etm_read_name *n;

    if (r->n_names == ETM_READ_NAMES || name.n == 0 || name.n >= sizeof n->name)
        return NULL;
    n = &r->names[r->n_names++];
    memset(n, 0, sizeof *n);
    memcpy(n->name, name.at, name.n);
    n->length = (uint8_t)name.n;
    return n;
}

static void set_value(struct etm_read_name *n, struct etm_value value)
{
    size_t length =
        value.word.n < sizeof n->word ? value.word.n : sizeof n->word - 1;

    /* the word may be that of this name */
    if (length != 0)
        memmove(n->word, value.word.at, length);
    n->word[length] = '\0';
    value.word = (struct etm_span){n->word, length};
    n->value = value;
    n->macro = false;
    n->text = NULL;
    n->source = false;
}

void etm_read_define(struct etm_reader *r, struct etm_span name,
                     struct etm_value value)
{
    struct etm_read_name *n = etm_read_find(r, name);

    if (!n)
        n = etm_read_push(r, name);
    if (n)
        set_value(n, value);
}

void etm_read_bind(struct etm_reader *r, const char *parameters,
                   const struct etm_value *arguments, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct etm_span word;
        struct etm_read_name *name;

        while (*parameters != '\0' && !etm_line_letter(*parameters))
            parameters++;
        word = etm_line_name(parameters);
        parameters += word.n;
        name = etm_read_push(r, word);
        if (name)
            set_value(name, arguments[i]);
    }
}

/* Constants of the header that many use with Cortex-M processors, arm_etm.h. */
static const struct {
    const char *name;
    uint32_t value;
} constants[] = {
    {"CR_POWERDOWN", 1},
    {"CR_MONITORCPRT", 2},
    {"CR_TRACE_DATA", 4},
    {"CR_TRACE_ADDR", 8},
    {"CR_PORTSIZE_1BIT", 0x200000},
    {"CR_PORTSIZE_2BIT", 0x200010},
    {"CR_PORTSIZE_4BIT", 0},
    {"CR_PORTSIZE_8BIT", 0x10},
    {"CR_PORTSIZE_16BIT", 0x20},
    {"CR_STALL_PROCESSOR", 0x80},
    {"CR_BRANCH_OUTPUT", 0x100},
    {"CR_DEBUGREQ", 0x200},
    {"CR_PROGRAMMING", 0x400},
    {"CR_ETMEN", 0x800},
    {"CR_CYCLETRACE", 0x1000},
    {"CR_CONTEXTID_8BIT", 0x4000},
    {"CR_CONTEXTID_16BIT", 0x8000},
    {"CR_CONTEXTID_32BIT", 0xc000},
    {"CR_SUPPRESS_DATA", 0x40000},
    {"CR_FILTER_CPRT", 0x80000},
    {"CR_DATA_ONLY", 0x100000},
    {"CR_TIMESTAMP", 0x10000000},
    {"CR_VMID", 0x40000000},
    {"TECR1_EXCLUDE", 0x1000000},
    {"TECR1_TSSEN", 0x2000000},
    {"FFRR_EXCLUDE", 0x1000000},
};

bool etm_read_constant(struct etm_span name, uint32_t *value)
{
    if (name.n <= 4 || !etm_fold_begins(name.at, "ETM_"))
        return false;
    name = (struct etm_span){name.at + 4, name.n - 4};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (etm_span_is(name, constants[i].name)) {
            *value = constants[i].value;
            return true;
        }
    }
    return false;
}

void etm_read_bind_none(struct etm_reader *r, const char *parameters)
{
    struct etm_value none[8];
    char copy[80];
    size_t n = 0;

    (void)etm_span_copy((struct etm_span){parameters, strlen(parameters)}, copy,
                        sizeof copy);
    for (const char *at = copy; *at != '\0' && n < 8;) {
        struct etm_span word = etm_line_name(at);

        if (word.n != 0)
            none[n++] =
                (struct etm_value){.known = ETM_READ_UNKNOWN, .word = word};
        at += word.n != 0 ? word.n : 1;
    }
    etm_read_bind(r, copy, none, n);
}

enum etm_read_result etm_read_run(struct etm_reader *r,
                                  struct etm_read_name *procedure,
                                  const struct etm_value *arguments, size_t n)
{
    size_t names = r->n_names;
    uint32_t accesses = r->accesses;
    enum etm_read_result result;

    if (r->calls >= ETM_READ_CALLS || r->runs == 0)
        return ETM_READ_OTHER;
    procedure->called = true;
    r->calls++;
    etm_read_bind(r, procedure->parameters, arguments, n);
    result = r->run(r, procedure->text, procedure->end);
    r->n_names = names;
    r->calls--;
    return result == ETM_READ_WRONG  ? result
           : r->accesses != accesses ? ETM_READ_TAKEN
                                     : ETM_READ_OTHER;
}
