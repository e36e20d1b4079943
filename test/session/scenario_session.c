/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of captures that are opened as sessions: test/README.md. */
#include "../input/scenario.h"

#include "session_support.h"

#include "../support/element_text.h"
#include "session/session.h"

#include <inttypes.h>

#define CUTS 2000u /* places where a small capture is cut */

/* ---- Opening ------------------------------------------------------------- */

int session_open(const struct etm_allocator *allocator, struct etm_diag *diag)
{
    struct etm_session_options options = subject.options;
    int status;

    options.size = sizeof options;
    options.allocator = allocator;
    status =
        etm_session_open(&subject.session, subject_path(subject.raw),
                         subject.told || allocator ? &options : NULL, diag);
    if (status == ETM_OK)
        capture = subject.session->capture;
    return status;
}

void session_close(void)
{
    etm_session_free(subject.session);
    subject.session = NULL;
    memset(&capture, 0, sizeof capture);
}

int session_run(struct etm_diag *diag)
{
    struct etm_test_elements elements = {0};
    const struct etm_session_run run = {.level = ETM_LEVEL_INSTRUCTIONS,
                                        .elements = etm_test_collect,
                                        .context = &elements};
    int status = etm_session_run_source(subject.session, 0, &run, diag);

    free(elements.all);
    return status;
}

/* ---- What is in it ------------------------------------------------------- */

static const char *tri(enum etm_tri value)
{
    return value == ETM_TRUE ? "yes" : value == ETM_FALSE ? "no" : "unknown";
}

static void tell_source(size_t i, struct scenario_text *t)
{
    const struct etm_source_info *s = etm_session_source(subject.session, i);

    text_add(t, " name=%s type=%s id=%x bytes=%" PRIu64 " guessed=%zu%s",
             s->name, s->type, s->id, etm_session_bytes(subject.session, i),
             s->n_guessed, s->why_not != NULL ? "" : " decodable");
    tell_config(t, &s->config);
    tell_registers(t, s->registers, s->n_registers);
}

static void tell_buffer(size_t i, struct scenario_text *t)
{
    const struct etm_buffer_info *b = etm_session_buffer(subject.session, i);

    text_add(t, " name=%s framing=%s form=%s first=%u swapped=%u stop=%" PRIu64,
             b->name, NAME_IN(framings, b->framing), NAME_IN(forms, b->form),
             b->first_frame, b->swapped, b->stop);
    text_add(t, "%s%s%s", b->guessed ? " guessed" : "",
             b->reversed ? " reversed" : "", b->blocks ? " blocks" : "");
}

static bool tell_guess(size_t i, struct scenario_text *t)
{
    struct etm_guess g;

    if (etm_session_guess(subject.session, i, ETM_PROTOCOL_NONE, &g) != ETM_OK)
        return wrong("nothing can be guessed");
    text_add(t,
             " protocol=%s cycles=%s alternative=%s address=%s value=%s "
             "binary=%s bits=%d context_bytes=%d/%u bad=%" PRIu64 " of=%" PRIu64
             " a_syncs=%" PRIu64 "%s%s",
             NAME_IN(protocols, g.protocol), tri(g.cycle_accurate),
             tri(g.alternative_branches), tri(g.data_address),
             tri(g.data_value), tri(g.timestamp_binary), g.timestamp_bits,
             g.context_id_bytes, g.config.context_id_bytes, g.bad_bytes,
             g.sample_bytes, g.a_syncs, g.weak ? " weak" : "",
             g.config.timestamp_64bit ? " long" : "");
    return true;
}

static bool tell_count(size_t i, struct scenario_text *t)
{
    struct etm_frame_counts c;

    memset(&c, 0x55, sizeof c); /* what was there before is not counted */
    if (etm_session_count(subject.session, i, &c) != ETM_OK)
        return wrong("nothing can be counted");
    text_add(t,
             " frames=%" PRIu64 " full=%" PRIu64 " half=%" PRIu64
             " bad=%" PRIu64 " blank=%" PRIu64,
             c.frames, c.full_syncs, c.half_syncs, c.bad, c.blank);
    for (unsigned id = 0; id <= ETM_ID_UNKNOWN; id++)
        if (c.bytes[id] != 0)
            text_add(t, " %x=%" PRIu64, id, c.bytes[id]);
    return true;
}

