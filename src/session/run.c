/* SPDX-License-Identifier: Apache-2.0 */
/* Reading one source from its beginning to its end. */
#include "base/diag.h"
#include "base/receiver.h"
#include "base/size.h"
#include "image/counts.h"
#include "input/pipe.h"
#include "session/reading.h"

static bool is_part(const struct etm_session_run *run)
{
    return run->begin != 0 || run->end != 0 || run->start != ETM_START_SYNC;
}

/* Is a buffer, whose bytes are those from `done` on of all buffers, in the
 * part? An empty one is if it is at the beginning of the part or in it. */
static bool is_asked_for(const struct etm_reading *r,
                         const struct etm_capture_buffer *buffer, uint64_t done)
{
    const struct etm_session_run *run = r->run;

    if (!is_part(run))
        return true;
    if (run->end != 0 && run->end <= done)
        return false;
    if (buffer->pipe == NULL && run->begin >= done + buffer->n &&
        (buffer->n != 0 || run->begin != done))
        return false;
    return r->part.quiet < r->part.stop || r->part.ends;
}

static int choose_part(struct etm_reading *r,
                       const struct etm_source_info *info,
                       const struct etm_capture_buffer *buffer, uint64_t done)
{
    const struct etm_session_run *run = r->run;
    uint64_t begin = run->begin > done ? run->begin - done : 0;
    uint64_t end = run->end > done ? run->end - done : 0;

    r->part = etm_part_whole(buffer);
    if (!is_part(run) || !is_asked_for(r, buffer, done))
        return ETM_OK;
    return etm_part_find(r->session, info, buffer, begin,
                         run->end == 0 ? etm_part_whole(buffer).stop : end,
                         run->start, &r->part, r->diag);
}

static int read_buffers(struct etm_reading *r, size_t source)
{
    static const struct etm_capture_buffer nothing;
    const struct etm_session *session = r->session;
    const struct etm_source_info *info = etm_session_source(session, source);
    size_t n = info->n_buffers;
    uint64_t done = 0, total = etm_session_bytes(session, source);
    int status = ETM_OK;

    if (n == 0) {
        r->last_buffer = true;
        r->part = etm_part_whole(&nothing);
        return etm_reading_buffer(r, info, &nothing, 0, 0);
    }
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        size_t index = etm_session_source_buffer(session, source, i);
        const struct etm_capture_buffer *buffer =
            etm_session_capture_buffer(session, index);

        /* an adjoining part has an `end` only if it is the last one */
        r->last_buffer =
            i + 1 == n || (r->run->start != ETM_START_JOIN &&
                           r->run->end != 0 && r->run->end <= done + buffer->n);
        status = choose_part(r, info, buffer, done);
        if (status == ETM_OK && is_asked_for(r, buffer, done)) {
            if (r->run->buffer)
                status = r->run->buffer(r->run->context, index);
            if (status == ETM_OK)
                status = etm_reading_buffer(r, info, buffer, done, total);
        }
        done += buffer->n;
    }
    return status;
}

static int refuse(const struct etm_source_info *info, struct etm_diag *diag)
{
    (void)etm_diag_begin(diag, ETM_ERR_UNSUPPORTED, info->name);
    etm_diag_text(diag, "cannot be decoded: ");
    etm_diag_text(diag, info->why_not);
    return ETM_ERR_UNSUPPORTED;
}

static int check_part(const struct etm_source_info *info,
                      const struct etm_session_run *run, struct etm_diag *diag)
{
    bool ends_first = run->end != 0 && run->end < run->begin;
    bool adjoins = run->start != ETM_START_SYNC;

    if (!(run->packets && adjoins) && !run->bytes && !ends_first)
        return ETM_OK;
    (void)etm_diag_begin(diag, ETM_ERR_ARGUMENT, info->name);
    etm_diag_text(diag, ends_first ? "the part ends before it begins"
                                   : "a part gives only elements and, if it "
                                     "begins at a synchronization, packets");
    return ETM_ERR_ARGUMENT;
}

