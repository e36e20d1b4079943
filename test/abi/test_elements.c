/* SPDX-License-Identifier: Apache-2.0 */
/* Elements for programs that were compiled with a struct etm_element of another
 * size (doc/abi.md). */
#include "../support/test.h"

#include <etm/program.h>
#include <etm/session.h>
#include <etm/write.h>

static struct etm_session *demo;

struct kept {
    unsigned char *bytes;
    size_t n, size;
};

static int keep(void *context, const struct etm_element *elements, size_t n)
{
    struct kept *kept = context;

    kept->bytes = realloc(kept->bytes, (kept->n + n) * kept->size);
    assert_non_null(kept->bytes);
    memcpy(kept->bytes + kept->n * kept->size, (const void *)elements,
           n * kept->size);
    kept->n += n;
    return ETM_OK;
}

/* The text that a listing makes of them. */
static int add_text(void *context, const char *text, size_t n)
{
    char **all = context;
    size_t before = *all != NULL ? strlen(*all) : 0;

    *all = realloc(*all, before + n + 1);
    assert_non_null(*all);
    memcpy(*all + before, text, n);
    (*all)[before + n] = '\0';
    return ETM_OK;
}

static char *list(const struct kept *kept)
{
    char *text = NULL;
    const struct etm_listing_config how = {.size = sizeof how,
                                           .format = "jsonl",
                                           .write = add_text,
                                           .context = &text,
                                           .sizeof_element = kept->size};
    struct etm_listing *made;

    assert_ok(etm_listing_new(&made, &how));
    assert_ok(etm_listing_elements(made, (const void *)kept->bytes, kept->n));
    assert_ok(etm_listing_flush(made));
    etm_listing_free(made);
    return text;
}

static int count_calls(void *context, const struct etm_call *calls, size_t n)
{
    (void)calls;
    *(size_t *)context += n;
    return ETM_OK;
}

/* How much is entered and left by them, and what was executed. */
static size_t call(const struct kept *kept, struct etm_call_cost *cost)
{
    size_t n = 0;
    const struct etm_calls_config how = {.size = sizeof how,
                                         .calls = count_calls,
                                         .context = &n,
                                         .sizeof_element = kept->size};
    struct etm_calls *made;

    assert_ok(etm_calls_new(&made, &how));
    assert_ok(etm_calls_elements(made, (const void *)kept->bytes, kept->n));
    assert_ok(etm_calls_finish(made));
    *cost = etm_calls_cost(made);
    etm_calls_free(made);
    return n;
}

TEST(elements_have_the_size_of_the_caller)
{
    const size_t ours = sizeof(struct etm_element);
    const size_t sizes[] = {ours - 8, ours + 8, ETM_SIZEOF_ELEMENT_MAX};
    struct kept whole = {.size = ours};
    struct etm_session_run how = {
        .size = sizeof how, .elements = keep, .context = &whole};
    struct etm_call_cost cost;
    size_t calls;
    char *text;

    assert_ok(etm_session_run_source(demo, 0, &how,
                                     NULL)); /* 0: the first version's */
    assert_true(whole.n > 1000);
    text = list(&whole);
    calls = call(&whole, &cost);
    assert_true(calls > 1000);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i], both = size < ours ? size : ours;
        struct kept kept = {.size = size};

        how.context = &kept;
        how.sizeof_element = size;
        assert_ok(etm_session_run_source(demo, 0, &how, NULL));
        assert_int_equal(kept.n, whole.n);
        for (size_t k = 0; k < kept.n; k++) {
            assert_memory_equal(kept.bytes + k * size, whole.bytes + k * ours,
                                both);
            for (size_t m = both; m < size; m++)
                assert_int_equal(kept.bytes[k * size + m], 0);
        }
        if (size > ours) {
            char *same = list(&kept);
            struct etm_call_cost same_cost;

            assert_string_equal(same, text);
            assert_int_equal(call(&kept, &same_cost), calls);
            assert_memory_equal(&same_cost, &cost, sizeof cost);
            free(same);
        }
        free(kept.bytes);
    }
    free(text);
    free(whole.bytes);
}

TEST(elements_of_no_size_are_refused)
{
    const size_t sizes[] = {1, 8, sizeof(struct etm_element) + 1,
                            ETM_SIZEOF_ELEMENT_MAX + 8, SIZE_MAX};
    const struct etm_config pft = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_decoder *decoder;
    struct etm_listing *listing;
    struct etm_calls *calls;
    struct etm_diag diag;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct etm_decoder_config how = {.size = sizeof how,
                                               .config = &pft,
                                               .elements = keep,
                                               .sizeof_element = sizes[i]};
        const struct etm_session_run what = {
            .size = sizeof what, .elements = keep, .sizeof_element = sizes[i]};
        const struct etm_listing_config text = {.size = sizeof text,
                                                .format = "text",
                                                .write = add_text,
                                                .sizeof_element = sizes[i]};
        const struct etm_calls_config callers = {.size = sizeof callers,
                                                 .calls = count_calls,
                                                 .sizeof_element = sizes[i]};

        assert_int_equal(etm_decoder_new(&decoder, &how), ETM_ERR_ARGUMENT);
        assert_int_equal(etm_session_run_source(demo, 0, &what, &diag),
                         ETM_ERR_ARGUMENT);
        assert_string_equal(diag.what, "no element has that size");
        assert_int_equal(etm_listing_new(&listing, &text), ETM_ERR_ARGUMENT);
        assert_int_equal(etm_calls_new(&calls, &callers), ETM_ERR_ARGUMENT);
    }
}

int main(void)
{
    int failed = 1;

    if (etm_session_open(&demo, DEMO, NULL, NULL) == ETM_OK)
        failed = tests_run();
    etm_session_free(demo);
    return failed;
}