bool session_tell(const char *what, size_t i, struct scenario_text *t)
{
    if (strcmp(what, "source") == 0 &&
        i < etm_session_sources(subject.session)) {
        tell_source(i, t);
    } else if (strcmp(what, "buffer") == 0 &&
               i < etm_session_buffers(subject.session)) {
        tell_buffer(i, t);
    } else if (strcmp(what, "count") == 0) {
        return tell_count(i, t);
    } else {
        return strcmp(what, "guess") == 0 && tell_guess(i, t);
    }
    return true;
}

/* ---- What it decodes ----------------------------------------------------- */

bool add_part(size_t source, uint64_t begin, uint64_t end,
              enum etm_session_start start, unsigned jobs,
              struct etm_test_elements *to)
{
    const struct etm_session_run run = {.size = sizeof run,
                                        .level = ETM_LEVEL_INSTRUCTIONS,
                                        .elements = etm_test_collect,
                                        .context = to,
                                        .begin = begin,
                                        .end = end,
                                        .start = start,
                                        .jobs = jobs};
    struct etm_diag diag;

    return etm_session_run_source(subject.session, source, &run, &diag) ==
               ETM_OK ||
           wrong("from byte %u: %s", (unsigned)begin, diag.what);
}

static bool same(const struct etm_test_elements *whole,
                 const struct etm_test_elements *other, const char *how,
                 unsigned n)
{
    for (size_t i = 0; i < whole->n && i < other->n; i++)
        if (!etm_test_same(&whole->all[i], &other->all[i]))
            return wrong("%s %u: element %zu is another", how, n, i);
    return whole->n == other->n ||
           wrong("%s %u: %zu elements, not %zu", how, n, other->n, whole->n);
}

/* Executions of a part by so many threads. */
struct sum {
    uint64_t insns, cycles;
    uint32_t last; /* start of the last row */
    bool in_order;
};

static int add_row(void *context, const struct etm_count *count)
{
    struct sum *sum = context;

    sum->in_order = sum->in_order && count->start >= sum->last;
    sum->last = count->start;
    sum->insns += count->n * count->insns;
    return ETM_OK;
}

static bool add_counts(size_t source, struct etm_session_run run,
                       struct sum *sum)
{
    uint64_t cycles = 0;

    run.level = ETM_LEVEL_COUNTS;
    run.context = sum;
    run.cycles = &cycles;
    sum->last = 0;
    if (etm_session_run_source(subject.session, source, &run, NULL) != ETM_OK)
        return wrong("executions cannot be counted");
    sum->cycles += cycles;
    return sum->in_order || wrong("rows of counts are out of order");
}

static bool is_sum(const struct sum *wanted, const struct sum *sum,
                   const char *how)
{
    return (wanted->insns == sum->insns && wanted->cycles == sum->cycles) ||
           wrong("%s: %u instructions in %u cycles were counted, not %u in %u",
                 how, (unsigned)sum->insns, (unsigned)sum->cycles,
                 (unsigned)wanted->insns, (unsigned)wanted->cycles);
}

/* What is counted is what the elements say: by one thread or three, in four
 * parts that adjoin, and the cycles alone. */
static bool counted(size_t source, const struct etm_test_elements *whole)
{
    uint64_t total = etm_session_bytes(subject.session, source);
    struct sum wanted = {.insns = 0}, one = {.in_order = true}, three = one,
               parts = one, alone = one;
    bool good;

    for (size_t i = 0; i < whole->n; i++)
        if (whole->all[i].kind == ETM_ELEMENT_INSN) {
            uint64_t cycles = whole->all[i].u.insn.cycles;

            wanted.insns++;
            wanted.cycles += cycles == ETM_CYCLES_UNKNOWN ? 0 : cycles;
        }
    good =
        add_counts(source, (struct etm_session_run){.counts = add_row}, &one) &&
        add_counts(source,
                   (struct etm_session_run){.counts = add_row, .jobs = 3},
                   &three) &&
        add_counts(source, (struct etm_session_run){.jobs = 3}, &alone);
    alone.insns = wanted.insns;
    for (unsigned i = 0; i < 4 && good && total >= 4; i++)
        good = add_counts(
            source,
            (struct etm_session_run){.counts = add_row,
                                     .start = ETM_START_JOIN,
                                     .begin = total * i / 4,
                                     .end = i < 3 ? total * (i + 1) / 4 : 0},
            &parts);
    return good && is_sum(&wanted, &one, "one thread") &&
           is_sum(&wanted, &three, "three threads") &&
           is_sum(&wanted, &alone, "without rows") &&
           (total < 4 || is_sum(&wanted, &parts, "parts"));
}

/* Threads give the elements of one; parts that adjoin, as --shard makes them,
 * and, of a small capture, wherever it is cut, those of the whole. */
