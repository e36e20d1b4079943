/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of the ETMv3 fast path where steps are only counted, and cycles are
 * not wanted. No chart is made: one lookup in a table (struct
 * etm_header_bundle) gives where up to eight P-headers lead from a place in the
 * program, and where that is counted. Restarts stay in the loop, and so do
 * branches before them to where no code is known: a filter causes both. So do
 * pauses: timestamps, A-syncs and periodic I-syncs. The loop is worthwhile
 * where a program does the same things again; elsewhere charts are faster.
 */
#include "base/bits.h"
#include "flow/etmv3_address.h"
#include "flow/etmv3_walk.h"

/* Bundles looked up in a trial: charts are made for some time if less than
 * three quarters of them were found. To begin and to stop costs as much as
 * BEGIN bundles that were not found. */
#define TRIAL 4096u
#define BEGIN 2u
#define MEAN 5u /* average bytes of a bundle and what follows it */

/* Bytes after which the loop stops, so that a trial can end. */
#define STAY ((ptrdiff_t)(TRIAL * MEAN))

/* Bytes of eight headers, which are read before `end` of the terms; a branch
 * packet after them is read in ETM_ETMV3_WINDOW. */
#define READ 8u
static_assert(ETM_ETMV3_WINDOW >= 4,
              "four bytes of a branch packet can be read");

static bool is_of_use(struct etm_bundle_trial *trial)
{
    if (trial->bytes < trial->next)
        return false;
    if (trial->found + trial->missed >= TRIAL)
        etm_bundle_trial_end(trial, trial->found / 3 >= trial->missed);
    return trial->bytes >= trial->next;
}

/* Count one more execution of a bundle. Returns the step that ended last, which
 * was `last` before. */
static inline uint32_t count(struct etm_header_bundle *b, uint32_t last)
{
    b->n++;
    return b->last != 0 ? b->last : last;
}

/*
 * Walk from w->p on as far as bundles lead, and give elements up to `enough`.
 * An iteration is one of these:
 *
 * - a full bundle: eight P-headers that lead to a place in the program;
 * - a bundle of fewer P-headers before something else, or of eight that end in
 *   an indirect branch; and the branch packet with its target, if there is one;
 * - a restart between two steps, after such a bundle, a branch to missing code
 *   or another restart. If nobody needs its elements, the flow is informed only
 *   of the last one, at the end of the loop;
 * - a pause, of which the flow is informed in the same way;
 * - the target of an indirect branch after an exception exit or a timestamp.
 *
 * This is one long function because only then what the iterations share (place,
 * address, mode, the last step and the last two branch packets) stays in
 * registers. What would take registers away is in etmv3_aside.c and
 * etmv3_pause.c.
 */
