/* SPDX-License-Identifier: Apache-2.0 */
/* Files of perf, made record by record. */
#ifndef ETM_TEST_INPUT_PERF_SUPPORT_H
#define ETM_TEST_INPUT_PERF_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ETMV3 UINT64_C(0x3030303030303030)
#define ETMV4 UINT64_C(0x4040404040404040)
#define LEGACY 0x80000000u /* the ID is not the one in use */

/* Flags of records. */
#define USER 2u
#define HAS_ID (1u << 14) /* of MMAP2 */

/* perf_event_attr.sample_type: IP, TID, CPU, identifier */
#define USUAL (1u << 1 | 1u << 2 | 1u << 7 | 1u << 16)

extern struct perf_file {
    uint8_t bytes[1 << 18];
    size_t n;
} file;

void put(uint64_t value, unsigned bytes);
void put_record(unsigned type, size_t n);

/* Where records begin, and the attribute of the event. */
void begin(bool pipe);

/* Write it as perf.data in the test's directory; not of a pipe. */
void end(void);

/* Two CPUs: a PTM and an ETM; version 0 does not count parameters. */
void put_info(unsigned version, uint64_t magic, uint32_t legacy);
void put_id(uint32_t cpu, uint64_t id);

/* A record of trace, of which so many bytes are after it. */
void put_piece(uint32_t sink, uint64_t bytes);

/* A frame of one source: 14 bytes of `value`, which is even. */
void put_trace(uint32_t sink, uint8_t id, uint8_t value);

/* Of a record: flags, a name, and after it time, CPU and identifier, as USUAL
 * has them. */
extern uint64_t perf_now;
void set_misc(size_t record, unsigned misc);
void put_name(const char *name);
void put_end(void);

/* `id`, of 20 bytes, may be NULL. */
void put_mmap2(unsigned misc, uint32_t pid, uint64_t address, uint64_t length,
               uint64_t offset, const uint8_t *id, unsigned protection,
               const char *name);

/* A program in the test's directory: test/data/two_states.elf with another
 * header. Its first segment goes to 0x7f8c. */
void write_program(const char *name, bool shared, const uint8_t *id);
#define MOV 0xe1a03000u /* at 0x802c of it */

/* The test's directory, where programs are looked for. */
const char *perf_root(void);

/* The word of code at an address; 0: there is none. */
uint32_t code_at(uint32_t address);

#endif
