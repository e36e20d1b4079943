/* SPDX-License-Identifier: Apache-2.0 */
/* PFT packets of real captures, byte for byte in both directions. */
#include "pft_cores.h"
#include "pft_util.h"

#define BYTES(...) {__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__})
#define E ETM_ATOM_E
#define N ETM_ATOM_N
#define ATOMS1(a) (a)
#define ATOMS2(a, b) ((a) | (b) << 2)
#define ATOMS3(a, b, c) (ATOMS2(a, b) | (c) << 4)
#define ATOMS4(a, b, c, d) (ATOMS3(a, b, c) | (d) << 6)
#define ATOMS5(a, b, c, d, e) (ATOMS4(a, b, c, d) | (e) << 8)

struct example {
    const struct etm_config *config;
    uint8_t bytes[16];
    size_t n;
    struct etm_packet packet; /* offset, size and header come from the bytes */
};

#define COUNTED(n, bytes) .cycle_count = (n), .cycle_bytes = (bytes)
#define I_SYNC_AFTER(addr, set, why, byte, bits, cycles, n)                    \
    {                                                                          \
        .kind = ETM_PACKET_I_SYNC, .address = (addr), .isa = ETM_ISA_##set,    \
        .reason = ETM_SYNC_##why, .info = (byte), .address_bits = 32,          \
        .address_bytes = 4,                                                    \
        .fields =                                                              \
            ETM_FIELD_ADDRESS | ((n) != 0 ? ETM_FIELD_CYCLES : 0) | (bits),    \
        COUNTED(cycles, n)                                                     \
    }
#define I_SYNC(addr, set, why, byte) I_SYNC_AFTER(addr, set, why, byte, 0, 0, 0)
#define ATOM(n, atoms)                                                         \
    {                                                                          \
        .kind = ETM_PACKET_ATOM, .count = (n), .value = (atoms)                \
    }
#define ATOM_AFTER(atom, cycles, n)                                            \
    {                                                                          \
        .kind = ETM_PACKET_ATOM, .count = 1, .value = (atom),                  \
        .fields = ETM_FIELD_CYCLES, COUNTED(cycles, n)                         \
    }