/* A pipe can be read once, and from its beginning. */
static int check_pipe(const struct etm_session *session, size_t source,
                      const struct etm_session_run *run, struct etm_diag *diag)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    const struct etm_capture_buffer *b;

    if (info->n_buffers != 1)
        return ETM_OK;
    b = etm_session_capture_buffer(
        session, etm_session_source_buffer(session, source, 0));
    if (b->pipe == NULL || (!etm_pipe_begun(b->pipe) && run->begin == 0 &&
                            run->start == ETM_START_SYNC))
        return ETM_OK;
    (void)etm_diag_begin(diag, ETM_ERR_ARGUMENT, b->path);
    etm_diag_text(diag, "a pipe that is not kept is read once, from its "
                        "beginning");
    return ETM_ERR_ARGUMENT;
}

/* What is wrong with the arguments of a run; NULL: nothing. */
static const char *misuse(const struct etm_source_info *info,
                          const struct etm_session_run *run)
{
    if (!info)
        return "there is no such source";
    if (!etm_receiver_is_valid(run->sizeof_element))
        return "no element has that size";
    if ((unsigned)run->start > ETM_START_JOIN)
        return "there is no such beginning of a part";
    if (run->portions && !run->elements)
        return "portions need a function for elements, too";
    if (run->portions &&
        (!run->portions->begin || !run->portions->elements ||
         !run->portions->end || !run->portions->take || !run->portions->free))
        return "a function of the portions is NULL";
    return NULL;
}

int etm_session_run_source(const struct etm_session *session, size_t source,
                           const struct etm_session_run *run,
                           struct etm_diag *diag)
{
    const struct etm_source_info *info;
    struct etm_session_run own;
    struct etm_portions portions;
    const char *wrong;
    struct etm_reading r;
    int status = ETM_TAKE(etm_session_run, &own, run, diag);

    if (status == ETM_OK && own.portions) {
        status = ETM_TAKE(etm_portions, &portions, own.portions, diag);
        own.portions = &portions;
    }
    if (status != ETM_OK)
        return status;
    run = &own;
    info = session ? etm_session_source(session, source) : NULL;
    wrong = misuse(info, run);
    if (wrong) {
        (void)etm_diag_begin(diag, ETM_ERR_ARGUMENT, NULL);
        etm_diag_text(diag, wrong);
        return ETM_ERR_ARGUMENT;
    }
    if (run->counts && !etm_level_counts(run->level)) {
        (void)etm_diag_begin(diag, ETM_ERR_ARGUMENT, info->name);
        etm_diag_text(diag, "counts need the level counts or coverage");
        return ETM_ERR_ARGUMENT;
    }
    if (info->why_not &&
        (run->packets || run->elements || etm_reading_counts(run)))
        return refuse(info, diag);
    status = is_part(run) ? check_part(info, run, diag) : ETM_OK;
    if (status == ETM_OK)
        status = check_pipe(session, source, run, diag);
    if (status != ETM_OK)
        return status;
    r = (struct etm_reading){.session = session, .run = run, .diag = diag};
    (void)etm_diag_begin(diag, ETM_OK, NULL);
    r.config = info->config;
    r.image = info->image;
    /* the ticks of an ITM are a sum from its first byte on, and the memory of
     * an MTB is small */
    r.jobs = run->packets || run->bytes ||
                     info->config.protocol == ETM_PROTOCOL_ITM ||
                     info->config.protocol == ETM_PROTOCOL_MTB
                 ? 1
                 : run->jobs;
    etm_vec_init(&r.pending, 1, &session->allocator);
    etm_vec_init(&r.scratch_packets, sizeof(struct etm_packet),
                 &session->allocator);
    etm_scratch_init(&r.scratch, &session->allocator);
    (void)pthread_mutex_init(&r.lock, NULL);
    if (run->counts && info->n_buffers > 1)
        status = etm_counts_new(&r.counts, &session->allocator);
    if (status == ETM_OK)
        status = read_buffers(&r, source);
    if (status == ETM_OK && run->cycles)
        *run->cycles = r.cycles;
    if (status == ETM_OK && r.counts)
        status = etm_counts_walk(r.counts, run->counts, run->context);
    etm_counts_free(r.counts);
    (void)pthread_mutex_destroy(&r.lock);
    etm_vec_fini(&r.pending);
    etm_vec_fini(&r.scratch_packets);
    etm_scratch_fini(&r.scratch);
    if (status != ETM_OK && diag && diag->what[0] == '\0') {
        (void)etm_diag_begin(diag, status, info->name);
        etm_diag_text(diag, etm_status_text(status));
    }
    return status;
}
