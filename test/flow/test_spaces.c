/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A context ID is new with each of more packets than a decoder could tell
 * spaces apart, and no branch ends what is walked: blocks and spaces are
 * forgotten all the same, and what comes of the trace is whole.
 */
#include "flow/pft/retstack.h"
#include "image/image.h"

#include <etm/decode.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Context IDs: more than a space has numbers. */
#define MANY 66000u

/* ARM code that goes straight on, with loads where data are wanted. */
#define BASE 0x10000u
#define CODE (4 * (MANY + 1))

#define NOP 0xe1a00000u
#define LDR 0xe5910000u /* ldr r0, [r1] */

static struct etm_image *make_image(uint32_t opcode)
{
    struct etm_space space = {.has_context = true};
    static uint8_t bytes[CODE];
    struct etm_image *image;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(opcode >> 8 * (i % 4));
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_image_add(image, BASE, bytes, sizeof bytes, NULL),
                     ETM_OK);
    /* each context has code of its own */
    for (; space.context_id < MANY; space.context_id++)
        assert_int_equal(
            etm_image_add(image, BASE, bytes, sizeof bytes, &space), ETM_OK);
    return image;
}

/* What came of it. */
struct seen {
    uint32_t insns, contexts, data, owned, begun;
    uint32_t next; /* address after what was executed last */
};

static int see(void *context, const struct etm_element *e, size_t n)
{
    struct seen *seen = context;

    for (size_t i = 0; i < n; i++) {
        if (e[i].kind == ETM_ELEMENT_RANGE) {
            assert_int_equal(e[i].u.range.start, seen->next);
            assert_int_equal(e[i].u.range.end - e[i].u.range.start,
                             4 * e[i].u.range.n);
            assert_int_equal(e[i].u.range.end, e[i].u.range.last_address + 4);
            seen->insns += e[i].u.range.n;
            seen->next = e[i].u.range.end;
        } else if (e[i].kind == ETM_ELEMENT_INSN) {
            assert_int_equal(e[i].u.insn.address, seen->next);
            seen->insns++;
            seen->next += 4;
        } else if (e[i].kind == ETM_ELEMENT_CONTEXT) {
            assert_int_equal(e[i].u.context.context_id, seen->contexts);
            seen->contexts++;
        } else if (e[i].kind == ETM_ELEMENT_DATA) {
            seen->data++;
            seen->owned += e[i].u.data.insn_known;
        } else if (e[i].kind == ETM_ELEMENT_TRACE_ON) {
            seen->begun++;
        } else {
            assert_int_equal(e[i].kind, ETM_ELEMENT_END);
        }
    }
    return ETM_OK;
}

static int count(void *context, const struct etm_count *row)
{
    struct seen *seen = context;

    seen->insns += row->insns * (uint32_t)row->n;
    return ETM_OK;
}

static const enum etm_level levels[] = {
    ETM_LEVEL_RANGES, ETM_LEVEL_INSTRUCTIONS, ETM_LEVEL_COUNTS};

#define LEVELS (sizeof levels / sizeof *levels)

static size_t put_word(uint8_t *to, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(word >> 8 * i);
    return 4;
}

/* The bytes that come with each context ID; returns their number. */
typedef size_t packets_fn(uint8_t *to, uint32_t id);

#define PACKETS 64u /* bytes */

/* What comes of `begins`, and of the packets of all of them. */
static struct seen decode(const struct etm_config *config, enum etm_level level,
                          uint32_t opcode, const uint8_t *begins,
                          size_t n_begins, packets_fn *packets)
{
    struct etm_image *image = make_image(opcode);
    struct seen seen = {.next = BASE};
    struct etm_decoder_config how = {.size = sizeof how,
                                     .config = config,
                                     .image = image,
                                     .level = level,
                                     .elements = see,
                                     .context = &seen};
    static uint8_t bytes[16 * PACKETS];
    struct etm_decoder *d;
    size_t n = 0;

    assert_int_equal(etm_decoder_new(&d, &how), ETM_OK);
    assert_int_equal(etm_decoder_push(d, begins, n_begins), ETM_OK);
    for (uint32_t id = 0; id < MANY; id++) {
        n += packets(bytes + n, id);
        if (id % 16 != 15 && id + 1 != MANY)
            continue;
        assert_int_equal(etm_decoder_push(d, bytes, n), ETM_OK);
        n = 0;
    }
    assert_int_equal(etm_decoder_finish(d), ETM_OK);
    if (level == ETM_LEVEL_COUNTS)
        assert_int_equal(etm_decoder_counts(d, count, &seen), ETM_OK);
    etm_decoder_free(d);
    etm_image_free(image);
    return seen;
}

