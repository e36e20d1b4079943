/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TC2 and Snowball against trc_pkt_lister: every packet with all that it
 * prints of it, and every instruction, exception, gap, timestamp and address
 * without code, in their order. Where the two differ on purpose a row of
 * `allowed` says so, with the heading of doc/comparison.md that explains it;
 * a row that is not needed fails the test.
 */
#include "../support/test.h"
#include "lister.h"
#include "proto/broadcast.h"
#include "support/capture.h"

enum what { PLACES, INVENTED_BYTE, GRAY_CODE };

/* How often a difference is met in one source. */
struct allowed {
    const char *source;
    const char *heading; /* in doc/comparison.md */
    enum what what;
    unsigned times;
};

static const struct allowed allowed[] = {
    {"tc2/0x10", "ID bytes within a stretch", PLACES, 2987},
    {"tc2/0x11", "ID bytes within a stretch", PLACES, 2649},
    {"tc2/0x12", "ID bytes within a stretch", PLACES, 1457},
    {"tc2/0x13", "ID bytes within a stretch", PLACES, 284},
    {"snowball/0x10", "ID bytes within a stretch", PLACES, 111},
    {"snowball/0x11", "ID bytes within a stretch", PLACES, 100},
    {"snowball/0x10", "Timestamps in Gray code", GRAY_CODE, 14},
    {"snowball/0x11", "Timestamps in Gray code", GRAY_CODE, 7},
    {"snowball/0x11", "A byte that is not there", INVENTED_BYTE, 1},
};

static unsigned met[COUNT(allowed)];

/* The difference is allowed in this source; it is counted. */
static bool is_allowed(const char *source, enum what what)
{
    for (size_t i = 0; i < COUNT(allowed); i++)
        if (strcmp(allowed[i].source, source) == 0 && allowed[i].what == what) {
            met[i]++;
            return true;
        }
    return false;
}

static void all_allowed_were_met(const char *source)
{
    for (size_t i = 0; i < COUNT(allowed); i++)
        if (strcmp(allowed[i].source, source) == 0 &&
            met[i] != allowed[i].times)
            fail_msg("%s: \"%s\" was met %u times, not %u", source,
                     allowed[i].heading, met[i], allowed[i].times);
}

struct packets {
    struct etm_packet all[16384];
    size_t n;
};

static int collect(void *context, const struct etm_packet *packets, size_t n)
{
    struct packets *p = context;

    if (p->n + n > sizeof p->all / sizeof *p->all)
        return ETM_ERR_MEMORY;
    memcpy(p->all + p->n, packets, n * sizeof *packets);
    p->n += n;
    return ETM_OK;
}

static void decode_packets(const struct etm_test_capture *capture,
                           struct packets *packets)
{
    struct etm_packet_decoder *decoder;
    struct etm_packet_decoder_config how = {.size = sizeof how,
                                            .config = &capture->config,
                                            .packets = collect,
                                            .context = packets};

    packets->n = 0;
    assert_ok(etm_packet_decoder_new(&decoder, &how));
    assert_ok(etm_packet_decoder_push(decoder, capture->stream.bytes,
                                      capture->stream.n));
    assert_ok(etm_packet_decoder_finish(decoder));
    etm_packet_decoder_free(decoder);
}

static enum etm_packet_kind kind_of(const char *name)
{
    static const struct {
        const char *name;
        enum etm_packet_kind kind;
    } names[] = {
        {"A_SYNC", ETM_PACKET_A_SYNC},
        {"ASYNC", ETM_PACKET_A_SYNC},
        {"ATOM", ETM_PACKET_ATOM},
        {"BRANCH_ADDRESS", ETM_PACKET_BRANCH_ADDRESS},
        {"ERET", ETM_PACKET_EXCEPTION_EXIT},
        {"EXCEPTION_EXIT", ETM_PACKET_EXCEPTION_EXIT},
        {"ISYNC", ETM_PACKET_I_SYNC},
        {"I_SYNC", ETM_PACKET_I_SYNC},
        {"I_SYNC_CYCLE", ETM_PACKET_I_SYNC_CYCLE_COUNT},
        {"NOTSYNC", ETM_PACKET_UNSYNCHRONIZED},
        {"P_HDR", ETM_PACKET_P_HEADER},
        {"TIMESTAMP", ETM_PACKET_TIMESTAMP},
        {"WP_UPDATE", ETM_PACKET_WAYPOINT_UPDATE},
    };

    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].kind;
    fail_msg("a packet of an unknown name: %s", name);
    return ETM_PACKET_BAD;
}

