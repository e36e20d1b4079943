/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structs of programs that were compiled with other headers (doc/abi.md): each
 * that begins with its size, smaller and larger than this library has it. They
 * end where memory ends, so that nothing beyond them can be read.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, mkdtemp() */

#include "../support/core.h"
#include "../support/receive.h"
#include "../support/test.h"

#include <etm/model.h>
#include <etm/program.h>
#include <etm/session.h>
#include <etm/setup.h>
#include <etm/write.h>

#include <sys/mman.h>
#include <unistd.h>

static struct etm_session *demo;
static struct etm_macrocell_config cell;
static struct etm_config cell_config;
static char directory[] = "/tmp/etm-abi-XXXXXX";

RECEIVE(take_elements, const struct etm_element *)
RECEIVE(take_packets, const struct etm_packet *)
RECEIVE(take_events, const struct etm_event *)
RECEIVE(take_text, const char *)
RECEIVE(take_calls, const struct etm_call *)
RECEIVE_ONE(take_point, const struct etm_point *)
RECEIVE_ONE(take_line, const struct etm_explain_line *)

static int take_item(void *context, void *item,
                     const struct etm_clock_time *time)
{
    (void)time;
    return item == context;
}

/* What takes each struct: returns the status. */

#define TAKER(name, status)                                                    \
    static int name(const void *given, struct etm_diag *diag)                  \
    {                                                                          \
        (void)diag;                                                            \
        return status;                                                         \
    }

/* Something is made of it, with a `diag` or without. */
#define MADE(name, type, new_of, free_of)                                      \
    static int name(const void *given, struct etm_diag *diag)                  \
    {                                                                          \
        struct type *made;                                                     \
        int status = new_of;                                                   \
                                                                               \
        (void)diag;                                                            \
        if (status == ETM_OK)                                                  \
            free_of(made);                                                     \
        else                                                                   \
            assert_null(made);                                                 \
        return status;                                                         \
    }
