/* SPDX-License-Identifier: Apache-2.0 */
/* One side of a comparison: a thread that reads its source, and the window. */
#define _POSIX_C_SOURCE 200809L
#include "cli/diff.h"

#include "cli/damage.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Items of a batch, and batches that wait for being looked at. */
#define BATCH 1024u
#define READY 4u

/* Items of which lines are made at a time. */
#define PIECE 256u

struct batch {
    size_t n;
    uint64_t hash[BATCH], offset[BATCH];
    size_t end[BATCH]; /* of its text */
    char *text;
    size_t n_text, room;
};

/* Lines that a listing has written. */
struct lines {
    char *text;
    size_t n, room;
};

struct etm_cli_diff_side {
    struct etm_cli_diff_side_config config;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* between the threads */
    struct batch *ready[READY];
    unsigned first, n_ready;
    bool ended, stop;
    /* of the thread that reads */
    struct batch *making;
    struct etm_listing *keys, *texts; /* texts NULL: none is wanted */
    struct lines key_lines, text_lines;
    struct etm_session_names names;
    struct etm_cli_damage damage;
    struct etm_cli_wire wire;
    int status;
    struct etm_diag diag;
    /* of the other one: what it has looked at or passed; all but the last are
     * full */
    struct batch **held;
    size_t n_held, room_held;
    uint64_t number; /* of the first item of those, from 0 */
    size_t at;       /* the current place in them */
    size_t known;    /* items in them */
    bool over;       /* there will be no more */
};

static void free_batch(struct batch *b)
{
    if (b)
        free(b->text);
    free(b);
}

static bool make_room(char **text, size_t *room, size_t n)
{
    size_t larger = 2 * *room + 4096;
    char *bytes;

    if (n <= *room)
        return true;
    if (larger < n)
        larger = n;
    bytes = realloc(*text, larger);
    if (!bytes)
        return false;
    *text = bytes;
    *room = larger;
    return true;
}

static int keep_lines(void *context, const char *text, size_t n)
{
    struct lines *l = context;

    if (!make_room(&l->text, &l->room, l->n + n))
        return ETM_ERR_MEMORY;
    memcpy(l->text + l->n, text, n);
    l->n += n;
    return ETM_OK;
}

/* Hand a batch on. False: nobody wants more. */
static bool hand_on(struct etm_cli_diff_side *s)
{
    bool go_on;

    (void)pthread_mutex_lock(&s->lock);
    while (s->n_ready == READY && !s->stop)
        (void)pthread_cond_wait(&s->changed, &s->lock);
    go_on = !s->stop;
    if (go_on) {
        s->ready[(s->first + s->n_ready++) % READY] = s->making;
        s->making = NULL;
        (void)pthread_cond_broadcast(&s->changed);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return go_on;
}

static int add_item(struct etm_cli_diff_side *s, uint64_t hash, uint64_t offset,
                    const char *text, size_t n)
{
    struct batch *b = s->making;

    if (!b) {
        b = s->making = calloc(1, sizeof *b);
        if (!b)
            return ETM_ERR_MEMORY;
    }
    if (!make_room(&b->text, &b->room, b->n_text + n))
        return ETM_ERR_MEMORY;
    if (n != 0)
        memcpy(b->text + b->n_text, text, n);
    b->n_text += n;
    b->hash[b->n] = hash;
    b->offset[b->n] = offset;
    b->end[b->n++] = b->n_text;
    return b->n < BATCH || hand_on(s) ? ETM_OK : ETM_ERR_STOPPED;
}

/* Elements or packets, one of which is NULL. */
struct piece {
    const struct etm_element *elements;
    const struct etm_packet *packets;
    const uint8_t *bytes;
    size_t n;
};

static int list(struct etm_listing *l, const struct piece *p)
{
    int status = p->elements
                     ? etm_listing_elements(l, p->elements, p->n)
                     : etm_listing_packets(l, p->packets, p->n, p->bytes);

    return status == ETM_OK ? etm_listing_flush(l) : status;
}

/* The text of one item, which may depend on those before it. */
static int make_text(struct etm_cli_diff_side *s, const struct piece *p,
                     size_t i, size_t *at_byte)
{
    struct piece one = {.n = 1};

    s->text_lines.n = 0;
    if (p->elements) {
        one.elements = p->elements + i;
    } else {
        one.packets = p->packets + i;
        one.bytes = p->bytes + *at_byte;
        *at_byte += p->packets[i].size;
    }
    return s->texts ? list(s->texts, &one) : ETM_OK;
}

static bool is_ignored(const struct etm_cli_diff_side *s, const struct piece *p,
                       size_t i)
{
    unsigned ignored = s->config.options->diff.ignored;

    return p->elements ? etm_cli_diff_ignores_element(&p->elements[i], ignored)
                       : etm_cli_diff_ignores_packet(&p->packets[i], ignored);
}

static int take_piece(struct etm_cli_diff_side *s, const struct piece *p)
{
    unsigned ignored = s->config.options->diff.ignored;
    bool jsonl = strcmp(s->config.format, "jsonl") == 0;
    const char *line, *end;
    size_t at_byte = 0;
    int status;

    s->key_lines.n = 0;
    status = list(s->keys, p);
    line = s->key_lines.text;
    for (size_t i = 0; i < p->n && status == ETM_OK; i++, line = end + 1) {
        size_t left = s->key_lines.n - (size_t)(line - s->key_lines.text);
        const struct lines *text = &s->text_lines;

        end = memchr(line, '\n', left);
        if (!end)
            return ETM_ERR_FORMAT; /* an item has one line */
        status = make_text(s, p, i, &at_byte);
        if (status != ETM_OK || is_ignored(s, p, i))
            continue;
        status =
            add_item(s, etm_cli_diff_key(line, (size_t)(end - line), ignored),
                     p->elements ? p->elements[i].offset : p->packets[i].offset,
                     jsonl ? line : text->text,
                     !s->config.text ? 0
                     : jsonl         ? (size_t)(end - line)
                                     : text->n);
    }
    return status;
}

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct etm_cli_diff_side *s = context;
    int status = ETM_OK;

    etm_cli_damage_add(&s->damage, elements, n);
    for (size_t i = 0; i < n && status == ETM_OK; i += PIECE) {
        struct piece p = {.elements = elements + i,
                          .n = n - i < PIECE ? n - i : PIECE};

        status = take_piece(s, &p);
    }
    return status;
}

