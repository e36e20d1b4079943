/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that does not grow with the capture: what a session asks of its
 * allocator at a time is counted, while it reads some megabytes.
 */
#include "../input/support.h"
#include "../support/test.h"
#include "../support/used.h"

#include "session/parallel.h"

#include <etm/port.h>
#include <etm/session.h>

#include <pthread.h>
#include <stdatomic.h>

/* Far less than any of the captures here. */
#define ENOUGH ((size_t)8 << 20)

static const struct etm_config pft = {.size = sizeof pft,
                                      .protocol = ETM_PROTOCOL_PFT};
static struct used memory;
static const struct etm_allocator counting = {used_resize, &memory};

static int begin(void **state)
{
    memory = (struct used){0};
    return empty_directory(state);
}

static void expect_most(size_t most)
{
    assert_int_equal(memory.now, 0);
    if (memory.most > most)
        fail_msg("%zu bytes at a time", memory.most);
}

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    uint64_t *seen = context;

    (void)elements;
    *seen += n;
    return ETM_OK;
}

#define FRAMED ((size_t)16 << 20)

/*
 * Two sources in turn, a few bytes of each. The second one synchronizes at its
 * beginning and then never again (ETMSYNCFR can be set so).
 */
static void write_frames(const char *name)
{
    static const uint8_t sync[] = {0,    0,    0,    0,    0,    0x80,
                                   0x08, 0x00, 0x00, 0x10, 0x00, 0x21};
    struct etm_framer_config config = {.layout = ETM_FRAME_ALIGNED};
    struct etm_framer *framer;
    uint8_t atoms[7];
    const uint8_t *bytes;
    size_t n;

    memset(atoms, 0x84, sizeof atoms);
    OK(etm_framer_new(&framer, &config));
    OK(etm_framer_push(framer, 0x11, sync, sizeof sync));
    for (size_t i = 0; i < FRAMED / 16; i++) {
        etm_framer_push(framer, 0x10, atoms, sizeof atoms);
        OK(etm_framer_push(framer, 0x11, atoms, sizeof atoms));
    }
    OK(etm_framer_flush(framer));
    etm_framer_take(framer, &bytes, &n);
    assert_true(n >= FRAMED);
    write_file(name, bytes, n);
    etm_framer_free(framer);
}

TEST_BETWEEN(a_synchronization_may_be_far_away, begin, NULL)
{
    struct etm_session_options options = {.protocol = ETM_PROTOCOL_PFT,
                                          .framing = ETM_FRAMING_CORESIGHT,
                                          .allocator = &counting};
    struct etm_session_run run = {.elements = take_elements,
                                  .begin = FRAMED - 4096};
    struct etm_session *session;
    struct etm_diag diag;
    uint64_t seen = 0;

    write_frames("frames");
    OK(etm_session_open(&session, in_directory("frames"), &options, &diag));
    assert_int_equal(etm_session_sources(session), 2);
    run.context = &seen;
    for (size_t source = 0; source < 2; source++)
        OK(etm_session_run_source(session, source, &run, &diag));
    assert_true(seen >= 3); /* trace_on of one, and an `end` of each */
    etm_session_free(session);
    expect_most(ENOUGH);
}

#define FILE_BYTES ((size_t)9 << 20)

struct joined {
    const uint8_t *expected;
    size_t n;
    bool same;
};

static int take_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct joined *j = context;

    j->same = j->same && n <= 2 * FILE_BYTES - j->n &&
              memcmp(j->expected + j->n, bytes, n) == 0;
    j->n += n;
    return j->same ? ETM_OK : ETM_ERR_STOPPED;
}

static void write_snapshot(const uint8_t *bytes)
{
    write_file("a.bin", bytes, FILE_BYTES);
    write_file("b.bin", bytes + FILE_BYTES, FILE_BYTES);
    write_text("snapshot.ini", "[snapshot]\nversion=1.0\n[device_list]\n"
                               "d0=etm.ini\n[trace]\nmetadata=trace.ini\n");
    write_text("etm.ini",
               "[device]\nname=ETM\nclass=trace_source\ntype=ETM2.0\n[regs]\n"
               "ETMCR(0x000)=0x0\nETMCCR(0x001)=0x80000000\n"
               "ETMIDR(0x079)=0x41001100\n");
    write_text("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\nname=B\n"
                            "file=a.bin,b.bin\nformat=source_data\n"
                            "[source_buffers]\nETM=B\n");
}

