/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packets of any bytes, of all protocols: there is a packet for each byte,
 * in whatever pieces the bytes come, and what is encoded of the packets gives
 * them back. ETM_TEST_ROUNDS=N runs N streams of each, ETM_TEST_SEED=N begins
 * with another one. (What packets mean is in the tables of encodings.)
 */
#include "../support/scarce.h"
#include "../support/setting.h"
#include "../support/test.h"
#include "any_bytes.h"
#include "proto/sample.h"
#include "session/protocols.h"

#define ROUNDS 1000u
#define LONG (3 * ETM_PACKET_BYTES_MAX + 1234)
#define SHORT 600u
#define SYNC_BYTES 6u

/* One stream, and its packets; those that can be encoded, encoded. */
static struct {
    struct random r;
    struct etm_config config;
    const struct etm_protocol_row *row;
    uint8_t bytes[LONG], again[SYNC_BYTES + 2 * LONG];
    size_t n, n_again;
    struct etm_vec whole, kept;
} trial;

static uint32_t below(uint32_t n)
{
    return random_below(&trial.r, n);
}

static bool is_one_of(enum etm_protocol a, enum etm_protocol b)
{
    return trial.config.protocol == a || trial.config.protocol == b;
}

static bool is_record(void)
{
    return is_one_of(ETM_PROTOCOL_ETMV1, ETM_PROTOCOL_ETMV2);
}

/* Packets stand between A-syncs, and nothing is known of those after damage. */
static bool has_a_syncs(void)
{
    return is_one_of(ETM_PROTOCOL_PFT, ETM_PROTOCOL_ETMV3);
}

static const struct etm_packet *packet_of(const struct etm_vec *v, size_t i)
{
    assert_true(i < v->n);
    return (const struct etm_packet *)v->data + i;
}

/* Bytes of records: statuses that put much into a FIFO, or any. */
static void make_records(void)
{
    static const uint8_t few[] = {1, 6, 7, 7, 0x80};
    size_t size = etm_sample_size(&trial.config);
    uint32_t kind = below(4);

    for (size_t i = 0; i < trial.n; i++) {
        trial.bytes[i] = (uint8_t)random_next(&trial.r);
        if (i % size == 0 && kind < 3)
            trial.bytes[i] &= kind == 0 ? 0x87 : 0x07;
        if (i % size == 0 && kind == 2)
            trial.bytes[i] = few[below(sizeof few)];
    }
}

/* More zeros than a packet has bytes, and hardly anything else. */
static void make_zeros(void)
{
    trial.n = LONG;
    memset(trial.bytes, 0, LONG);
    trial.bytes[ETM_PACKET_BYTES_MAX - 8 + below(16)] = 0x80;
    for (uint32_t i = below(3) * below(10); i != 0; i--)
        trial.bytes[below(LONG)] = 0x80;
}

static void make(enum etm_protocol protocol, unsigned long seed)
{
    trial.r.state = seed;
    trial.row = etm_protocol_row(protocol);
    trial.config = any_config(protocol, &trial.r);
    trial.n = seed % 50 == 0 ? LONG : below(4) == 0 ? below(40) : SHORT;
    if (is_record())
        make_records();
    else if (seed % 100 == 50)
        make_zeros();
    else
        any_bytes(trial.bytes, trial.n, &trial.r);
}

static void push(union etm_proto_any *d, const uint8_t *bytes, size_t n,
                 struct etm_vec *out)
{
    uint8_t *copy = malloc(n); /* nothing before and behind it is there */

    assert_true(copy != NULL || n == 0);
    if (n != 0)
        memcpy(copy, bytes, n);
    assert_ok(trial.row->push(d, copy, n, out));
    free(copy);
}

/* In pieces of `piece` bytes, the first of them of `first`. */
static void decode(const uint8_t *bytes, size_t n, size_t first, size_t piece,
                   struct etm_vec *out)
{
    static union etm_proto_any d;
    size_t at = first < n ? first : n;

