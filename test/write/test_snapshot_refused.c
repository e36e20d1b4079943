/* SPDX-License-Identifier: Apache-2.0 */
/* What a snapshot cannot hold, and where it cannot be written. */
#define _XOPEN_SOURCE 700
#include "../support/scarce.h"
#include "snapshot_folder.h"

static const uint8_t bytes[4] = {0xfe, 0xe7, 0xfe, 0xe7};

IN_A_FOLDER(what_does_not_fit_is_refused)
{
#define OF(...) .core = ETM_SNAPSHOT_NONE, __VA_ARGS__
    assert_ok(CORE(.name = "cpu_0"));
    refused_for(CORE(.name = "cpu_0"), "already");
    assert_refused(CORE(.name = "a/b"));
    assert_refused(SOURCE(OF(.config = PFT(0x10)))); /* no buffer yet */
    assert_ok(BUFFER(.framing = ETM_FRAMING_CORESIGHT));
    assert_ok(BUFFER(.framing = ETM_FRAMING_NONE));
    assert_ok(BUFFER(.framing = ETM_FRAMING_PORT));
    assert_ok(SOURCE(OF(.config = PFT(0x10))));
    refused_config(SOURCE(OF(.config = PFT(0x10)))); /* the trace ID */
    assert_non_null(strstr(diag.what, "0x10"));
    refused_config(SOURCE(OF(.config = PFT(0x70))));
    assert_ok(SOURCE(OF(.config = PFT(0x70), .buffer = 1)));
    /* two in a plain buffer */
    refused_config(SOURCE(OF(.config = PFT(0x70), .buffer = 1)));
    assert_ok(SOURCE(OF(.config = PFT(0x70), .buffer = 2, .name = "PTM_port")));
    /* its name is taken */
    assert_refused(
        SOURCE(OF(.config = PFT(0x70), .buffer = 2, .name = "PTM_port")));
    assert_refused(BUFFER(.framing = ETM_FRAMING_TPIU_PORT));
    assert_refused(trace(9, NULL, 0));
    refused_for(SOURCE(OF(.config = CONFIG(ETM_PROTOCOL_MTB, .size = 0),
                          .buffer = 2, .name = "PTM_port")),
                "can be read, but not written");
#undef OF
}

/* Its frames would have one trace ID, and its description another. */
IN_A_FOLDER(a_trace_id_that_the_registers_contradict_is_refused)
{
    struct etm_register id = {.name = "ETMTRACEIDR", .value = 0x10};
    struct etm_snapshot_source source = {.config = PFT(0x22),
                                         .core = ETM_SNAPSHOT_NONE,
                                         .registers = &id,
                                         .n_registers = 1};

    assert_ok(BUFFER(.framing = ETM_FRAMING_CORESIGHT));
    refused_config(etm_snapshot_add_source(w, &source, NULL, &diag));
    assert_non_null(strstr(diag.what, "0x22, but ETMTRACEIDR has 0x10"));
    id.value = 0x22;
    assert_ok(etm_snapshot_add_source(w, &source, NULL, NULL));
}

IN_A_FOLDER(a_finished_snapshot_takes_nothing_more)
{
    assert_ok(CORE(.name = "cpu_0"));
    assert_ok(BUFFER(.framing = ETM_FRAMING_CORESIGHT));
    assert_ok(SOURCE(.config = PFT(0x10)));
    assert_ok(etm_snapshot_writer_finish(w, NULL));
    refused_for(CORE(.name = "cpu_1"), "finished");
    assert_refused(BUFFER(.framing = ETM_FRAMING_CORESIGHT, .name = "ETB_1",
                          .file = "late.bin"));
    assert_refused(memory("late.bin", 0, bytes, 1));
    assert_refused(etm_snapshot_add_program(w, 0, "/dev/null", NULL));
    assert_refused(SOURCE(.config = PFT(0x11)));
    assert_refused(trace(0, NULL, 0));
    assert_refused(etm_snapshot_writer_finish(w, NULL));
}