static void follow_bundles(struct etm_etmv3_flow *flow,
                           const struct etm_etmv3_decoder *d,
                           struct etm_etmv3_walk *w, struct etm_etmv3_terms *t,
                           const struct etm_element *enough)
{
    struct etm_blocks *blocks = &flow->follow.blocks;
    struct etm_header_bundles *const all = blocks->headers;
    const uint8_t *const begin = w->p;
    const uint8_t *const end =
        t->end - begin - (ptrdiff_t)READ > STAY ? begin + STAY : t->end - READ;
    const uint8_t *p = begin, *from = begin;
    /* the last two branch packets; a struct would be copied as a whole, and
     * wait for both halves */
    const uint8_t *branch = w->branch.from, *branch_to = w->branch.to;
    const uint8_t *before = w->before.from, *before_to = w->before.to;
    /* a restart that was passed and the flow does not know of yet, and the
     * place there; NULL: none */
    const uint8_t *sync, *pending = NULL;
    uint32_t pending_place = 0;
    struct etm_etmv3_restart restart;
    struct etm_etmv3_pause seen, pause = {.p = NULL}; /* after `pending` */
    struct etm_etmv3_target target;
    uint32_t address, mode, place, last = 0, missed = BEGIN;

    etm_etmv3_target_load(&target, &flow->base);
    address = target.address;
    mode = etm_header_mode(target.isa, blocks->space);
    place = etm_header_place(w->at, w->index);
    while (p <= end) {
        /* a P-header is 1xxxxxx0: a byte that is not 0 here is none */
        const uint64_t x = etm_address_eight(p);
        const uint64_t none =
            (x & UINT64_C(0x8181818181818181)) ^ UINT64_C(0x8080808080808080);

        /* the great majority where cycles are traced, and the least work */
        if (none == 0) {
            const uint32_t full = etm_header_slot(x, place);
            struct etm_header_bundle *b = &all->of[full];

            if (b->headers == x && b->place == place && all->next[full] != 0) {
                place = all->next[full];
                last = count(b, last);
                p += sizeof x;
                continue;
            }
        }
        const uint8_t *q = p;
        if ((none & 0xff) != 0)
            goto restart;
        const unsigned bits = none != 0 ? etm_zeros_below(none) & ~7u : 64;
        const uint64_t headers = none != 0 ? x & ~(~UINT64_C(0) << bits) : x;
        uint32_t i = etm_header_slot(headers, place);
        struct etm_header_bundle *b;
        uint32_t y, next;

        q += bits / 8;
        y = etm_address_four(q);

        if (all->of[i].headers != headers || all->of[i].place != place) {
            missed++;
            i = etm_etmv3_find_bundle(flow, headers, place, i);
            if (i == ETM_HEADER_BUNDLES)
                break;
        }
        b = &all->of[i];
        next = all->next[i];
        /* a branch packet has bit [0] set; tested before `next` has arrived */
        if ((y & 1) == 0 || next != 0) {
            if (next != 0) {
                p = q;
                place = next;
                last = count(b, last);
                continue;
            }
            /* W atoms before the target */
            while (q < t->end && etm_chart_no_insn(&flow->shares[*q]))
                q++;
            y = etm_address_four(q);
            if ((y & 1) == 0) {
                p = q;
                place = 0;
                last = count(b, last);
                goto restart;
            }
        }
        uint32_t to;
        size_t size = etm_address_short(t->forms, address, y, &to);

        if (size == 0) {
            to = address;
            size = etm_etmv3_parse_jump(flow, t->forms, q, &to);
            if (size == 0) {
                p = q;
                place = 0;
                last = count(b, last);
                goto restart;
            }
        }
        last = count(b, last);
        i = etm_header_target(to);
        place = all->targets[i].place;
        if (all->targets[i].address != to || all->modes[i] != mode)
            place = etm_etmv3_find_target(flow, to);
        if (place == 0) {
            p = q;
            q += size;
            goto restart;
        }
        address = to;
        before = branch;
        before_to = branch_to;
        branch = q;
        p = branch_to = q + size;
        continue;
    restart: /* perhaps at q */
        if (etm_header_index(place) == 0) {
            restart = etm_etmv3_peek_restart(flow, d, t, q,
                                             place == 0 && q == p, &sync);
            if (restart.place != 0) {
                pending = sync;
                pause.p = NULL;
                from = p = restart.p;
                last = 0;
                place = pending_place = restart.place;
                address = restart.address;
                continue;
            }
        }
        next = address;
        if (place == 0 && q == p) {
            place = etm_etmv3_pass_jump(flow, d, t, &q, &next);
            if (place == 0)
                break;
            address = next;
            before = branch;
            before_to = branch_to;
            branch = p;
            p = branch_to = q;
            continue;
        }
        if (w->e >= enough)
            break;
        seen.place = place;
        if (etm_etmv3_pass_pause(flow, d, w, t, from == begin ? t->bytes : from,
                                 q, &seen, &next)) {
            pause = seen;
            from = p = pause.p;
            last = 0;
            place = pause.place;
            address = next;
            continue;
        }
        if (etm_header_index(place) != 0 ||
            !etm_etmv3_take_restart(flow, w, t, q, 0))
            break;
        pending = NULL;
        pause.p = NULL;
        from = p = w->p;
        last = 0;
        place = etm_header_place(w->at, 0);
        etm_etmv3_target_load(&target, &flow->base);
        address = target.address;
        if (flow->follow.context_changed)
            break;
        mode = etm_header_mode(target.isa, blocks->space);
    }
    if (pending != NULL)
        (void)etm_etmv3_take_restart(flow, w, t, pending,
                                     etm_header_step(pending_place));
    if (pause.p != NULL)
        etm_etmv3_leave_pause(flow, w, t, &pause);
    blocks->trial.missed += missed;
    blocks->trial.found += (uint32_t)((size_t)(p - begin) / MEAN);
    /* base.address may have lower bits, too */
    if (branch != w->branch.from ||
        flow->base.address >> target.shift != address)
        flow->base.address = address << target.shift;
    if (p == from)
        return;
    w->branch = (struct etm_etmv3_taken){branch, branch_to};
    w->before = (struct etm_etmv3_taken){before, before_to};
    w->p = p;
    etm_etmv3_leave_bundles(flow, w, t, from, place, last);
}

enum etm_etmv3_bundled etm_etmv3_run_bundles(struct etm_etmv3_flow *flow,
                                             const struct etm_etmv3_decoder *d,
                                             struct etm_etmv3_walk *w,
                                             struct etm_etmv3_terms *t,
                                             const struct etm_element *enough)
{
    const struct etm_follow *f = &flow->follow;
    const uint8_t *from;

    do {
        if (w->stands || t->end - w->p < (ptrdiff_t)READ ||
            f->context_changed || f->isa != flow->base.isa ||
            f->isa == ETM_ISA_JAZELLE || !is_of_use(&flow->follow.blocks.trial))
            return ETM_BUNDLES_NONE;
        if (!w->whole || w->at == 0 || w->index > ETM_HEADER_INDEX)
            return ETM_BUNDLES_SOON;
        from = w->p;
        follow_bundles(flow, d, w, t, enough - ETM_SKIM_MOST);
    } while (w->p != from && w->e + ETM_SKIM_MOST < enough &&
             (w->p - from > STAY || etm_etmv3_skim(flow, d, w, t)));
    return w->at == 0 ? ETM_BUNDLES_LOST : ETM_BUNDLES_SOON;
}
