/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes that programs were compiled with, and which no later version may change
 * (doc/abi.md), where pointers and size_t have 64 bits.
 */
#include "../support/test.h"
#include "base/size.h"

#include <etm/model.h>
#include <etm/program.h>
#include <etm/session.h>
#include <etm/setup.h>
#include <etm/write.h>

struct row {
    const char *name;
    size_t is, was;
};

#define FIRST(name, was)                                                       \
    {                                                                          \
#name, ETM_FIRST_SIZE(name), was                                       \
    }
#define FIXED(name, was)                                                       \
    {                                                                          \
#name, sizeof(struct name), was                                        \
    }

static void check(const struct row *rows, size_t n)
{
    if (sizeof(size_t) != 8 || _Alignof(uint64_t) != 8)
        skip();
    for (size_t i = 0; i < n; i++)
        if (rows[i].is != rows[i].was)
            fail_msg("struct %s: %zu bytes, not %zu", rows[i].name, rows[i].is,
                     rows[i].was);
}

/* What a program that leaves its `size` at 0 has. */
TEST(first_sizes_stay)
{
    static const struct row rows[] = {
        FIRST(etm_calls_config, 104),
        FIRST(etm_clock_config, 48),
        FIRST(etm_config, 152),
        FIRST(etm_decoder_config, 56),
        FIRST(etm_deframer_config, 24),
        FIRST(etm_element, 48),
        FIRST(etm_execution_reader_config, 72),
        FIRST(etm_execution_writer_config, 40),
        FIRST(etm_explain_config, 40),
        FIRST(etm_framer_config, 40),
        FIRST(etm_generator_config, 64),
        FIRST(etm_listing_config, 48),
        FIRST(etm_listing_source, 80),
        FIRST(etm_macrocell_config, 88),
        FIRST(etm_macrocell_output, 80),
        FIRST(etm_packet_decoder_config, 40),
        FIRST(etm_point, 64),
        FIRST(etm_port_config, 32),
        FIRST(etm_portions, 64),
        FIRST(etm_realigner_config, 24),
        FIRST(etm_request, 808),
        FIRST(etm_session_fallback, 32),
        FIRST(etm_session_options, 160),
        FIRST(etm_session_points, 64),
        FIRST(etm_session_run, 136),
        FIRST(etm_setup_script, 48),
        FIRST(etm_snapshot_buffer, 32),
        FIRST(etm_snapshot_core, 40),
        FIRST(etm_snapshot_source, 64),
        FIRST(etm_snapshot_writer_config, 24),
        FIRST(etm_vcd_writer_config, 56),
    };

    check(rows, sizeof rows / sizeof *rows);
}

/* Structs without a size, which programs hold in memory of their own. */
TEST(structs_without_a_size_stay)
{
    static const struct row rows[] = {
        FIXED(etm_allocator, 16),
        FIXED(etm_call, 128),
        FIXED(etm_call_cost, 16),
        FIXED(etm_clock_place, 16),
        FIXED(etm_clock_time, 16),
        FIXED(etm_count, 32),
        FIXED(etm_deframed, 88),
        FIXED(etm_diag, 576),
        FIXED(etm_event, 40),
        FIXED(etm_execution_report, 280),
        FIXED(etm_frame_counts, 1112),
        FIXED(etm_frame_event, 24),
        FIXED(etm_frame_run, 32),
        FIXED(etm_guess, 272),
        FIXED(etm_lint, 296),
        FIXED(etm_lint_access, 12),
        FIXED(etm_macrocell_pins, 5),
        FIXED(etm_macrocell_signals, 48),
        FIXED(etm_names, 40),
        FIXED(etm_notes, 6152),
        FIXED(etm_packet, 64),
        FIXED(etm_place, 8),
        FIXED(etm_port_run, 32),
        FIXED(etm_port_sample, 16),
        FIXED(etm_port_trigger, 24),
        FIXED(etm_realign_run, 40),
        FIXED(etm_realigned, 64),
        FIXED(etm_register, 40),
        FIXED(etm_request_condition, 80),
        FIXED(etm_request_match, 44),
        FIXED(etm_session_names, 24),
        FIXED(etm_setup, 2056),
        FIXED(etm_setup_listing, 6264),
        FIXED(etm_source_line, 40),
        FIXED(etm_space, 12),
        FIXED(etm_symbol, 32),
        FIXED(etm_unpacked, 80),
    };

    check(rows, sizeof rows / sizeof *rows);
}
