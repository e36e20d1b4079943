/* SPDX-License-Identifier: Apache-2.0 */
/* Random executions, written as an execution log, come back from it. */
#include "../support/test.h"
#include "log_util.h"
#include "moves.h"

/* What etm_execution_writer_new() says does not come back as it was. */
static struct etm_event normal(struct etm_event e)
{
    if (e.kind == ETM_EVENT_EXCEPTION &&
        e.u.exception.type == ETM_EXCEPTION_DEBUG_HALT)
        e.u.exception.next = (struct etm_place){0};
    if (e.kind == ETM_EVENT_DATA && e.u.data.tag != 0)
        e.u.data.value = 0;
    return e;
}

static bool same_place(const struct etm_place *a, const struct etm_place *b)
{
    return a->address == b->address && a->isa == b->isa && a->ns == b->ns &&
           a->hyp == b->hyp;
}

static bool same_insn(const struct etm_event *a, const struct etm_event *b)
{
    struct etm_place next = a->u.insn.next;

    if (next.isa == ETM_ISA_UNKNOWN) {
        next = b->u.insn.next;
        if (next.address != a->u.insn.address + a->u.insn.size)
            return false;
    }
    return a->u.insn.address == b->u.insn.address &&
           a->u.insn.opcode == b->u.insn.opcode &&
           a->u.insn.isa == b->u.insn.isa && a->u.insn.size == b->u.insn.size &&
           a->u.insn.passed == b->u.insn.passed &&
           a->u.insn.exception_return == b->u.insn.exception_return &&
           a->u.insn.resume == b->u.insn.resume &&
           same_place(&next, &b->u.insn.next);
}

static bool same(const struct etm_event *before, const struct etm_event *after)
{
    struct etm_event a = normal(*before), b = *after;

    if (a.kind != b.kind || a.cycles != b.cycles)
        return false;
    switch ((enum etm_event_kind)a.kind) {
    case ETM_EVENT_INSN:
        return same_insn(&a, &b);
    case ETM_EVENT_DATA:
        return a.u.data.address == b.u.data.address &&
               a.u.data.value == b.u.data.value &&
               a.u.data.size == b.u.data.size &&
               a.u.data.store == b.u.data.store &&
               a.u.data.big_endian == b.u.data.big_endian &&
               a.u.data.failed == b.u.data.failed &&
               a.u.data.filtered == b.u.data.filtered &&
               a.u.data.tag == b.u.data.tag;
    case ETM_EVENT_DATA_VALUE:
        return a.u.data_value.value == b.u.data_value.value &&
               a.u.data_value.tag == b.u.data_value.tag &&
               a.u.data_value.failed == b.u.data_value.failed;
    case ETM_EVENT_STACKING:
        return a.u.stacking.pop == b.u.stacking.pop &&
               (a.u.stacking.next.isa == ETM_ISA_UNKNOWN ||
                same_place(&a.u.stacking.next, &b.u.stacking.next));
    case ETM_EVENT_SUPPRESS:
        return a.u.suppress.on == b.u.suppress.on;
    case ETM_EVENT_EXCEPTION:
        return a.u.exception.type == b.u.exception.type &&
               a.u.exception.cancels == b.u.exception.cancels &&
               a.u.exception.irq == b.u.exception.irq &&
               a.u.exception.chain == b.u.exception.chain &&
               a.u.exception.resume == b.u.exception.resume &&
               same_place(&a.u.exception.next, &b.u.exception.next);
    case ETM_EVENT_CONTEXT:
        return a.u.context.context_id == b.u.context.context_id &&
               a.u.context.vmid == b.u.context.vmid &&
               a.u.context.user == b.u.context.user;
    case ETM_EVENT_TIMESTAMP:
        return a.u.timestamp.value == b.u.timestamp.value &&
               a.u.timestamp.frequency_changed ==
                   b.u.timestamp.frequency_changed;
    case ETM_EVENT_TRACE_ON:
        return a.u.trace_on.reason == b.u.trace_on.reason &&
               a.u.trace_on.in_progress == b.u.trace_on.in_progress &&
               same_place(&a.u.trace_on.at, &b.u.trace_on.at);
    case ETM_EVENT_TRIGGER:
    case ETM_EVENT_TRACE_OFF:
    case ETM_EVENT_IDLE:
    case ETM_EVENT_WAIT:
        return true;
    /* random walks have none of these */
    case ETM_EVENT_PINS:
    case ETM_EVENT_EXT_INPUTS:
    case ETM_EVENT_PLACE:
        return false;
    }
    return false;
}

