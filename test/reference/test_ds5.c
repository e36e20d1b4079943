/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TC2 against the listings of Arm DS-5: what is compared is everything that
 * they tell, in their order. doc/comparison.md explains the two rules by which
 * a listing is put into our words (from_listing()).
 */
#include "../support/test.h"
#include "support/capture.h"

/* One thing that both tell. */
struct event {
    enum etm_element_kind kind;
    uint32_t address, opcode;
    uint64_t number; /* cycles, or the time */
    bool failed;     /* its condition */
    unsigned line;   /* of the listing; or the element's index */
};

struct events {
    struct event all[16384];
    size_t n;
};

static struct event *add(struct events *events, enum etm_element_kind kind,
                         unsigned line)
{
    struct event *e = &events->all[events->n++];

    assert_true(events->n < sizeof events->all / sizeof *events->all);
    memset(e, 0, sizeof *e);
    e->kind = kind;
    e->line = line;
    return e;
}

/* Columns of a row, separated by tabs; the line is cut in place. */
static unsigned columns(char *line, char *column[8])
{
    unsigned n = 0;

    line[strcspn(line, "\r\n")] = 0;
    while (n < 8) {
        column[n++] = line;
        line = strchr(line, '\t');
        if (line == NULL)
            break;
        *line++ = 0;
    }
    for (unsigned i = n; i < 8; i++)
        column[i] = column[n - 1] + strlen(column[n - 1]);
    return n;
}

/*
 * A row without opcode stands for instructions outside of the image. The first
 * of them has the address, the sum of their cycles is what we give as one
 * `cycles` element.
 */
static void placeholder(struct events *events, char *const *column,
                        unsigned line, bool *outside)
{
    if (!*outside)
        add(events, ETM_ELEMENT_NO_IMAGE, line)->address =
            (uint32_t)strtoul(column[2] + 2, NULL, 16);
    else if (events->all[events->n - 1].kind != ETM_ELEMENT_CYCLES)
        fail_msg("line %u: placeholders are not together", line);
    if (!*outside)
        add(events, ETM_ELEMENT_CYCLES, line);
    events->all[events->n - 1].number += strtoull(column[4], NULL, 10);
    *outside = true;
}

static void instruction(struct events *events, char *const *column,
                        unsigned line)
{
    struct event *e = add(events, ETM_ELEMENT_INSN, line);

    e->address = (uint32_t)strtoul(column[2] + 2, NULL, 16);
    e->opcode = (uint32_t)strtoul(column[3], NULL, 16);
    e->number = strtoull(column[4], NULL, 10);
    e->failed = strcmp(column[7], "fail") == 0;
}

/* A gap's cycles stand before "Tracing enabled" there, after it with us. */
static void from_listing(struct events *events, char *text)
{
    unsigned line = 1;
    bool outside = false;

    strtok(text, "\n"); /* the headings */
    for (char *row; (row = strtok(NULL, "\n")) != NULL;) {
        char *column[8];
        line++;
        columns(row, column);
        if (strcmp(column[0], "Instruction") == 0 &&
            strcmp(column[3], "0x?") == 0) {
            placeholder(events, column, line, &outside);
            continue;
        }
        outside = false;
        if (strcmp(column[0], "Instruction") == 0) {
            instruction(events, column, line);
        } else if (strcmp(column[0], "Cycle Count") == 0) {
            add(events, ETM_ELEMENT_TRACE_ON, line);
            add(events, ETM_ELEMENT_CYCLES, line)->number =
                strtoull(column[4], NULL, 10);
        } else if (strcmp(column[0], "Timestamp") == 0) {
            add(events, ETM_ELEMENT_TIMESTAMP, line)->number =
                strtoull(column[5] + strlen("Timestamp: "), NULL, 10);
        } else if (strcmp(column[5], "Return from exception") == 0) {
            add(events, ETM_ELEMENT_EXCEPTION_RETURN, line);
        } else {
            /* "Tracing enabled" follows each Cycle Count */
            assert_true(strcmp(column[5], "Tracing enabled") == 0 ||
                        strcmp(column[0], "Debug stop") == 0 ||
                        strcmp(column[0], "Function") == 0);
        }
    }
}

