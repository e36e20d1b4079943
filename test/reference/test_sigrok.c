/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The STM32F105 capture against sigrok's annotations of its packets, and
 * against the program that ran. sigrok had no ELF file: it takes every
 * instruction for a 16-bit one (doc/comparison.md, "Instruction sizes").
 */
#include "../support/test.h"
#include "proto/broadcast.h"
#include "support/capture.h"

struct annotation {
    enum etm_packet_kind kind; /* TFO stands for the address of an atom */
    uint32_t address;
    unsigned passed, failed; /* atoms */
};

struct annotations {
    struct annotation all[4096];
    size_t n;
};

static struct annotation *add(struct annotations *a, enum etm_packet_kind kind)
{
    assert_true(a->n < sizeof a->all / sizeof *a->all);
    a->all[a->n] = (struct annotation){.kind = kind};
    return &a->all[a->n++];
}

static uint32_t hex_after(const char *line, const char *key)
{
    const char *at = strstr(line, key);

    assert_non_null(at);
    return (uint32_t)strtoul(at + strlen(key), NULL, 16);
}

static void parse(struct annotations *a, char *text)
{
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *what = strstr(line, "arm_etmv3: ");
        assert_non_null(what);
        what += strlen("arm_etmv3: ");
        if (strncmp(what, "pc: ", 4) == 0) {
            add(a, ETM_PACKET_TFO)->address = hex_after(what, "PC ");
        } else if (strncmp(what, "branch: ", 8) == 0) {
            add(a, ETM_PACKET_BRANCH_ADDRESS)->address =
                hex_after(what, "Branch to ");
        } else if (strncmp(what, "execution: ", 11) == 0) {
            struct annotation *p = add(a, ETM_PACKET_P_HEADER);
            char *skipped = strstr(what, "executed, ");
            p->passed = (unsigned)strtoul(strchr(what, '"') + 1, NULL, 10);
            if (skipped != NULL)
                p->failed = (unsigned)strtoul(skipped + 10, NULL, 10);
        } else if (strstr(what, "I-Sync: ") != NULL) {
            add(a, ETM_PACKET_I_SYNC)->address = hex_after(what, ", PC ");
        } else if (strstr(what, "Trigger") != NULL) {
            add(a, ETM_PACKET_TRIGGER);
        } else {
            assert_non_null(strstr(what, "\"Synchronization\""));
            add(a, ETM_PACKET_A_SYNC);
        }
    }
}

/* Packets, and the instructions that were made of them. */
struct ours {
    struct etm_broadcast said;
    const struct etm_config *config;
    const struct etm_test_elements *elements;
    size_t at;      /* next of the elements */
    unsigned extra; /* halfwords that sigrok did not count since an address */
    unsigned wide;  /* instructions after such a one */
    const struct annotations *theirs;
    size_t next; /* of theirs */
};

static const struct annotation *their(struct ours *o, enum etm_packet_kind kind)
{
    const struct annotation *a = &o->theirs->all[o->next++];

    assert_true(o->next <= o->theirs->n);
    if (a->kind != kind)
        fail_msg("annotation %zu is a %s, not a %s", o->next - 1,
                 etm_packet_kind_name(a->kind), etm_packet_kind_name(kind));
    return a;
}

static void atom(struct ours *o, bool passed)
{
    const struct etm_element *e;

    while (o->at < o->elements->n &&
           o->elements->all[o->at].kind != ETM_ELEMENT_INSN)
        o->at++;
    assert_true(o->at < o->elements->n);
    e = &o->elements->all[o->at++];
    assert_int_equal(e->u.insn.exec, passed ? ETM_TRUE : ETM_FALSE);
    assert_int_equal(their(o, ETM_PACKET_TFO)->address + 2 * o->extra,
                     e->u.insn.address);
    o->wide += o->extra != 0;
    o->extra += e->u.insn.size == 4;
}

static void p_header(struct ours *o, const struct etm_packet *p)
{
    const struct annotation *a;
    unsigned failed = 0;

    for (unsigned i = 0; i < p->count; i++) {
        bool passed = (p->value >> (2 * i) & 3) == ETM_ATOM_E;
        atom(o, passed);
        failed += !passed;
    }
    a = their(o, ETM_PACKET_P_HEADER);
    assert_int_equal(a->failed, failed);
    assert_int_equal(a->passed, p->count - failed);
}

static int packets(void *context, const struct etm_packet *p, size_t n)
{
    struct ours *o = context;

    for (; n != 0; n--, p++) {
        etm_broadcast_apply(&o->said, o->config, p);
        if (p->kind == ETM_PACKET_P_HEADER) {
            p_header(o, p);
        } else if (p->kind == ETM_PACKET_I_SYNC ||
                   p->kind == ETM_PACKET_BRANCH_ADDRESS) {
            assert_int_equal(their(o, (enum etm_packet_kind)p->kind)->address,
                             o->said.address);
            o->extra = 0;
        } else if (p->kind != ETM_PACKET_UNSYNCHRONIZED) {
            their(o, (enum etm_packet_kind)p->kind);
        }
    }
    return ETM_OK;
}

TEST(packets_and_addresses_equal_sigrok)
{
    static struct annotations theirs;
    struct etm_test_capture c;
    struct etm_test_bytes text;
    struct etm_test_elements elements = {NULL, 0, 0};
    struct ours ours = {.config = &c.config, .elements = &elements};
    struct etm_packet_decoder *decoder;
    struct etm_packet_decoder_config how = {.size = sizeof how,
                                            .config = &c.config,
                                            .packets = packets,
                                            .context = &ours};

    if (!etm_test_shared("captures/stm32f105/reference/etmv3.txt", &text) ||
        !etm_test_open(etm_test_source("stm32f105/2"), &c))
        skip();
    parse(&theirs, (char *)text.data);
    ours.theirs = &theirs;
    assert_ok(etm_test_decode(&c.config, c.image, ETM_LEVEL_INSTRUCTIONS,
                              c.stream.bytes, c.stream.n, &elements));
    assert_ok(etm_packet_decoder_new(&decoder, &how));
    assert_ok(etm_packet_decoder_push(decoder, c.stream.bytes, c.stream.n));
    assert_ok(etm_packet_decoder_finish(decoder));
    assert_int_equal(ours.next, theirs.n);
    assert_int_equal(ours.wide, 696); /* of 1200 */
    etm_packet_decoder_free(decoder);
    free(elements.all);
    free(text.data);
    etm_test_close(&c);
}

/* Every branch packet of the capture, which broadcasts direct branches too,
 * agrees with the code: nothing is lost and nothing is outside of it. */
TEST(flow_agrees_with_the_program)
{
    struct etm_test_capture c;
    struct etm_test_elements elements = {NULL, 0, 0};
    unsigned starts = 0, instructions = 0;

    if (!etm_test_open(etm_test_source("stm32f105/2"), &c))
        skip();
    assert_ok(etm_test_decode(&c.config, c.image, ETM_LEVEL_RANGES,
                              c.stream.bytes, c.stream.n, &elements));
    for (size_t i = 0; i < elements.n; i++) {
        const struct etm_element *e = &elements.all[i];
        assert_int_not_equal(e->kind, ETM_ELEMENT_LOST);
        assert_int_not_equal(e->kind, ETM_ELEMENT_NO_IMAGE);
        starts += e->kind == ETM_ELEMENT_TRACE_ON;
        if (e->kind == ETM_ELEMENT_RANGE)
            instructions += e->u.range.n;
    }
    assert_int_equal(starts, 8);
    assert_int_equal(instructions, 1200);
    free(elements.all);
    etm_test_close(&c);
}
