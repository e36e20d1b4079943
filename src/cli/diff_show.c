/* SPDX-License-Identifier: Apache-2.0 */
/* Differences as text, like those of diff -u, and as JSON Lines. */
#include "cli/diff.h"

#include "cli/json.h"

#include <inttypes.h>
#include <string.h>

static const char *const names[] = {"A", "B"};
static const char *const keys[] = {"a", "b"};

/* Colours as git has them: what only A has, only B has, and the heads. */
static const char *const colours[] = {"\033[31m", "\033[32m"};
#define HEAD "\033[36m"
#define PLAIN "\033[m"

static void paint(struct etm_cli_diff_show *s, const char *colour)
{
    if (s->colours)
        etm_cli_print(s->output, "%s", colour);
}

/* The lines of an item, each behind a sign. */
static void put_text(struct etm_cli_diff_show *s, char sign,
                     const struct etm_cli_diff_item *item)
{
    const char *at = item->text, *last = at + item->n;

    while (at < last) {
        const char *end = memchr(at, '\n', (size_t)(last - at));
        size_t n = (size_t)((end ? end : last) - at);

        if (sign != ' ')
            paint(s, colours[sign == '+']);
        etm_cli_put(s->output, &sign, 1);
        etm_cli_put(s->output, at, n);
        if (sign != ' ')
            paint(s, PLAIN);
        etm_cli_put(s->output, "\n", 1);
        at += n + (end != NULL);
    }
}

/* {"k":"both","a":118,"b":118,"item":{...}} */
static void put_object(struct etm_cli_diff_show *s, const char *kind,
                       const struct etm_cli_diff_item *a,
                       const struct etm_cli_diff_item *b)
{
    const struct etm_cli_diff_item *item = a ? a : b;

    etm_cli_print(s->output, "{\"k\":\"%s\"", kind);
    etm_cli_json_number(s->output, "a", a != NULL, a ? a->number : 0);
    etm_cli_json_number(s->output, "b", b != NULL, b ? b->number : 0);
    etm_cli_print(s->output, ",\"item\":");
    etm_cli_put(s->output, item->text, item->n);
    etm_cli_put(s->output, "}\n", 2);
}

/* An item in both, `back` before the current place. */
static void put_same(struct etm_cli_diff_show *s, size_t i, size_t back)
{
    struct etm_cli_diff_item a = etm_cli_diff_side_item(s->sides[0], i, back);
    struct etm_cli_diff_item b = etm_cli_diff_side_item(s->sides[1], i, back);

    if (s->jsonl)
        put_object(s, "both", &a, &b);
    else
        put_text(s, ' ', &a);
}

static void put_only(struct etm_cli_diff_show *s, unsigned side, size_t i)
{
    struct etm_cli_diff_item item =
        etm_cli_diff_side_item(s->sides[side], i, 0);

    if (s->jsonl)
        put_object(s, keys[side], side == 0 ? &item : NULL,
                   side == 0 ? NULL : &item);
    else
        put_text(s, "-+"[side], &item);
}

static void put_head(struct etm_cli_diff_show *s, size_t back)
{
    struct etm_cli_diff_item items[2];

    for (unsigned side = 0; side < 2; side++)
        items[side] = etm_cli_diff_side_item(s->sides[side], 0, back);
    if (s->jsonl) {
        etm_cli_print(s->output, "{\"k\":\"hunk\",\"n\":%" PRIu64, s->hunks);
        for (unsigned side = 0; side < 2; side++) {
            etm_cli_print(s->output, ",\"%s\":{\"item\":%" PRIu64, keys[side],
                          items[side].number);
            etm_cli_json_number(s->output, "off", items[side].there,
                                items[side].offset);
            etm_cli_put(s->output, "}", 1);
        }
        etm_cli_put(s->output, "}\n", 2);
        return;
    }
    paint(s, HEAD);
    etm_cli_print(s->output, "@@ ");
    for (unsigned side = 0; side < 2; side++) {
        etm_cli_print(s->output, "%c%" PRIu64, "-+"[side], items[side].number);
        if (items[side].there)
            etm_cli_print(s->output, " at %" PRIx64 " ", items[side].offset);
        else
            etm_cli_print(s->output, " at the end ");
    }
    etm_cli_print(s->output, "@@");
    paint(s, PLAIN);
    etm_cli_put(s->output, "\n", 1);
}

/* Items that are only on one side have ended: how many were not shown. */
static void end_run(struct etm_cli_diff_show *s, unsigned side)
{
    uint64_t n =
        s->lines != 0 && s->run[side] > s->lines ? s->run[side] - s->lines : 0;

    s->run[side] = 0;
    if (n == 0 || s->quiet)
        return;
    if (s->jsonl) {
        etm_cli_print(s->output, "{\"k\":\"more\",\"side\":\"%s\"", keys[side]);
        etm_cli_json_number(s->output, "n", true, n);
        etm_cli_put(s->output, "}\n", 2);
        return;
    }
    paint(s, colours[side]);
    etm_cli_print(s->output, "%c  ... and %" PRIu64 " more", "-+"[side], n);
    paint(s, PLAIN);
    etm_cli_put(s->output, "\n", 1);
}