/* From the first I-sync on: DS-5 tells nothing of what stands before. */
static void from_elements(struct events *events,
                          const struct etm_test_elements *elements)
{
    bool started = false;

    for (size_t i = 0; i < elements->n; i++) {
        const struct etm_element *x = &elements->all[i];
        struct event *e;

        if (!started || x->kind == ETM_ELEMENT_CONTEXT ||
            x->kind == ETM_ELEMENT_END) {
            started = started || x->kind == ETM_ELEMENT_TRACE_ON;
            continue;
        }
        e = add(events, (enum etm_element_kind)x->kind, (unsigned)i);
        if (x->kind == ETM_ELEMENT_INSN) {
            e->address = x->u.insn.address;
            e->opcode = x->u.insn.opcode;
            e->number = x->u.insn.cycles;
            e->failed = x->u.insn.exec == ETM_FALSE;
        } else if (x->kind == ETM_ELEMENT_NO_IMAGE) {
            e->address = x->u.no_image.address;
        } else if (x->kind == ETM_ELEMENT_CYCLES) {
            e->number = x->u.cycles.n;
        } else if (x->kind == ETM_ELEMENT_TIMESTAMP) {
            e->number = x->u.timestamp.value;
        }
    }
}

static size_t count(const struct events *events, enum etm_element_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < events->n; i++)
        n += events->all[i].kind == kind;
    return n;
}

static void compare(const struct events *theirs, const struct events *ours)
{
    for (size_t i = 0; i < theirs->n && i < ours->n; i++) {
        const struct event *t = &theirs->all[i], *o = &ours->all[i];
        if (t->kind != o->kind || t->address != o->address ||
            t->opcode != o->opcode || t->number != o->number ||
            t->failed != o->failed)
            fail_msg("line %u of the listing: %s %08x %x %llu %d, but element "
                     "%u: %s %08x %x %llu %d",
                     t->line, etm_element_kind_name(t->kind), t->address,
                     t->opcode, (unsigned long long)t->number, t->failed,
                     o->line, etm_element_kind_name(o->kind), o->address,
                     o->opcode, (unsigned long long)o->number, o->failed);
    }
    assert_int_equal(theirs->n, ours->n);
}

/* The listing begins with a Function row where the first trace_on stands. */
static void equal(const char *source, const char *listing, size_t insns,
                  size_t gaps)
{
    static struct events theirs, ours;
    struct etm_test_capture capture;
    struct etm_test_bytes text;
    struct etm_test_elements elements = {NULL, 0, 0};

    if (!etm_test_shared(listing, &text))
        skip();
    if (!etm_test_open(etm_test_source(source), &capture))
        skip();
    assert_ok(etm_test_decode(&capture.config, capture.image,
                              ETM_LEVEL_INSTRUCTIONS, capture.stream.bytes,
                              capture.stream.n, &elements));
    theirs.n = ours.n = 0;
    from_listing(&theirs, (char *)text.data);
    from_elements(&ours, &elements);
    assert_int_equal(count(&theirs, ETM_ELEMENT_INSN), insns);
    assert_int_equal(count(&theirs, ETM_ELEMENT_TRACE_ON), gaps);
    compare(&theirs, &ours);
    free(elements.all);
    free(text.data);
    etm_test_close(&capture);
}

TEST(etmv3_equals_ds5)
{
    equal("tc2/0x10", "captures/tc2/reference/etmv3_0x10.txt", 7205, 135);
}

TEST(pft_equals_ds5)
{
    equal("tc2/0x13", "captures/tc2/reference/ptmv1_0x13.txt", 9548, 136);
}

/* Ours has a timestamp more: it stands before the first I-sync, and needs no
 * knowledge of the program to be understood. */
TEST(timestamp_before_the_first_i_sync_is_given)
{
    struct etm_test_capture capture;
    struct etm_test_elements elements = {NULL, 0, 0};

    if (!etm_test_open(etm_test_source("tc2/0x10"), &capture))
        skip();
    assert_ok(etm_test_decode(&capture.config, capture.image, ETM_LEVEL_RANGES,
                              capture.stream.bytes, capture.stream.n,
                              &elements));
    assert_true(elements.n > 3);
    assert_int_equal(elements.all[0].kind, ETM_ELEMENT_LOST);
    assert_int_equal(elements.all[0].u.lost.reason, ETM_LOST_UNSYNCHRONIZED);
    assert_int_equal(elements.all[1].kind, ETM_ELEMENT_TIMESTAMP);
    assert_int_equal(elements.all[1].u.timestamp.value, 562536959293u);
    assert_int_equal(elements.all[2].kind, ETM_ELEMENT_LOST);
    assert_int_equal(elements.all[3].kind, ETM_ELEMENT_TRACE_ON);
    free(elements.all);
    etm_test_close(&capture);
}
