/* SPDX-License-Identifier: Apache-2.0 */
/* etm diff: where two traces differ. */
#include "cli/diff.h"

#include "cli/args.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of diff, whose exit status is that of diff(1). */
enum { SAME = 0, DIFFERENT = 1, TROUBLE = 2 };

/* Most differences are small: so many edits in the smallest window come first.
 * Then windows become larger, and if nothing else helps, so many edits. */
#define FEW_EDITS 16u
#define LEAST_WINDOW 2048u
#define MANY_ITEMS 4096u
#define MANY_EDITS 1024u

struct comparing {
    struct etm_cli_diff_show show;
    struct etm_cli_diff_edits edits;
    uint64_t *hashes[2];
    size_t room; /* of both */
    bool different;
};

/* Copy the hashes of up to n items of each side. */
static int take_windows(struct comparing *c, size_t n,
                        struct etm_cli_diff_windows *w)
{
    size_t there[2];

    for (unsigned side = 0; side < 2; side++) {
        struct etm_cli_diff_side *s = c->show.sides[side];

        there[side] = etm_cli_diff_side_wait(s, n);
        if (there[side] == SIZE_MAX)
            return ETM_ERR_MEMORY;
        there[side] = there[side] < n ? there[side] : n;
        if (c->room < n) {
            uint64_t *larger = realloc(c->hashes[side], n * sizeof *larger);

            if (!larger)
                return ETM_ERR_MEMORY;
            c->hashes[side] = larger;
        }
        for (size_t i = 0; i < there[side]; i++)
            c->hashes[side][i] = etm_cli_diff_side_hash(s, i);
    }
    c->room = c->room < n ? n : c->room;
    *w = (struct etm_cli_diff_windows){.a = c->hashes[0],
                                       .b = c->hashes[1],
                                       .n_a = there[0],
                                       .n_b = there[1],
                                       .end = there[0] < n && there[1] < n};
    return ETM_OK;
}

/* Are the edits those of a trace that goes on as the other one does, and no
 * accidents? */
static bool are_likely(const struct comparing *c,
                       const struct etm_cli_diff_windows *w)
{
    size_t same = 0;

    for (size_t i = 0; i < c->edits.n; i++)
        same += c->edits.rows[i].same;
    return same >= (w->n_a < w->n_b ? w->n_a : w->n_b) / 2;
}

/* By stretches that are once in each window. In a small one more of them are;
 * in a large one more is found. */
static int find_stretches(struct comparing *c, size_t window, bool *found)
{
    struct etm_cli_diff_windows w;
    int status = ETM_OK;
    bool likely = false;

    for (size_t n = LEAST_WINDOW; !likely && status == ETM_OK; n *= 8) {
        status = take_windows(c, n < window ? n : window, &w);
        if (status == ETM_OK)
            status = etm_cli_diff_anchor(&w, &c->edits, found);
        likely = n >= window || (*found && are_likely(c, &w));
    }
    return status;
}

/* The next items differ: find where both sides are in step again. */
static int find_step(struct comparing *c, size_t window)
{
    struct etm_cli_diff_windows w = {.n_a = 0};
    bool found = false;
    int status = take_windows(c, ETM_CLI_DIFF_LEAST_WINDOW, &w);

    w.most = FEW_EDITS;
    if (status == ETM_OK)
        status = etm_cli_diff_match(&w, &c->edits, &found);
    if (!found && status == ETM_OK)
        status = find_stretches(c, window, &found);
    if (found || status != ETM_OK)
        return status;
    status = take_windows(c, MANY_ITEMS, &w);
    w.most = MANY_EDITS;
    w.sure = true;
    return status == ETM_OK ? etm_cli_diff_match(&w, &c->edits, &found)
                            : status;
}

static void show_edits(struct comparing *c)
{
    for (size_t i = 0; i < c->edits.n; i++) {
        const struct etm_cli_diff_edit *edit = &c->edits.rows[i];

        etm_cli_diff_show_only(&c->show, 0, edit->a);
        etm_cli_diff_show_only(&c->show, 1, edit->b);
        etm_cli_diff_show_same(&c->show, edit->same);
    }
}

/* What both sides have at hand. */
#define STRIDE 1024u