TEST_BETWEEN(files_of_a_buffer_are_joined_in_a_file, begin, NULL)
{
    struct etm_session_options options = {.allocator = &counting};
    struct etm_session_run run = {.bytes = take_bytes};
    uint8_t *bytes = malloc(2 * FILE_BYTES);
    struct joined joined = {.expected = bytes, .same = true};
    struct etm_session *session;

    assert_non_null(bytes);
    for (size_t i = 0; i < 2 * FILE_BYTES; i++)
        bytes[i] = (uint8_t)(i * 7 + (i >> 13));
    write_snapshot(bytes);
    OK(etm_session_open(&session, in_directory(""), &options, NULL));
    assert_int_equal(etm_session_bytes(session, 0), 2 * FILE_BYTES);
    run.context = &joined;
    OK(etm_session_run_source(session, 0, &run, NULL));
    assert_int_equal(joined.n, 2 * FILE_BYTES);
    assert_true(joined.same);
    etm_session_free(session);
    free(bytes);
    expect_most(ENOUGH);
}

#define STRETCH ((size_t)4 << 20)
#define STRETCHES 30u

/* Few of them are kept at a time, of however many there are: 48 MB and the one
 * that is being filled, each with at most as much again to grow. */
TEST_BETWEEN(memory_of_stretches_is_used_again, begin, NULL)
{
    static uint8_t zeros[STRETCH];
    uint64_t seen = 0;
    struct etm_parallel_config how = {.config = &pft,
                                      .level = ETM_LEVEL_COUNTS,
                                      .elements = take_elements,
                                      .context = &seen,
                                      .allocator = &counting,
                                      .jobs = 2,
                                      .stretch = STRETCH};
    struct etm_parallel *p;

    OK(etm_parallel_new(&p, &how));
    for (unsigned i = 0; i < STRETCHES; i++)
        OK(etm_parallel_push(p, zeros, sizeof zeros));
    OK(etm_parallel_finish(p));
    etm_parallel_free(p);
    expect_most(STRETCHES * STRETCH);
}

static int add_lost(void *context, const struct etm_element *elements, size_t n)
{
    uint64_t *lost = context;

    for (size_t i = 0; i < n; i++)
        if (elements[i].kind == ETM_ELEMENT_LOST)
            *lost += elements[i].u.lost.bytes;
    return ETM_OK;
}

#define CAPTURE_GAPS 6000000u

/* Now and then a few bytes between gaps, which are kept with the stretches. */
TEST_BETWEEN(a_capture_may_be_all_gaps, begin, NULL)
{
    static const uint8_t zeros[6];
    uint64_t lost = 0;
    struct etm_parallel_config how = {.config = &pft,
                                      .elements = add_lost,
                                      .context = &lost,
                                      .allocator = &counting,
                                      .jobs = 2};
    struct etm_parallel *p;
    size_t bytes = 0;

    OK(etm_parallel_new(&p, &how));
    for (unsigned i = 0; i < CAPTURE_GAPS; i++) {
        /* none for long, and then between any two */
        if (i % 65536 == 0 || i > CAPTURE_GAPS / 2) {
            OK(etm_parallel_push(p, zeros, sizeof zeros));
            bytes += sizeof zeros;
        }
        OK(etm_parallel_gap(p, 7));
    }
    OK(etm_parallel_finish(p));
    etm_parallel_free(p);
    assert_int_equal(lost, bytes + 7 * (uint64_t)CAPTURE_GAPS);
    expect_most(5 * ENOUGH);
}

#define ATOMS 1536u

/* A loop that is entered at the first I-sync, of which no other one tells:
 * `n` times ATOMS instructions. */
static int push_loop(struct etm_parallel_config *how, unsigned n,
                     struct etm_parallel_joints *joints)
{
    static const uint8_t begin[] = {0, 0,    0, 0,    0, 0x80,
                                    8, 0x21, 0, 0x10, 0, 0};
    static const uint8_t loop[] = {0xfe, 0xff, 0xff, 0xea}; /* b . */
    static const struct etm_config config = {
        .size = sizeof config, .protocol = ETM_PROTOCOL_ETMV3, .minor = 5};
    uint8_t atoms[ATOMS];
    struct etm_image *image;
    struct etm_parallel *p = NULL;
    int status;

