/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/damage.h"
#include "cli/available.h"
#include "cli/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Number of lost bytes that suggest a wrong configuration, in all and for each
 * range. With the right one there are fewer for each, even with full addresses
 * and context IDs. */
enum { LOST_MANY = 256, LOST_EACH = 16 };

/* Number of places where trace and code disagree that suggest other code, and
 * one for how many ranges. Damage that spares all packets makes fewer. */
enum { MISMATCH_MANY = 16, MISMATCH_EACH = 64 };

/* What is neither a range nor an instruction. */
static void add_other(struct etm_cli_damage *d, const struct etm_element *e)
{
    if (e->kind == ETM_ELEMENT_DATA || e->kind > ETM_ELEMENT_END) {
        d->data++; /* or what an ITM has, which needs no beginning */
        d->begun = d->begun || e->kind > ETM_ELEMENT_END;
    } else if (e->kind == ETM_ELEMENT_TRIGGER) {
        d->triggers++;
    } else if (e->kind == ETM_ELEMENT_END) {
        d->end = e->offset;
    } else if (e->kind == ETM_ELEMENT_LOST) {
        d->lost[e->u.lost.reason % ETM_CLI_REASONS]++;
        d->bytes[e->u.lost.reason % ETM_CLI_REASONS] += e->u.lost.bytes;
    } else if (e->kind == ETM_ELEMENT_NO_IMAGE) {
        d->no_image++;
    } else if (e->kind == ETM_ELEMENT_TRACE_ON) {
        d->begun = true;
    }
}

void etm_cli_damage_add(struct etm_cli_damage *d,
                        const struct etm_element *elements, size_t n)
{
    uint64_t named = 0, ranges = 0; /* in local variables, which is faster */

    for (size_t i = 0; i < n; i++) {
        const struct etm_element *e = &elements[i];

        if (e->kind == ETM_ELEMENT_RANGE) {
            named++;
            ranges++;
        } else if (e->kind == ETM_ELEMENT_INSN) {
            named++;
            ranges += e->u.insn.type == ETM_INSN_TYPE_DIRECT ||
                      e->u.insn.type == ETM_INSN_TYPE_INDIRECT;
        } else {
            add_other(d, e);
        }
    }
    d->given = d->given || n != 0;
    d->named += named;
    d->ranges += ranges;
}

void etm_cli_damage_merge(struct etm_cli_damage *d,
                          const struct etm_cli_damage *other)
{
    for (size_t i = 0; i < ETM_CLI_REASONS; i++) {
        d->lost[i] += other->lost[i];
        d->bytes[i] += other->bytes[i];
    }
    d->no_image += other->no_image;
    d->given = d->given || other->given;
    d->begun = d->begun || other->begun;
    d->named += other->named;
    d->ranges += other->ranges;
    d->data += other->data;
    d->triggers += other->triggers;
    d->end += other->end; /* one of them has it */
}

/* A run has only one (2.4): more are several runs, or the wrong pins. */
static bool has_surplus(const struct etm_cli_damage *d,
                        const struct etm_source_info *info)
{
    return d->triggers > 1 && etm_protocol_is_port(info->config.protocol);
}

/* Is no packet bad, and yet they do not fit the code? */
static bool is_other_code(const struct etm_cli_damage *d)
{
    uint64_t places = d->lost[ETM_LOST_IMAGE_MISMATCH];

    return d->lost[ETM_LOST_BAD_PACKET] == 0 &&
           d->lost[ETM_LOST_BAD_FRAME] == 0 && places >= MISMATCH_MANY &&
           places > d->ranges / MISMATCH_EACH;
}

/*
 * What was assumed, or is set, that makes trace and code disagree: a return
 * stack that was on, or a processor without Thumb-2, of which a BL is two
 * instructions (ETMIDR[18], 4.5.4).
 */
