/* SPDX-License-Identifier: Apache-2.0 */
/* What is concluded from the bytes of a raw file of which little is said. */
#include "session_support.h"

static struct etm_session *open_with(const char *path,
                                     const struct etm_session_options *options)
{
    struct etm_session *session;
    struct etm_diag diag = {0};

    if (etm_session_open(&session, path, options, &diag) != ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
    return session;
}

static void framing_protocol_and_registers_are_concluded(void **state)
{
    const struct etm_session_options options = {.guess = true};
    struct etm_session *demo = open_demo("cortex-a9");
    struct etm_session *session =
        open_with(demo_path("cortex-a9", "cstrace.bin"), &options);
    const struct etm_source_info *info = etm_session_source(session, 0);
    struct seen a = {0}, b = {0};

    (void)state;
    assert_int_equal(etm_session_sources(session), 1);
    assert_int_equal(etm_session_buffer(session, 0)->framing,
                     ETM_FRAMING_CORESIGHT);
    assert_true(etm_session_buffer(session, 0)->guessed);
    assert_null(info->why_not);
    assert_true(info->guessed);
    assert_int_equal(info->config.protocol, ETM_PROTOCOL_PFT);
    assert_int_equal(info->config.context_id_bytes, 4);
    assert_int_equal(info->n_guessed, 1);
    assert_string_equal(info->registers[info->n_registers - 1].name, "ETMCR");
    see(demo, 0, &a);
    see(session, 0, &b);
    assert_int_equal(b.n_packets, a.n_packets);
    forget(&a);
    forget(&b);
    etm_session_free(session);
    etm_session_free(demo);
}

static void nothing_is_concluded_unless_asked_for(void **state)
{
    struct etm_session *session =
        open_with(demo_path("cortex-a9", "cstrace.bin"), NULL);

    (void)state;
    assert_int_equal(etm_session_buffer(session, 0)->framing, ETM_FRAMING_NONE);
    assert_false(etm_session_buffer(session, 0)->guessed);
    assert_non_null(etm_session_source(session, 0)->why_not);
    etm_session_free(session);
}

static void a_fallback_gives_way_to_registers(void **state)
{
    const struct etm_register given[] = {
        {.name = "ETMIDR", .value = 0x4114f243}, {.name = "ETMCR", .value = 0}};
    const struct etm_register core[] = {
        {.name = "ETMIDR", .value = 0x4114f253},
        {.name = "ETMCCER", .value = 0x18541800}};
    const struct etm_session_fallback fallback = {
        .registers = core, .n_registers = 2, .profile = ETM_PROFILE_M};
    struct etm_session_options options = {.framing = ETM_FRAMING_CORESIGHT,
                                          .fallback = &fallback};
    const char *path = demo_path("cortex-m3", "cstrace.bin");
    struct etm_session *session = open_with(path, &options);

    (void)state;
    assert_int_equal(etm_session_source(session, 0)->config.minor, 5);
    assert_int_equal(etm_session_source(session, 0)->config.profile,
                     ETM_PROFILE_M);
    etm_session_free(session);
    options.registers = given;
    options.n_registers = 2;
    session = open_with(path, &options);
    assert_int_equal(etm_session_source(session, 0)->config.minor, 4);
    etm_session_free(session);
}

static void a_fallback_that_the_bytes_contradict_is_not_used(void **state)
{
    const struct etm_register core = {.name = "ETMIDR", .value = 0x411cf301};
    const struct etm_session_fallback fallback = {.registers = &core,
                                                  .n_registers = 1};
    const struct etm_session_options options = {.guess = true,
                                                .fallback = &fallback};
    struct etm_session *session =
        open_with(demo_path("cortex-m3", "cstrace.bin"), &options);
    const char *why = etm_session_source(session, 0)->why_not;

    (void)state;
    assert_non_null(why);
    assert_non_null(strstr(why, "its bytes look like ETMv3"));
    etm_session_free(session);
}

/* Reverse the bytes of each word; what is no whole one is kept. */
static void write_reversed(const uint8_t *bytes, size_t n, unsigned word)
{
    static uint8_t reversed[16384];

    assert_true(n <= sizeof reversed);
    for (size_t i = 0; i < n; i++)
        reversed[i] = bytes[i < n - n % word ? i ^ (word - 1) : i];
    write_file("reversed.bin", reversed, n);
}

static void a_small_dump_in_the_wrong_order_is_put_right(void **state)
{
    static const size_t sizes[] = {1024, 2048, 4094, 9040};
    size_t n;
    uint8_t *bytes = read_whole(demo_path("cortex-m3", "cstrace.bin"), &n);

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (unsigned word = 2; word <= 8; word *= 2) {
            const struct etm_session_options as_it_is = {.guess = true,
                                                         .reverse_bytes = 1};
            struct etm_session_options options = {.guess = true};
            struct etm_session *right, *session;
            struct seen a = {0}, b = {0};

            write_file("right.bin", bytes, sizes[i]);
            write_reversed(bytes, sizes[i], word);
            right = open_with(in_directory("right.bin"), &options);
            assert_int_equal(etm_session_buffer(right, 0)->swapped, 0);
            session = open_with(in_directory("reversed.bin"), &options);
            assert_int_equal(etm_session_buffer(session, 0)->swapped, word);
            assert_true(etm_session_buffer(session, 0)->reversed);
            see(right, 0, &a);
            see(session, 0, &b);
            assert_int_equal(b.n_stream, a.n_stream);
            assert_memory_equal(b.stream, a.stream, a.n_stream);
            forget(&b);
            etm_session_free(session);
            options.reverse_bytes = (uint8_t)word;
            session = open_with(in_directory("reversed.bin"), &options);
            see(session, 0, &b);
            assert_memory_equal(b.stream, a.stream, a.n_stream);
            forget(&a);
            forget(&b);
            etm_session_free(session);
            session = open_with(in_directory("reversed.bin"), &as_it_is);
            assert_int_equal(etm_session_buffer(session, 0)->swapped, 0);
            etm_session_free(session);
            etm_session_free(right);
        }
    }
    free(bytes);
}