static bool in_other_ways(size_t source, const struct etm_test_elements *whole)
{
    uint64_t total = etm_session_bytes(subject.session, source);
    struct etm_test_elements other = {0};
    bool good = true;

    for (unsigned jobs = 2; jobs < 5 && good; jobs++) {
        other.n = 0;
        good = add_part(source, 0, 0, ETM_START_SYNC, jobs, &other) &&
               same(whole, &other, "threads", jobs);
    }
    for (unsigned all = 1; all <= 8 && good; all++) {
        other.n = 0;
        /* the last one has no end, nor an empty one */
        for (unsigned i = 0; i < all && good; i++)
            if (i + 1 == all || total != 0)
                good = add_part(source, total * i / all,
                                i + 1 == all ? 0 : total * (i + 1) / all,
                                ETM_START_JOIN, 1 + all % 3, &other);
        good = good && same(whole, &other, "parts", all);
    }
    for (unsigned cut = 1; cut < total && total < CUTS && good; cut++) {
        other.n = 0;
        good = add_part(source, 0, cut, ETM_START_JOIN, 1, &other) &&
               add_part(source, cut, 0, ETM_START_JOIN, 1, &other) &&
               same(whole, &other, "cut at", cut);
    }
    free(other.all);
    return good;
}

static void add_element(struct scenario_text *t, const struct etm_element *e,
                        const char *between)
{
    char text[ETM_ELEMENT_TEXT_MAX];

    text_add(t, "%s%s", between, etm_element_text(e, text));
}

/* The words from one on, up to a semicolon. */
static bool next_words(const struct words *w, unsigned *from,
                       struct scenario_text *t)
{
    size_t n;

    t->n = 0;
    while (*from < w->n) {
        const char *word = w->word[(*from)++];

        n = strlen(word);
        text_add(t, "%s%.*s", t->n != 0 ? " " : "",
                 (int)(word[n - 1] == ';' ? n - 1 : n), word);
        if (word[n - 1] == ';')
            break;
    }
    return t->n != 0;
}

static void rebase(const struct words *w, const void *all, size_t n,
                   text_fn *add)
{
    struct scenario_text t = {0};

    text_add(&t, "expect %s %s", w->word[1], w->word[2]);
    for (size_t i = 0; i < n; i++) {
        text_add(&t, i != 0 ? ";\n  " : "\n  ");
        add(all, i, &t);
    }
    text_add(&t, "\n");
    if (strchr(cases.at->text, '$') == NULL)
        ((struct line *)cases.at)->given = t.text;
}

static const char *after_offset(const char *element)
{
    return element + strcspn(element, " ");
}

bool these_texts(const struct words *w, const void *all, size_t n, text_fn *add,
                 bool offsets)
{
    struct scenario_text wanted = {0}, is = {0};
    unsigned from = 3;
    bool good = true;
    size_t i = 0;

    for (; good && next_words(w, &from, &wanted); i++) {
        is.n = 0;
        good = i < n;
        if (!good)
            break;
        add(all, i, &is);
        good = strcmp(offsets ? is.text : after_offset(is.text),
                      offsets ? wanted.text : after_offset(wanted.text)) == 0;
    }
    good = good && i == n;
    if (!good && cases.rebase)
        rebase(w, all, n, add);
    else if (!good)
        (void)wrong("there are %zu, that one is: %s", n,
                    is.text != NULL ? is.text : "");
    free(wanted.text);
    free(is.text);
    return good;
}

static void add_one_of(const void *all, size_t i, struct scenario_text *t)
{
    add_element(t, &((const struct etm_test_elements *)all)->all[i], "");
}

/* elements SOURCE TEXT; TEXT ...: all of them, as support/element_text.c writes
 * them; execution: but for their offsets */
static bool these_elements(const struct words *w,
                           const struct etm_test_elements *are)
{
    return these_texts(w, are, are->n, add_one_of,
                       strcmp(w->word[1], "elements") == 0);
}

/* Is an element of the kind of one that is wanted? */
static bool is_kind(const char *text, const struct words *w)
{
    const char *kind = strchr(text, ' ') + 1;
    size_t n = strcspn(kind, " ");

    for (unsigned i = 3; i + 1 < w->n; i++)
        if ((i == 3 || strchr(w->word[i - 1], ';') != NULL) &&
            strncmp(w->word[i + 1], kind, n) == 0 &&
            strchr(";", w->word[i + 1][n]) != NULL)
            return true;
    return false;
}