static const char *suspect(const struct etm_source_info *info)
{
    const struct etm_config *c = &info->config;
    bool idr = false;

    for (size_t i = 0; i < info->n_registers; i++)
        idr = idr || strcmp(info->registers[i].name, "ETMIDR") == 0;
    if (c->protocol == ETM_PROTOCOL_PFT && !c->return_stack)
        return " (ETMCR says that the return stack, bit 29, was off)";
    if (c->protocol == ETM_PROTOCOL_ETMV3 && !idr && !c->thumb32_split)
        return " (ETMIDR is not given: that of an ARM11, 0x41013211, has a "
               "Thumb BL traced as two instructions)";
    return "";
}

/* Nothing could be decoded; `lost`: all bytes that were lost. */
static void ask_for_beginning(const struct etm_cli_damage *d,
                              const struct etm_source_info *info, uint64_t lost)
{
    bool none = !etm_protocol_is_port(info->config.protocol) && lost != 0 &&
                lost == d->bytes[ETM_LOST_UNSYNCHRONIZED];

    if (none && d->part)
        fputs("; nothing could be decoded, since this part has no A-sync with "
              "an I-sync after it",
              stderr);
    else if (none)
        fputs("; nothing could be decoded, since there is no A-sync with an "
              "I-sync after it: are protocol, registers and framing right "
              "('etm info'), and was periodic synchronization on (ETMSYNCFR)?",
              stderr);
    else
        fputs("; nothing could be decoded: are protocol, registers and framing "
              "right ('etm info')?",
              stderr);
}

/*
 * Suggest what is most likely wrong. If many bytes are lost for each range, as
 * without the ETMCR of a cycle-accurate trace, this is probably no damage.
 */
static void ask(const struct etm_cli_damage *d,
                const struct etm_source_info *info)
{
    bool code = info->image && etm_image_regions(info->image) != 0;
    uint64_t lost = 0, odd;

    for (size_t i = 0; i < ETM_CLI_REASONS; i++)
        lost += d->bytes[i];
    /* a part may be little more than what comes before a synchronization */
    odd = d->part ? lost - d->bytes[ETM_LOST_UNSYNCHRONIZED] : lost;
    if (!d->begun && d->named == 0 && d->no_image == 0 &&
        (!d->unseen || lost >= LOST_MANY || lost >= d->end))
        ask_for_beginning(d, info, lost);
    else if (!is_other_code(d) && odd >= LOST_MANY &&
             odd / LOST_EACH > d->named + d->data + d->no_image)
        fputs("; little could be decoded: are protocol, registers and framing "
              "right ('etm info')?",
              stderr);
    else if (is_other_code(d))
        fprintf(stderr,
                "; is this the code that ran (--image), and are protocol and "
                "registers right%s?",
                suspect(info));
    else if (d->no_image > 0 && d->named == 0)
        fputs(code ? ", and none was found: is it there (--image), and are "
                     "protocol and registers right?"
                   : ", and there is none: use --image FILE",
              stderr);
}

void etm_cli_silent_tell(const struct etm_cli_silent *silent,
                         const struct etm_session *session)
{
    const struct etm_source_info *info;
    char available[ETM_CLI_AVAILABLE];

    if (silent->n == 0)
        return;
    etm_cli_error_begin();
    for (size_t i = 0; i < silent->n && i < ETM_CLI_SILENT; i++) {
        info = etm_session_source(session, silent->sources[i]);
        fprintf(stderr, "%s%s (0x%02x)", i == 0 ? "" : ", ",
                etm_cli_path(info->name), info->id);
    }
    if (silent->n > ETM_CLI_SILENT)
        fprintf(stderr, " and %zu more", silent->n - ETM_CLI_SILENT);
    info = etm_session_source(session, silent->sources[0]);
    fprintf(
        stderr, ": there is nothing to decode%s\n",
        info->n_buffers == 0
            ? ": no buffer is listed for it ('etm info' says more)"
        : etm_cli_is_empty(session, silent->sources[0]) ? ": the file is empty"
        : silent->part                                  ? " in this part"
                       : etm_cli_ids_available(session, silent->sources[0],
                                               available, sizeof available));
}

