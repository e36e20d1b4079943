/* SPDX-License-Identifier: Apache-2.0 */
/* What a snapshot cannot hold, and where it cannot be written. */
#define _XOPEN_SOURCE 700
#include "../support/scarce.h"
#include "../support/test.h"
#include "snapshot_folder.h"

#include <sys/stat.h>

IN_A_FOLDER(what_does_not_fit_is_refused)
{
    struct etm_snapshot_writer *w = begin();
    struct etm_snapshot_buffer frames = {.framing = ETM_FRAMING_CORESIGHT};
    struct etm_snapshot_buffer plain = {.framing = ETM_FRAMING_NONE};
    struct etm_snapshot_buffer port = {.framing = ETM_FRAMING_PORT};
    struct etm_snapshot_core core = {.name = "cpu_0"};
    struct etm_snapshot_core bad = {.name = "a/b"};
    struct etm_config config = config_of(ETM_PROTOCOL_PFT, 1, 0x10);
    struct etm_snapshot_source source = {.config = &config,
                                         .core = ETM_SNAPSHOT_NONE};
    struct etm_diag diag;

    assert_ok(etm_snapshot_add_core(w, &core, NULL, NULL));
    assert_int_equal(etm_snapshot_add_core(w, &core, NULL, &diag),
                     ETM_ERR_ARGUMENT);
    assert_non_null(strstr(diag.what, "already"));
    assert_int_equal(etm_snapshot_add_core(w, &bad, NULL, &diag),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_snapshot_add_source(w, &source, NULL, NULL),
                     ETM_ERR_ARGUMENT); /* no buffer yet */
    assert_ok(etm_snapshot_add_buffer(w, &frames, NULL, NULL));
    assert_ok(etm_snapshot_add_buffer(w, &plain, NULL, NULL));
    assert_ok(etm_snapshot_add_buffer(w, &port, NULL, NULL));
    assert_ok(etm_snapshot_add_source(w, &source, NULL, NULL));
    assert_int_equal(etm_snapshot_add_source(w, &source, NULL, &diag),
                     ETM_ERR_CONFIG); /* the trace ID */
    assert_non_null(strstr(diag.what, "0x10"));
    config.trace_id = 0x70;
    assert_int_equal(etm_snapshot_add_source(w, &source, NULL, NULL),
                     ETM_ERR_CONFIG);
    source.buffer = 1;
    assert_ok(etm_snapshot_add_source(w, &source, NULL, NULL));
    assert_int_equal(etm_snapshot_add_source(w, &source, NULL, NULL),
                     ETM_ERR_CONFIG); /* two in a plain buffer */
    source.buffer = 2;
    source.name = "PTM_port";
    assert_ok(etm_snapshot_add_source(w, &source, NULL, NULL));
    assert_int_equal(etm_snapshot_add_source(w, &source, NULL, NULL),
                     ETM_ERR_ARGUMENT); /* its name is taken */
    assert_int_equal(
        etm_snapshot_add_buffer(
            w, &(struct etm_snapshot_buffer){.framing = ETM_FRAMING_TPIU_PORT},
            NULL, NULL),
        ETM_ERR_ARGUMENT);
    assert_int_equal(etm_snapshot_add_trace(w, 9, NULL, 0, NULL),
                     ETM_ERR_ARGUMENT);
    config = (struct etm_config){.size = sizeof config,
                                 .protocol = ETM_PROTOCOL_MTB};
    assert_int_equal(etm_snapshot_add_source(w, &source, NULL, &diag),
                     ETM_ERR_ARGUMENT);
    assert_non_null(strstr(diag.what, "can be read, but not written"));
    etm_snapshot_writer_free(w);
}

/* Its frames would have one trace ID, and its description another. */
IN_A_FOLDER(a_trace_id_that_the_registers_contradict_is_refused)
{
    struct etm_snapshot_writer *w = begin();
    struct etm_snapshot_buffer frames = {.framing = ETM_FRAMING_CORESIGHT};
    struct etm_config config = config_of(ETM_PROTOCOL_PFT, 1, 0x22);
    struct etm_register id = {.name = "ETMTRACEIDR", .value = 0x10};
    struct etm_snapshot_source source = {.config = &config,
                                         .core = ETM_SNAPSHOT_NONE,
                                         .registers = &id,
                                         .n_registers = 1};
    struct etm_diag diag;

    assert_ok(etm_snapshot_add_buffer(w, &frames, NULL, NULL));
    assert_int_equal(etm_snapshot_add_source(w, &source, NULL, &diag),
                     ETM_ERR_CONFIG);
    assert_non_null(strstr(diag.what, "0x22, but ETMTRACEIDR has 0x10"));
    id.value = 0x22;
    assert_ok(etm_snapshot_add_source(w, &source, NULL, NULL));
    etm_snapshot_writer_free(w);
}

