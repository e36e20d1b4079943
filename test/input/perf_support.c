/* SPDX-License-Identifier: Apache-2.0 */
/* Files of perf, made record by record. */
#include "perf_support.h"

#include "support.h"

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

/* A record of trace, of which so many bytes are behind it. */
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
