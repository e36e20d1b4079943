/* SPDX-License-Identifier: Apache-2.0 */
/* What is as long as a limit allows, and one byte more (doc/reliability.md). */
#define _POSIX_C_SOURCE 200809L
#include "../support/test.h"
#include "input/pipe.h"
#include "input/sigrok.h"
#include "input/spool.h"
#include "support.h"

#include <unistd.h>

static const struct etm_sigrok_limits limits = ETM_SIGROK_LIMITS;

static void expect_says(const struct etm_diag *diag, int status,
                        const char *text)
{
    assert_int_equal(diag->status, status);
    assert_non_null(strstr(diag->what, text));
}

/* Also where it takes the place of standard input, which is closed. */
TEST(a_temporary_file_has_a_limit)
{
    static const uint8_t bytes[100] = {1, 2, 3};
    const struct etm_allocator allocator = etm_allocator_or_default(NULL);
    struct etm_spool spool;
    struct etm_file file;
    struct etm_diag diag;
    int input = dup(STDIN_FILENO);

    (void)close(STDIN_FILENO);
    assert_ok(etm_spool_open(&spool, "what", &diag));
    assert_int_equal(spool.fd, STDIN_FILENO);
    spool.most = 100;
    assert_ok(etm_spool_write(&spool, bytes, 60, &diag));
    assert_int_equal(etm_spool_write(&spool, bytes, 41, &diag), ETM_ERR_IO);
    expect_says(&diag, ETM_ERR_IO, "more than 100 bytes");
    assert_ok(etm_spool_write(&spool, bytes, 40, &diag));
    assert_int_equal(etm_spool_write(&spool, bytes, 1, &diag), ETM_ERR_IO);
    assert_ok(etm_spool_map(&spool, &file, &diag));
    assert_int_equal(file.n, 100);
    assert_memory_equal(file.bytes, bytes, 60);
    assert_memory_equal(file.bytes + 60, bytes, 40);
    etm_spool_close(&spool);
    etm_file_close(&file, &allocator);
    (void)dup2(input, STDIN_FILENO);
    (void)close(input);
}

/* Zeros through a pipe, of which `most` are kept in a file. */
static int keep(size_t n, uint64_t most, struct etm_file *file,
                struct etm_diag *diag)
{
    static const uint8_t zeros[ETM_SPOOL_KEPT + 2000];
    const struct etm_allocator allocator = etm_allocator_or_default(NULL);
    const struct etm_pipe_options options = {.most = most};
    struct etm_pipe *pipe;
    pid_t child = write_pipe("pipe", zeros, n, n);
    int status;

    assert_ok(
        etm_pipe_open(&pipe, in_directory("pipe"), &options, &allocator, diag));
    status = etm_pipe_keep(pipe, file, diag);
    etm_pipe_close(pipe);
    end_pipe(child, "pipe");
    return status;
}

TEST_BETWEEN(so_much_is_kept_of_a_pipe, empty_directory, NULL)
{
    const struct etm_allocator allocator = etm_allocator_or_default(NULL);
    const size_t most = ETM_SPOOL_KEPT + 1000;
    struct etm_file file;
    struct etm_diag diag;

    assert_ok(keep(most, most, &file, &diag));
    assert_int_equal(file.n, most);
    etm_file_close(&file, &allocator);
    assert_int_equal(keep(most + 1, most, &file, &diag), ETM_ERR_IO);
    expect_says(&diag, ETM_ERR_IO, "more than 16778216");
    assert_int_equal(file.n, 0);
}

/* A zip archive of files that are not compressed (PKWARE's APPNOTE). */
struct zip {
    uint8_t bytes[8192];
    size_t n;
    uint8_t directory[512];
    size_t n_directory;
    unsigned files;
};

static void put(uint8_t *at, size_t *n, uint32_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        at[(*n)++] = (uint8_t)(value >> (8 * i));
}

static uint32_t crc32_of(const uint8_t *bytes, size_t n)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (UINT32_C(0xedb88320) & (0u - (crc & 1)));
    }
    return ~crc;
}

/* Version 1.0, stored, and the date of a day in 1980. */
static void put_head(uint8_t *at, size_t *n, const char *name, uint32_t crc,
                     size_t size)
{
    put(at, n, 10, 4);
    put(at, n, 0, 4);
    put(at, n, 0x21, 2);
    put(at, n, crc, 4);
    put(at, n, (uint32_t)size, 4);
    put(at, n, (uint32_t)size, 4);
    put(at, n, (uint32_t)strlen(name), 2);
    put(at, n, 0, 2);
}

