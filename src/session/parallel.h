/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One stream decoded by several threads, with the same elements in the same
 * order as one decoder gives. What is made of them is made by the thread that
 * decoded them, whose cache has them, as portions; where nothing is, they come
 * to the thread that pushes.
 *
 * The stream is cut into stretches, behind marks of synchronization where it
 * has some. A worker decodes a stretch it has no beginning for from a little
 * before it (the warm-up), and what comes of that is thrown away;
 * synchronization being what it is, its decoder then stands where the one that
 * has decoded all before it will stand. Whether that is so is compared, with
 * imprints, when the one before is done. If it is, the elements of the stretch
 * are good as they are. If not, the stretch is decoded again, from the true
 * state. So the result never depends on luck, only the time does.
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
    /* What threads make of elements; copied. They are taken by any thread, as
     * are those that come to `elements` between them, but only one at a time.
     * NULL: all come to `elements`, by the thread that pushes. */
    const struct etm_portions *portions;
    unsigned jobs;   /* threads that decode; 0 and 1: the one that pushes, else
                        it only cuts */
    size_t stretch;  /* bytes; 0: by how many elements come of them */
    size_t warm_up;  /* bytes; 0: as many as it takes */
    uint64_t offset; /* in the stream, of the first byte */
    const struct etm_allocator *allocator; /* must allow threads; as
                                              struct etm_decoder_config */
};

/* ETM_OK, or as etm_decoder_new(). */
int etm_parallel_new(struct etm_parallel **parallel,
                     const struct etm_parallel_config *config);

/*
 * As those of etm_decoder. Elements and portions may come later, but
 * by etm_parallel_finish() at the latest, or etm_parallel_flush(): that gives
 * what is final without an end.
 */
int etm_parallel_push(struct etm_parallel *parallel, const uint8_t *bytes,
                      size_t n);
int etm_parallel_gap(struct etm_parallel *parallel, uint64_t bytes);
int etm_parallel_flush(struct etm_parallel *parallel);
int etm_parallel_finish(struct etm_parallel *parallel);

/* What is pushed before this was only for warming up: nothing is given of it.
 * Before the first push, and after the last one of these. */
void etm_parallel_warm_up(struct etm_parallel *parallel, bool on);

/* ETM_LEVEL_COUNTS: as etm_decoder_counts(), of all that was pushed, once,
 * behind a flush or the finish: nothing is pushed then any more; and forget
 * those of a warm-up. */
int etm_parallel_counts(struct etm_parallel *parallel, etm_count_fn *fn,
                        void *context);
void etm_parallel_drop_counts(struct etm_parallel *parallel);

/* Their cycles, behind a flush or the finish too. */
uint64_t etm_parallel_cycles(struct etm_parallel *parallel);

/* Offset in the stream up to which the elements were given; and that of a
 * packet before it that one to come may name, etm_decoder_pending(). */
uint64_t etm_parallel_settled(struct etm_parallel *parallel, uint64_t *pending);

/* How the joints went so far: stretches that began right, and others, and bytes
 * of their warm-ups. */
struct etm_parallel_joints {
    uint64_t good, bad, warm;
};
struct etm_parallel_joints
etm_parallel_joints(const struct etm_parallel *parallel);

/* Accepts NULL. */
void etm_parallel_free(struct etm_parallel *parallel);

#endif
