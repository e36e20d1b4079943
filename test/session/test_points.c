/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synchronization points: what they say agrees with the packets and the
 * elements of the whole, and decoding from each gives the rest of the whole.
 */
#include "../support/test.h"
#include "points_support.h"

#include "../support/scarce.h"

static const struct kind kinds[] = {
    {"PFT, framed",
     {.protocol = ETM_PROTOCOL_PFT,
      .minor = 1,
      .trace_id = 0x10,
      .cycle_accurate = true,
      .context_id_bytes = 4,
      .timestamps = true,
      .sync_period = 200},
     ETM_FRAMING_CORESIGHT},
    {"PFT, unframed",
     {.protocol = ETM_PROTOCOL_PFT, .sync_period = 200},
     ETM_FRAMING_NONE},
    {"ETMv3, framed",
     {.protocol = ETM_PROTOCOL_ETMV3,
      .minor = 5,
      .trace_id = 0x10,
      .cycle_accurate = true,
      .context_id_bytes = 2,
      .timestamps = true,
      .sync_period = 200},
     ETM_FRAMING_TPIU},
    {"ETMv3, unframed",
     {.protocol = ETM_PROTOCOL_ETMV3,
      .minor = 3,
      .cycle_accurate = true,
      .sync_period = 200},
     ETM_FRAMING_NONE},
    {"ETMv2, framed",
     {.protocol = ETM_PROTOCOL_ETMV2,
      .minor = 1,
      .trace_id = 0x10,
      .context_id_bytes = 4,
      .sync_period = 200,
      .port_width = 8},
     ETM_FRAMING_CORESIGHT},
    {"ETMv2, unframed",
     {.protocol = ETM_PROTOCOL_ETMV2, .sync_period = 200, .port_width = 16},
     ETM_FRAMING_NONE},
    {"ETMv1, framed",
     {.protocol = ETM_PROTOCOL_ETMV1,
      .minor = 2,
      .trace_id = 0x10,
      .context_id_bytes = 1,
      .port_width = 8},
     ETM_FRAMING_CORESIGHT},
    {"ETMv1, unframed",
     {.protocol = ETM_PROTOCOL_ETMV1, .port_width = 4},
     ETM_FRAMING_NONE},
};

static struct points points, others;
static struct etm_test_elements whole, part;

static struct etm_session *begin(const struct kind *kind)
{
    struct etm_session *session;

    printf("%s\n", kind->name);
    session = open_kind(kind, NULL);
    OK(find_points(session, NULL, &points));
    assert_true(points.n >= 5);
    return session;
}

/* A test of the capture of each kind, which is open, and of its points. */
struct each {
    const char *name;
    void (*test)(const struct etm_session *session, const struct kind *kind);
};

static void each_kind(void **state)
{
    const struct each *each = *state;

    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct etm_session *session;

        empty_directory(NULL);
        session = begin(&kinds[i]);
        each->test(session, &kinds[i]);
        etm_session_free(session);
    }
}

static void same_point(const struct etm_point *a, const struct etm_point *b)
{
    assert_int_equal(a->size, sizeof *a);
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->offset, b->offset);
    assert_int_equal(a->position, b->position);
    assert_int_equal(a->position_known, b->position_known);
    assert_int_equal(a->stream, b->stream);
    assert_int_equal(a->time_known, b->time_known);
    assert_int_equal(a->time, b->time);
    assert_int_equal(a->cycles_known, b->cycles_known);
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->address_known, b->address_known);
    assert_int_equal(a->address, b->address);
    assert_int_equal(a->isa, b->isa);
    assert_int_equal(a->has_reason, b->has_reason);
    assert_int_equal(a->reason, b->reason);
    assert_int_equal(a->context_id_known, b->context_id_known);
    assert_int_equal(a->context_id, b->context_id);
}

/* Points that the packets of a run show, and where each begins. */
struct seen {
    enum etm_protocol protocol;
    uint64_t stream, begun_offset, begun_stream;
    bool begun;
    size_t n;
};