static bool same_atoms(const struct etm_packet *p, const char *atoms)
{
    if (strlen(atoms) != p->count)
        return false;
    for (unsigned i = 0; i < p->count; i++)
        if (atoms[i] != "ENW"[p->value >> (2 * i) & 3])
            return false;
    return true;
}

static unsigned cycles_of(const struct etm_packet *p)
{
    unsigned n = 0;

    if (p->kind != ETM_PACKET_P_HEADER)
        return p->cycle_count;
    for (unsigned i = 0; i < p->count; i++)
        n += (p->value >> (2 * i) & 3) == ETM_ATOM_W;
    return n;
}

/* NULL, or what differs. */
static const char *differs(const struct etm_lister_packet *l,
                           const struct etm_packet *p,
                           const struct etm_broadcast *said, uint8_t isa_before)
{
    char secure = p->fields & ETM_FIELD_NS ? 'N' : 'S';
    char isa = p->isa == ETM_ISA_ARM ? 'A' : 'T';

    if (l->atoms != NULL && !same_atoms(p, l->atoms))
        return "atoms";
    if (l->cycles != ETM_LISTER_UNTOLD && l->cycles != cycles_of(p))
        return "cycles";
    if (l->address != ETM_LISTER_UNTOLD && l->address != said->address)
        return "address";
    if (l->timestamp != ETM_LISTER_UNTOLD && l->timestamp != said->timestamp)
        return "timestamp";
    if (l->secure != 0 && l->secure != secure)
        return "security";
    if (l->isa != 0 ? l->isa != isa
                    : p->isa != ETM_ISA_UNKNOWN && p->isa != isa_before)
        return "isa"; /* it tells of changes only */
    if (l->reason != 0 && l->reason != "PT"[p->reason])
        return "reason";
    return NULL;
}

/* Bytes before synchronization come in pieces of different sizes. */
static size_t unsynchronized(const struct etm_lister *lister, size_t *at)
{
    size_t n = 0;

    while (*at < lister->n_packets &&
           strcmp(lister->packets[*at].name, "NOTSYNC") == 0)
        n += lister->packets[(*at)++].n;
    return n;
}

/* It takes no account of ID bytes within a stretch, nor of the data byte that
 * still belongs to the ID before. */
static bool same_place(const char *source, uint64_t theirs,
                       const struct etm_test_capture *capture, uint64_t offset)
{
    uint64_t ours = capture->stream.at[offset];
    unsigned ids = 0;

    for (uint64_t i = ours / 16 * 16; i < ours; i += 2)
        ids += capture->file.data[i] & 1u;
    if (theirs == ours)
        return true;
    return theirs < ours && theirs + 2 * ids >= ours &&
           is_allowed(source, PLACES);
}