static int take_packets(void *context, const struct etm_packet *packets,
                        size_t n, const uint8_t *bytes)
{
    struct etm_cli_diff_side *s = context;
    int status = ETM_OK;

    etm_cli_wire_add(&s->wire, packets, n);
    for (size_t i = 0; i < n && status == ETM_OK; i += PIECE) {
        struct piece p = {.packets = packets + i,
                          .bytes = bytes,
                          .n = n - i < PIECE ? n - i : PIECE};

        status = take_piece(s, &p);
        for (size_t j = 0; j < p.n; j++)
            bytes += p.packets[j].size;
    }
    return status;
}

static void *read_source(void *context)
{
    struct etm_cli_diff_side *s = context;
    struct etm_session_run run = {.size = sizeof run,
                                  .level = s->config.level,
                                  .context = s,
                                  .jobs = s->config.jobs};

    if (s->config.packets)
        run.packets = take_packets;
    else
        run.elements = take_elements;
    s->status = etm_session_run_source(s->config.session, s->config.source,
                                       &run, &s->diag);
    s->status = etm_cli_names_status(&s->names, s->status, &s->diag);
    if (s->making && s->making->n != 0)
        (void)hand_on(s);
    (void)pthread_mutex_lock(&s->lock);
    s->ended = true;
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->lock);
    return NULL;
}

static int make_listing(struct etm_cli_diff_side *s, const char *format,
                        struct lines *lines, struct etm_listing **listing)
{
    const struct etm_source_info *info =
        etm_session_source(s->config.session, s->config.source);
    struct etm_listing_config config = {.size = sizeof config,
                                        .format = format,
                                        .write = keep_lines,
                                        .context = lines};
    struct etm_listing_source begin = {
        .size = sizeof begin, .config = &info->config, .id = info->id};
    int status;

    if (lines == &s->text_lines)
        begin.names = etm_session_names_of(&s->names);
    else
        config.cycles = true; /* what is between instructions, too */
    status = etm_listing_new(listing, &config);
    return status == ETM_OK ? etm_listing_begin(*listing, &begin) : status;
}

int etm_cli_diff_side_new(struct etm_cli_diff_side **side,
                          const struct etm_cli_diff_side_config *config)
{
    struct etm_cli_diff_side *s = *side = calloc(1, sizeof *s);
    int status;

    if (!s)
        return ETM_ERR_MEMORY;
    s->config = *config;
    s->names.session = config->session;
    s->names.source = config->source;
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_cond_init(&s->changed, NULL);
    status = make_listing(s, "jsonl", &s->key_lines, &s->keys);
    if (status == ETM_OK && config->text &&
        strcmp(config->format, "jsonl") != 0)
        status = make_listing(s, config->format, &s->text_lines, &s->texts);
    if (status != ETM_OK)
        return status;
    s->started = pthread_create(&s->thread, NULL, read_source, s) == 0;
    return s->started ? ETM_OK : ETM_ERR_MEMORY;
}

