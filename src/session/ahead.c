/* SPDX-License-Identifier: Apache-2.0 */
/* Deframing ahead of the thread that reads the stream. */
#include "session/ahead.h"

#include "input/file.h"

#include <pthread.h>

/* Bytes of a piece, enough to be worth waking a thread; and the maximum number
 * of pieces, which bounds the memory. */
#define PIECE ((size_t)1 << 18)
#define SLOTS 8u

/* Maximum number of threads: more would find nothing to do. */
#define THREADS 4u

/* Bytes before a piece that are searched for an ID: a formatter repeats IDs,
 * and otherwise there is only one source. */
#define LOOK_BACK 4096u

/* Bytes of a file that are read at a time: they stay in the first caches. */
#define READ ((size_t)1 << 15)

/* Number of consecutive pieces that had to be done again, after which the
 * threads give up: frames do not begin where expected. */
#define PATIENCE 4u

/* A piece is free, a thread works on it, or it is done. */
enum state { FREE = 0, RUNNING, DONE };

struct slot {
    enum state state; /* guarded */
    bool begun;       /* a beginning was found for it */
    struct etm_deframer_start start;
    struct etm_deframer deframer;
    struct etm_vec bytes; /* uint8_t: of a file that is read */
};

struct etm_ahead {
    struct etm_allocator allocator;
    struct etm_ahead_config config;
    size_t grid; /* offset of the pieces, modulo their size */
    uint64_t n;  /* pieces */
    pthread_t threads[THREADS];
    unsigned n_threads;
    uint64_t used; /* number of pieces used by the thread that reads; */
    unsigned failed;
    struct etm_ahead_pieces pieces;
    pthread_mutex_t lock; /* of what stands below */
    pthread_cond_t room;  /* signalled when a thread may begin another piece */
    pthread_cond_t done;
    uint64_t next; /* piece that nobody has */
    uint64_t most; /* and they may be begun up to here */
    uint8_t id;    /* current ID at the last position of the thread that
                      reads */
    bool ending;
    struct slot slots[SLOTS];
};

/* Where a piece begins. */
static size_t begin_of(const struct etm_ahead *a, uint64_t piece)
{
    size_t at;

    if (piece == 0)
        return a->config.begin;
    at = a->grid + (size_t)piece * a->config.piece;
    return at < a->config.end ? at : a->config.end;
}

/* Get bytes of the buffer, no more than READ. ETM_OK, or why they cannot be
 * read.
 */
static int look_at(const struct etm_ahead *a, struct slot *s, size_t from,
                   size_t n, const uint8_t **bytes)
{
    int status = ETM_OK;

    *bytes = a->config.bytes + from;
    if (a->config.opened == 0)
        return ETM_OK;
    s->bytes.n = 0;
    status = etm_vec_reserve(&s->bytes, READ);
    *bytes = s->bytes.data;
    return status == ETM_OK
               ? etm_file_read(a->config.opened, from, s->bytes.data, n)
               : status;
}

/* Push all of a piece into a deframer. */
static int push(const struct etm_ahead *a, struct slot *s, size_t from,
                size_t to, struct etm_deframer *d)
{
    const uint8_t *bytes;
    int status = ETM_OK;

    while (from < to && status == ETM_OK) {
        size_t n = to - from;

        if (a->config.opened != 0 && n > READ)
            n = READ;
        status = look_at(a, s, from, n, &bytes);
        if (status == ETM_OK)
            status = etm_deframer_push(d, bytes, n);
        from += n;
    }
    return status;
}

/* The current ID after these bytes, if there is one shortly before the end. */
static uint8_t find_id(const uint8_t *bytes, size_t n, uint8_t otherwise)
{
    for (; n >= ETM_FRAME_BYTES; n -= ETM_FRAME_BYTES) {
        uint8_t id = etm_frame_last_id(bytes + n - ETM_FRAME_BYTES);

        if (id != ETM_ID_UNKNOWN)
            return id;
    }
    return otherwise;
}

/* Deframe a piece without knowing what precedes it. */
static void work(struct etm_ahead *a, uint64_t piece, uint8_t id)
{
    struct slot *s = &a->slots[piece % SLOTS];
    size_t from = begin_of(a, piece), to = begin_of(a, piece + 1);
    size_t back = from - a->config.begin;
    struct etm_deframer *d = &s->deframer;
    const uint8_t *bytes;

    if (back > LOOK_BACK)
        back = LOOK_BACK;
    s->begun = false;
    if (look_at(a, s, from - back, back, &bytes) != ETM_OK)
        return;
    s->start = (struct etm_deframer_start){.file = from,
                                           .id = find_id(bytes, back, id),
                                           .ones = bytes[back - 1] == 0xff};
    s->begun =
        etm_deframer_start(d, &s->start) && push(a, s, from, to, d) == ETM_OK;
}

