/* SPDX-License-Identifier: Apache-2.0 */
/* Stretches of a stream: where they end, how many there are, what they know,
 * and their end before its own. */
#include "../support/status.h"
#include "parallel_support.h"
#include "portions.h"
#include "support/capture.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

static struct etm_test_elements other;

static struct program program;
static struct walk walk;

/* PFT of a program, with a mark each 500 bytes; again and again, so many bytes
 * and some more. */
static struct etm_image *make_marked(struct input *in,
                                     struct etm_config *config, size_t bytes)
{
    struct random r = {.state = 7000};
    struct etm_generator_config options = {0};
    struct etm_image *image;

    config_make(config, ETM_PROTOCOL_PFT, &r);
    config->minor = 1;
    config->security = config->virtualization = true;
    config->vmid = false;
    config->sync_period = 500;
    program_make(&program, config, &r);
    walk_make(&walk, &program, &r, 1500);
    generate(in, &options, walk.events, walk.n);
    in->bytes = realloc(in->bytes, bytes + in->n);
    assert_non_null(in->bytes);
    for (size_t n = in->n; in->n < bytes; in->n += n)
        memcpy(in->bytes + in->n, in->bytes, n);
    image = program_image(&program);
    in->image = image;
    return image;
}

/* Where the stream has A-syncs, stretches end after them, and a few bytes are
 * warm-up enough for each. */
static void stretches_end_after_marks(void **state)
{
    struct etm_config config;
    struct input in = {.config = &config};
    struct etm_parallel_config how = {.elements = etm_test_collect,
                                      .context = &other};
    const struct cut cut = {2, 1002, 0};
    struct etm_image *image = make_marked(&in, &config, 100000);

    (void)state;
    other.n = 0;
    joints = (struct etm_parallel_joints){0};
    etm_parallel_free(etm_test_parallel(&in, ETM_LEVEL_RANGES, &cut, &how));
    assert_true(joints.good > 50);
    assert_true(joints.bad < 10);
    assert_true(joints.warm <= 90 * (joints.good + joints.bad));
    joints = (struct etm_parallel_joints){0};
    etm_image_free(image);
    free(in.bytes);
}

/* Threads are of use however much is made of a byte: stretches become shorter
 * and fewer at once for it, but are not given up. Nor are there more portions
 * than that. */
static void much_may_be_made_of_little(void **state)
{
    struct etm_config config;
    struct input in = {.config = &config};
    struct test_portions made;
    struct etm_portions hook;
    struct etm_parallel_config how = {.elements = test_portions_elements,
                                      .context = &made,
                                      .portions = &hook};
    const struct cut cut = {4, 0, 0};
    struct etm_image *image = make_marked(&in, &config, 400000);

    (void)state;
    test_portions_init(&made, 0, &config);
    hook = test_portions_hook(&made);
    hook.element_size = 2048;
    joints = (struct etm_parallel_joints){0};
    etm_parallel_free(etm_test_parallel(&in, ETM_LEVEL_RANGES, &cut, &how));
    assert_true(joints.good > 100);
    assert_true(joints.bad < 10);
    assert_true(made.taken > 100);
    assert_in_range(atomic_load(&made.made), 1, 10);
    joints = (struct etm_parallel_joints){0};
    test_portions_fini(&made);
    etm_image_free(image);
    free(in.bytes);
}

/* What looks like a VMID in a trace that has none is remembered for good, also
 * by those who begin after it: else no joint would ever fit again. */
static void what_is_never_said_again_is_remembered(void **state)
{
    static const uint8_t mark[] = {0, 0, 0, 0, 0, 0x80}, vmid[] = {0x3c, 0x44};
    struct etm_config config;
    struct input in = {.config = &config};
    struct etm_parallel_config how = {.elements = etm_test_collect,
                                      .context = &other};
    const struct cut cut = {2, 1002, 0};
    struct etm_image *image = make_marked(&in, &config, 200000);
    size_t at = 3000;

    (void)state;
    while (memcmp(in.bytes + at, mark, sizeof mark) != 0)
        at++;
    in.n -= sizeof vmid;
    memmove(in.bytes + at + sizeof vmid, in.bytes + at, in.n - at);
    memcpy(in.bytes + at, vmid, sizeof vmid);
    other.n = 0;
    joints = (struct etm_parallel_joints){0};
    etm_parallel_free(etm_test_parallel(&in, ETM_LEVEL_RANGES, &cut, &how));
    assert_true(joints.good > 100);
    assert_true(joints.bad < 50);
    joints = (struct etm_parallel_joints){0};
    etm_image_free(image);
    free(in.bytes);
}

static int stop(void *context, const struct etm_element *elements, size_t n)
{
    (void)elements;
    (void)n;
    return ++*(unsigned *)context > 3 ? 42 : ETM_OK;
}

/* What the function returns ends the run, while workers are at work. */
static void stops_when_told(void **state)
{
    struct random r = {.state = 6000};
    struct etm_generator_config options = {0};
    struct etm_config config;
    struct input in = {.config = &config};
    struct etm_parallel *p;
    unsigned calls = 0;
    struct etm_parallel_config how = {.config = &config,
                                      .elements = stop,
                                      .context = &calls,
                                      .jobs = 3,
                                      .stretch = 60};
    int status = ETM_OK;

    (void)state;
    config_make(&config, ETM_PROTOCOL_PFT, &r);
    program_make(&program, &config, &r);
    walk_make(&walk, &program, &r, 1500);
    generate(&in, &options, walk.events, walk.n);
    assert_true(in.n > 60);
    OK(etm_parallel_new(&p, &how));
    for (unsigned i = 0; i < 1000 && status == ETM_OK; i++)
        status = etm_parallel_push(p, in.bytes, in.n);
    assert_int_equal(status, 42);
    assert_int_equal(calls, 4);
    etm_parallel_free(p);
    free(in.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretches_end_after_marks),
        cmocka_unit_test(much_may_be_made_of_little),
        cmocka_unit_test(what_is_never_said_again_is_remembered),
        cmocka_unit_test(stops_when_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