static int compare_packets(void *context, const struct etm_packet *packets,
                           size_t n, const uint8_t *bytes)
{
    struct seen *s = context;

    (void)bytes;
    for (size_t i = 0; i < n; i++) {
        const struct etm_packet *p = &packets[i];
        bool etmv2 = s->protocol == ETM_PROTOCOL_ETMV2;

        if (p->kind == (etmv2 ? ETM_PACKET_PIPESTAT : ETM_PACKET_A_SYNC)) {
            s->begun = true;
            s->begun_offset = p->offset;
            s->begun_stream = s->stream;
        } else if (s->begun && (p->kind == ETM_PACKET_I_SYNC ||
                                p->kind == ETM_PACKET_I_SYNC_CYCLE_COUNT ||
                                p->kind == ETM_PACKET_TFO)) {
            const struct etm_point *point = &points.all[s->n++];

            s->begun = false;
            assert_true(s->n <= points.n);
            assert_int_equal(point->offset, s->begun_offset);
            assert_int_equal(point->stream, s->begun_stream);
            assert_int_equal(point->address_known, !etmv2);
            assert_int_equal(point->has_reason, !etmv2);
            if (!etmv2) {
                assert_int_equal(point->address, p->address);
                assert_int_equal(point->isa, ETM_ISA_ARM);
                assert_int_equal(point->reason, p->reason);
            }
        }
        s->stream += p->size;
    }
    return ETM_OK;
}

static int not_before_its_packets(void *context, const struct etm_point *point)
{
    const struct seen *s = context;

    assert_true(point->stream < s->stream);
    return 0;
}

/* A search gives the packets of a run, and each point after its own. */
static void search_gives_packets(const struct etm_session *session,
                                 const struct seen *all)
{
    struct seen seen = {.protocol = all->protocol};
    const struct etm_session_points how = {.size = sizeof how,
                                           .point = not_before_its_packets,
                                           .packets = compare_packets,
                                           .context = &seen};

    OK(etm_session_find_points(session, 0, &how, NULL));
    assert_int_equal(seen.stream, all->stream);
    assert_int_equal(seen.n, all->n);
}

static void points_are_in_the_packets(const struct etm_session *session,
                                      const struct kind *kind)
{
    const struct etm_config *config = &kind->config;
    struct seen seen = {.protocol = config->protocol};
    struct etm_session_run run = {
        .size = sizeof run, .packets = compare_packets, .context = &seen};

    OK(etm_session_run_source(session, 0, &run, NULL));
    search_gives_packets(session, &seen);
    if (config->protocol != ETM_PROTOCOL_ETMV1)
        assert_int_equal(seen.n, points.n);
    assert_int_equal(points.end.stream, seen.stream);
    for (size_t k = 0; k < points.n; k++) {
        const struct etm_point *p = &points.all[k];

        assert_int_equal(p->size, sizeof *p);
        assert_true(k == 0 ||
                    (p->offset > p[-1].offset && p->stream > p[-1].stream));
        assert_true(p->position_known);
        assert_int_equal(p->position, p->offset);
        if (config->protocol == ETM_PROTOCOL_ETMV2)
            continue;
        assert_true(p->address >= 0x8000 && p->address <= 0x8010);
        /* ETMv1 tells it only where tracing begins (5.5.4) */
        assert_int_equal(p->context_id_known,
                         config->context_id_bytes != 0 &&
                             (config->protocol != ETM_PROTOCOL_ETMV1 ||
                              p->reason != ETM_SYNC_PERIODIC));
        if (p->context_id_known)
            assert_int_equal(p->context_id,
                             config->context_id_bytes == 1 ? 0x34 : 0x1234);
    }
}

static uint64_t cycles_of(const struct etm_test_elements *elements)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < elements->n; i++) {
        const struct etm_element *e = &elements->all[i];
        uint64_t cycles = e->kind == ETM_ELEMENT_INSN     ? e->u.insn.cycles
                          : e->kind == ETM_ELEMENT_CYCLES ? e->u.cycles.n
                                                          : 0;

        sum += cycles == ETM_CYCLES_UNKNOWN ? 0 : cycles;
    }
    return sum;
}

