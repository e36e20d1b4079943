/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A context ID is new with each of more packets than a decoder could tell
 * spaces apart, and no branch ends what is walked: blocks and spaces are
 * forgotten all the same, and what comes of the trace is whole.
 */
#include "../support/scenario.h"
#include "../support/test.h"

#include <etm/decode.h>

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
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, BASE, bytes, sizeof bytes, NULL));
    /* each context has code of its own */
    for (; space.context_id < MANY; space.context_id++)
        assert_ok(etm_image_add(image, BASE, bytes, sizeof bytes, &space));
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

static size_t put_word(uint8_t *to, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(word >> 8 * i);
    return 4;
}

/* The address of the instruction as a waypoint update has it. */
static size_t put_waypoint(uint8_t *to, uint32_t address)
{
    to[0] = (uint8_t)(0x81 | (address >> 1 & 0x7e));
    for (unsigned i = 1; i < 4; i++)
        to[i] = (uint8_t)(0x80 | (address >> (7 * i + 1) & 0x7f));
    to[4] = (uint8_t)(0x08 | (address >> 29 & 0x07));
    return 5;
}

/*
 * Bytes in words: `I` is a context ID, `J` the next one, `A` the address of the
 * context's instruction, `W` the same in a waypoint update. ETMv2, 8 pins: what
 * is behind `01:` is a group that is put into the FIFO, which is empty, in the
 * cycle of this status, and its bytes come out from that cycle on (6.3).
 */
static size_t put(uint8_t *to, const char *words, uint32_t id)
{
    int status = -1; /* of the next byte; none: no port */
    size_t n = 0;
    char *end;

    for (; *words != '\0'; words += strspn(words, " ")) {
        uint8_t bytes[5];
        size_t size = 4;

        if (strchr("IJ", *words) != NULL)
            put_word(bytes, id + (*words == 'J'));
        else if (*words == 'A')
            put_word(bytes, BASE + 4 * id);
        else if (*words == 'W')
            size = put_waypoint(bytes, BASE + 4 * id);
        if (strchr("IJAW", *words) != NULL) {
            words++;
        } else {
            bytes[0] = (uint8_t)strtoul(words, &end, 16);
            size = *end != ':';
            status = size == 0 ? bytes[0] : status;
            words = end + (size == 0);
        }
        for (size_t i = 0; i < size; i++) {
            if (status >= 0)
                to[n++] = (uint8_t)status;
            to[n++] = bytes[i];
            status = status < 0 ? -1 : 0x04; /* WT */
        }
    }
    return n;
}

#define PACKETS 64u /* bytes */

/* What comes of `begins`, and of the packets of all of them. */
static struct seen decode(const struct etm_config *config, enum etm_level level,
                          uint32_t opcode, const char *begins,
                          const char *packets)
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
    size_t n = put(bytes, begins, 0);

    assert_ok(etm_decoder_new(&d, &how));
    for (uint32_t id = 0; id < MANY; id++) {
        n += put(bytes + n, packets, id);
        if (id % 15 != 14 && id + 1 != MANY)
            continue;
        assert_ok(etm_decoder_push(d, bytes, n));
        n = 0;
    }
    assert_ok(etm_decoder_finish(d));
    if (level == ETM_LEVEL_COUNTS)
        assert_ok(etm_decoder_counts(d, count, &seen));
    etm_decoder_free(d);
    etm_image_free(image);
    return seen;
}

#define V3 "etmv3 minor=5 context_id_bytes=4"
#define V2 "etmv2 minor=1 context_id_bytes=4"
#define A_SYNC "00 00 00 00 00 80 "

TEST(instructions_of_each_context)
{
    /* behind what names the first one */
    static const struct {
        const char *config, *begins, *packets;
    } rows[] = {
        /* a context ID, and a waypoint update to the instruction */
        {"pft minor=1 context_id_bytes=4",
         A_SYNC "08 00 00 01 00 01 00 00 00 00", "6e I 72 W"},
        {V3, A_SYNC "08 00 00 00 00 21 00 00 01 00", "6e I 84"},
        /* a TFO packet after nothing: in its cycle no byte comes (6.5.1) */
        {V2, "07 09 04: 20 I A", "01: 6e J"},
    };
    static const enum etm_level levels[] = {
        ETM_LEVEL_RANGES, ETM_LEVEL_INSTRUCTIONS, ETM_LEVEL_COUNTS};

    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t k = 0; k < COUNT(levels); k++) {
            struct etm_config config;
            struct seen seen;

            assert_true(etm_scenario_config_of(&config, rows[i].config));
            config.data_value = i != 0 && k == 1;
            seen = decode(&config, levels[k], NOP, rows[i].begins,
                          rows[i].packets);
            assert_int_equal(seen.contexts, MANY);
            /* the open range is given at the end */
            assert_int_equal(seen.insns, MANY);
            assert_int_equal(seen.begun, 1);
        }
}

TEST(data_of_each_context)
{
    static const struct {
        const char *config, *begins, *packets;
        uint32_t opcode, data, owned, begun;
    } rows[] = {
        /* tracing begins with a load in progress, and its value, of one byte,
         * comes (7.7.3), or a branch packet names the next instruction */
        {V3, A_SYNC, "08 I 21 A 06 05", LDR, MANY, MANY, MANY},
        {V3, A_SYNC, "08 I 21 A 03", LDR, 0, 0, MANY},
        /* data alone: an I-sync has no address (7.4.10) */
        {V3 " data_only", A_SYNC "08 00 00 00 00 21", "6e I 06 05", NOP, MANY,
         0, 1},
        /* with a load in progress (6.5.5) */
        {V2, "", "07 09 04: 20 I A 05: 06 05", LDR, MANY, MANY, MANY},
        {V2, "", "07 09 04: 20 I A 05: 03", LDR, 0, 0, MANY},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct etm_config config;
        struct seen seen;

        assert_true(etm_scenario_config_of(&config, rows[i].config));
        config.data_value = true;
        seen = decode(&config, ETM_LEVEL_RANGES, rows[i].opcode, rows[i].begins,
                      rows[i].packets);
        assert_int_equal(seen.contexts, MANY);
        assert_int_equal(seen.data, rows[i].data);
        assert_int_equal(seen.owned, rows[i].owned);
        assert_int_equal(seen.begun, rows[i].begun);
    }
}