/* only SOURCE TEXT; ...: these are all elements of their kinds */
static bool only_elements(const struct words *w,
                          const struct etm_test_elements *are)
{
    struct scenario_text wanted = {0}, is = {0};
    unsigned from = 3;
    bool good = true;

    for (size_t i = 0; good && i < are->n; i++) {
        is.n = 0;
        add_element(&is, &are->all[i], "");
        if (is_kind(is.text, w))
            good = (next_words(w, &from, &wanted) &&
                    strcmp(is.text, wanted.text) == 0) ||
                   wrong("that one is: %s", is.text);
    }
    free(wanted.text);
    free(is.text);
    return good && (from == w->n || wrong("there are no more"));
}

/* Packets of a part that begins afresh are the last ones of the whole. */
static bool last_packets(uint64_t begin, const struct seen *whole)
{
    static struct seen part;
    size_t first;

    see_packets(subject.session, begin, &part);
    if (part.n_packets == 0 || part.n_packets > whole->n_packets)
        return wrong("the part has %zu packets", part.n_packets);
    first = whole->n_packets - part.n_packets;
    for (size_t i = 0; i < part.n_packets; i++)
        if (part.packets[i].offset != whole->packets[first + i].offset ||
            part.packets[i].kind != whole->packets[first + i].kind)
            return wrong("packet %zu of the part is another", i);
    return memcmp(part.bytes, whole->bytes + whole->n_bytes - part.n_bytes,
                  part.n_bytes) == 0 ||
           wrong("the bytes of the part are others");
}

/* from SOURCE BEGIN N TEXT: a part that begins afresh at that byte begins with
 * this element, and its last N, and its packets, are those of the whole. */
static bool expect_from(const struct words *w, const struct seen *seen)
{
    const struct etm_test_elements *whole = &seen->elements;
    struct scenario_text wanted = {0}, is = {0};
    struct etm_test_elements part = {0};
    uint64_t begin, n;
    unsigned from = 5;
    bool good;

    if (w->n < 6 || !number(w->word[3], 10, &begin) ||
        !number(w->word[4], 10, &n) || !next_words(w, &from, &wanted))
        return wrong("from SOURCE BEGIN N TEXT");
    good = add_part(0, begin, 0, ETM_START_SYNC, 1, &part);
    if (good && part.n != 0)
        add_element(&is, &part.all[0], "");
    if (good && (part.n < n || strcmp(is.text, wanted.text) != 0))
        good = wrong("%zu elements, the first one: %s", part.n, is.text);
    for (size_t k = 1; k <= n && good; k++)
        good =
            etm_test_same(&part.all[part.n - k], &whole->all[whole->n - k]) ||
            wrong("the last but %zu is another", k - 1);
    free(part.all);
    free(wanted.text);
    free(is.text);
    return good && last_packets(begin, seen);
}

/* NUMBER@OFFSET: a packet, and where it is; NUMBER=KIND: what it is. */
static bool is_packet(char *word, const struct seen *seen)
{
    char *at = word + strcspn(word, "@=");
    bool place = *at == '@';
    const struct etm_packet *p = seen->packets;
    uint64_t k, offset;

    if (*at == 0)
        return wrong("NUMBER@OFFSET");
    *at++ = 0;
    if (!number(word, 10, &k) || (place && !number(at, 10, &offset)))
        return false;
    if (k >= seen->n_packets)
        return wrong("there are %zu", seen->n_packets);
    if (place)
        return p[k].offset == offset ||
               wrong("packet %s is at %" PRIu64, word, p[k].offset);
    return strcmp(etm_packet_kind_name(p[k].kind), at) == 0 ||
           wrong("packet %s is %s", word, etm_packet_kind_name(p[k].kind));
}

/* packets SOURCE N NUMBER@OFFSET NUMBER=KIND gap=LOST@NUMBER ...: so many, some
 * of them, and the only gap, which is before one of them */
static bool expect_packets(const struct words *w, const struct seen *seen)
{
    char gap[40];
    uint64_t n;

    if (w->n < 4 || !number(w->word[3], 10, &n))
        return wrong("packets SOURCE N");
    if (n != seen->n_packets)
        return wrong("there are %zu", seen->n_packets);
    snprintf(gap, sizeof gap, "gap=%" PRIu64 "@%zu", seen->lost, seen->gap_at);
    for (unsigned i = 4; i < w->n; i++)
        if (value_of(w->word[i], "gap") != NULL) {
            if (seen->n_gaps != 1 || strcmp(gap, w->word[i]) != 0)
                return wrong("%zu gaps: %s", seen->n_gaps, gap);
        } else if (!is_packet(w->word[i], seen)) {
            return false;
        }
    return true;
}