static void add_file(struct zip *z, const char *name, const void *bytes,
                     size_t size)
{
    size_t at = z->n;
    uint32_t crc = crc32_of(bytes, size);

    put(z->bytes, &z->n, 0x04034b50, 4);
    put_head(z->bytes, &z->n, name, crc, size);
    memcpy(z->bytes + z->n, name, strlen(name));
    z->n += strlen(name);
    memcpy(z->bytes + z->n, bytes, size);
    z->n += size;
    put(z->directory, &z->n_directory, 0x02014b50, 4);
    put(z->directory, &z->n_directory, 10, 2);
    put_head(z->directory, &z->n_directory, name, crc, size);
    for (unsigned i = 0; i < 10; i++)
        put(z->directory, &z->n_directory, 0, 1);
    put(z->directory, &z->n_directory, (uint32_t)at, 4);
    memcpy(z->directory + z->n_directory, name, strlen(name));
    z->n_directory += strlen(name);
    z->files++;
}

static void end_zip(struct zip *z)
{
    size_t at = z->n;

    memcpy(z->bytes + z->n, z->directory, z->n_directory);
    z->n += z->n_directory;
    put(z->bytes, &z->n, 0x06054b50, 4);
    put(z->bytes, &z->n, 0, 4);
    put(z->bytes, &z->n, z->files, 2);
    put(z->bytes, &z->n, z->files, 2);
    put(z->bytes, &z->n, (uint32_t)z->n_directory, 4);
    put(z->bytes, &z->n, (uint32_t)at, 4);
    put(z->bytes, &z->n, 0, 2);
}

static const char metadata[] = "[device 1]\ncapturefile=logic-1\n"
                               "unitsize=1\nprobe1=TRACECLK\n";
static const uint8_t samples[40] = {0, 1, 0, 1, 1, 0};

/* A session with 80 samples in two pieces; *n: bytes of what is made of it. */
static int convert(const struct etm_sigrok_limits *most, size_t *n,
                   struct etm_diag *diag)
{
    const struct etm_allocator allocator = etm_allocator_or_default(NULL);
    struct etm_file file;
    struct zip z = {.n = 0};
    uint8_t *copy;
    int status;

    add_file(&z, "version", "2", 1);
    add_file(&z, "metadata", metadata, sizeof metadata - 1);
    add_file(&z, "logic-1-1", samples, sizeof samples);
    add_file(&z, "logic-1-2", samples, sizeof samples);
    end_zip(&z);
    copy = malloc(z.n);
    assert_non_null(copy);
    memcpy(copy, z.bytes, z.n);
    file = (struct etm_file){.bytes = copy, .n = z.n};
    status = etm_sigrok_convert(&file, "a.sr", most, &allocator, diag);
    *n = status == ETM_OK ? file.n : 0;
    etm_file_close(&file, &allocator);
    return status;
}

/* A limit of the three at that many bytes, and at one less. */
static void is_limited(size_t struct_offset, size_t n, const char *what)
{
    struct etm_sigrok_limits most = limits;
    struct etm_diag diag;
    size_t made;

    memcpy((char *)&most + struct_offset, &n, sizeof n);
    assert_ok(convert(&most, &made, &diag));
    n--;
    memcpy((char *)&most + struct_offset, &n, sizeof n);
    assert_int_equal(convert(&most, &made, &diag), ETM_ERR_UNSUPPORTED);
    expect_says(&diag, ETM_ERR_UNSUPPORTED, what);
}

TEST(a_session_of_sigrok_has_limits)
{
    struct etm_diag diag;
    size_t made;
    int status;

    if (!etm_sigrok_possible())
        skip();
    status = convert(&limits, &made, &diag);
    if (status == ETM_ERR_UNSUPPORTED) /* libarchive is not installed */
        skip();
    assert_ok(status);
    is_limited(offsetof(struct etm_sigrok_limits, samples), 2 * sizeof samples,
               "of samples");
    is_limited(offsetof(struct etm_sigrok_limits, metadata),
               sizeof metadata - 1, "of metadata");
    is_limited(offsetof(struct etm_sigrok_limits, changes), made, "of changes");
}

/* doc/reliability.md says these numbers. */
TEST(limits_are_those_of_the_documents)
{
    assert_int_equal(limits.samples, (size_t)1 << 30);
    assert_int_equal(limits.changes, (size_t)1 << 31);
    assert_int_equal(limits.metadata, (size_t)1 << 20);
    assert_int_equal(ETM_SPOOL_PIPE, UINT64_C(64) << 30);
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