static int compare(struct comparing *c, size_t window)
{
    struct etm_cli_diff_side *a = c->show.sides[0], *b = c->show.sides[1];
    int status = ETM_OK;

    while (status == ETM_OK && !c->show.output->closed &&
           !c->show.output->failed) {
        size_t n_a = etm_cli_diff_side_wait(a, STRIDE);
        size_t n_b = etm_cli_diff_side_wait(b, STRIDE);
        size_t n = n_a < n_b ? n_a : n_b, same = 0;

        if (n_a == SIZE_MAX || n_b == SIZE_MAX)
            return ETM_ERR_MEMORY;
        while (same < n && etm_cli_diff_side_hash(a, same) ==
                               etm_cli_diff_side_hash(b, same))
            same++;
        etm_cli_diff_show_same(&c->show, same);
        if (same == n && n != 0)
            continue;
        if (n_a == 0 && n_b == 0)
            break;
        if (n == 0) {
            etm_cli_diff_show_only(&c->show, n_a == 0, n_a + n_b);
            continue;
        }
        status = find_step(c, window);
        if (status == ETM_OK)
            show_edits(c);
    }
    return status;
}

/* Why a side could not be read to its end, and its damage. */
static int tell_side(struct comparing *c, unsigned side)
{
    const struct etm_source_info *info = c->show.infos[side];
    struct etm_cli_diff_side *s = c->show.sides[side];
    struct etm_diag diag = {0};
    uint64_t places, bytes;
    int status = etm_cli_diff_side_status(s, &diag);

    if (status != ETM_OK && status != ETM_ERR_STOPPED) {
        etm_cli_diag(status, &diag);
        return TROUBLE;
    }
    etm_cli_diff_side_damage(s, &places, &bytes);
    if (places != 0)
        etm_cli_error("%s: %s (0x%02x): %" PRIu64
                      " byte%s could not be decoded, in %" PRIu64 " place%s",
                      side == 0 ? "A" : "B", info->name, info->id, bytes,
                      etm_cli_plural(bytes), places, etm_cli_plural(places));
    return SAME;
}

static int begin_side(struct comparing *c, unsigned side,
                      const struct etm_cli_options *o,
                      const struct etm_session *session, size_t source)
{
    unsigned jobs = etm_cli_threads(o) / 2;
    const struct etm_cli_diff_side_config config = {
        .options = o,
        .session = session,
        .source = source,
        .format = o->format,
        .level = o->level_told ? o->level : ETM_LEVEL_INSTRUCTIONS,
        .jobs = jobs != 0 ? jobs : 1,
        .packets = o->diff.packets,
        .text = !o->view.summary};

    c->show.infos[side] = etm_session_source(session, source);
    return etm_cli_diff_side_new(&c->show.sides[side], &config);
}

/* Two sources, by their indexes in both sessions. SAME or TROUBLE. */
static int compare_sources(struct comparing *c,
                           const struct etm_cli_options options[2],
                           const struct etm_cli_capture captures[2],
                           const size_t sources[2])
{
    const struct etm_cli_options *o = &options[0];
    struct etm_cli_output *output = c->show.output;
    int status = ETM_OK, exit_status = SAME;

    c->show = (struct etm_cli_diff_show){
        .output = output,
        .jsonl = strcmp(o->format, "jsonl") == 0,
        .quiet = o->view.summary,
        .colours = etm_cli_colours(output) && strcmp(o->format, "text") == 0,
        .context = o->diff.context,
        .lines = o->diff.lines};
    for (unsigned side = 0; side < 2 && status == ETM_OK; side++)
        status = begin_side(c, side, &options[side], captures[side].session,
                            sources[side]);
    if (status == ETM_OK) {
        etm_cli_diff_show_begin(&c->show);
        status = compare(c, (size_t)o->diff.window);
    }
    if (status == ETM_OK)
        etm_cli_diff_show_end(&c->show);
    c->different = c->different || c->show.hunks != 0;
    (void)etm_cli_flush(output);
    for (unsigned side = 0; side < 2 && status == ETM_OK; side++)
        if (tell_side(c, side) != SAME)
            exit_status = TROUBLE;
    for (unsigned side = 0; side < 2; side++)
        etm_cli_diff_side_free(c->show.sides[side]);
    if (status == ETM_OK)
        return exit_status;
    etm_cli_error("%s", etm_status_text(status));
    return TROUBLE;
}

