/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs scenario files. Each is decoded and compared with what it expects, at
 * both levels; besides, for each: every split of its trace gives the same
 * elements, nothing is allocated after warm-up, a failing allocator ends in
 * one clean error, and bytes that are wrong do no harm.
 *
 *     scenarios FILE...            test
 *     scenarios --rebase FILE...   write what is decoded into the files
 */
#include "../support/scarce.h"
#include "support/element_text.h"
#include "support/scenario.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define WRONG 50u /* bytes, one at a time */

/* What is decoded, as the text of an expect section. */
struct listing {
    char *text;
    size_t n, capacity;
};

static int list(void *context, const struct etm_element *elements, size_t n)
{
    struct listing *l = context;
    char line[ETM_ELEMENT_TEXT_MAX];

    for (size_t i = 0; i < n; i++) {
        etm_element_text(&elements[i], line);
        if (l->capacity - l->n < sizeof line + 4) {
            l->capacity = 2 * l->capacity + 4096;
            l->text = realloc(l->text, l->capacity);
            if (l->text == NULL)
                abort();
        }
        l->n += (size_t)sprintf(l->text + l->n, "  %s\n", line);
    }
    return ETM_OK;
}

static int ignore(void *context, const struct etm_element *elements, size_t n)
{
    (void)context;
    (void)elements;
    (void)n;
    return ETM_OK;
}

static int new_decoder(struct etm_decoder **decoder,
                       const struct etm_scenario *s, enum etm_level level,
                       etm_element_fn *elements, void *context,
                       struct faulty *faulty)
{
    struct etm_allocator allocator = {faulty_resize, faulty};
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = &s->config,
                                        .image = s->image,
                                        .level = level,
                                        .elements = elements,
                                        .context = context,
                                        .allocator = &allocator};

    return etm_decoder_new(decoder, &config);
}

/*
 * All the trace of a scenario. `step`: bytes to push at a time, 0: whole
 * pieces; `cut`: a place where a piece is cut in two.
 */
static int push(struct etm_decoder *decoder, const struct etm_scenario *s,
                size_t step, size_t cut)
{
    size_t at = 0;
    int status = ETM_OK;

    for (size_t i = 0; i < s->n_pieces && status == ETM_OK; i++) {
        size_t end = s->pieces[i].end;
        while (at < end && status == ETM_OK) {
            size_t n = step != 0 && step < end - at ? step : end - at;
            if (at < cut && cut < at + n)
                n = cut - at;
            status = etm_decoder_push(decoder, s->stream + at, n);
            at += n;
        }
        if (status == ETM_OK && i + 1 < s->n_pieces)
            status = etm_decoder_gap(decoder, s->pieces[i].lost);
    }
    return status;
}

static void decode(const struct etm_scenario *s, enum etm_level level,
                   size_t step, size_t cut, struct listing *out)
{
    struct faulty faulty = {0};
    struct etm_decoder *decoder;

    out->n = 0;
    assert_int_equal(new_decoder(&decoder, s, level, list, out, &faulty),
                     ETM_OK);
    assert_int_equal(push(decoder, s, step, cut), ETM_OK);
    assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
    etm_decoder_free(decoder);
    assert_int_equal(faulty.live, 0);
}

static const char *const level_names[] = {"ranges", "instructions"};

/* Both expect sections. */
static void expect(const struct etm_scenario *s, struct listing *out)
{
    struct listing one = {NULL, 0, 0};

    for (int level = 0; level < (s->only_ranges ? 1 : 2); level++) {
        decode(s, (enum etm_level)level, 0, 0, &one);
        if (out->capacity - out->n < one.n + 64) {
            out->capacity = out->n + one.n + 64;
            out->text = realloc(out->text, out->capacity);
            if (out->text == NULL)
                abort();
        }
        out->n += (size_t)sprintf(out->text + out->n, "expect %s\n%s",
                                  level_names[level], one.text);
    }
    free(one.text);
}

static void same_text(const char *path, const char *what, const char *expected,
                      const char *given)
{
    if (strcmp(expected, given) == 0)
        return;
    printf("%s: %s. Expected:\n%sGiven:\n%s", path, what, expected, given);
    fail();
}

static void every_split_gives_the_same(const struct etm_scenario *s)
{
    struct listing whole = {NULL, 0, 0}, split = {NULL, 0, 0};
    size_t n = s->pieces[s->n_pieces - 1].end;

    for (int level = 0; level < 2; level++) {
        decode(s, (enum etm_level)level, 0, 0, &whole);
        decode(s, (enum etm_level)level, 1, 0, &split);
        same_text(s->path, "split in bytes", whole.text, split.text);
        for (size_t cut = 1; cut < n; cut++) {
            decode(s, (enum etm_level)level, 0, cut, &split);
            same_text(s->path, "cut in two", whole.text, split.text);
        }
    }
    free(whole.text);
    free(split.text);
}