static void *run(void *context)
{
    struct etm_ahead *a = context;

    pthread_mutex_lock(&a->lock);
    while (!a->ending && a->next < a->n) {
        uint64_t piece = a->next;
        uint8_t id = a->id;

        if (piece >= a->most) {
            pthread_cond_wait(&a->room, &a->lock);
            continue;
        }
        a->next++;
        a->slots[piece % SLOTS].state = RUNNING;
        pthread_mutex_unlock(&a->lock);
        work(a, piece, id);
        pthread_mutex_lock(&a->lock);
        a->slots[piece % SLOTS].state = DONE;
        pthread_cond_signal(&a->done);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

int etm_ahead_new(struct etm_ahead **ahead, const struct etm_ahead_config *c)
{
    struct etm_allocator allocator = etm_allocator_or_default(c->allocator);
    struct etm_ahead *a = etm_alloc_zero(&allocator, sizeof *a);
    size_t odd = (c->begin + ETM_FRAME_BYTES - c->first % ETM_FRAME_BYTES) %
                 ETM_FRAME_BYTES;
    unsigned wanted = c->jobs < THREADS ? c->jobs : THREADS;

    *ahead = a;
    if (a == NULL)
        return ETM_ERR_MEMORY;
    a->allocator = allocator;
    a->config = *c;
    a->grid = c->begin - odd;
    if (c->begin < odd) /* the first frame is incomplete */
        a->grid = c->begin + ETM_FRAME_BYTES - odd;
    if (c->piece == 0)
        a->config.piece = PIECE;
    a->n = (c->end - c->begin) / a->config.piece + 2;
    while (a->n > 1 && begin_of(a, a->n - 1) == c->end)
        a->n--;
    a->next = 1;
    a->most = SLOTS;
    a->id = ETM_ID_UNKNOWN;
    for (unsigned i = 0; i < SLOTS; i++) {
        etm_deframer_init(&a->slots[i].deframer, ETM_FRAME_ALIGNED, c->id,
                          &allocator);
        a->slots[i].deframer.fixed = c->fixed;
        a->slots[i].deframer.uncounted = true;
        etm_vec_init(&a->slots[i].bytes, 1, &allocator);
    }
    (void)pthread_mutex_init(&a->lock, NULL);
    (void)pthread_cond_init(&a->room, NULL);
    (void)pthread_cond_init(&a->done, NULL);
    for (; a->n_threads < wanted; a->n_threads++)
        if (pthread_create(&a->threads[a->n_threads], NULL, run, a) != 0)
            break;
    return ETM_OK;
}

/* Was this piece deframed by a thread? Waits for a thread that works on it. */
static bool await(struct etm_ahead *a, uint64_t piece)
{
    struct slot *s = &a->slots[piece % SLOTS];
    bool is;

    pthread_mutex_lock(&a->lock);
    is = piece != 0 && a->next > piece;
    if (a->next <= piece)
        a->next = piece + 1;
    while (is && s->state == RUNNING)
        pthread_cond_wait(&a->done, &a->lock);
    pthread_mutex_unlock(&a->lock);
    return is;
}

/* The thread that reads has passed a piece: others may begin new ones. */
static void pass(struct etm_ahead *a, uint8_t id)
{
    pthread_mutex_lock(&a->lock);
    a->id = id;
    a->used++;
    /* threads are not woken for a single piece: half of the pieces are ready */
    if (a->used + SLOTS / 2 >= a->most || a->next < a->most)
        a->most = a->used + SLOTS;
    a->ending = a->failed >= PATIENCE;
    if (a->next < a->most)
        pthread_cond_broadcast(&a->room);
    pthread_mutex_unlock(&a->lock);
}

int etm_ahead_next(struct etm_ahead *a, struct etm_deframer *d, size_t *end)
{
    struct slot *s = &a->slots[a->used % SLOTS];
    size_t from = begin_of(a, a->used);
    bool is = await(a, a->used);
    int status = ETM_OK;

    *end = begin_of(a, a->used + 1);
    if (is && s->begun && etm_deframer_exchange(d, &s->start, &s->deframer)) {
        a->pieces.good++;
        a->failed = 0;
    } else {
        a->pieces.bad += is;
        a->failed += is;
        status = push(a, s, from, *end, d);
    }
    pass(a, d->id);
    return status;
}

struct etm_ahead_pieces etm_ahead_pieces(const struct etm_ahead *a)
{
    return a->pieces;
}

void etm_ahead_free(struct etm_ahead *a)
{
    struct etm_allocator allocator;

    if (a == NULL)
        return;
    pthread_mutex_lock(&a->lock);
    a->ending = true;
    pthread_cond_broadcast(&a->room);
    pthread_mutex_unlock(&a->lock);
    for (unsigned i = 0; i < a->n_threads; i++)
        (void)pthread_join(a->threads[i], NULL);
    for (unsigned i = 0; i < SLOTS; i++) {
        etm_deframer_fini(&a->slots[i].deframer);
        etm_vec_fini(&a->slots[i].bytes);
    }
    (void)pthread_mutex_destroy(&a->lock);
    (void)pthread_cond_destroy(&a->room);
    (void)pthread_cond_destroy(&a->done);
    allocator = a->allocator;
    etm_alloc_free(&allocator, a);
}