static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80};

/* A-sync, and an I-sync at BASE without a context: it is the first one's. */
static const uint8_t pft_begins[] = {0,    0,    0, 0, 0,    0x80, 0x08, 0,
                                     0x00, 0x01, 0, 1, 0x00, 0,    0,    0};

/* A context ID, and a waypoint update to the instruction. */
static size_t pft_update(uint8_t *to, uint32_t id)
{
    uint32_t address = BASE + 4 * id;
    size_t n = 0;

    to[n++] = 0x6e;
    n += put_word(to + n, id);
    to[n++] = 0x72;
    to[n++] = (uint8_t)(0x81 | (address >> 1 & 0x7e));
    to[n++] = (uint8_t)(0x80 | (address >> 8 & 0x7f));
    to[n++] = (uint8_t)(0x80 | (address >> 15 & 0x7f));
    to[n++] = (uint8_t)(0x80 | (address >> 22 & 0x7f));
    to[n++] = (uint8_t)(0x08 | (address >> 29 & 0x07));
    return n;
}

static void waypoint_updates_of_pft(void **state)
{
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_PFT,
                                .minor = 1,
                                .context_id_bytes = 4};

    (void)state;
    for (size_t k = 0; k < LEVELS; k++) {
        struct seen seen = decode(&config, levels[k], NOP, pft_begins,
                                  sizeof pft_begins, pft_update);

        assert_int_equal(seen.contexts, MANY);
        /* the open range is given at the end */
        assert_int_equal(seen.insns, MANY);
        assert_int_equal(seen.begun, 1);
    }
}

/* ETMv3: an I-sync with each context ID, and an atom. */
static const uint8_t etmv3_begins[] = {0, 0, 0, 0,    0,    0x80, 0x08, 0,
                                       0, 0, 0, 0x21, 0x00, 0x00, 0x01, 0};

static size_t etmv3_atom(uint8_t *to, uint32_t id)
{
    size_t n = 0;

    to[n++] = 0x6e;
    n += put_word(to + n, id);
    to[n++] = 0x84;
    return n;
}

static void instructions_of_etmv3(void **state)
{
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV3,
                                .minor = 5,
                                .context_id_bytes = 4};

    (void)state;
    for (size_t k = 0; k < LEVELS; k++) {
        struct seen seen;

        config.data_value = k == 1;
        seen = decode(&config, levels[k], NOP, etmv3_begins,
                      sizeof etmv3_begins, etmv3_atom);
        assert_int_equal(seen.contexts, MANY);
        assert_int_equal(seen.insns, MANY);
        assert_int_equal(seen.begun, 1);
    }
}

/* Tracing begins with a load in progress, and its value comes (7.7.3). */
static size_t etmv3_value(uint8_t *to, uint32_t id)
{
    size_t n = 0;

    to[n++] = 0x08;
    n += put_word(to + n, id);
    to[n++] = 0x21;
    n += put_word(to + n, BASE + 4 * id);
    to[n++] = 0x06; /* a value of one byte */
    to[n++] = 5;
    return n;
}

/* Tracing begins with a load in progress, and a branch packet names the next
 * instruction. */
static size_t etmv3_branch(uint8_t *to, uint32_t id)
{
    size_t n = etmv3_value(to, id) - 2;

    to[n++] = 0x03;
    return n;
}

static void loads_in_progress_of_etmv3(void **state)
{
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV3,
                                .minor = 5,
                                .data_value = true,
                                .context_id_bytes = 4};
    struct seen seen = decode(&config, ETM_LEVEL_RANGES, LDR, a_sync,
                              sizeof a_sync, etmv3_value);

    (void)state;
    assert_int_equal(seen.contexts, MANY);
    assert_int_equal(seen.data, MANY);
    assert_int_equal(seen.owned, MANY);
    assert_int_equal(seen.begun, MANY);
    seen = decode(&config, ETM_LEVEL_RANGES, LDR, a_sync, sizeof a_sync,
                  etmv3_branch);
    assert_int_equal(seen.contexts, MANY);
    assert_int_equal(seen.begun, MANY);
}

