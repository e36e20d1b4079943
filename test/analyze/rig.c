/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

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
        size_t at;

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
            put(b, "unknown");
        at = 0;
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

void give(struct rig *b, struct etm_element e)
{
    assert_int_equal(etm_calls_elements(b->calls, &e, 1), ETM_OK);
}

void range(struct rig *b, uint32_t start, enum last last)
{
    static const struct {
        uint8_t type, flags;
    } kinds[] = {
        [NEXT] = {ETM_INSN_TYPE_OTHER, 0},
        [JUMP] = {ETM_INSN_TYPE_DIRECT, 0},
        [CALL] = {ETM_INSN_TYPE_DIRECT, ETM_INSN_LINK},
        [RETURN] = {ETM_INSN_TYPE_INDIRECT, ETM_INSN_RETURN},
        [INDIRECT] = {ETM_INSN_TYPE_INDIRECT, 0},
        [EXCEPTION_RETURN] = {ETM_INSN_TYPE_INDIRECT,
                              ETM_INSN_RETURN | ETM_INSN_EXCEPTION_RETURN}};

    give(b, (struct etm_element){.kind = ETM_ELEMENT_RANGE,
                                 .u.range = {.isa = ETM_ISA_ARM,
                                             .start = start,
                                             .end = start + 16,
                                             .n = 4,
                                             .last_address = start + 12,
                                             .last_type = kinds[last].type,
                                             .last_exec = ETM_TRUE,
                                             .last_flags = kinds[last].flags,
                                             .cycles = 10}});
}

void element(struct rig *b, enum etm_element_kind kind)
{
    give(b, (struct etm_element){.kind = (uint8_t)kind});
}

void exception(struct rig *b, enum etm_exception_type type, uint32_t returns)
{
    give(b, (struct etm_element){.kind = ETM_ELEMENT_EXCEPTION,
                                 .u.exception = {.type = (uint8_t)type,
                                                 .return_known = returns != 0,
                                                 .return_address = returns}});
}

void cycles(struct rig *b, uint64_t n)
{
    give(b, (struct etm_element){.kind = ETM_ELEMENT_CYCLES, .u.cycles.n = n});
}

void context(struct rig *b, uint32_t id)
{
    give(b, (struct etm_element){
                .kind = ETM_ELEMENT_CONTEXT,
                .u.context = {.context_id_known = true, .context_id = id}});
}

void store(struct rig *b, uint32_t address, uint32_t value)
{
    give(b, (struct etm_element){.kind = ETM_ELEMENT_DATA,
                                 .u.data = {.address_known = true,
                                            .value_known = true,
                                            .store = ETM_TRUE,
                                            .address = address,
                                            .value = value}});
}

void expect(struct rig *b, const char *text)
{
    assert_int_equal(etm_calls_finish(b->calls), ETM_OK);
    assert_string_equal(b->text, text);
    etm_calls_free(b->calls);
}