static void tell_nothing(const struct etm_session *session, size_t source,
                         bool part, struct etm_cli_silent *silent)
{
    struct etm_cli_silent one = {.n = 0};
    bool later = silent && etm_session_source(session, source)->n_buffers != 0;

    if (!later)
        silent = &one;
    if (silent->n < ETM_CLI_SILENT)
        silent->sources[silent->n] = source;
    silent->n++;
    silent->part = part;
    if (!later)
        etm_cli_silent_tell(silent, session);
}

void etm_cli_damage_tell(const struct etm_cli_damage *d,
                         const struct etm_session *session, size_t source,
                         bool whole, struct etm_cli_silent *silent)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    const char *between = "";
    bool surplus = has_surplus(d, info);
    uint64_t any = d->no_image + surplus;

    for (size_t i = 0; i < ETM_CLI_REASONS; i++)
        any += d->lost[i];
    if (any == 0) {
        if (whole && !d->begun && d->named == 0 && !(d->unseen && d->end > 0))
            tell_nothing(session, source, d->part, silent);
        return;
    }
    etm_cli_error_begin();
    fprintf(stderr, "%s (0x%02x): ", info->name, info->id);
    for (size_t i = 0; i < ETM_CLI_REASONS; i++) {
        if (d->lost[i] == 0)
            continue;
        fprintf(stderr, "%s%s: %" PRIu64 " byte%s lost in %" PRIu64 " place%s",
                between, etm_lost_name((enum etm_lost_reason)i), d->bytes[i],
                etm_cli_plural(d->bytes[i]), d->lost[i],
                etm_cli_plural(d->lost[i]));
        between = "; ";
    }
    if (surplus) {
        fprintf(stderr, "%s%" PRIu64 " triggers, but a run has only one",
                between, d->triggers);
        between = "; ";
    }
    if (d->no_image > 0) /* last: what is asked for may go on from there */
        fprintf(stderr, "%scode missing at %" PRIu64 " place%s", between,
                d->no_image, etm_cli_plural(d->no_image));
    ask(d, info);
    fputc('\n', stderr);
}

void etm_cli_wire_add(struct etm_cli_wire *w, const struct etm_packet *packets,
                      size_t n)
{
    w->n += n;
    for (size_t i = 0; i < n; i++) {
        if (packets[i].kind == ETM_PACKET_UNSYNCHRONIZED) {
            w->unsynchronized_bytes += packets[i].size;
        } else if (packets[i].kind == ETM_PACKET_BAD ||
                   packets[i].kind == ETM_PACKET_RESERVED) {
            w->bad++;
            w->bad_bytes += packets[i].size;
        }
    }
}

void etm_cli_wire_tell(const struct etm_cli_wire *w,
                       const struct etm_session *session, size_t source,
                       struct etm_cli_silent *silent)
{
    const struct etm_source_info *info = etm_session_source(session, source);

    if (w->n == 0)
        tell_nothing(session, source, false, silent);
    if (w->bad == 0 && w->unsynchronized_bytes == 0)
        return;
    etm_cli_error_begin();
    fprintf(stderr, "%s (0x%02x): ", info->name, info->id);
    if (w->bad > 0)
        fprintf(stderr, "%" PRIu64 " byte%s in %" PRIu64 " bad packet%s%s",
                w->bad_bytes, etm_cli_plural(w->bad_bytes), w->bad,
                etm_cli_plural(w->bad),
                w->unsynchronized_bytes > 0 ? "; " : "");
    if (w->unsynchronized_bytes > 0)
        fprintf(stderr, "%" PRIu64 " byte%s unsynchronized",
                w->unsynchronized_bytes,
                etm_cli_plural(w->unsynchronized_bytes));
    fputc('\n', stderr);
}