/* The last time before an offset in the file; 0: none. */
static uint64_t time_before(const struct etm_test_elements *elements,
                            uint64_t offset)
{
    uint64_t time = 0;

    for (size_t i = 0; i < elements->n; i++)
        if (elements->all[i].kind == ETM_ELEMENT_TIMESTAMP &&
            elements->all[i].offset < offset)
            time = elements->all[i].u.timestamp.value;
    return time;
}

static const struct etm_element *last_insn(const struct etm_test_elements *of,
                                           size_t *i)
{
    while (*i != 0)
        if (of->all[--*i].kind == ETM_ELEMENT_INSN)
            return &of->all[*i];
    return NULL;
}

/* Instructions from the last one back to the first one of the part, which is
 * within a few of the point. */
static void check_rest(const struct etm_point *point)
{
    size_t i = whole.n, k = part.n, later = 0, n = 0;
    const struct etm_element *a, *b;

    while ((b = last_insn(&part, &k)) != NULL) {
        a = last_insn(&whole, &i);
        assert_non_null(a);
        assert_int_equal(a->u.insn.address, b->u.insn.address);
        assert_int_equal(a->u.insn.exec, b->u.insn.exec);
        assert_int_equal(a->offset, b->offset);
        n++;
    }
    for (i = 0; i < whole.n; i++)
        later += whole.all[i].kind == ETM_ELEMENT_INSN &&
                 whole.all[i].offset >= point->offset;
    assert_in_range(n + 5, later, later + 10);
}

static void
decoding_from_each_point_gives_the_rest(const struct etm_session *session,
                                        const struct kind *kind)
{
    const struct etm_config *config = &kind->config;
    uint64_t cycles;

    decode_from(session, 0, &whole);
    cycles = cycles_of(&whole);
    assert_int_equal(points.end.cycles_known, config->cycle_accurate);
    if (config->cycle_accurate)
        assert_int_equal(points.end.cycles, cycles);
    assert_int_equal(points.end.time_known, config->timestamps);
    assert_int_equal(points.end.time, time_before(&whole, UINT64_MAX));
    for (size_t k = 0; k < points.n; k++) {
        const struct etm_point *p = &points.all[k];

        assert_int_equal(p->time, time_before(&whole, p->offset));
        assert_int_equal(p->time_known, p->time != 0);
        decode_from(session, p->position, &part);
        check_rest(p);
        assert_int_equal(p->cycles_known, config->cycle_accurate);
        if (config->cycle_accurate)
            assert_int_equal(p->cycles + cycles_of(&part), cycles);
    }
}

static void a_search_goes_on_after_each_point(const struct etm_session *session,
                                              const struct kind *kind)
{
    (void)kind;
    for (size_t k = 0; k < points.n; k++) {
        OK(find_points(session, &points.all[k], &others));
        assert_int_equal(others.n, points.n - k - 1);
        for (size_t m = 0; m < others.n; m++)
            same_point(&others.all[m], &points.all[k + 1 + m]);
        same_point(&others.end, &points.end);
    }
}

/* Cycles that are not known at a point are not known after it. */
static void a_search_does_not_invent_cycles(void **state)
{
    struct etm_session *session = begin(&kinds[0]);
    struct etm_point from = points.all[1];

    (void)state;
    from.cycles_known = false;
    OK(find_points(session, &from, &others));
    assert_int_equal(others.n, points.n - 2);
    for (size_t i = 0; i < others.n; i++)
        assert_false(others.all[i].cycles_known);
    assert_false(others.end.cycles_known);
    etm_session_free(session);
}

static void the_callback_stops_the_search(const struct etm_session *session,
                                          const struct kind *kind)
{
    (void)kind;
    for (size_t k = 1; k <= points.n; k++) {
        others.stop_at = k;
        assert_int_equal(find_points(session, NULL, &others), 7);
        assert_int_equal(others.n, k); /* none after it */
        same_point(&others.all[k - 1], &points.all[k - 1]);
        assert_int_equal(others.end.stream, 0);
    }
    others.stop_at = 0;
}

static int count(void *context, const struct etm_point *point)
{
    (void)point;
    ++*(unsigned *)context;
    return 0;
}

