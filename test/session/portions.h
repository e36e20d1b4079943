/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A listing made in portions, by the threads that decode, against the listing
 * that one thread makes of the same elements.
 */
#ifndef TEST_PORTIONS_H
#define TEST_PORTIONS_H

#include <etm/session.h>
#include <etm/write.h>
#include <stdatomic.h>

#define TEST_MAKERS 8u

struct test_text {
    char *bytes;
    size_t n, capacity;
};

struct test_portions {
    struct etm_listing_config config;
    struct etm_listing_source source;
    struct etm_listing *listing; /* of whoever has the turn */
    struct etm_listing *makers[TEST_MAKERS];
    struct test_text text;
    size_t taken;          /* portions, */
    atomic_size_t begun;   /* and those that somebody began */
    atomic_size_t at_hand; /* and did not end yet */
    atomic_size_t made;    /* that were not there before */
};

/* What a listing can look like: so many kinds. */
#define TEST_FORMS 4u

/* `config` is that of the trace. Text goes to portions->text. */
void test_portions_init(struct test_portions *portions, unsigned form,
                        const struct etm_config *config);
void test_portions_fini(struct test_portions *portions);

struct etm_portions test_portions_hook(struct test_portions *portions);

/* An etm_element_fn: lines between the portions. */
int test_portions_elements(void *context, const struct etm_element *elements,
                           size_t n);

#endif