static void compare_packets(const char *source, const struct etm_lister *lister,
                            const struct etm_test_capture *capture,
                            const struct packets *ours)
{
    struct etm_broadcast said = {0};
    size_t at = 0;

    for (size_t i = 0; i < ours->n; i++) {
        const struct etm_packet *p = &ours->all[i];
        const struct etm_lister_packet *l = &lister->packets[at];
        const char *what;
        uint8_t isa_before;

        /* it waits for an A-sync where we begin at an I-sync: E-610 */
        if (at == 0 && i == 0 && p->kind != ETM_PACKET_UNSYNCHRONIZED) {
            size_t n = unsynchronized(lister, &at);

            while (i < ours->n && ours->all[i].offset < n)
                etm_broadcast_apply(&said, &capture->config, &ours->all[i++]);
            p = &ours->all[i];
            l = &lister->packets[at];
        }
        if (p->kind == ETM_PACKET_UNSYNCHRONIZED) {
            size_t n = unsynchronized(lister, &at);
            if (n == p->size + 1u && is_allowed(source, INVENTED_BYTE))
                n--;
            assert_int_equal(n, p->size);
            continue;
        }
        assert_true(at++ < lister->n_packets);
        isa_before = said.isa;
        etm_broadcast_apply(&said, &capture->config, p);
        what = differs(l, p, &said, isa_before);
        if (kind_of(l->name) != p->kind)
            what = "kind";
        else if (l->n != p->size ||
                 memcmp(l->bytes, capture->stream.bytes + p->offset, l->n) != 0)
            what = "bytes";
        else if (!same_place(source, l->at, capture, p->offset))
            what = "place";
        if (what != NULL)
            fail_msg("%s at %llu: not the same %s as %s at %llu (%u)", l->name,
                     (unsigned long long)l->at, what,
                     etm_packet_kind_name((enum etm_packet_kind)p->kind),
                     (unsigned long long)p->offset,
                     capture->stream.at[p->offset]);
    }
    assert_int_equal(at, lister->n_packets);
}

/* Elements of ours that it has no like of, or that are no part of the flow. */
static bool passed_over(const struct etm_element *e)
{
    return e->kind == ETM_ELEMENT_CONTEXT || e->kind == ETM_ELEMENT_CYCLES ||
           e->kind == ETM_ELEMENT_LOST || e->kind == ETM_ELEMENT_END;
}

static const struct etm_element *next(const struct etm_test_elements *ours,
                                      size_t *at)
{
    while (*at < ours->n && passed_over(&ours->all[*at]))
        (*at)++;
    if (*at == ours->n)
        fail_msg("it has more elements than we");
    return &ours->all[(*at)++];
}

/* One of its ranges is as many of our instructions, without a step between. */
static bool same_range(const struct etm_lister_element *l,
                       const struct etm_test_elements *ours, size_t *at)
{
    uint64_t address = l->start;

    for (uint64_t i = 0; i < l->n; i++) {
        const struct etm_element *e = next(ours, at);
        bool failed = e->u.insn.exec == ETM_FALSE;
        if (e->kind != ETM_ELEMENT_INSN || e->u.insn.address != address ||
            failed == (l->executed || i + 1 < l->n))
            return false;
        address += e->u.insn.size;
    }
    return address == l->end;
}

/* Bit after bit, from the top: each tells whether the next one differs. */
static uint64_t gray(uint64_t code)
{
    uint64_t time = 0;

    for (int bit = 63; bit >= 0; bit--)
        time = time << 1 | ((time & 1) ^ (code >> bit & 1));
    return time;
}

static bool same_element(const char *source, const struct etm_lister_element *l,
                         const struct etm_test_elements *ours, size_t *at)
{
    const struct etm_element *e;

    if (strcmp(l->name, "INSTR_RANGE") == 0)
        return same_range(l, ours, at);
    e = next(ours, at);
    if (strcmp(l->name, "ADDR_NACC") == 0)
        return e->kind == ETM_ELEMENT_NO_IMAGE &&
               e->u.no_image.address == l->start;
    if (strcmp(l->name, "TRACE_ON") == 0)
        return e->kind == ETM_ELEMENT_TRACE_ON;
    if (strcmp(l->name, "EXCEPTION_RET") == 0)
        return e->kind == ETM_ELEMENT_EXCEPTION_RETURN;
    if (strcmp(l->name, "EXCEPTION") == 0)
        return e->kind == ETM_ELEMENT_EXCEPTION &&
               e->u.exception.number == l->n &&
               e->u.exception.return_address == l->start;
    if (strcmp(l->name, "TIMESTAMP") == 0)
        return e->kind == ETM_ELEMENT_TIMESTAMP &&
               (e->u.timestamp.value == l->n ||
                (e->u.timestamp.value == gray(l->n) &&
                 is_allowed(source, GRAY_CODE)));
    return false;
}

static bool no_flow(const struct etm_lister_element *l)
{
    return strcmp(l->name, "NO_SYNC") == 0 ||
           strcmp(l->name, "PE_CONTEXT") == 0 ||
           strcmp(l->name, "CYCLE_COUNT") == 0 ||
           strcmp(l->name, "EO_TRACE") == 0;
}