static const struct example examples[] = {
    {&a15,
     BYTES(0x00, 0x00, 0x00, 0x00, 0x00, 0x80),
     {.kind = ETM_PACKET_A_SYNC}},
    {&a15, BYTES(0x08, 0x83, 0x8d, 0x01, 0xc0, 0x01),
     I_SYNC(0xc0018d82, THUMB, PERIODIC, 0x01)},
    {&flow, BYTES(0x08, 0x54, 0x05, 0x00, 0x80, 0x61),
     I_SYNC(0x80000554, ARM, DEBUG_EXIT, 0x61)},
    {&a15, BYTES(0x08, 0xdf, 0x8d, 0x01, 0xc0, 0x21, 0xcc, 0x03),
     I_SYNC_AFTER(0xc0018dde, THUMB, TRACE_ON, 0x21, 0, 51, 2)},
    {&a9, BYTES(0x08, 0x28, 0x63, 0x03, 0xc0, 0x29, 0xf0, 0x17),
     I_SYNC_AFTER(0xc0036328, ARM, TRACE_ON, 0x29, ETM_FIELD_NS, 380, 2)},
    {&a9, BYTES(0x08, 0x28, 0x63, 0x03, 0xc0, 0x29, 0xb8),
     I_SYNC_AFTER(0xc0036328, ARM, TRACE_ON, 0x29, ETM_FIELD_NS, 14, 1)},
    {&a9, BYTES(0x08, 0x00, 0xfd, 0x00, 0xc0, 0x29, 0xf4, 0x04),
     I_SYNC_AFTER(0xc000fd00, ARM, TRACE_ON, 0x29, ETM_FIELD_NS, 77, 2)},

    {&flow, BYTES(0xc8), ATOM(5, ATOMS5(E, E, N, E, E))},
    {&flow, BYTES(0xd0), ATOM(5, ATOMS5(E, N, E, E, E))},
    {&flow, BYTES(0xd2), ATOM(5, ATOMS5(E, N, E, E, N))},
    {&flow, BYTES(0xe2), ATOM(5, ATOMS5(N, E, E, E, N))},
    {&flow, BYTES(0x9c), ATOM(3, ATOMS3(N, N, E))},
    {&flow, BYTES(0x84), ATOM(1, ATOMS1(E))},
    {&flow, BYTES(0x86), ATOM(1, ATOMS1(N))},
    {&flow, BYTES(0x8a), ATOM(2, ATOMS2(E, N))},
    {&flow, BYTES(0xa8), ATOM(4, ATOMS4(E, N, E, E))},
    {&a15, BYTES(0xbc), ATOM_AFTER(E, 15, 1)},
    {&a15, BYTES(0xe8, 0x20), ATOM_AFTER(E, 522, 2)},
    {&a15, BYTES(0xde, 0x01), ATOM_AFTER(N, 23, 2)},

    {&flow,
     BYTES(0x2f),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .fields = ETM_FIELD_ADDRESS,
      .address_bytes = 1,
      .address_bits = 6,
      .address = 0x5c >> 2}},
    {&flow,
     BYTES(0xad, 0x05),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .fields = ETM_FIELD_ADDRESS,
      .address_bytes = 2,
      .address_bits = 12,
      .address = 0x558 >> 2}},
    {&a15,
     BYTES(0xdb, 0x91, 0x03, 0x6c, 0x01),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .fields = ETM_FIELD_ADDRESS | ETM_FIELD_CYCLES,
      .address_bytes = 3,
      .address_bits = 19,
      .address = 0xc8da >> 1,
      COUNTED(27, 2)}},
    {&a15,
     BYTES(0xd1, 0x88, 0xc1, 0x01, 0x74, 0x04),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .fields = ETM_FIELD_ADDRESS | ETM_FIELD_CYCLES,
      .address_bytes = 4,
      .address_bits = 26,
      .address = 0x304450 >> 1,
      COUNTED(77, 2)}},
    {&flow,
     BYTES(0xfd, 0x9e, 0x80, 0x80, 0x18),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .fields = ETM_FIELD_ADDRESS,
      .address_bytes = 5,
      .address_bits = 31,
      .isa = ETM_ISA_THUMB,
      .address = 0x80000f7cu >> 1}},
    {&flow,
     BYTES(0xbd, 0x85, 0x80, 0x80, 0x0c),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .fields = ETM_FIELD_ADDRESS,
      .address_bytes = 5,
      .address_bits = 30,
      .isa = ETM_ISA_ARM,
      .address = 0x80000578u >> 2}},
    {&a15,
     BYTES(0x8f, 0xea, 0xde, 0xdb, 0x0d, 0x74, 0x18),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .fields = ETM_FIELD_ADDRESS | ETM_FIELD_CYCLES,
      .address_bytes = 5,
      .address_bits = 30,
      .isa = ETM_ISA_ARM,
      .address = 0xb6ef6a1cu >> 2,
      COUNTED(397, 2)}},
    {&a15,
     BYTES(0xcf, 0xb6, 0xbd, 0x01, 0x50, 0x04),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .fields = ETM_FIELD_ADDRESS | ETM_FIELD_CYCLES,
      .address_bytes = 4,
      .address_bits = 26,
      .address = 0x02f5b4e >> 1,
      COUNTED(68, 2)}},
    {&a9,
     BYTES(0xf9, 0x8e, 0x02, 0x30),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .fields = ETM_FIELD_ADDRESS | ETM_FIELD_CYCLES,
      .address_bytes = 3,
      .address_bits = 19,
      .address = 0x10ef0 >> 2,
      COUNTED(12, 1)}},
    {&a9,
     BYTES(0x8d, 0x80, 0xfe, 0xff, 0x4f, 0x1d, 0x3c),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .fields = ETM_FIELD_ADDRESS | ETM_FIELD_CYCLES | ETM_FIELD_EXCEPTION_0 |
                ETM_FIELD_NS,
      .address_bytes = 5,
      .address_bits = 30,
      .isa = ETM_ISA_ARM,
      .address = 0xffff0018u >> 2,
      .info = 0x1d,
      .exception = 0x0e,
      COUNTED(15, 1)}},
    {&flow,
     BYTES(0x81, 0x80, 0x80, 0x80, 0x48, 0x02),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .fields = ETM_FIELD_ADDRESS | ETM_FIELD_EXCEPTION_0,
      .address_bytes = 5,
      .address_bits = 30,
      .isa = ETM_ISA_ARM,
      .info = 0x02,
      .exception = 1}},

    {&a9,
     BYTES(0x72, 0x79),
     {.kind = ETM_PACKET_WAYPOINT_UPDATE,
      .fields = ETM_FIELD_ADDRESS,
      .address_bytes = 1,
      .address_bits = 6,
      .address = 0x3c}},

    {&a15,
     BYTES(0x42, 0xcc, 0x97, 0xc6, 0xce, 0xaf, 0x90, 0x80, 0x80, 0x00, 0x00),
     {.kind = ETM_PACKET_TIMESTAMP,
      .fields = ETM_FIELD_CYCLES,
      .value = 0x82f9d18bcc,
      .value_bytes = 9,
      COUNTED(0, 1)}},
    {&a15,
     BYTES(0x42, 0x80, 0x1d, 0x00),
     {.kind = ETM_PACKET_TIMESTAMP,
      .fields = ETM_FIELD_CYCLES,
      .value = 0x0e80,
      .value_bytes = 2,
      COUNTED(0, 1)}},
    {&a9,
     BYTES(0x42, 0xe7, 0xf0, 0xae, 0xc8, 0x8e, 0x8b, 0x00, 0x0c),
     {.kind = ETM_PACKET_TIMESTAMP,
      .fields = ETM_FIELD_CYCLES,
      .value = 0x58e90bb867,
      .value_bytes = 7,
      COUNTED(3, 1)}},
    {&a15, BYTES(0x76), {.kind = ETM_PACKET_EXCEPTION_EXIT}},
    {&a15, BYTES(0x0c), {.kind = ETM_PACKET_TRIGGER}},
    {&a15, BYTES(0x66), {.kind = ETM_PACKET_IGNORE}},
    {&a15,
     BYTES(0x3c, 0xa5),
     {.kind = ETM_PACKET_VMID, .value = 0xa5, .value_bytes = 1}},
};
#define N_EXAMPLES (sizeof examples / sizeof examples[0])