static void join(struct etm_cli_diff_side *s)
{
    if (!s->started)
        return;
    (void)pthread_mutex_lock(&s->lock);
    s->stop = true;
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->lock);
    (void)pthread_join(s->thread, NULL);
    s->started = false;
}

void etm_cli_diff_side_free(struct etm_cli_diff_side *s)
{
    if (!s)
        return;
    join(s);
    while (s->n_ready > 0)
        free_batch(s->ready[(s->first + --s->n_ready) % READY]);
    for (size_t i = 0; i < s->n_held; i++)
        free_batch(s->held[i]);
    free(s->held);
    free_batch(s->making);
    etm_listing_free(s->keys);
    etm_listing_free(s->texts);
    free(s->key_lines.text);
    free(s->text_lines.text);
    (void)pthread_cond_destroy(&s->changed);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}

/* The next batch; NULL: there are no more. */
static struct batch *next_batch(struct etm_cli_diff_side *s)
{
    struct batch *b = NULL;

    (void)pthread_mutex_lock(&s->lock);
    while (s->n_ready == 0 && !s->ended)
        (void)pthread_cond_wait(&s->changed, &s->lock);
    if (s->n_ready != 0) {
        b = s->ready[s->first];
        s->first = (s->first + 1) % READY;
        s->n_ready--;
        (void)pthread_cond_broadcast(&s->changed);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return b;
}

size_t etm_cli_diff_side_wait(struct etm_cli_diff_side *s, size_t n)
{
    while (s->known - s->at < n && !s->over) {
        struct batch *b;

        if (s->n_held == s->room_held) {
            size_t room = 2 * s->room_held + 8;
            struct batch **held = realloc(s->held, room * sizeof *held);

            if (!held)
                return SIZE_MAX;
            s->held = held;
            s->room_held = room;
        }
        b = next_batch(s);
        if (b) {
            s->held[s->n_held++] = b;
            s->known += b->n;
        }
        s->over = !b;
    }
    return s->known - s->at;
}

uint64_t etm_cli_diff_side_hash(const struct etm_cli_diff_side *s, size_t i)
{
    i += s->at;
    return s->held[i / BATCH]->hash[i % BATCH];
}

/* Batches in front of those that may be shown again are freed. */
void etm_cli_diff_side_pass(struct etm_cli_diff_side *s, size_t n)
{
    const size_t kept = (size_t)s->config.options->diff.context;
    size_t old;

    s->at += n;
    old = s->at > kept ? (s->at - kept) / BATCH : 0;
    if (old == 0)
        return;
    for (size_t i = 0; i < old; i++)
        free_batch(s->held[i]);
    s->n_held -= old;
    memmove(s->held, s->held + old, s->n_held * sizeof *s->held);
    s->number += (uint64_t)old * BATCH;
    s->at -= old * BATCH;
    s->known -= old * BATCH;
}

struct etm_cli_diff_item
etm_cli_diff_side_item(const struct etm_cli_diff_side *s, size_t i, size_t back)
{
    size_t at = s->at + i - back;
    struct etm_cli_diff_item item = {.number = s->number + at + 1, .text = ""};
    const struct batch *b;
    size_t begin;

    if (at >= s->known)
        return item; /* the end */
    b = s->held[at / BATCH];
    at %= BATCH;
    begin = at > 0 ? b->end[at - 1] : 0;
    item.there = true;
    item.offset = b->offset[at];
    item.n = b->end[at] - begin;
    if (item.n != 0)
        item.text = b->text + begin;
    return item;
}

int etm_cli_diff_side_status(struct etm_cli_diff_side *s, struct etm_diag *diag)
{
    join(s);
    *diag = s->diag;
    return s->status;
}

void etm_cli_diff_side_damage(const struct etm_cli_diff_side *s,
                              uint64_t *places, uint64_t *bytes)
{
    *places = s->wire.bad + (s->wire.unsynchronized_bytes != 0);
    *bytes = s->wire.bad_bytes + s->wire.unsynchronized_bytes;
    for (size_t i = 0; i < ETM_CLI_REASONS; i++) {
        *places += s->damage.lost[i];
        *bytes += s->damage.bytes[i];
    }
}