/* What the writer took, a session did not read: it is no memory of an image. */
IN_A_FOLDER(memory_beyond_the_address_space_is_refused)
{
    static const struct etm_space nowhere = {.secure = (enum etm_tri)3};

    assert_ok(CORE(.name = "cpu_0"));
    refused_for(memory("top.bin", 0xfffffffd, bytes, 4), "past the end");
    assert_ok(memory("top.bin", 0xfffffffc, bytes, 4));
    assert_refused(memory("top.bin", 0xfffffffe, NULL, 0));
    assert_refused(etm_snapshot_add_memory(w, 0, "other.bin", 0, bytes, 4,
                                           &nowhere, NULL));
    assert_refused(memory("other.bin", 0, NULL, 4));
}

IN_A_FOLDER(memory_without_bytes_needs_a_file)
{
    assert_ok(CORE(.name = "cpu_0"));
    assert_int_equal(memory("none.bin", 0, NULL, 0), ETM_ERR_IO);
    assert_non_null(strstr(diag.source, "none.bin"));
    assert_refused(memory("snapshot.ini", 0, NULL, 0));
    assert_ok(memory("code.bin", 0, bytes, 2));
    assert_ok(memory("code.bin", 0x100, NULL, 0));
}

IN_A_FOLDER(what_is_counted_or_chosen_must_be_there)
{
#define OF(...) .core = ETM_SNAPSHOT_NONE, __VA_ARGS__
    assert_refused(CORE(.n_registers = 1));
    assert_refused(BUFFER(.framing = (enum etm_framing)99));
    assert_ok(BUFFER(.framing = ETM_FRAMING_CORESIGHT));
    assert_refused(SOURCE(OF(.config = PFT(0x10), .n_registers = 1)));
    assert_refused(SOURCE(OF(.config = CONFIG((enum etm_protocol)99, .minor = 1,
                                              .trace_id = 0x10))));
    assert_ok(SOURCE(OF(.config = PFT(0x10))));
    assert_refused(trace(0, NULL, 1));
#undef OF
}

/* A snapshot with all kinds of files; `diag` is that of the first failure. */
static int write_all(const struct etm_allocator *allocator)
{
    static const uint8_t long_trace[3000];
    struct etm_snapshot_writer_config config = {.directory = directory,
                                                .allocator = allocator};
    int status = etm_snapshot_writer_new(&w, &config, &diag);

    for (unsigned step = 0; step < 10 && status == ETM_OK; step++)
        status = step == 0   ? CORE(.name = NULL)
                 : step == 1 ? memory("code.bin", 0, bytes, 4)
                 : step == 2 ? memory("code.bin", 0x100, NULL, 0)
                 : step == 3 ? BUFFER(.framing = ETM_FRAMING_TPIU)
                 : step == 4 ? BUFFER(.framing = ETM_FRAMING_PORT)
                 : step == 5 ? SOURCE(.config = PFT(0x10))
                 : step == 6
                     ? SOURCE(.config = CONFIG(ETM_PROTOCOL_ETMV3, .minor = 4),
                              .buffer = 1)
                 : step < 9 ? trace(step - 7, long_trace, sizeof long_trace)
                            : etm_snapshot_writer_finish(w, &diag);
    etm_snapshot_writer_discard(w);
    w = NULL;
    return status;
}

IN_A_FOLDER(lack_of_memory_is_told_wherever_it_comes)
{
    struct faulty memory = {.fail_at = 1};

    etm_snapshot_writer_discard(w);
    for (;; memory = (struct faulty){.fail_at = memory.fail_at + 1}) {
        const struct etm_allocator allocator = {faulty_resize, &memory};
        int status;

        memset(&diag, 0x55, sizeof diag);
        status = write_all(&allocator);
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
    assert_ok(CORE(.name = "main"));
    assert_ok(BUFFER(.framing = ETM_FRAMING_CORESIGHT));
    (void)remove(within("device_0.ini"));
    assert_int_equal(mkdir(within("device_0.ini"), 0700), 0);
    assert_int_not_equal(etm_snapshot_writer_finish(w, &diag), ETM_OK);
    assert_non_null(strstr(diag.source, "device_0.ini"));
}

TEST(a_folder_that_cannot_be_is_an_error)
{
    struct etm_snapshot_writer_config config = {.directory =
                                                    "no-such-folder/snapshot"};
    struct etm_snapshot_writer *writer;

    assert_int_equal(etm_snapshot_writer_new(&writer, &config, &diag),
                     ETM_ERR_IO);
    assert_null(writer);
    assert_string_equal(diag.source, "no-such-folder/snapshot");
}