/* Data alone: an I-sync has no address (7.4.10). */
static const uint8_t data_only_begins[] = {0,    0, 0, 0, 0, 0x80,
                                           0x08, 0, 0, 0, 0, 0x21};

static size_t etmv3_data_only(uint8_t *to, uint32_t id)
{
    size_t n = etmv3_atom(to, id) - 1;

    to[n++] = 0x06;
    to[n++] = 5;
    return n;
}

static void data_alone_of_etmv3(void **state)
{
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV3,
                                .minor = 5,
                                .data_value = true,
                                .data_only = true,
                                .context_id_bytes = 4};
    struct seen seen = decode(&config, ETM_LEVEL_RANGES, NOP, data_only_begins,
                              sizeof data_only_begins, etmv3_data_only);

    (void)state;
    assert_int_equal(seen.contexts, MANY);
    assert_int_equal(seen.data, MANY);
    assert_int_equal(seen.owned, 0);
}

/*
 * ETMv2, 8 pins: a group is put into the FIFO, which is empty, in the cycle of
 * a status, and its bytes come out from that cycle on (6.3).
 */
static size_t etmv2_group(uint8_t *to, unsigned status, const uint8_t *group,
                          size_t n_group)
{
    size_t n = 0;

    for (size_t i = 0; i < n_group; i++) {
        to[n++] = (uint8_t)(i == 0 ? status : 0x04); /* WT */
        to[n++] = group[i];
    }
    return n;
}

/* A TFO packet after nothing: in its cycle no byte comes (6.5.1). */
static size_t etmv2_tfo(uint8_t *to, uint32_t id)
{
    uint8_t group[9] = {0x20};

    put_word(group + 1, id);
    put_word(group + 5, BASE + 4 * id);
    to[0] = 0x07;
    to[1] = 0x09;
    return 2 + etmv2_group(to + 2, 0x04, group, sizeof group);
}

/* An instruction, and the context of the next one. */
static size_t etmv2_insn(uint8_t *to, uint32_t id)
{
    uint8_t group[5] = {0x6e};
    size_t n = id == 0 ? etmv2_tfo(to, id) : 0;

    put_word(group + 1, id + 1);
    return n + etmv2_group(to + n, 0x01, group, sizeof group);
}

static void instructions_of_etmv2(void **state)
{
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV2,
                                .minor = 1,
                                .context_id_bytes = 4};

    (void)state;
    for (size_t k = 0; k < LEVELS; k++) {
        struct seen seen;

        config.data_value = k == 1;
        seen = decode(&config, levels[k], NOP, NULL, 0, etmv2_insn);
        assert_int_equal(seen.contexts, MANY);
        assert_int_equal(seen.insns, MANY);
        assert_int_equal(seen.begun, 1);
    }
}

/* Tracing begins with a load in progress (6.5.5). */
static size_t etmv2_value(uint8_t *to, uint32_t id)
{
    static const uint8_t value[] = {0x06, 5};
    size_t n = etmv2_tfo(to, id);

    return n + etmv2_group(to + n, 0x05, value, sizeof value);
}

static size_t etmv2_branch(uint8_t *to, uint32_t id)
{
    static const uint8_t address[] = {0x03};
    size_t n = etmv2_tfo(to, id);

    return n + etmv2_group(to + n, 0x05, address, sizeof address);
}

static void loads_in_progress_of_etmv2(void **state)
{
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV2,
                                .minor = 1,
                                .data_value = true,
                                .context_id_bytes = 4};
    struct seen seen =
        decode(&config, ETM_LEVEL_RANGES, LDR, NULL, 0, etmv2_value);

    (void)state;
    assert_int_equal(seen.contexts, MANY);
    assert_int_equal(seen.data, MANY);
    assert_int_equal(seen.owned, MANY);
    assert_int_equal(seen.begun, MANY);
    seen = decode(&config, ETM_LEVEL_RANGES, LDR, NULL, 0, etmv2_branch);
    assert_int_equal(seen.contexts, MANY);
    assert_int_equal(seen.begun, MANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waypoint_updates_of_pft),
        cmocka_unit_test(instructions_of_etmv3),
        cmocka_unit_test(loads_in_progress_of_etmv3),
        cmocka_unit_test(data_alone_of_etmv3),
        cmocka_unit_test(instructions_of_etmv2),
        cmocka_unit_test(loads_in_progress_of_etmv2),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
