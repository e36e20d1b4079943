/* SPDX-License-Identifier: Apache-2.0 */
/* Stretches of a stream: where they end, how many there are, what they know,
 * and their end before its own. */
#include "../support/test.h"
#include "parallel_support.h"
#include "portions.h"
#include "trace.h"

static struct etm_test_elements other;
static struct etm_config config;
static struct input in;
static struct program program;
static struct walk walk;

/* PFT of a program, with a mark each 500 bytes; again and again, so many bytes
 * and some more. */
static void make_marked(size_t bytes)
{
    struct random r = {.state = 7000};
    struct etm_generator_config options = {.config = &config};
    size_t once;

    config_make(&config, ETM_PROTOCOL_PFT, &r);
    config.minor = 1;
    config.security = config.virtualization = true;
    config.vmid = false;
    config.sync_period = 500;
    program_make(&program, &config, &r);
    walk_make(&walk, &program, &r, 1500);
    in = (struct input){.config = &config,
                        .image = program_image(&program),
                        .bytes = malloc(2 * bytes)};
    assert_non_null(in.bytes);
    once = trace_make(&options, walk.events, walk.n, in.bytes, bytes);
    for (in.n = once; in.n < bytes; in.n += once)
        memcpy(in.bytes + in.n, in.bytes, once);
    joints = (struct etm_parallel_joints){0};
}

static void decode(void)
{
    struct etm_parallel_config how = {.elements = etm_test_collect,
                                      .context = &other};
    const struct cut cut = {2, 1002, 0};

    other.n = 0;
    etm_parallel_free(etm_test_parallel(&in, ETM_LEVEL_RANGES, &cut, &how));
    input_free(&in);
}

/* Where the stream has A-syncs, stretches end after them, and a few bytes are
 * warm-up enough for each. */
TEST(stretches_end_after_marks)
{
    make_marked(100000);
    decode();
    assert_true(joints.good > 50);
    assert_true(joints.bad < 10);
    assert_true(joints.warm <= 90 * (joints.good + joints.bad));
}

/* Threads are of use however much is made of a byte: stretches become shorter
 * and fewer at once for it, but are not given up. Nor are there more portions
 * than that. */
TEST(much_may_be_made_of_little)
{
    struct test_portions made;
    struct etm_portions hook;
    struct etm_parallel_config how = {.elements = test_portions_elements,
                                      .context = &made,
                                      .portions = &hook};
    const struct cut cut = {4, 0, 0};

    make_marked(400000);
    test_portions_init(&made, 0, &config);
    hook = test_portions_hook(&made);
    hook.element_size = 2048;
    etm_parallel_free(etm_test_parallel(&in, ETM_LEVEL_RANGES, &cut, &how));
    assert_true(joints.good > 100);
    assert_true(joints.bad < 10);
    assert_true(made.taken > 100);
    assert_in_range(atomic_load(&made.made), 1, 10);
    test_portions_fini(&made);
    input_free(&in);
}

/* What looks like a VMID in a trace that has none is remembered for good, also
 * by those who begin after it: else no joint would ever fit again. */
TEST(what_is_never_said_again_is_remembered)
{
    static const uint8_t mark[] = {0, 0, 0, 0, 0, 0x80}, vmid[] = {0x3c, 0x44};
    size_t at = 3000;

    make_marked(200000);
    while (memcmp(in.bytes + at, mark, sizeof mark) != 0)
        at++;
    in.n -= sizeof vmid;
    memmove(in.bytes + at + sizeof vmid, in.bytes + at, in.n - at);
    memcpy(in.bytes + at, vmid, sizeof vmid);
    decode();
    assert_true(joints.good > 100);
    assert_true(joints.bad < 50);
}

static int stop(void *context, const struct etm_element *elements, size_t n)
{
    (void)elements;
    (void)n;
    return ++*(unsigned *)context > 3 ? 42 : ETM_OK;
}

static int stop_at_end(void *context, const struct etm_element *elements,
                       size_t n)
{
    (void)context;
    return elements[n - 1].kind == ETM_ELEMENT_END ? 42 : ETM_OK;
}

/* ... or when they have done all of it. */
TEST(stops_at_the_end)
{
    struct etm_parallel_config how = {.config = &config,
                                      .elements = stop_at_end,
                                      .jobs = 2,
                                      .stretch = 1002};
    struct etm_parallel *p;

    make_marked(100000);
    how.image = in.image;
    OK(etm_parallel_new(&p, &how));
    OK(etm_parallel_push(p, in.bytes, in.n));
    assert_int_equal(etm_parallel_finish(p), 42);
    assert_true(etm_parallel_joints(p).good > 50);
    etm_parallel_free(p);
    input_free(&in);
}

/* What the function returns ends the run, while workers are at work. */
TEST(stops_when_told)
{
    unsigned calls = 0;
    struct etm_parallel_config how = {.config = &config,
                                      .elements = stop,
                                      .context = &calls,
                                      .jobs = 3,
                                      .stretch = 60};
    struct etm_parallel *p;
    int status = ETM_OK;

    make_marked(60000);
    OK(etm_parallel_new(&p, &how));
    for (unsigned i = 0; i < 100 && status == ETM_OK; i++)
        status = etm_parallel_push(p, in.bytes, in.n);
    assert_int_equal(status, 42);
    assert_int_equal(calls, 4);
    etm_parallel_free(p);
    input_free(&in);
}