/* A source that the other side has not. */
static void tell_alone(struct comparing *c, unsigned side,
                       const struct etm_source_info *info, bool jsonl)
{
    struct etm_cli_output *output = c->show.output;
    char title[256];

    c->different = true;
    if (jsonl) {
        etm_cli_print(output, "{\"k\":\"source\",\"side\":\"%s\",\"src\":%u}\n",
                      side == 0 ? "a" : "b", info->id);
        return;
    }
    etm_cli_title(info, title, sizeof title);
    etm_cli_print(output, "only in %s: ", side == 0 ? "A" : "B");
    etm_cli_put_plain(output, title, strlen(title));
    etm_cli_put(output, "\n", 1);
}

/* Place in `captures[1]` of the source that belongs to one of captures[0]: the
 * only ones, or of the same trace ID; SIZE_MAX: there is none. */
static size_t partner_of(const struct etm_cli_capture *capture,
                         const struct etm_cli_capture *other, size_t i)
{
    const struct etm_source_info *info =
        etm_session_source(capture->session, capture->sources[i]);

    if (capture->n_sources == 1 && other->n_sources == 1)
        return 0;
    for (size_t j = 0; j < other->n_sources; j++)
        if (etm_session_source(other->session, other->sources[j])->id ==
            info->id)
            return j;
    return SIZE_MAX;
}

static int compare_captures(struct comparing *c,
                            const struct etm_cli_options options[2],
                            const struct etm_cli_capture captures[2])
{
    bool jsonl = strcmp(options[0].format, "jsonl") == 0;
    int status = SAME;

    for (size_t i = 0;
         i < captures[0].n_sources && status == SAME && !c->show.output->closed;
         i++) {
        size_t partner = partner_of(&captures[0], &captures[1], i);
        size_t sources[2] = {captures[0].sources[i], 0};

        if (partner == SIZE_MAX) {
            tell_alone(c, 0,
                       etm_session_source(captures[0].session, sources[0]),
                       jsonl);
            continue;
        }
        sources[1] = captures[1].sources[partner];
        status = compare_sources(c, options, captures, sources);
    }
    for (size_t i = 0; i < captures[1].n_sources && status == SAME; i++)
        if (partner_of(&captures[1], &captures[0], i) == SIZE_MAX)
            tell_alone(
                c, 1,
                etm_session_source(captures[1].session, captures[1].sources[i]),
                jsonl);
    return status;
}

/* Both captures, then the output: it is not touched if one cannot be read. */
static int open_all(const struct etm_cli_options options[2],
                    struct etm_cli_capture captures[2],
                    struct etm_cli_output *output)
{
    int status = SAME;

    for (unsigned side = 0; side < 2 && status == SAME; side++) {
        struct etm_cli_options unopened = options[side];

        unopened.output = NULL;
        status = etm_cli_open(&captures[side], &unopened, output, true);
    }
    if (status == SAME &&
        etm_cli_would_replace(options[0].output, options[0].capture,
                              "the trace"))
        status = TROUBLE;
    if (status == SAME)
        status =
            etm_cli_output_open(output, options[0].output, captures[1].session);
    output->paged = output->terminal && !options[0].no_pager;
    return status == SAME ? SAME : TROUBLE;
}

static int run(const struct etm_cli_options options[2])
{
    struct etm_cli_capture captures[2] = {{0}};
    struct etm_cli_output output = {0};
    struct comparing c = {.show = {.output = &output}};
    int status = open_all(options, captures, &output);

    if (status == SAME)
        status = compare_captures(&c, options, captures);
    if (etm_cli_output_close(&output) != ETM_EXIT_OK)
        status = TROUBLE;
    for (unsigned side = 0; side < 2; side++) {
        etm_cli_close(&captures[side]);
        free(c.hashes[side]);
    }
    free(c.edits.rows);
    return status == SAME && c.different ? DIFFERENT : status;
}

int etm_cli_diff(int argc, char **argv)
{
    struct etm_cli_options options[2];
    struct etm_cli_diff_words words;
    int status = etm_cli_diff_words(&words, argc, argv), parsed = 0;

    for (; parsed < 2 && status < 0; parsed++)
        status = etm_cli_parse(&options[parsed], words.argc[parsed],
                               words.argv[parsed]);
    if (status < 0 && strcmp(options[0].capture, "-") == 0 &&
        strcmp(options[1].capture, "-") == 0)
        status =
            etm_cli_usage("diff", "standard input cannot be both captures");
    if (status < 0) {
        etm_cli_interrupt_at_lines();
        status = run(options);
    } else if (status != ETM_EXIT_OK) {
        status = TROUBLE;
    }
    while (parsed > 0)
        etm_cli_options_free(&options[--parsed]);
    etm_cli_diff_words_free(&words);
    return status;
}