    out->n = 0;
    trial.row->init(&d, &trial.config);
    push(&d, bytes, at, out);
    for (size_t some; at < n; at += some) {
        some = n - at < piece ? n - at : piece;
        push(&d, bytes + at, some, out);
    }
    assert_ok(trial.row->finish(&d, out));
}

/* From the first byte to the last one, each once. */
static void check_covers(void)
{
    uint64_t offset = 0;

    for (size_t i = 0; i < trial.whole.n; i++) {
        const struct etm_packet *p = packet_of(&trial.whole, i);

        assert_int_equal(p->offset, offset);
        assert_in_range(p->size, 1, ETM_PACKET_BYTES_MAX);
        if (p->kind != ETM_PACKET_UNSYNCHRONIZED)
            assert_int_equal(p->header, trial.bytes[offset]);
        offset += p->size;
    }
    assert_int_equal(offset, trial.n);
}

static void check_same(const struct etm_vec *packets)
{
    assert_int_equal(packets->n, trial.whole.n);
    if (packets->n != 0)
        assert_memory_equal(packets->data, trial.whole.data,
                            packets->n * sizeof(struct etm_packet));
}

static void check_pieces(void)
{
    static struct etm_vec split;
    size_t step = trial.n > SHORT ? 997 : 1 + trial.n / 60;

    etm_vec_init(&split, sizeof(struct etm_packet), NULL);
    for (size_t i = 0; i <= trial.n; i += step) {
        size_t piece = i < 30 * step ? 1 + i / step
                                     : 1 + below((uint32_t)(trial.n - i + 1));

        decode(trial.bytes, trial.n, i < 30 * step ? 0 : i, piece, &split);
        check_same(&split);
    }
    etm_vec_fini(&split);
}

/* Is there an encoding of it? It is at the end of the others then. */
static bool encode(const struct etm_packet *p)
{
    struct etm_writer w = etm_writer_of(trial.again + trial.n_again,
                                        sizeof trial.again - trial.n_again);
    int status = trial.row->encode(&trial.config, p, &w);
    bool sync =
        p->kind == ETM_PACKET_A_SYNC || p->kind == ETM_PACKET_SYNCHRONIZATION;

    if (p->kind == ETM_PACKET_UNSYNCHRONIZED || p->kind == ETM_PACKET_BAD)
        assert_int_equal(status, ETM_ERR_UNSUPPORTED);
    else if (sync && p->size < SYNC_BYTES) /* E-441, E-620 */
        assert_int_equal(status, ETM_ERR_ARGUMENT);
    else
        assert_ok(status);
    if (status == ETM_OK)
        assert_int_equal(etm_writer_size(&w), p->size);
    return status == ETM_OK;
}

static void keep(const struct etm_packet *p)
{
    assert_ok(etm_vec_append(&trial.kept, p, 1));
    trial.n_again += p->size;
}

/* The packets that have an encoding, one after the other. Of records the others
 * stay as they are: what is in a FIFO depends on them. Returns the kinds that
 * there are; *equal counts the packets that have the same bytes as before: in
 * others a bit was set that means nothing. */
static uint64_t encode_all(size_t *equal)
{
    const struct etm_packet sync = {.kind = ETM_PACKET_A_SYNC,
                                    .size = SYNC_BYTES};
    uint64_t kinds = 0;

    trial.n_again = trial.kept.n = 0;
    if (has_a_syncs() && encode(&sync))
        keep(&sync);
    for (size_t i = 0; i < trial.whole.n; i++) {
        struct etm_packet p = *packet_of(&trial.whole, i);
        uint8_t *at = trial.again + trial.n_again;

        if (has_a_syncs() && p.kind == ETM_PACKET_RESERVED)
            continue;
        if (encode(&p))
            kinds |= UINT64_C(1) << p.kind;
        else if (is_record())
            memcpy(at, trial.bytes + p.offset, p.size);
        else
            continue;
        if (memcmp(at, trial.bytes + p.offset, p.size) == 0)
            ++*equal;
        else
            p.info = 0;
        p.header = *at;
        p.offset = trial.n_again;
        keep(&p);
    }
    return kinds;
}