static char once[sizeof got.text];

/* The log with the transfers of each instruction on a line of their own; freed
 * by the caller. */
static char *apart(const char *text)
{
    char *to = malloc(2 * strlen(text) + 1), *end = to;
    bool transfers = false;

    assert_non_null(to);
    for (; *text != '\0'; text++) {
        if (*text == '\n') /* a data line has no other */
            transfers = strncmp(text + 1, "data ", 5) == 0;
        if (!transfers && *text == ' ' && (text[1] == 'r' || text[1] == 'w') &&
            text[2] >= '1' && text[2] <= '8') {
            transfers = true;
            memcpy(end, "\ndata", 5);
            end += 5;
        }
        *end++ = *text;
    }
    *end = '\0';
    return to;
}

/* Where the transfers stand makes no difference to a processor that loads the
 * PC when others do not (E-366). */
static void check_apart(const char *text, const struct etm_config *config)
{
    char *other = apart(text);
    size_t n = 0;

    loads_pc_first = !config->pc_first;
    for (unsigned i = 0; i < 2; i++) {
        const char *log = i == 0 ? text : other;
        struct etm_diag diag = {0};

        if (read_in(log, strlen(log), 0, config->profile, &diag) != ETM_OK)
            fail_msg("line %u: %s", (unsigned)diag.line, diag.what);
        write_text(got.events, got.n, config->profile);
        if (i == 0) {
            assert_in_range(got.length, 1, sizeof once - 1);
            n = got.length;
            memcpy(once, got.text, n);
        }
    }
    assert_int_equal(got.length, n);
    assert_memory_equal(got.text, once, n);
    free(other);
}

static void walks_come_back(enum etm_protocol protocol, bool data)
{
    static struct program program;
    static struct walk walk;

    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct random r = {seed};
        struct etm_diag diag = {0};
        struct etm_config config;
        char *text;

        if (data)
            config_make_data(&config, &r);
        else
            config_make(&config, protocol, &r);
        program_make(&program, &config, &r);
        walk_make(&walk, &program, &r, 300);
        write_text(walk.events, walk.n, config.profile);
        loads_pc_first = config.pc_first;
        text = malloc(got.length + 1);
        assert_non_null(text);
        memcpy(text, got.text, got.length + 1);
        if (read_in(text, got.length, random_below(&r, 50), config.profile,
                    &diag) != ETM_OK)
            fail_msg("seed %u: line %u: %s", (unsigned)seed,
                     (unsigned)diag.line, diag.what);
        assert_int_equal(got.n, walk.n);
        for (size_t i = 0; i < walk.n; i++) {
            if (!same(&walk.events[i], &got.events[i]))
                fail_msg("seed %u: event %u (%s) differs", (unsigned)seed,
                         (unsigned)i,
                         etm_event_kind_name(
                             (enum etm_event_kind)walk.events[i].kind));
        }
        /* and the text of what came back is the text */
        write_text(got.events, got.n, config.profile);
        assert_memory_equal(text, got.text, got.length);
        check_apart(text, &config);
        free(text);
    }
}

TEST(pft_executions_come_back)
{
    walks_come_back(ETM_PROTOCOL_PFT, false);
}

TEST(etmv3_executions_come_back)
{
    walks_come_back(ETM_PROTOCOL_ETMV3, false);
}

TEST(executions_with_data_come_back)
{
    walks_come_back(ETM_PROTOCOL_ETMV3, true);
}

/* Also where so many events came before that those of the line are due. E-366
 */
TEST(transfers_are_in_order_wherever_a_batch_of_events_ends)
{
    static char text[8192];

    loads_pc_first = true;
    for (unsigned before = 240; before < 270; before++) {
        struct etm_diag diag = {0};
        int n = 0;

        for (unsigned i = 0; i < before; i++)
            n += snprintf(text + n, sizeof text - (size_t)n, "%x e1a00000\n",
                          4 * i);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "%x e8bd8010 next=0 r4:100=6\ndata r4:104=0\n",
                      4 * before);
        assert_ok(read_in(text, (size_t)n, 0, ETM_PROFILE_A, &diag));
        assert_int_equal(got.n, before + 3);
        assert_int_equal(got.events[before + 1].u.data.address, 0x104);
        assert_int_equal(got.events[before + 2].u.data.address, 0x100);
    }
}