static struct etm_packet expected(const struct example *e)
{
    struct etm_packet k = e->packet;

    k.offset = sizeof a_sync;
    k.size = (uint32_t)e->n;
    k.header = e->bytes[0];
    return k;
}

static void worked_examples_decode(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_EXAMPLES; i++) {
        const struct example *e = &examples[i];
        struct etm_packet k = expected(e);
        uint8_t stream[32];
        struct etm_vec out;

        memcpy(stream, a_sync, sizeof a_sync);
        memcpy(stream + sizeof a_sync, e->bytes, e->n);
        decode_all(e->config, stream, sizeof a_sync + e->n, &out);
        assert_int_equal(out.n, 2);
        assert_memory_equal(packet_at(&out, 1), &k, sizeof k);
        etm_vec_fini(&out);
    }
}

static void worked_examples_encode(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_EXAMPLES; i++) {
        const struct example *e = &examples[i];
        uint8_t bytes[ETM_PACKET_ENCODED_MAX];
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

        assert_int_equal(etm_pft_encode(e->config, &e->packet, &w), ETM_OK);
        assert_int_equal(etm_writer_size(&w), e->n);
        assert_memory_equal(bytes, e->bytes, e->n);
    }
}

/* Every example, cut at every byte. */
static void stream_cut_in_a_packet_ends_in_a_truncated_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_EXAMPLES; i++) {
        const struct example *e = &examples[i];

        for (size_t n = 1; n < e->n; n++) {
            uint8_t stream[32];
            struct etm_vec out;

            memcpy(stream, a_sync, sizeof a_sync);
            memcpy(stream + sizeof a_sync, e->bytes, n);
            decode_all(e->config, stream, sizeof a_sync + n, &out);
            assert_int_equal(out.n, 2);
            assert_int_equal(packet_at(&out, 1)->kind, ETM_PACKET_BAD);
            assert_int_equal(packet_at(&out, 1)->fields, ETM_FIELD_TRUNCATED);
            assert_covers(&out, stream, sizeof a_sync + n);
            etm_vec_fini(&out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_examples_decode),
        cmocka_unit_test(worked_examples_encode),
        cmocka_unit_test(stream_cut_in_a_packet_ends_in_a_truncated_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