/* What is encoded is decoded as the same packets, as far as it is there. */
static void check_encoded(size_t n)
{
    static struct etm_vec back;
    size_t i = 0;

    etm_vec_init(&back, sizeof(struct etm_packet), NULL);
    decode(trial.again, n, 0, n + 1, &back);
    for (; i < trial.kept.n; i++) {
        struct etm_packet p = *packet_of(&trial.kept, i);

        if (p.offset + p.size > n)
            break;
        if (p.info == 0)
            p.info = packet_of(&back, i)->info;
        assert_memory_equal(&p, packet_of(&back, i), sizeof p);
    }
    if (i < trial.kept.n && packet_of(&trial.kept, i)->offset < n) {
        assert_int_equal(packet_of(&back, i)->kind, ETM_PACKET_BAD);
        assert_int_equal(packet_of(&back, i)->fields, ETM_FIELD_TRUNCATED);
        i++;
    }
    assert_int_equal(back.n, i);
    etm_vec_fini(&back);
}

/* What a decoder takes by itself where a fast path stops, and a few bytes where
 * that is nothing. Returns how many it takes. */
static size_t check_one_by_one(void)
{
    static union etm_proto_any d;
    static struct etm_vec out;
    size_t taken = 0;

    etm_vec_init(&out, sizeof(struct etm_packet), NULL);
    trial.row->init(&d, &trial.config);
    for (size_t at = 0, left = trial.n, used; left != 0; at += used) {
        assert_ok(etm_vec_reserve(&out, 8));
        used = trial.row->path.one(&d, trial.bytes + at, left, &out);
        taken += used;
        if (used == 0) {
            used = 1 + below(left < 5 ? (uint32_t)left : 5);
            push(&d, trial.bytes + at, used, &out);
        }
        left -= used;
    }
    assert_ok(trial.row->finish(&d, &out));
    check_same(&out);
    etm_vec_fini(&out);
    return taken;
}

static void streams(enum etm_protocol protocol, uint64_t kinds)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = setting("ETM_TEST_SEED", 1);
    size_t all = 0, equal = 0, bytes = 0, alone = 0;
    uint64_t seen = 0;

    etm_vec_init(&trial.whole, sizeof(struct etm_packet), NULL);
    etm_vec_init(&trial.kept, sizeof(struct etm_packet), NULL);
    for (unsigned long i = seed; i < seed + n; i++) {
        make(protocol, i);
        decode(trial.bytes, trial.n, 0, trial.n + 1, &trial.whole);
        check_covers();
        check_pieces();
        seen |= encode_all(&equal);
        all += trial.kept.n;
        check_encoded(trial.n_again);
        for (size_t k = 0; k < 60 && trial.n_again > SYNC_BYTES && !is_record();
             k++)
            check_encoded(SYNC_BYTES +
                          below((uint32_t)trial.n_again - SYNC_BYTES));
        bytes += trial.n;
        if (trial.row->path.one != NULL)
            alone += check_one_by_one();
    }
    etm_vec_fini(&trial.whole);
    etm_vec_fini(&trial.kept);
    if (n < ROUNDS)
        return;
    assert_int_equal(seen, kinds); /* all there are */
    assert_true(equal > all / 4 * 3);
    if (trial.row->path.one != NULL)
        assert_true(alone > bytes / 5);
}

#define KIND(name) (UINT64_C(1) << ETM_PACKET_##name)
/* All from one to another one. */
#define KINDS(a, z) (2 * KIND(z) - KIND(a))