static void wrong_arguments_are_refused(void **state)
{
    struct etm_session *session = begin(&kinds[0]);
    struct etm_point from = points.all[0], end = {.size = 0};
    unsigned n = 0;
    const struct etm_session_points good = {
        .point = count, .context = &n, .from = &from, .end = &end};
    struct etm_session_points how = good;
    struct etm_diag diag;

    (void)state;
    MISUSE(etm_session_find_points(NULL, 0, &how, &diag));
    assert_string_equal(diag.what, "there is no such source");
    MISUSE(etm_session_find_points(session, 1, &how, &diag));
    MISUSE(etm_session_find_points(session, 0, NULL, &diag));
    MISUSE(etm_session_find_points(session, 0, NULL, NULL));
    how.point = NULL;
    MISUSE(etm_session_find_points(session, 0, &how, &diag));
    how = good;
    from.size = 1;
    MISUSE(etm_session_find_points(session, 0, &how, &diag));
    from = points.all[0];
    from.position_known = false;
    MISUSE(etm_session_find_points(session, 0, &how, &diag));
    assert_int_equal(n, 0);
    from.position_known = true;
    from.position = etm_session_bytes(session, 0); /* beyond the end */
    OK(etm_session_find_points(session, 0, &how, &diag));
    assert_int_equal(n, 0);
    from = points.all[0];
    OK(etm_session_find_points(session, 0, &how, NULL));
    assert_int_equal(n, points.n - 1);
    assert_int_equal(end.size, sizeof end);
    etm_session_free(session);
}

static void a_source_that_cannot_be_decoded_has_no_points(void **state)
{
    struct etm_session *session;

    (void)state;
    write_file("raw.bin", "trace", 5);
    OK(etm_session_open(&session, in_directory("raw.bin"), NULL, NULL));
    assert_int_equal(find_points(session, NULL, &others), ETM_ERR_UNSUPPORTED);
    etm_session_free(session);
}

/* Those that were given before are right. */
static void every_failing_allocation_is_reported(void **state)
{
    static const size_t some[] = {0, 3, 4, 6};

    for (size_t i = 0; i < COUNT(some); i++) {
        size_t failed = 0;

        empty_directory(state);
        etm_session_free(begin(&kinds[some[i]]));
        for (size_t n = 1;; n++) {
            struct faulty memory = {.fail_at = 0};
            const struct etm_allocator allocator = {faulty_resize, &memory};
            struct etm_session *session = open_written(&allocator);
            int status;

            assert_non_null(session);
            memory.fail_at = memory.calls + n;
            status = find_points(session, n % 2 != 0 ? NULL : &points.all[2],
                                 &others);
            etm_session_free(session);
            assert_int_equal(memory.live, 0);
            if (n % 2 != 0)
                for (size_t k = 0; k < others.n; k++)
                    assert_int_equal(others.all[k].stream,
                                     points.all[k].stream);
            if (memory.calls < memory.fail_at && n % 2 == 0) {
                OK(status);
                break;
            }
            if (memory.calls >= memory.fail_at)
                assert_int_equal(status, ETM_ERR_MEMORY);
            failed += status == ETM_ERR_MEMORY;
        }
        assert_true(failed > 5);
    }
}

static int free_elements(void **state)
{
    free(whole.all);
    free(part.all);
    return remove_directory(state);
}

static const struct each tests[] = {
    {"points_are_in_the_packets", points_are_in_the_packets},
    {"decoding_from_each_point_gives_the_rest",
     decoding_from_each_point_gives_the_rest},
    {"a_search_goes_on_after_each_point", a_search_goes_on_after_each_point},
    {"the_callback_stops_the_search", the_callback_stops_the_search},
};

int main(void)
{
    struct CMUnitTest all[COUNT(tests) + 4] = {
        cmocka_unit_test_setup(a_search_does_not_invent_cycles,
                               empty_directory),
        cmocka_unit_test_setup(wrong_arguments_are_refused, empty_directory),
        cmocka_unit_test_setup(a_source_that_cannot_be_decoded_has_no_points,
                               empty_directory),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };

    for (size_t i = 0; i < COUNT(tests); i++)
        all[4 + i] = (struct CMUnitTest){.name = tests[i].name,
                                         .test_func = each_kind,
                                         .initial_state = (void *)&tests[i]};
    return cmocka_run_group_tests(all, make_directory, free_elements);
}
