/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The captures in demo/ decode to the executions that they were made from.
 * ETM_DEMO names the folder.
 */
#include "../../demo/execution.h"
#include "../support/test.h"

#include <etm/session.h>

struct seen {
    struct execution execution;
    uint64_t lost, ends, unknown;
    bool irq_in_context[2]; /* A9: an interrupt while each task ran */
    uint32_t context_id;
};

static void see_exception(struct seen *seen, const struct etm_element *e)
{
    seen->execution.exceptions++;
    if (e->u.exception.type == ETM_EXCEPTION_IRQ &&
        (seen->context_id == 0x101 || seen->context_id == 0x102))
        seen->irq_in_context[seen->context_id - 0x101] = true;
}

static int see(void *context, const struct etm_element *elements, size_t n)
{
    struct seen *seen = context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_element *e = &elements[i];

        if (e->kind == ETM_ELEMENT_INSN) {
            seen->unknown += e->u.insn.exec == ETM_UNKNOWN;
            execution_add(&seen->execution, e->u.insn.address, e->u.insn.opcode,
                          e->u.insn.isa, e->u.insn.exec != ETM_FALSE);
        } else if (e->kind == ETM_ELEMENT_EXCEPTION) {
            see_exception(seen, e);
        } else if (e->kind == ETM_ELEMENT_CONTEXT &&
                   e->u.context.context_id_known) {
            seen->context_id = e->u.context.context_id;
        } else if (e->kind == ETM_ELEMENT_LOST ||
                   e->kind == ETM_ELEMENT_NO_IMAGE) {
            seen->lost++;
        } else if (e->kind == ETM_ELEMENT_END) {
            seen->ends++;
        }
    }
    return 0;
}

static void path_of(char *path, size_t size, const char *core, const char *file)
{
    const char *demo = getenv("ETM_DEMO");

    assert_non_null(demo);
    assert_true(snprintf(path, size, "%s/%s/%s", demo, core, file) < (int)size);
}

static void recorded(const char *core, struct execution *execution)
{
    char path[1024];
    FILE *file;

    path_of(path, sizeof path, core, "execution.txt");
    file = fopen(path, "r");
    assert_non_null(file);
    assert_true(execution_read(execution, file));
    fclose(file);
    assert_true(execution->instructions > 10000);
}

static struct etm_session *open_capture(const char *core)
{
    struct etm_session *session;
    struct etm_diag diag = {0};
    char path[1024];

    path_of(path, sizeof path, core, "snapshot.ini");
    if (etm_session_open(&session, path, NULL, &diag) != ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
    assert_int_equal(etm_session_sources(session), 1);
    assert_null(etm_session_source(session, 0)->why_not);
    assert_int_equal(etm_session_notes(session), 0);
    return session;
}

static void decode(const char *core, struct seen *seen)
{
    struct etm_session *session = open_capture(core);
    struct etm_session_run run = {.size = sizeof run,
                                  .level = ETM_LEVEL_INSTRUCTIONS,
                                  .elements = see,
                                  .context = seen};

    *seen = (struct seen){0};
    execution_begin(&seen->execution);
    assert_ok(etm_session_run_source(session, 0, &run, NULL));
    etm_session_free(session);
    assert_int_equal(seen->lost, 0);
    assert_int_equal(seen->ends, 1);
}

/* ETMv3 traces the condition of each instruction. */
TEST(cortex_m3_decodes_to_what_ran)
{
    struct execution expected;
    struct seen seen;

    recorded("cortex-m3", &expected);
    decode("cortex-m3", &seen);
    assert_int_equal(seen.execution.instructions, expected.instructions);
    assert_int_equal(seen.execution.exceptions, expected.exceptions);
    assert_true(seen.execution.path == expected.path);
    assert_int_equal(seen.unknown, 0);
    assert_int_equal(seen.execution.failed, expected.failed);
    assert_true(seen.execution.passes == expected.passes);
}

/* PFT tells conditions of waypoints only. */
TEST(cortex_a9_decodes_to_what_ran)
{
    struct execution expected;
    struct seen seen;

    recorded("cortex-a9", &expected);
    decode("cortex-a9", &seen);
    assert_int_equal(seen.execution.instructions, expected.instructions);
    assert_int_equal(seen.execution.exceptions, expected.exceptions);
    assert_true(seen.execution.path == expected.path);
    assert_true(seen.unknown > 0);
    assert_true(seen.execution.failed + seen.unknown >= expected.failed);
    assert_true(seen.irq_in_context[0]);
    assert_true(seen.irq_in_context[1]);
}

/* The address of a function; those of both programs begin at `base`. */
static uint32_t find(struct etm_session *session, uint32_t base,
                     const char *name)
{
    struct etm_symbol symbol = {0};

    for (uint32_t address = base; address < base + 0x1000; address += 2) {
        if (etm_session_symbol(session, 0, address, &symbol) == ETM_OK &&
            symbol.offset == 0 && strcmp(symbol.name, name) == 0)
            return address;
    }
    fail_msg("there is no function %s", name);
    return 0;
}

/* The source files stand beside the ELF file, by names without a folder of
 * the machine that made it. */
TEST(functions_and_source_lines_are_found)
{
    static const char *const cores[] = {"cortex-m3", "cortex-a9"};

    for (size_t i = 0; i < 2; i++) {
        struct etm_session *session = open_capture(cores[i]);
        uint32_t crc32 = find(session, i == 0 ? 0 : 0x60000000, "crc32");
        struct etm_source_line line = {0};
        bool polynomial = false;

        for (uint32_t address = crc32; address < crc32 + 0x80; address += 2) {
            if (etm_session_line(session, 0, address, &line) != ETM_OK ||
                strstr(line.file, "src/crc.c") == NULL)
                continue;
            assert_int_not_equal(line.file[0], '/');
            assert_non_null(line.text);
            polynomial |= strstr(line.text, "0xedb88320u") != NULL;
        }
        assert_true(polynomial);
        etm_session_free(session);
    }
}