IN_A_FOLDER(a_finished_snapshot_takes_nothing_more)
{
    struct etm_snapshot_writer *w = begin();
    struct etm_snapshot_buffer frames = {.framing = ETM_FRAMING_CORESIGHT};
    struct etm_snapshot_core core = {.name = "cpu_0"};
    struct etm_config config = config_of(ETM_PROTOCOL_PFT, 1, 0x10);
    struct etm_snapshot_source source = {.config = &config};
    struct etm_diag diag;

    assert_ok(etm_snapshot_add_core(w, &core, NULL, NULL));
    assert_ok(etm_snapshot_add_buffer(w, &frames, NULL, NULL));
    assert_ok(etm_snapshot_add_source(w, &source, NULL, NULL));
    assert_ok(etm_snapshot_writer_finish(w, NULL));
    core.name = "cpu_1";
    frames.name = "ETB_1";
    frames.file = "late.bin";
    assert_int_equal(etm_snapshot_add_core(w, &core, NULL, &diag),
                     ETM_ERR_ARGUMENT);
    assert_non_null(strstr(diag.what, "finished"));
    assert_int_equal(etm_snapshot_add_buffer(w, &frames, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_snapshot_add_memory(w, 0, "late.bin", 0,
                                             (const uint8_t *)"x", 1, NULL,
                                             NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_snapshot_add_program(w, 0, "/dev/null", NULL),
                     ETM_ERR_ARGUMENT);
    config.trace_id = 0x11;
    assert_int_equal(etm_snapshot_add_source(w, &source, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_snapshot_add_trace(w, 0, NULL, 0, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_snapshot_writer_finish(w, NULL), ETM_ERR_ARGUMENT);
    etm_snapshot_writer_free(w);
}

/* What the writer took, a session did not read: it is no memory of an image. */
IN_A_FOLDER(memory_beyond_the_address_space_is_refused)
{
    static const uint8_t bytes[4] = {0xfe, 0xe7, 0xfe, 0xe7};
    static const struct etm_space nowhere = {.secure = (enum etm_tri)3};
    struct etm_snapshot_writer *w = begin();
    struct etm_snapshot_core core = {.name = "cpu_0"};
    struct etm_diag diag;

    assert_ok(etm_snapshot_add_core(w, &core, NULL, NULL));
    assert_int_equal(etm_snapshot_add_memory(w, 0, "top.bin", 0xfffffffd, bytes,
                                             4, NULL, &diag),
                     ETM_ERR_ARGUMENT);
    assert_non_null(strstr(diag.what, "past the end"));
    assert_ok(etm_snapshot_add_memory(w, 0, "top.bin", 0xfffffffc, bytes, 4,
                                      NULL, NULL));
    assert_int_equal(etm_snapshot_add_memory(w, 0, "top.bin", 0xfffffffe, NULL,
                                             0, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(
        etm_snapshot_add_memory(w, 0, "other.bin", 0, bytes, 4, &nowhere, NULL),
        ETM_ERR_ARGUMENT);
    assert_int_equal(
        etm_snapshot_add_memory(w, 0, "other.bin", 0, NULL, 4, NULL, NULL),
        ETM_ERR_ARGUMENT);
    etm_snapshot_writer_free(w);
}

IN_A_FOLDER(memory_without_bytes_needs_a_file)
{
    static const uint8_t bytes[2] = {0xfe, 0xe7};
    struct etm_snapshot_writer *w = begin();
    struct etm_snapshot_core core = {.name = "cpu_0"};
    struct etm_diag diag;

    assert_ok(etm_snapshot_add_core(w, &core, NULL, NULL));
    assert_int_equal(
        etm_snapshot_add_memory(w, 0, "none.bin", 0, NULL, 0, NULL, &diag),
        ETM_ERR_IO);
    assert_non_null(strstr(diag.source, "none.bin"));
    assert_int_equal(
        etm_snapshot_add_memory(w, 0, "snapshot.ini", 0, NULL, 0, NULL, NULL),
        ETM_ERR_ARGUMENT);
    assert_ok(
        etm_snapshot_add_memory(w, 0, "code.bin", 0, bytes, 2, NULL, NULL));
    assert_ok(
        etm_snapshot_add_memory(w, 0, "code.bin", 0x100, NULL, 0, NULL, NULL));
    etm_snapshot_writer_free(w);
}

IN_A_FOLDER(what_is_counted_or_chosen_must_be_there)
{
    struct etm_snapshot_writer *w = begin();
    struct etm_snapshot_core core = {.n_registers = 1};
    struct etm_snapshot_buffer buffer = {.framing = (enum etm_framing)99};
    struct etm_config config = config_of(ETM_PROTOCOL_PFT, 1, 0x10);
    struct etm_snapshot_source source = {
        .config = &config, .core = ETM_SNAPSHOT_NONE, .n_registers = 1};

    assert_int_equal(etm_snapshot_add_core(w, &core, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_snapshot_add_buffer(w, &buffer, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    buffer.framing = ETM_FRAMING_CORESIGHT;
    assert_ok(etm_snapshot_add_buffer(w, &buffer, NULL, NULL));
    assert_int_equal(etm_snapshot_add_source(w, &source, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    source.n_registers = 0;
    config.protocol = (enum etm_protocol)99;
    assert_int_equal(etm_snapshot_add_source(w, &source, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    config.protocol = ETM_PROTOCOL_PFT;
    assert_ok(etm_snapshot_add_source(w, &source, NULL, NULL));
    assert_int_equal(etm_snapshot_add_trace(w, 0, NULL, 1, NULL),
                     ETM_ERR_ARGUMENT);
    etm_snapshot_writer_free(w);
}

/* A snapshot with all kinds of files; *diag is that of the first failure. */
static int write_all(const struct etm_allocator *allocator,
                     struct etm_diag *diag)
{
    static const uint8_t bytes[3000];
    struct etm_snapshot_writer_config config = {.directory = directory,
                                                .allocator = allocator};
    struct etm_snapshot_core core = {.name = NULL};
    struct etm_snapshot_buffer frames = {.framing = ETM_FRAMING_TPIU};
    struct etm_snapshot_buffer port = {.framing = ETM_FRAMING_PORT};
    struct etm_config pft = config_of(ETM_PROTOCOL_PFT, 1, 0x10);
    struct etm_config v3 = config_of(ETM_PROTOCOL_ETMV3, 4, 0);
    struct etm_snapshot_source first = {.config = &pft};
    struct etm_snapshot_source second = {.config = &v3, .buffer = 1};
    struct etm_snapshot_writer *w;
    int status = etm_snapshot_writer_new(&w, &config, diag);

    if (status != ETM_OK)
        return status;
    status = etm_snapshot_add_core(w, &core, NULL, diag);
    if (status == ETM_OK)
        status =
            etm_snapshot_add_memory(w, 0, "code.bin", 0, bytes, 4, NULL, diag);
    if (status == ETM_OK)
        status = etm_snapshot_add_memory(w, 0, "code.bin", 0x100, NULL, 0, NULL,
                                         diag);
    if (status == ETM_OK)
        status = etm_snapshot_add_buffer(w, &frames, NULL, diag);
    if (status == ETM_OK)
        status = etm_snapshot_add_buffer(w, &port, NULL, diag);
    if (status == ETM_OK)
        status = etm_snapshot_add_source(w, &first, NULL, diag);
    if (status == ETM_OK)
        status = etm_snapshot_add_source(w, &second, NULL, diag);
    for (size_t i = 0; i < 2 && status == ETM_OK; i++)
        status = etm_snapshot_add_trace(w, i, bytes, sizeof bytes, diag);
    if (status == ETM_OK)
        status = etm_snapshot_writer_finish(w, diag);
    etm_snapshot_writer_discard(w);
    return status;
}

IN_A_FOLDER(lack_of_memory_is_told_wherever_it_comes)
{
    struct faulty memory = {.fail_at = 1};

    for (;; memory = (struct faulty){.fail_at = memory.fail_at + 1}) {
        const struct etm_allocator allocator = {faulty_resize, &memory};
        struct etm_diag diag;
        int status;

        memset(&diag, 0x55, sizeof diag);
        status = write_all(&allocator, &diag);
        assert_int_equal(memory.live, 0);
        if (memory.calls < memory.fail_at) {
            assert_ok(status);
            break;
        }
        assert_int_equal(status, ETM_ERR_MEMORY);
        assert_int_equal(diag.status, ETM_ERR_MEMORY);
        assert_string_equal(diag.what, "out of memory");
    }
    assert_true(memory.fail_at > 20);
}

/* Something else stands where a file is to be. */
IN_A_FOLDER(a_file_that_cannot_be_is_an_error)
{
    struct etm_snapshot_writer *w = begin();
    struct etm_snapshot_buffer buffer = {.framing = ETM_FRAMING_CORESIGHT};
    struct etm_snapshot_core core = {.name = "main"};
    struct etm_diag diag = {0};
    char path[400];

    assert_ok(etm_snapshot_add_core(w, &core, NULL, NULL));
    assert_ok(etm_snapshot_add_buffer(w, &buffer, NULL, NULL));
    snprintf(path, sizeof path, "%s/device_0.ini", directory);
    (void)remove(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_not_equal(etm_snapshot_writer_finish(w, &diag), ETM_OK);
    assert_non_null(strstr(diag.source, "device_0.ini"));
    etm_snapshot_writer_free(w);
}

TEST(a_folder_that_cannot_be_is_an_error)
{
    struct etm_snapshot_writer_config config = {.directory =
                                                    "no-such-folder/snapshot"};
    struct etm_snapshot_writer *writer;
    struct etm_diag diag;

    assert_int_equal(etm_snapshot_writer_new(&writer, &config, &diag),
                     ETM_ERR_IO);
    assert_null(writer);
    assert_string_equal(diag.source, "no-such-folder/snapshot");
}