static void end_runs(struct etm_cli_diff_show *s)
{
    for (unsigned side = 0; side < 2; side++)
        end_run(s, side);
    s->within = false;
}

void etm_cli_diff_show_same(struct etm_cli_diff_show *s, size_t n)
{
    size_t shown = s->after < n ? (size_t)s->after : n;

    if (n == 0)
        return;
    end_runs(s);
    for (size_t i = 0; i < shown && !s->quiet; i++)
        put_same(s, i, 0);
    s->after -= shown;
    s->before += n - shown;
    s->same += n;
    etm_cli_diff_side_pass(s->sides[0], n);
    etm_cli_diff_side_pass(s->sides[1], n);
}

/* A difference begins: where, unless it is close to the last one, and what
 * comes before. */
static void open_hunk(struct etm_cli_diff_show *s)
{
    bool next_to_last = s->hunks != 0 && s->before <= s->context;
    size_t before = (size_t)(s->before < s->context ? s->before : s->context);

    if (!next_to_last)
        s->hunks++;
    if (s->hunks == 1 && !next_to_last)
        for (unsigned side = 0; side < 2; side++) {
            struct etm_cli_diff_item item =
                etm_cli_diff_side_item(s->sides[side], 0, 0);

            s->first[side] = item.number;
            s->first_offset[side] = item.there ? item.offset : UINT64_MAX;
        }
    if (!s->quiet && !next_to_last)
        put_head(s, before);
    for (size_t i = before; i > 0 && !s->quiet; i--)
        put_same(s, 0, i);
    s->before = 0;
}

void etm_cli_diff_show_only(struct etm_cli_diff_show *s, unsigned side,
                            size_t n)
{
    if (n == 0)
        return;
    if (!s->within)
        open_hunk(s);
    s->within = true;
    end_run(s, 1 - side);
    for (size_t i = 0; i < n && !s->quiet; i++)
        if (s->lines == 0 || s->run[side] + i < s->lines)
            put_only(s, side, i);
    s->run[side] += n;
    s->only[side] += n;
    s->after = s->context;
    etm_cli_diff_side_pass(s->sides[side], n);
}

void etm_cli_diff_show_begin(struct etm_cli_diff_show *s)
{
    char title[256];

    for (unsigned side = 0; side < 2; side++) {
        const struct etm_source_info *info = s->infos[side];

        if (!s->jsonl) {
            etm_cli_title(info, title, sizeof title);
            etm_cli_print(s->output, "%s %s: ", side == 0 ? "---" : "+++",
                          names[side]);
            etm_cli_put_plain(s->output, title, strlen(title));
            etm_cli_put(s->output, "\n", 1);
            continue;
        }
        etm_cli_print(s->output, "%s\"%s\":{\"src\":%u",
                      side == 0 ? "{\"k\":\"sources\"," : ",", keys[side],
                      info->id);
        etm_cli_json_text(s->output, "name", info->name);
        etm_cli_put(s->output, "}", 1);
    }
    if (s->jsonl)
        etm_cli_put(s->output, "}\n", 2);
}

static void put_place(struct etm_cli_diff_show *s, unsigned side)
{
    etm_cli_print(s->output, "%s%" PRIu64 " of %s",
                  side == 0 ? "; the first begins with item " : ", ",
                  s->first[side], names[side]);
    if (s->first_offset[side] != UINT64_MAX)
        etm_cli_print(s->output, " (at %" PRIx64 ")", s->first_offset[side]);
    else
        etm_cli_print(s->output, " (its end)");
}

void etm_cli_diff_show_end(struct etm_cli_diff_show *s)
{
    end_runs(s);
    if (s->jsonl) {
        etm_cli_print(s->output, "{\"k\":\"total\"");
        etm_cli_json_number(s->output, "both", true, s->same);
        etm_cli_json_number(s->output, "only_a", true, s->only[0]);
        etm_cli_json_number(s->output, "only_b", true, s->only[1]);
        etm_cli_json_number(s->output, "hunks", true, s->hunks);
        etm_cli_json_number(s->output, "first_a", s->hunks != 0, s->first[0]);
        etm_cli_json_number(s->output, "first_b", s->hunks != 0, s->first[1]);
        etm_cli_put(s->output, "}\n", 2);
        return;
    }
    if (s->hunks == 0) {
        etm_cli_print(s->output, "no difference in %" PRIu64 " item%s\n",
                      s->same, etm_cli_plural(s->same));
        return;
    }
    etm_cli_print(s->output,
                  "%" PRIu64 " difference%s: %" PRIu64
                  " item%s in both, %" PRIu64 " only in A, %" PRIu64
                  " only in B",
                  s->hunks, etm_cli_plural(s->hunks), s->same,
                  etm_cli_plural(s->same), s->only[0], s->only[1]);
    put_place(s, 0);
    put_place(s, 1);
    etm_cli_put(s->output, "\n", 1);
}
