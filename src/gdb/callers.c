/* SPDX-License-Identifier: Apache-2.0 */
/* `monitor backtrace`: the callers as the trace tells them, where GDB cannot
 * find them; and EXC_RETURN as the user tells it. */
#include "gdb/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say_function(struct etm_gdb_server *s, struct etm_gdb_core *core,
                         size_t number, uint32_t pc)
{
    struct etm_symbol symbol;
    char text[320], name[256] = "";

    if (etm_session_symbol(s->config->session, core->history.source, pc,
                           &symbol) == ETM_OK)
        (void)snprintf(name, sizeof name, " <%.200s+%" PRIu32 ">", symbol.name,
                       symbol.offset);
    (void)snprintf(text, sizeof text, "#%zu  0x%08" PRIx32 "%s\n", number, pc,
                   name);
    etm_gdb_say(s, text);
}

static void say_exception(struct etm_gdb_server *s, size_t number,
                          const struct etm_frame *f)
{
    char text[128], irq[16] = "";

    if (f->type == ETM_EXCEPTION_IRQ_N)
        (void)snprintf(irq, sizeof irq, " %u", f->irq);
    (void)snprintf(text, sizeof text, "#%zu  <%s%s>\n", number,
                   etm_exception_name((enum etm_exception_type)f->type), irq);
    etm_gdb_say(s, text);
}

/* More are not listed. */
#define LINES_MOST 100u

void etm_gdb_say_callers(struct etm_gdb_server *s)
{
    struct etm_gdb_core *core = &s->cores[s->core];
    const struct etm_gdb_insn *insn = etm_gdb_insn_at(core);
    uint32_t pc = insn ? insn->address : 0;
    const struct etm_calls *calls;
    const struct etm_frame *frames;
    size_t n, line = 0;
    bool known = true;

    if (!insn ||
        etm_gdb_stacks_at(&core->stacks, &core->place, &calls) != ETM_OK) {
        etm_gdb_say(s, "the trace cannot be read there\n");
        return;
    }
    frames = calls->tasks[calls->task].frames.data;
    n = calls->tasks[calls->task].frames.n;
    if (n == 0)
        say_function(s, core, line++, pc);
    for (size_t i = n; i > 0 && known && line < LINES_MOST; i--) {
        const struct etm_frame *f = &frames[i - 1];

        if (etm_frame_is_exception(f))
            say_exception(s, line++, f);
        else
            say_function(s, core, line++, pc);
        /* what called a handler's function is its exception */
        if (i > 1 && etm_frame_is_exception(&frames[i - 2]))
            continue;
        known = f->return_known;
        pc = f->return_address;
    }
    if (known && line == LINES_MOST)
        etm_gdb_say(s, "...\n");
}

static void say_links(struct etm_gdb_server *s)
{
    const uint32_t links[] = {s->to_handler, s->to_thread};
    static const char *const names[] = {"a handler", "Thread mode"};
    char text[80];

    for (unsigned i = 0; i < 2; i++) {
        if (links[i] != 0)
            (void)snprintf(text, sizeof text, "to %s: 0x%08" PRIx32 "\n",
                           names[i], links[i]);
        else
            (void)snprintf(text, sizeof text, "to %s: as the trace tells\n",
                           names[i]);
        etm_gdb_say(s, text);
    }
}

void etm_gdb_tell_links(struct etm_gdb_server *s, const char *text)
{
    uint32_t to_handler = s->to_handler, to_thread = s->to_thread;

    s->frames_of = 0;
    if (strcmp(text, "unknown") == 0) {
        s->to_handler = s->to_thread = 0;
        return;
    }
    if (*text == '\0') {
        say_links(s);
        return;
    }
    while (*text != '\0') {
        char *end;
        unsigned long value = strtoul(text, &end, 16);

        switch (value) { /* ARMv7-M ARM, tables B1-8 and B1-9 */
        case 0xffffffe1u:
        case 0xfffffff1u:
            to_handler = (uint32_t)value;
            break;
        case 0xffffffe9u:
        case 0xfffffff9u:
        case 0xffffffedu:
        case 0xfffffffdu:
            to_thread = (uint32_t)value;
            break;
        default:
            end = NULL;
            break;
        }
        if (!end || (*end != '\0' && *end != ' ')) {
            etm_gdb_say(s, "exc-return [VALUE ... | unknown]: 0xfffffff1, "
                           "0xfffffff9, 0xfffffffd, 0xffffffe1, 0xffffffe9 or "
                           "0xffffffed\n");
            return;
        }
        text = end + strspn(end, " ");
    }
    s->to_handler = to_handler;
    s->to_thread = to_thread;
}

void etm_gdb_hint_links(struct etm_gdb_server *s)
{
    if (s->hinted)
        return;
    s->hinted = true;
    etm_gdb_say(s, "etm: the trace does not tell EXC_RETURN here, by which GDB "
                   "finds what was interrupted: 'monitor backtrace' shows it, "
                   "'monitor exc-return VALUE' makes it known\n");
}