    memset(atoms, 0x84, sizeof atoms); /* E */
    OK(etm_image_new(&image, NULL));
    OK(etm_image_add(image, 0x1000, loop, sizeof loop, NULL));
    how->config = &config;
    how->image = image;
    how->jobs = 2;
    how->stretch = ATOMS;
    status = etm_parallel_new(&p, how);
    if (status == ETM_OK)
        status = etm_parallel_push(p, begin, sizeof begin);
    for (unsigned i = 0; i < n && status == ETM_OK; i++)
        status = etm_parallel_push(p, atoms, sizeof atoms);
    if (status == ETM_OK)
        status = etm_parallel_finish(p);
    if (status == ETM_OK)
        *joints = etm_parallel_joints(p);
    etm_parallel_free(p);
    etm_image_free(image);
    return status;
}

/* One thread knows where the program is since the first I-sync, and no other
 * one ever does: that is found out again now and then, but soon each time. */
TEST_BETWEEN(what_cannot_be_shared_is_not_tried_often, begin, NULL)
{
    uint64_t lost = 0;
    struct etm_parallel_config how = {
        .level = ETM_LEVEL_COVERAGE, .elements = add_lost, .context = &lost};
    struct etm_parallel_joints joints;

    OK(push_loop(&how, 5000, &joints));
    assert_int_equal(lost, 0);
    /* with those that are under way each time; else more than 300 */
    assert_in_range(joints.bad, 8, 280);
}

struct short_memory {
    atomic_int left; /* allocations until all fail */
    atomic_bool failed;
};

static void *resize_some(void *context, void *old, size_t size)
{
    struct short_memory *s = context;

    if (size == 0) {
        free(old);
        return NULL;
    }
    if (atomic_fetch_sub(&s->left, 1) > 0)
        return realloc(old, size);
    atomic_store(&s->left, 0);
    atomic_store(&s->failed, true);
    return NULL;
}

/* Lack of memory on any thread, that of the first stretch too, is reported, or
 * nothing is lost. */
TEST_BETWEEN(memory_may_be_short_on_any_thread, begin, NULL)
{
    static const enum etm_level levels[] = {
        ETM_LEVEL_RANGES, ETM_LEVEL_COVERAGE, ETM_LEVEL_INSTRUCTIONS};
    struct etm_parallel_joints joints;

    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        bool failed = true;
        int n;

        for (n = 0; failed; n++) {
            struct short_memory some = {n, false};
            struct etm_allocator allocator = {resize_some, &some};
            uint64_t lost = 0;
            struct etm_parallel_config how = {.level = levels[i],
                                              .elements = add_lost,
                                              .context = &lost,
                                              .allocator = &allocator};
            int status = push_loop(&how, 12, &joints);

            failed = atomic_load(&some.failed);
            if (status != ETM_OK) {
                assert_true(failed);
                assert_int_equal(status, ETM_ERR_MEMORY);
            } else {
                assert_int_equal(lost, 0);
            }
        }
        assert_true(n > 10);
    }
}

static void *resize_here(void *context, void *old, size_t size)
{
    const pthread_t *here = context;

    if (size != 0 && !pthread_equal(*here, pthread_self()))
        return NULL;
    if (size != 0)
        return realloc(old, size);
    free(old);
    return NULL;
}

/* The thread that pushes does all that others took and have no memory for, the
 * first stretch too. */
TEST_BETWEEN(memory_may_be_short_on_all_threads_but_one, begin, NULL)
{
    pthread_t here = pthread_self();
    struct etm_allocator allocator = {resize_here, &here};
    struct etm_parallel_joints joints;
    uint64_t lost = 0;
    struct etm_parallel_config how = {.level = ETM_LEVEL_RANGES,
                                      .elements = add_lost,
                                      .context = &lost,
                                      .allocator = &allocator};

    OK(push_loop(&how, 100, &joints));
    assert_int_equal(lost, 0);
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