#define MAKER(name, type)                                                      \
    MADE(name, type, type##_new(&made, given), type##_free)
#define TELLER(name, type)                                                     \
    MADE(name, type, type##_new(&made, given, diag), type##_free)

/* The struct is a part of another one, which `function` takes. */
#define PART(name, type, member, function, ...)                                \
    static int name(const void *given, struct etm_diag *diag)                  \
    {                                                                          \
        struct type how = {__VA_ARGS__};                                       \
                                                                               \
        how.member = given;                                                    \
        return function(&how, diag);                                           \
    }

static int status_of(int n)
{
    return n > 0 ? ETM_OK : n;
}

MAKER(decoder, etm_decoder)
MAKER(packet_decoder, etm_packet_decoder)
MAKER(generator, etm_generator)
MAKER(unpacker, etm_unpacker)
MAKER(packer, etm_packer)
MAKER(deframer, etm_deframer)
MAKER(framer, etm_framer)
MAKER(realigner, etm_realigner)
MAKER(calls, etm_calls)
MAKER(clock, etm_clock)
MAKER(listing, etm_listing)
MAKER(reader, etm_execution_reader)
MAKER(writer, etm_execution_writer)
TELLER(waves, etm_vcd_writer)
TELLER(macrocell, etm_macrocell)
MADE(snapshot, etm_snapshot_writer, etm_snapshot_writer_new(&made, given, diag),
     etm_snapshot_writer_discard)
MADE(options, etm_session, etm_session_open(&made, DEMO, given, diag),
     etm_session_free)

TAKER(check_config, etm_config_check(given, diag))
TAKER(check_port, etm_port_check(given, diag))
TAKER(convert_config, status_of(etm_config_to_registers(given, NULL, 0)))
TAKER(explain, etm_explain(given, take_line, NULL, diag))
TAKER(lint, status_of(etm_lint_values(given, NULL, 0, diag)))
TAKER(run, etm_session_run_source(demo, 0, given, diag))
TAKER(points, etm_session_find_points(demo, 0, given, diag))

PART(decode_config, etm_decoder_config, config, decoder,
     .elements = take_elements)
PART(wave_port, etm_vcd_writer_config, port, waves, .write = take_text)
PART(explain_cell, etm_explain_config, macrocell, lint, .n_registers = 0)
PART(fallback, etm_session_options, fallback, options,
     .framing = ETM_FRAMING_NONE)
PART(portions, etm_session_run, portions, run, .elements = take_elements,
     .jobs = 2)
PART(from, etm_session_points, from, points, .point = take_point)

static int encode(const void *given, struct etm_diag *diag)
{
    const struct etm_packet a_sync = {.kind = ETM_PACKET_A_SYNC, .size = 6};
    uint8_t bytes[ETM_PACKET_ENCODED_MAX];
    int n = etm_packet_encode(given, &a_sync, bytes, sizeof bytes);

    (void)diag;
    return n == 6 ? ETM_OK : n;
}

static int list_source(const void *given, struct etm_diag *diag)
{
    const struct etm_listing_config how = {.format = "jsonl",
                                           .write = take_text};
    struct etm_listing *made;
    int status;

    (void)diag;
    assert_ok(etm_listing_new(&made, &how));
    status = etm_listing_begin(made, given);
    etm_listing_free(made);
    return status;
}

static int connect_output(const void *given, struct etm_diag *diag)
{
    struct etm_macrocell *made;
    int status;

    (void)diag;
    assert_ok(etm_macrocell_new(&made, &cell, NULL));
    status = etm_macrocell_connect(made, given);
    etm_macrocell_free(made);
    return status;
}

PART(connect_generator, etm_macrocell_output, generator, connect_output,
     .fifo_size = 0)

static int script(const void *given, struct etm_diag *diag)
{
    const struct etm_setup setup = {.n = 1, .values = {{.number = 8}}};

    return status_of(
        etm_setup_write(&setup, ETM_SETUP_FORMAT_C, given, NULL, 0, diag));
}

static int script_cell(const void *given, struct etm_diag *diag)
{
    struct etm_setup_script made = {.size = sizeof made};

    return etm_setup_script_of(&made, given, diag);
}

static int request(const void *given, struct etm_diag *diag)
{
    struct etm_setup setup;

    return etm_configure(&setup, given, &cell, NULL, diag);
}

/* The struct says what is added to a snapshot. */
#define ADDER(name)                                                            \
    static int name(const void *given, struct etm_diag *diag)                  \
    {                                                                          \
        struct etm_snapshot_writer *made = snapshot_with_buffer();             \
        int status = etm_snapshot_add_##name(made, given, NULL, diag);         \
                                                                               \
        etm_snapshot_writer_discard(made);                                     \
        return status;                                                         \
    }

static struct etm_snapshot_writer *snapshot_with_buffer(void)
{
    const struct etm_snapshot_writer_config how = {.directory = directory};
    const struct etm_snapshot_buffer buffer = {.framing =
                                                   ETM_FRAMING_CORESIGHT};
    struct etm_snapshot_writer *made;

    assert_ok(etm_snapshot_writer_new(&made, &how, NULL));
    assert_ok(etm_snapshot_add_buffer(made, &buffer, NULL, NULL));
    return made;
}

ADDER(core)
ADDER(buffer)
ADDER(source)

/* A struct at the end of memory. */
static unsigned char *at_end(const void *given, size_t size, size_t n)
{
    static unsigned char *page;
    size_t length = (size_t)sysconf(_SC_PAGESIZE);

    if (page == NULL) {
        page = mmap(NULL, 2 * length, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(page != MAP_FAILED);
        assert_int_equal(mprotect(page + length, length, PROT_NONE), 0);
    }
    memset(page, 0, length);
    memcpy(page + length - size, given, size < n ? size : n);
    return page + length - size;
}

static int with_size(int (*function)(const void *, struct etm_diag *),
                     unsigned char *at, size_t size, struct etm_diag *diag)
{
    memcpy(at, &size, sizeof size);
    return function(at, diag);
}

/*
 * `least` bytes have what is needed; a program of the first version has `first`
 * bytes and says so, or nothing.
 */
static void try(const void *given, size_t n, size_t least, size_t first,
                int (*function)(const void *, struct etm_diag *))
{
    const size_t wrong[] = {1, sizeof(size_t) - 1, 4097, SIZE_MAX};
    struct etm_diag diag = {.status = 0};
    unsigned char *at;

    least = (least + 7) / 8 * 8;
    for (size_t size = least; size <= n; size += 8)
        assert_ok(with_size(function, at_end(given, size, n), size, &diag));
    assert_ok(with_size(function, at_end(given, first, n), 0, &diag));
    assert_ok(with_size(function, at_end(given, n + 24, n), n + 24, &diag));
    for (size_t i = n; i < n + 16; i += 5) {
        at = at_end(given, n + 16, n);
        at[i] = 1;
        diag = (struct etm_diag){.status = 1};
        assert_int_equal(with_size(function, at, n + 16, &diag),
                         ETM_ERR_UNSUPPORTED);
        if (diag.status != 1) { /* it takes one */
            assert_int_equal(diag.status, ETM_ERR_UNSUPPORTED);
            assert_non_null(strstr(diag.what, "later version"));
        }
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(
            with_size(function, at_end(given, n, n), wrong[i], &diag),
            ETM_ERR_ARGUMENT);
}

#define AFTER(type, member)                                                    \
    (offsetof(struct type, member) + sizeof(((struct type *)NULL)->member))
#define TRY(type, last, function, ...)                                         \
    try(&(struct type){__VA_ARGS__}, sizeof(struct type), AFTER(type, last),   \
        sizeof(struct type), function)
/* A struct that has grown: `first` was its last member once. */
#define GROWN(type, last, first, function, ...)                                \
    try(&(struct type){__VA_ARGS__}, sizeof(struct type), AFTER(type, last),   \
        AFTER(type, first), function)

static const struct etm_config pft = {.protocol = ETM_PROTOCOL_PFT,
                                      .trace_id = 2};
static const struct etm_port_config port = {.protocol = ETM_PROTOCOL_ETMV3,
                                            .width = 8};

TEST(sizes_of_streams)
{
    TRY(etm_config, trace_id, check_config, .protocol = ETM_PROTOCOL_PFT);
    TRY(etm_config, trace_id, convert_config, .protocol = ETM_PROTOCOL_PFT);
    TRY(etm_config, trace_id, encode, .protocol = ETM_PROTOCOL_PFT);
    TRY(etm_config, trace_id, decode_config, .protocol = ETM_PROTOCOL_PFT);
    GROWN(etm_decoder_config, elements, allocator, decoder, .config = &pft,
          .elements = take_elements);
    TRY(etm_packet_decoder_config, packets, packet_decoder, .config = &pft,
        .packets = take_packets);
    TRY(etm_generator_config, config, generator, .config = &pft);
    TRY(etm_port_config, width, check_port, .protocol = ETM_PROTOCOL_ETMV3,
        .width = 8);
    TRY(etm_port_config, width, unpacker, .protocol = ETM_PROTOCOL_ETMV3,
        .width = 8);
    TRY(etm_port_config, width, packer, .protocol = ETM_PROTOCOL_ETMV3,
        .width = 8);
    TRY(etm_port_config, width, wave_port, .protocol = ETM_PROTOCOL_ETMV3,
        .width = 8);
    TRY(etm_deframer_config, id, deframer, .id = 1);
    TRY(etm_framer_config, size, framer, .repeat_id = 1);
    TRY(etm_realigner_config, size, realigner, .hold = 64);
}

TEST(sizes_of_texts)
{
    GROWN(etm_listing_config, write, allocator, listing, .format = "text",
          .write = take_text);
    TRY(etm_listing_source, size, list_source, .config = &pft);
    TRY(etm_vcd_writer_config, write, waves, .port = &port, .write = take_text);
    TRY(etm_execution_reader_config, events, reader, .events = take_events);
    TRY(etm_execution_writer_config, write, writer, .write = take_text);
}

TEST(sizes_of_macrocells)
{
    try(&cell, sizeof cell, AFTER(etm_macrocell_config, idr2), sizeof cell,
        macrocell);
    try(&cell, sizeof cell, AFTER(etm_macrocell_config, idr2), sizeof cell,
        explain_cell);
    try(&cell, sizeof cell, AFTER(etm_macrocell_config, idr2), sizeof cell,
        script_cell);
    TRY(etm_macrocell_output, size, connect_output, .fifo_size = 64);
    TRY(etm_generator_config, size, connect_generator, .packing = 1);
    TRY(etm_explain_config, macrocell, explain, .macrocell = &cell);
    TRY(etm_setup_script, size, script, .no_lock = true);
    TRY(etm_request, size, request, .cycle_accurate = true);
}

TEST(sizes_of_captures)
{
    TRY(etm_snapshot_writer_config, directory, snapshot,
        .directory = directory);
    TRY(etm_snapshot_core, size, core, .type = "Cortex-M3");
    TRY(etm_snapshot_buffer, size, buffer, .full_sync = 64);
    TRY(etm_snapshot_source, buffer, source, .config = &pft,
        .core = ETM_SNAPSHOT_NONE);
    TRY(etm_session_options, size, options, .guess = true);
    TRY(etm_session_fallback, size, fallback, .profile = ETM_PROFILE_M);
    GROWN(etm_session_run, size, gap, run, .elements = take_elements);
    TRY(etm_portions, context, portions, .begin = begin_portion,
        .elements = take_elements, .end = end_portion, .take = take_portion,
        .free = free_portion);
    TRY(etm_session_points, point, points, .point = take_point);
    TRY(etm_calls_config, calls, calls, .calls = take_calls);
    TRY(etm_clock_config, sizeof_item, clock, .take = take_item,
        .sizeof_item = 8);
    TRY(etm_point, position_known, from, .position_known = true);
}

/* What the library fills, it fills as far as the caller's struct goes. */
TEST(a_struct_is_filled_as_far_as_it_goes)
{
    struct {
        struct etm_macrocell_config config;
        uint64_t beyond;
    } larger = {.config = {.size = sizeof larger}, .beyond = 0x1234};
    struct etm_setup_script plan = {.size = 0};
    struct etm_point last = {.size = sizeof last};
    struct etm_session_points how = {.point = take_point, .end = &last};

    assert_ok(etm_core_macrocell(core_named("cortex-m3"), NULL, &larger.config,
                                 &cell_config, NULL));
    assert_int_equal(larger.beyond, 0x1234);
    assert_int_equal(larger.config.size, sizeof larger.config);
    assert_ok(etm_setup_script_of(&plan, &larger.config, NULL));
    assert_int_equal(plan.size, offsetof(struct etm_setup_script, path));
    last.size = 0;
    assert_ok(points(&how, NULL));
    assert_int_equal(last.size, sizeof last);
    assert_true(last.stream > 0);
}

TEST(a_member_of_a_later_version_is_refused)
{
    struct etm_config config = pft;
    struct etm_diag diag;

    config.reserve[7] = 1;
    assert_int_equal(etm_config_check(&config, &diag), ETM_ERR_UNSUPPORTED);
    assert_string_equal(diag.source, "reserve");
    assert_int_equal(decode_config(&config, NULL), ETM_ERR_UNSUPPORTED);
}

int main(void)
{
    int failed = 1;

    if (mkdtemp(directory) != NULL &&
        etm_session_open(&demo, DEMO, NULL, NULL) == ETM_OK &&
        etm_core_macrocell(core_named("cortex-a9"), NULL, &cell, &cell_config,
                           NULL) == ETM_OK)
        failed = tests_run();
    etm_session_free(demo);
    (void)rmdir(directory);
    return failed;
}