TEST(packets_of_pft)
{
    streams(ETM_PROTOCOL_PFT,
            KINDS(A_SYNC, I_SYNC) | KINDS(ATOM, WAYPOINT_UPDATE) |
                KINDS(CONTEXT_ID, IGNORE) | KIND(EXCEPTION_EXIT));
}

/* V3-AS-03, V3-HDR-01 */
TEST(packets_of_etmv3)
{
    streams(ETM_PROTOCOL_ETMV3, KINDS(A_SYNC, STORE_FAILED) -
                                    KINDS(ATOM, WAYPOINT_UPDATE) +
                                    KIND(BRANCH_ADDRESS));
}

TEST(packets_of_etmv2)
{
    streams(ETM_PROTOCOL_ETMV2, KINDS(PIPESTAT, TFO));
}

TEST(packets_of_etmv1)
{
    streams(ETM_PROTOCOL_ETMV1, KINDS(PIPESTAT, TRACE_PACKET));
}

TEST(packets_of_an_itm)
{
    streams(ETM_PROTOCOL_ITM,
            KIND(RESERVED) | KINDS(SYNCHRONIZATION, HARDWARE));
}

TEST(packets_of_an_mtb)
{
    streams(ETM_PROTOCOL_MTB, KIND(IGNORE) | KIND(EXECUTION_TRACE));
}

/* Where there is no room for packets, and none is asked for anew where there
 * is. */
TEST(memory_is_asked_for_when_there_is_no_room)
{
    for (int i = ETM_PROTOCOL_NONE + 1; i <= ETM_PROTOCOL_MTB; i++) {
        struct scarce scarce = {0};
        const struct etm_allocator allocator = {scarce_resize, &scarce};
        static union etm_proto_any d;
        struct etm_vec out;
        int status;

        make((enum etm_protocol)i, 200);
        etm_vec_init(&out, sizeof(struct etm_packet), &allocator);
        trial.row->init(&d, &trial.config);
        assert_int_equal(trial.row->push(&d, trial.bytes, trial.n, &out),
                         ETM_ERR_MEMORY);
        scarce.failed = false;
        status = trial.row->finish(&d, &out);
        assert_int_equal(status, scarce.failed ? ETM_ERR_MEMORY : ETM_OK);
        assert_int_equal(out.n, 0);
        scarce = (struct scarce){.left = 1};
        assert_ok(etm_vec_reserve(&out, 3 * LONG));
        trial.row->init(&d, &trial.config);
        for (unsigned k = 0; k < 3; k++, out.n = 0)
            assert_ok(trial.row->push(&d, trial.bytes, trial.n, &out));
        assert_ok(trial.row->finish(&d, &out));
        assert_int_equal(scarce.calls, 1);
        etm_vec_fini(&out);
    }
}

/* E-610: not where the decoder enters a stream. */
TEST(only_the_first_byte_begins_a_stream)
{
    static const uint8_t bytes[] = {0x08, 0x21, 0x01, 0x21, 0x00, 0x21, 0x98};
    static const uint8_t protocols[] = {ETM_PROTOCOL_PFT, ETM_PROTOCOL_ETMV3};

    for (unsigned i = 0; i < 4; i++) {
        const struct etm_config config = {
            .protocol = (enum etm_protocol)protocols[i % 2], .minor = 1};
        const struct etm_protocol_row *row = etm_protocol_row(config.protocol);
        static union etm_proto_any d;
        struct etm_vec out;

        etm_vec_init(&out, sizeof(struct etm_packet), NULL);
        row->init(&d, &config);
        if (i < 2)
            row->enter(&d, 0);
        assert_ok(row->push(&d, bytes, sizeof bytes, &out));
        assert_ok(row->finish(&d, &out));
        assert_int_equal(out.n, i < 2 ? 1 : 2);
        assert_int_equal(packet_of(&out, 0)->kind,
                         i < 2 ? ETM_PACKET_UNSYNCHRONIZED : ETM_PACKET_I_SYNC);
        etm_vec_fini(&out);
    }
}
