/* SPDX-License-Identifier: Apache-2.0 */
/* Files of perf, made record by record. */
#include "perf_support.h"

#include "capture_support.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

struct perf_file file;

void put(uint64_t value, unsigned bytes)
{
    assert_true(file.n + bytes <= sizeof file.bytes);
    for (; bytes > 0; bytes--, value >>= 8)
        file.bytes[file.n++] = (uint8_t)value;
}

void put_record(unsigned type, size_t n)
{
    put(type, 4);
    put(0, 2);
    put(8 + n, 2);
}

/* Where records begin, and the attribute of the event. */
void begin(bool pipe)
{
    size_t attr;

    file.n = 0;
    for (unsigned i = 0; i < 8; i++)
        put((uint8_t) "PERFILE2"[i], 1);
    put(pipe ? 16 : 104, 8);
    if (pipe) {
        put_record(64, 136);
    } else {
        put(136, 8);
        put(104, 8);
        put(136, 8);
        put(240, 8);
        put(0, 8); /* filled in by end() */
        for (unsigned i = 0; i < 6; i++)
            put(0, 8);
    }
    attr = file.n;
    put(8, 4);
    put(120, 4);
    put(0, 8);
    put(1, 8);
    put(USUAL, 8);
    while (file.n < attr + 136)
        put(0, 1);
}

void end(void)
{
    size_t n = file.n;

    file.n = 48;
    put(n - 240, 8);
    file.n = n;
    write_file("perf.data", file.bytes, file.n);
}

/* Two CPUs: a PTM and an ETM; version 0 does not count parameters. */
void put_info(unsigned version, uint64_t magic, uint32_t legacy)
{
    put_record(70, 8 + 8 * (3 + 2 * (version > 0 ? 7 : 6)));
    put(3, 4);
    put(0, 4);
    put(version, 8);
    put(UINT64_C(8) << 32 | 2, 8);
    put(0, 8);
    for (unsigned i = 0; i < 2; i++) {
        put(magic, 8);
        put(4 * i, 8); /* CPU 0 and CPU 4 */
        if (version > 0)
            put(4, 8);
        put(i == 0 ? 0x10001000 : 0x10001860, 8);
        put(legacy | (0x10 + i), 8);
        put(i == 0 ? 0x34c01ac2 : 0x344008f2, 8);
        put(i == 0 ? 0x411cf312 : 0x410cf250, 8);
    }
}

void put_id(uint32_t cpu, uint64_t id)
{
    put_record(21, 40);
    put(id, 8);
    put(0, 8); /* PID, TID */
    put(5, 8); /* time */
    put(cpu, 8);
    put(77, 8); /* identifier */
}

/* A record of trace, of which so many bytes are after it. */
void put_piece(uint32_t sink, uint64_t bytes)
{
    put_record(71, 40);
    put(bytes, 8);
    put(0, 8);
    put(0, 8);
    put(sink, 4);
    put(1, 4);
    put(sink, 4);
    put(0, 4);
}

/* A frame of one source: 14 bytes of `value`, which is even. */
void put_trace(uint32_t sink, uint8_t id, uint8_t value)
{
    put_record(11, 24); /* AUX: passed over */
    for (unsigned i = 0; i < 3; i++)
        put(0, 8);
    put_piece(sink, 16);
    put((uint64_t)id << 1 | 1, 1);
    for (unsigned i = 0; i < 14; i++)
        put(value, 1);
    put(0, 1);
}

/* A file in the test's directory; `id` may be NULL. */
void write_program(const char *name, bool shared, const uint8_t *id)
{
    static uint8_t bytes[1 << 15];
    FILE *stream = fopen(data_path("two_states.elf"), "rb");
    size_t n;

    assert_non_null(stream);
    n = fread(bytes, 1, sizeof bytes - 64, stream);
    assert_int_equal(fclose(stream), 0);
    n = (n + 3) & ~(size_t)3;
    bytes[16] = shared ? 3 : 2;
    if (id != NULL) { /* notes in the place of the segment of data */
        static const uint8_t note[] = {4, 0, 0, 0, 20,  0,   0,   0,
                                       3, 0, 0, 0, 'G', 'N', 'U', 0};
        static const uint8_t other[] = {4, 0, 0,   0,   1,   0, 0, 0, 9, 0,
                                        0, 0, 'G', 'N', 'U', 0, 7, 0, 0, 0};
        uint8_t *header = bytes + 52 + 32;

        header[0] = 4;
        for (unsigned i = 0; i < 4; i++) {
            header[4 + i] = (uint8_t)(n >> 8 * i);
            header[16 + i] = i == 0 ? sizeof other + sizeof note + 20 : 0;
        }
        memcpy(bytes + n, other, sizeof other);
        memcpy(bytes + n + sizeof other, note, sizeof note);
        memcpy(bytes + n + sizeof other + sizeof note, id, 20);
        n += sizeof other + sizeof note + 20;
    }
    write_file(name, bytes, n);
}

void put_name(const char *name)
{
    size_t n = strlen(name) + 1;

    for (size_t i = 0; i < (n + 7) / 8 * 8; i++)
        put(i < n ? (uint8_t)name[i] : 0, 1);
}

void set_misc(size_t record, unsigned misc)
{
    file.bytes[record + 4] = (uint8_t)misc;
    file.bytes[record + 5] = (uint8_t)(misc >> 8);
}

/* Time, CPU and identifier, as USUAL has them after each record. */
uint64_t perf_now;

void put_end(void)
{
    put(7, 8);
    put(perf_now, 8);
    put(0, 8);
    put(7, 8);
}

void put_mmap2(unsigned misc, uint32_t pid, uint64_t address, uint64_t length,
               uint64_t offset, const uint8_t *id, unsigned protection,
               const char *name)
{
    size_t record = file.n;

    put_record(10, 64 + (strlen(name) + 8) / 8 * 8 + 32);
    set_misc(record, misc | (id != NULL ? HAS_ID : 0));
    put(pid, 4);
    put(pid, 4);
    put(address, 8);
    put(length, 8);
    put(offset, 8);
    put(id != NULL ? 20 : 0x801, 4);
    for (unsigned i = 0; i < 20; i++)
        put(id != NULL ? id[i] : i, 1);
    put(protection, 4);
    put(2, 4);
    put_name(name);
    put_end();
}

const char *perf_root(void)
{
    static char path[600];
    const char *below = in_directory("");

    snprintf(path, sizeof path, "%.*s", (int)strlen(below) - 1, below);
    return path;
}

uint32_t code_at(uint32_t address)
{
    uint8_t b[4];

    if (etm_image_read(core_at(0)->image, address, NULL, b, 4) != 4)
        return 0;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}
