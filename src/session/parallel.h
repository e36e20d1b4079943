/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One stream decoded by several threads, with the same elements in the same
 * order as from one decoder. Portions are made from elements by the thread that
 * decoded them, whose cache holds them; without portions, elements are given by
 * the thread that pushes.
 *
 * The stream is cut into stretches, if possible after synchronizations. A
 * worker that does not know the state at the beginning of its stretch begins a
 * little earlier (the warm-up), and discards what it gets from that. Thanks to
 * synchronization its decoder is then usually in the same state as one that has
 * decoded everything before. This is verified by comparing imprints when the
 * previous stretch is done. If they are equal, the elements of the stretch are
 * valid. Otherwise the stretch is decoded again, from the true state. So the
 * result never depends on luck, only the time does.
 */
#ifndef ETM_SESSION_PARALLEL_H
#define ETM_SESSION_PARALLEL_H

#include <etm/session.h>

struct etm_parallel;

struct etm_parallel_config {
    const struct etm_config *config; /* copied */
    const struct etm_image *image;   /* borrowed */
    enum etm_level level;
    etm_element_fn *elements;
    void *context;
    /* How threads process elements; copied. Portions are taken by any thread,
     * and so are the elements that go to `elements` between them, but by one at
     * a time. NULL: all elements go to `elements`, from the thread that
     * pushes. */
    const struct etm_portions *portions;
    unsigned jobs;   /* threads that decode; 0 and 1: only the one that pushes,
                        which otherwise cuts the stream. ITM and MTB have one */
    size_t stretch;  /* bytes; 0: depends on the number of elements they give */
    size_t warm_up;  /* bytes; 0: as many as are needed */
    uint64_t offset; /* of the first byte, in the stream or, */
    bool within;     /* if the stream does not begin there, from any byte of it
                        on */
    const struct etm_allocator *allocator; /* must allow threads; as
                                              struct etm_decoder_config */
};

/* ETM_OK, or as etm_decoder_new(). */
int etm_parallel_new(struct etm_parallel **parallel,
                     const struct etm_parallel_config *config);

/*
 * As those of etm_decoder. Elements and portions may come later, but at the
 * latest with etm_parallel_finish(), or with etm_parallel_flush(), which gives
 * what is final without an end.
 */
int etm_parallel_push(struct etm_parallel *parallel, const uint8_t *bytes,
                      size_t n);
int etm_parallel_gap(struct etm_parallel *parallel, uint64_t bytes);
int etm_parallel_flush(struct etm_parallel *parallel);
int etm_parallel_finish(struct etm_parallel *parallel);

/* What is pushed while this is on is only for warming up, and gives nothing.
 * Call it before the first push, and after the last one for warming up. */
void etm_parallel_warm_up(struct etm_parallel *parallel, bool on);

/* ETM_LEVEL_COUNTS: as etm_decoder_counts(), of everything pushed; once, after
 * a flush or the finish, and nothing may be pushed afterwards; and forget those
 * of a warm-up. */
int etm_parallel_counts(struct etm_parallel *parallel, etm_count_fn *fn,
                        void *context);
void etm_parallel_drop_counts(struct etm_parallel *parallel);

/* Their cycles, also after a flush or the finish. */
uint64_t etm_parallel_cycles(struct etm_parallel *parallel);

/* Offset in the stream up to which the elements were given; and that of a
 * packet before it that one to come may name, etm_decoder_pending(). */
uint64_t etm_parallel_settled(struct etm_parallel *parallel, uint64_t *pending);

/* Statistics of the joints so far: stretches that began right, others, and
 * bytes of their warm-ups. */
struct etm_parallel_joints {
    uint64_t good, bad, warm;
};
struct etm_parallel_joints
etm_parallel_joints(const struct etm_parallel *parallel);

/* Accepts NULL. */
void etm_parallel_free(struct etm_parallel *parallel);

#endif