/* stream SOURCE N BYTE ...: so many bytes, which begin so */
static bool expect_stream(const struct words *w, const struct seen *seen)
{
    uint64_t n, byte;

    if (w->n < 4 || !number(w->word[3], 10, &n))
        return wrong("stream SOURCE N");
    if (n != seen->n_stream)
        return wrong("there are %zu bytes", seen->n_stream);
    for (unsigned i = 4; i < w->n; i++) {
        if (!number(w->word[i], 16, &byte))
            return false;
        if (i - 4 >= n || seen->stream[i - 4] != byte)
            return wrong("byte %u is %02x", i - 4, seen->stream[i - 4]);
    }
    return true;
}

static bool expect_of_run(struct words *w)
{
    static struct seen seen;
    struct etm_diag diag = {0};
    const char *what = w->word[1];
    uint64_t source;
    bool good = true;

    if (w->n < 3 || !number(w->word[2], 10, &source))
        return wrong("%s SOURCE", what);
    if (see_what(subject.session, (size_t)source, &seen, &diag) != ETM_OK)
        return wrong("%s: %s", diag.source, diag.what);
    if (seen.n_bytes != seen.n_stream ||
        (seen.n_bytes != 0 &&
         memcmp(seen.bytes, seen.stream, seen.n_bytes) != 0))
        good = wrong("the bytes of the packets are not those of the stream");
    if (!good)
        return false;
    if (strcmp(what, "packets") == 0)
        return expect_packets(w, &seen);
    if (strcmp(what, "stream") == 0)
        return expect_stream(w, &seen);
    if (strcmp(what, "from") == 0)
        return expect_from(w, &seen);
    good = strcmp(what, "only") == 0 ? only_elements(w, &seen.elements)
                                     : these_elements(w, &seen.elements);
    return good && in_other_ways((size_t)source, &seen.elements) &&
           counted((size_t)source, &seen.elements);
}

/* ---- Expectations -------------------------------------------------------- */

/* fails STATUS FILE[:LINE] "TEXT": its first source cannot be read */
static bool expect_fails(struct words *w)
{
    const char *text = w->n == 5 ? quoted(w->word[4]) : NULL;
    struct etm_diag diag = {0};
    int status, is;

    if (text == NULL || !NAMED(statuses, w->word[2], &status))
        return wrong("fails STATUS FILE:LINE \"TEXT\"");
    is = session_run(&diag);
    return (is == status || wrong("status %d: %s", is, diag.what)) &&
           says(&diag, w->word[3], text);
}

/* find TEXT N: the source of that name or ID; none */
static bool expect_find(struct words *w)
{
    const char *text = w->n == 4 ? quoted(w->word[2]) : NULL;
    char is[24] = "none";
    size_t index = 0;

    if (text == NULL)
        return wrong("find \"TEXT\" N");
    if (etm_session_find(subject.session, text, &index) == ETM_OK)
        snprintf(is, sizeof is, "%zu", index);
    return strcmp(is, w->word[3]) == 0 || wrong("it is %s", is);
}

/* files NAME ...; code_files: all of them, which end so */
static bool expect_files(struct words *w)
{
    bool code = strcmp(w->word[1], "code_files") == 0;

    for (unsigned i = 2; i <= w->n; i++) {
        const char *path = (code ? etm_session_code_file
                                 : etm_session_file)(subject.session, i - 2);
        size_t n = i < w->n ? strlen(w->word[i]) : 0;

        if (i == w->n)
            return path == NULL || wrong("there is %s, too", path);
        if (path == NULL || strlen(path) < n ||
            strcmp(path + strlen(path) - n, w->word[i]) != 0)
            return wrong("it is %s", path != NULL ? path : "none");
    }
    return false;
}

/* looks FRAMING: what the first buffer without frames looks like */
static bool expect_looks(struct words *w)
{
    enum etm_framing looks;

    if (w->n != 3 || etm_session_guess_framing(subject.session, 0, &looks) != 0)
        return wrong("looks FRAMING");
    return strcmp(NAME_IN(framings, looks), w->word[2]) == 0 ||
           wrong("it looks like %s", NAME_IN(framings, looks));
}

const struct verb session_expected[] = {
    {"elements", expect_of_run},
    {"execution", expect_of_run},
    {"only", expect_of_run},
    {"from", expect_of_run},
    {"packets", expect_of_run},
    {"stream", expect_of_run},
    {"points", expect_points},
    {"fails", expect_fails},
    {"find", expect_find},
    {"looks", expect_looks},
    {"files", expect_files},
    {"code_files", expect_files},
    {NULL, NULL},
};