static void nothing_is_allocated_after_warm_up(const struct etm_scenario *s)
{
    for (int level = 0; level < 2; level++) {
        struct faulty faulty = {0};
        struct etm_decoder *decoder;
        size_t before;
        assert_int_equal(new_decoder(&decoder, s, (enum etm_level)level, ignore,
                                     NULL, &faulty),
                         ETM_OK);
        /* the second time begins where the first one ended */
        assert_int_equal(push(decoder, s, 0, 0), ETM_OK);
        assert_int_equal(push(decoder, s, 0, 0), ETM_OK);
        before = faulty.calls;
        assert_int_equal(push(decoder, s, 0, 0), ETM_OK);
        assert_int_equal(faulty.calls, before);
        assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
        etm_decoder_free(decoder);
    }
}

static void a_failing_allocator_is_one_clean_error(const struct etm_scenario *s)
{
    for (size_t fail_at = 1;; fail_at++) {
        struct faulty faulty = {.fail_at = fail_at};
        struct etm_decoder *decoder;
        int status = new_decoder(&decoder, s, ETM_LEVEL_INSTRUCTIONS, ignore,
                                 NULL, &faulty);
        if (status != ETM_OK)
            assert_null(decoder);
        if (status == ETM_OK)
            status = push(decoder, s, 0, 0);
        if (status == ETM_OK)
            status = etm_decoder_finish(decoder);
        etm_decoder_free(decoder);
        assert_int_equal(faulty.live, 0);
        if (faulty.calls < fail_at) { /* there are not so many calls */
            assert_int_equal(status, ETM_OK);
            break;
        }
        assert_int_equal(status, ETM_ERR_MEMORY);
    }
}

/* What both levels must tell of the same trace. */
struct sums {
    uint64_t instructions;
    uint64_t others[ETM_ELEMENT_LOCAL_TIMESTAMP + 1];
    bool ended;
};

static int sum(void *context, const struct etm_element *elements, size_t n)
{
    struct sums *sums = context;

    for (size_t i = 0; i < n; i++) {
        if (elements[i].kind == ETM_ELEMENT_RANGE)
            sums->instructions += elements[i].u.range.n;
        else if (elements[i].kind == ETM_ELEMENT_INSN)
            sums->instructions++;
        else
            sums->others[elements[i].kind]++;
        sums->ended = elements[i].kind == ETM_ELEMENT_END;
    }
    return ETM_OK;
}

static void one_wrong_trace(const struct etm_scenario *s)
{
    struct listing whole = {NULL, 0, 0}, split = {NULL, 0, 0};
    struct sums sums[2];

    for (int level = 0; level < 2; level++) {
        struct faulty faulty = {0};
        struct etm_decoder *decoder;
        sums[level] = (struct sums){.ended = false};
        assert_int_equal(new_decoder(&decoder, s, (enum etm_level)level, sum,
                                     &sums[level], &faulty),
                         ETM_OK);
        assert_int_equal(push(decoder, s, 0, 0), ETM_OK);
        assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
        etm_decoder_free(decoder);
        assert_true(sums[level].ended);
        decode(s, (enum etm_level)level, 0, 0, &whole);
        decode(s, (enum etm_level)level, 1, 0, &split);
        same_text(s->path, "wrong, split in bytes", whole.text, split.text);
    }
    assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
    free(whole.text);
    free(split.text);
}

static void wrong_bytes_do_no_harm(struct etm_scenario *s)
{
    size_t n = s->pieces[s->n_pieces - 1].end;
    uint32_t random = 1;

    for (unsigned i = 0; i < WRONG && n != 0; i++) {
        size_t at = (random = random * 1664525u + 1013904223u) / 256 % n;
        uint8_t right = s->stream[at];
        s->stream[at] =
            (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
        one_wrong_trace(s);
        s->stream[at] = right;
    }
}

static void run(void **state)
{
    static struct etm_scenario s;
    struct listing given = {NULL, 0, 0};

    assert_true(etm_scenario_read(&s, *state));
    expect(&s, &given);
    same_text(s.path, "not what is expected", s.expected, given.text);
    every_split_gives_the_same(&s);
    nothing_is_allocated_after_warm_up(&s);
    a_failing_allocator_is_one_clean_error(&s);
    wrong_bytes_do_no_harm(&s);
    free(given.text);
    etm_scenario_fini(&s);
}

static int rebase(int n, char **paths)
{
    static struct etm_scenario s;

    for (int i = 0; i < n; i++) {
        struct listing given = {NULL, 0, 0};
        FILE *file;
        if (!etm_scenario_read(&s, paths[i]))
            return EXIT_FAILURE;
        expect(&s, &given);
        file = fopen(paths[i], "wb");
        if (file == NULL || fwrite(s.text, 1, s.given, file) != s.given ||
            fputs(given.text, file) < 0 || fclose(file) != 0)
            return EXIT_FAILURE;
        free(given.text);
        etm_scenario_fini(&s);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[512];
    size_t n = 0;

    if (argc > 1 && strcmp(argv[1], "--rebase") == 0)
        return rebase(argc - 2, argv + 2);
    for (int i = 1; i < argc && n < sizeof tests / sizeof *tests; i++) {
        const char *name = strrchr(argv[i], '/');
        tests[n].name = name != NULL ? name + 1 : argv[i];
        tests[n].test_func = run;
        tests[n++].initial_state = argv[i];
    }
    return _cmocka_run_group_tests("scenarios", tests, n, NULL, NULL);
}