static void compare_elements(const char *source,
                             const struct etm_lister *lister,
                             const struct etm_test_elements *ours)
{
    size_t at = 0;

    for (size_t i = 0; i < lister->n_elements; i++) {
        const struct etm_lister_element *l = &lister->elements[i];
        size_t before = at;
        if (no_flow(l) || same_element(source, l, ours, &at))
            continue;
        next(ours, &before);
        fail_msg("%s at %llu (%llx, %llu): ours is %s (%08x), number %zu",
                 l->name, (unsigned long long)l->at,
                 (unsigned long long)l->start, (unsigned long long)l->n,
                 etm_element_kind_name(
                     (enum etm_element_kind)ours->all[before - 1].kind),
                 ours->all[before - 1].u.insn.address, before - 1);
    }
    while (at < ours->n && passed_over(&ours->all[at]))
        at++;
    assert_int_equal(at, ours->n);
}

static void equal(const char *name)
{
    static struct packets packets;
    const struct etm_test_source *source = etm_test_source(name);
    struct etm_test_capture capture;
    struct etm_test_elements elements = {NULL, 0, 0};
    struct etm_lister lister;
    char snapshot[1024];
    size_t from = 0;

    if (!etm_test_open(source, &capture) ||
        !etm_test_shared_path(source->snapshot, snapshot, sizeof snapshot) ||
        !etm_lister_run(&lister, snapshot, source->id))
        skip();
    decode_packets(&capture, &packets);
    compare_packets(name, &lister, &capture, &packets);
    /* it waits for an A-sync where we begin at an I-sync: E-610 */
    for (size_t i = 0;
         i < packets.n && packets.all[i].kind != ETM_PACKET_A_SYNC; i++)
        from = packets.all[i].offset + packets.all[i].size;
    assert_ok(etm_test_decode(
        &capture.config, capture.image, ETM_LEVEL_INSTRUCTIONS,
        capture.stream.bytes + from, capture.stream.n - from, &elements));
    compare_elements(name, &lister, &elements);
    all_allowed_were_met(name);
    printf("%s: %zu packets, %zu elements of it\n", name, lister.n_packets,
           lister.n_elements);
    free(elements.all);
    etm_lister_free(&lister);
    etm_test_close(&capture);
}

#define EQUAL(test, source)                                                    \
    TEST(test)                                                                 \
    {                                                                          \
        equal(source);                                                         \
    }

EQUAL(tc2_10_equals_trc_pkt_lister, "tc2/0x10")
EQUAL(tc2_11_equals_trc_pkt_lister, "tc2/0x11")
EQUAL(tc2_12_equals_trc_pkt_lister, "tc2/0x12")
EQUAL(tc2_13_equals_trc_pkt_lister, "tc2/0x13")
EQUAL(tc2_14_equals_trc_pkt_lister, "tc2/0x14")
EQUAL(snowball_10_equals_trc_pkt_lister, "snowball/0x10")
EQUAL(snowball_11_equals_trc_pkt_lister, "snowball/0x11")

/* What stands in the frames under each trace ID of a snapshot. */
TEST(frames_have_the_bytes_of_trc_pkt_lister)
{
    static uint8_t theirs[65536];
    size_t compared = 0;

    for (size_t i = 0; i < etm_test_n_sources; i++) {
        const struct etm_test_source *source = &etm_test_sources[i];
        struct etm_test_capture capture;
        char snapshot[1000];
        size_t n;

        if (source->snapshot == NULL || !etm_test_open(source, &capture))
            continue;
        assert_true(
            etm_test_shared_path(source->snapshot, snapshot, sizeof snapshot));
        n = etm_lister_raw(snapshot, source->id, theirs, sizeof theirs);
        if (n != 0) {
            assert_int_equal(n, capture.stream.n);
            assert_memory_equal(theirs, capture.stream.bytes, n);
        }
        compared += n;
        etm_test_close(&capture);
    }
    if (compared == 0)
        skip();
    printf("%zu bytes in frames\n", compared);
}
