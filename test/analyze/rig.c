/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdlib.h>

static void put(struct rig *b, const char *text)
{
    size_t n = strlen(text);

    assert_true(n < sizeof b->text - b->n);
    memcpy(b->text + b->n, text, n + 1);
    b->n += n;
}

static int print(void *context, const struct etm_call *calls, size_t n)
{
    static const struct {
        unsigned flag;
        char letter;
    } letters[] = {{ETM_CALL_TAIL, 't'},     {ETM_CALL_NO_CALLER, '?'},
                   {ETM_CALL_UNWOUND, 'u'},  {ETM_CALL_CUT, 'c'},
                   {ETM_CALL_GAP, 'g'},      {ETM_CALL_UNTIMED, 'x'},
                   {ETM_CALL_RECURSIVE, 'r'}};
    struct rig *b = context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_call *c = &calls[i];
        char word[32];
        size_t at = 0;

        if (c->kind == ETM_CALL_SWITCH) {
            snprintf(word, sizeof word, "=%u ", (unsigned)c->task);
            put(b, word);
            continue;
        }
        put(b, c->kind == ETM_CALL_ENTER ? "+" : "-");
        if ((c->flags & ETM_CALL_EXCEPTION) != 0)
            put(b,
                etm_exception_name((enum etm_exception_type)c->exception_type));
        else if (etm_calls_function(b->calls, c->function)->name)
            put(b, etm_calls_function(b->calls, c->function)->name);
        else
            at =
                (size_t)snprintf(word, sizeof word, "%x", (unsigned)c->address);
        for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
            if ((c->flags & letters[k].flag) != 0)
                word[at++] = letters[k].letter;
        word[at++] = ' ';
        word[at] = '\0';
        put(b, word);
    }
    return b->stop;
}

static int symbol_at(void *context, uint32_t address, struct etm_symbol *symbol)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "a.cold"};

    (void)context;
    if (address >= 0xf00 && address < 0x1000)
        *symbol = (struct etm_symbol){"setjmp", address - 0xf00, 0x100, {0}};
    else if (address >= 0x100 && address < 0x700)
        *symbol = (struct etm_symbol){
            names[address / 0x100 - 1], address % 0x100, 0x100, {0}};
    else
        return ETM_ERR_NOT_FOUND;
    return ETM_OK;
}

const struct etm_calls_config plain = {
    .size = sizeof plain, .calls = print, .names = {.symbol = symbol_at}};

void start(struct rig *b, const struct etm_calls_config *config)
{
    struct etm_calls_config c = *config;

    *b = (struct rig){.n = 0};
    c.context = b;
    assert_int_equal(etm_calls_new(&b->calls, &c), ETM_OK);
}

/* Four instructions of 10 cycles. */
static struct etm_element range(const char *word)
{
    static const struct {
        const char *name;
        uint8_t type, flags;
    } kinds[] = {{"", ETM_INSN_TYPE_OTHER, 0},
                 {":jump", ETM_INSN_TYPE_DIRECT, 0},
                 {":call", ETM_INSN_TYPE_DIRECT, ETM_INSN_LINK},
                 {":return", ETM_INSN_TYPE_INDIRECT, ETM_INSN_RETURN},
                 {":indirect", ETM_INSN_TYPE_INDIRECT, 0},
                 {":eret", ETM_INSN_TYPE_INDIRECT,
                  ETM_INSN_RETURN | ETM_INSN_EXCEPTION_RETURN}};
    char *last;
    uint32_t start = (uint32_t)strtoul(word, &last, 16);
    size_t i = 0;

    while (strcmp(last, kinds[i].name) != 0)
        if (++i == sizeof kinds / sizeof *kinds)
            fail_msg("not known: %s", word);
    return (struct etm_element){.kind = ETM_ELEMENT_RANGE,
                                .u.range = {.isa = ETM_ISA_ARM,
                                            .start = start,
                                            .end = start + 16,
                                            .n = 4,
                                            .last_address = start + 12,
                                            .last_type = kinds[i].type,
                                            .last_exec = ETM_TRUE,
                                            .last_flags = kinds[i].flags,
                                            .cycles = 10}};
}