static void words_of_other_sizes_are_refused(void **state)
{
    static const uint8_t sizes[] = {3, 5, 6, 7, 9, 16, 255};

    (void)state;
    for (size_t i = 0; i < sizeof sizes; i++) {
        const struct etm_session_options options = {.reverse_bytes = sizes[i]};
        struct etm_session *session;

        assert_int_equal(etm_session_open(&session,
                                          demo_path("cortex-m3", "cstrace.bin"),
                                          &options, NULL),
                         ETM_ERR_ARGUMENT);
        assert_null(session);
    }
}

static int count_lost(void *context, const struct etm_element *elements,
                      size_t n)
{
    size_t *lost = context;

    for (size_t i = 0; i < n; i++)
        *lost += elements[i].kind == ETM_ELEMENT_LOST;
    return ETM_OK;
}

static void the_end_of_a_part_is_no_damage(void **state)
{
    struct etm_session *session = open_demo("cortex-m3");
    size_t lost = 0;

    (void)state;
    for (uint64_t end = 100; end < 1100; end++) {
        for (unsigned jobs = 1; jobs <= 2; jobs++) {
            const struct etm_session_run run = {.elements = count_lost,
                                                .context = &lost,
                                                .end = end,
                                                .jobs = jobs};

            assert_int_equal(etm_session_run_source(session, 0, &run, NULL),
                             ETM_OK);
        }
    }
    assert_int_equal(lost, 0);
    etm_session_free(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(framing_protocol_and_registers_are_concluded),
        cmocka_unit_test(nothing_is_concluded_unless_asked_for),
        cmocka_unit_test(a_fallback_gives_way_to_registers),
        cmocka_unit_test(a_fallback_that_the_bytes_contradict_is_not_used),
        cmocka_unit_test(a_small_dump_in_the_wrong_order_is_put_right),
        cmocka_unit_test(words_of_other_sizes_are_refused),
        cmocka_unit_test(the_end_of_a_part_is_no_damage),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
