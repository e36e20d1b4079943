/* SPDX-License-Identifier: Apache-2.0 */
/* A configuration in words. */
#include "cli/info.h"

#include <stdio.h>
#include <string.h>

struct words {
    char *text;
    size_t capacity;
    size_t n;
};

static void say(struct words *w, const char *word)
{
    int n;

    if (w->n >= w->capacity)
        return;
    n = snprintf(w->text + w->n, w->capacity - w->n, "%s%s",
                 w->n > 0 ? ", " : "", word);
    if (n > 0)
        w->n += (size_t)n;
}

static void say_if(struct words *w, bool condition, const char *word)
{
    if (condition)
        say(w, word);
}

static void say_data(struct words *w, const struct etm_config *c)
{
    if (c->data_address && c->data_value)
        say(w, "data addresses and values");
    else if (c->data_address)
        say(w, "data addresses");
    else if (c->data_value)
        say(w, "data values");
    else
        say(w, "no data");
    say_if(w, c->data_only, "no instructions (data-only mode)");
    say_if(w, c->cprt, "coprocessor register transfers");
}

static void say_timestamps(struct words *w, const struct etm_config *c)
{
    char text[64];

    if (!c->timestamps)
        return;
    (void)snprintf(text, sizeof text, "%u-bit %s timestamps",
                   etm_timestamp_bits(c),
                   c->timestamp_binary ? "binary" : "Gray-coded");
    say(w, text);
}

/* What ETMv1 and ETMv2 do not trace. */
static void say_port(struct words *w, const struct etm_config *c)
{
    static const char *const endians[] = {"byte order of data not known",
                                          "little-endian data", "BE-8 data",
                                          "BE-32 data"};
    char text[32];

    (void)snprintf(text, sizeof text, "port of %u pins",
                   c->port_width == 0 ? 8u : (unsigned)c->port_width);
    say(w, text);
    say(w, c->high_vectors ? "high vectors" : "low vectors");
    say(w, endians[(unsigned)c->endian & 3u]);
}

const char *etm_cli_config_words(const struct etm_config *c, char *text,
                                 size_t capacity)
{
    struct words w = {text, capacity, 0};
    bool pft = c->protocol == ETM_PROTOCOL_PFT;
    bool port = etm_protocol_is_port(c->protocol);
    char number[64];

    text[0] = '\0';
    if (c->protocol == ETM_PROTOCOL_ITM) {
        say(&w, "stimulus ports");
        say(&w, "packets of the DWT");
        return text;
    }
    if (c->protocol == ETM_PROTOCOL_MTB) {
        say(&w, "branches and exceptions in memory");
        return text;
    }
    say(&w, c->cycle_accurate ? "cycle-accurate" : "not cycle-accurate");
    if (c->context_id_bytes == 0) {
        say(&w, "no context ID");
    } else {
        (void)snprintf(number, sizeof number, "context ID of %u byte%s",
                       (unsigned)c->context_id_bytes,
                       etm_cli_plural(c->context_id_bytes));
        say(&w, number);
    }
    if (!pft) {
        if (!port)
            say(&w, c->alternative_branches ? "alternative branch encoding"
                                            : "original branch encoding");
        say_data(&w, c);
        say_if(&w, c->thumb32_split && !port,
               "32-bit Thumb instructions traced as two");
        say_if(&w, c->pc_first, "load multiples transfer the PC first");
    }
    say_timestamps(&w, c);
    say_if(&w, c->branch_broadcast, "branch broadcasting");
    say_if(&w, pft && c->return_stack, "return stack");
    say_if(&w, pft && c->barriers_are_waypoints, "DMB and DSB are waypoints");
    say_if(&w, c->vmid, "VMID");
    say_if(&w, c->security, "security extensions");
    say_if(&w, c->virtualization, "virtualization extensions");
    say_if(&w, c->profile == ETM_PROFILE_M, "M profile");
    say_if(&w, c->profile == ETM_PROFILE_R, "R profile");
    if (c->sync_period > 0) {
        (void)snprintf(number, sizeof number, "synchronization every %u %s",
                       (unsigned)c->sync_period, port ? "cycles" : "bytes");
        say(&w, number);
    }
    if (port)
        say_port(&w, c);
    return text;
}