static uint8_t exception_named(const char *name)
{
    uint8_t type = 0;

    while (strcmp(etm_exception_name((enum etm_exception_type)type), name) != 0)
        if (type++ > ETM_EXCEPTION_SECURE_FAULT)
            fail_msg("no exception: %s", name);
    return type;
}

static struct etm_element exception(const char *name, const char *returns)
{
    return (struct etm_element){
        .kind = ETM_ELEMENT_EXCEPTION,
        .u.exception = {.type = exception_named(name),
                        .return_known = *returns != '?',
                        .return_address =
                            (uint32_t)strtoul(returns, NULL, 16)}};
}

static struct etm_element dwt(enum etm_exception_action action,
                              const char *name)
{
    uint8_t type = exception_named(name);

    return (struct etm_element){.kind = ETM_ELEMENT_EXCEPTION,
                                .u.exception = {.type = type,
                                                .number = type,
                                                .action = (uint8_t)action}};
}

static struct etm_element store(const char *text)
{
    char *value;
    uint32_t address = (uint32_t)strtoul(text, &value, 16);

    assert_int_equal(*value, '=');
    return (struct etm_element){
        .kind = ETM_ELEMENT_DATA,
        .u.data = {.address_known = true,
                   .value_known = true,
                   .store = ETM_TRUE,
                   .address = address,
                   .value = strtoul(value + 1, NULL, 16)}};
}

/* NAME, NAME=VALUE, NAME@ADDRESS */
static struct etm_element named(char *name)
{
    char *value = name + strcspn(name, "=@");
    struct etm_element e = {.kind = ETM_ELEMENT_TRACE_ON};

    if (*value != '\0')
        *value++ = '\0';
    if (strcmp(name, "on") == 0)
        return e;
    if (strcmp(name, "lost") == 0)
        e.kind = ETM_ELEMENT_LOST;
    else if (strcmp(name, "returned") == 0)
        e.kind = ETM_ELEMENT_EXCEPTION_RETURN;
    else if (strcmp(name, "missing") == 0)
        e = (struct etm_element){.kind = ETM_ELEMENT_NO_IMAGE,
                                 .u.no_image.address =
                                     (uint32_t)strtoul(value, NULL, 16)};
    else if (strcmp(name, "cycles") == 0)
        e = (struct etm_element){.kind = ETM_ELEMENT_CYCLES,
                                 .u.cycles.n = *value == '?'
                                                   ? ETM_CYCLES_UNKNOWN
                                                   : strtoul(value, NULL, 10)};
    else if (strcmp(name, "tick") == 0)
        e = (struct etm_element){.kind = ETM_ELEMENT_LOCAL_TIMESTAMP,
                                 .u.local_timestamp.delta =
                                     (uint32_t)strtoul(value, NULL, 10)};
    else if (strcmp(name, "context") == 0)
        e = (struct etm_element){
            .kind = ETM_ELEMENT_CONTEXT,
            .u.context = {.context_id_known = true,
                          .context_id = (uint32_t)strtoul(value, NULL, 10)}};
    else if (strcmp(name, "store") == 0)
        return store(value);
    else if (strcmp(name, "enter") == 0)
        return dwt(ETM_EXCEPTION_ENTER, value);
    else if (strcmp(name, "exit") == 0)
        return dwt(ETM_EXCEPTION_EXIT, value);
    else if (strcmp(name, "back") == 0)
        return dwt(ETM_EXCEPTION_RETURN, value);
    else
        return exception(name, value);
    return e;
}

void play(struct rig *b, const char *elements)
{
    char word[32];
    int n;

    for (; sscanf(elements, "%31s%n", word, &n) == 1; elements += n) {
        struct etm_element e =
            word[0] >= '0' && word[0] <= '9' ? range(word) : named(word);

        assert_int_equal(etm_calls_elements(b->calls, &e, 1), ETM_OK);
    }
}

void expect(struct rig *b, const char *text)
{
    assert_int_equal(etm_calls_finish(b->calls), ETM_OK);
    assert_string_equal(b->text, text);
    etm_calls_free(b->calls);
}
