/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of `etm info`. */
#include "cli/info.h"

#include <inttypes.h>
#include <stdio.h>

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

void etm_cli_buffers_text(struct etm_cli_output *output,
                          const struct etm_session *session)
{
    for (size_t i = 0; i < etm_session_buffers(session); i++) {
        const struct etm_buffer_info *info = etm_session_buffer(session, i);
        struct etm_frame_counts counts;

        etm_cli_print(output, "buffer %s\n", info->name);
        etm_cli_print(output, "    file       %s, %" PRIu64 " bytes\n",
                      info->path, info->bytes);
        etm_cli_print(output, "    framing    %s\n",
                      etm_framing_name(info->framing));
        if (info->framing == ETM_FRAMING_NONE ||
            info->framing == ETM_FRAMING_PORT ||
            etm_session_count(session, i, &counts) != ETM_OK)
            continue;
        etm_cli_print(output, "    trace IDs ");
        for (unsigned id = 1; id < ETM_ID_RESERVED; id++)
            if (counts.bytes[id] > 0)
                etm_cli_print(output, " 0x%02x: %" PRIu64 " byte%s;", id,
                              counts.bytes[id], plural(counts.bytes[id]));
        etm_cli_print(output, " %" PRIu64 " frame%s\n", counts.frames,
                      plural(counts.frames));
        if (counts.bytes[ETM_ID_TRIGGER] > 0)
            etm_cli_print(output, "    triggers   %" PRIu64 "\n",
                          counts.bytes[ETM_ID_TRIGGER]);
        if (counts.bytes[ETM_ID_UNKNOWN] > 0)
            etm_cli_print(output,
                          "    unknown    %" PRIu64
                          " byte%s before the first trace ID\n",
                          counts.bytes[ETM_ID_UNKNOWN],
                          plural(counts.bytes[ETM_ID_UNKNOWN]));
        if (counts.bad > 0)
            etm_cli_print(output,
                          "    damage     %" PRIu64 " byte%s in bad frames\n",
                          counts.bad, plural(counts.bad));
    }
}

static void show_code(struct etm_cli_output *output,
                      const struct etm_image *image)
{
    size_t n = image ? etm_image_regions(image) : 0;

    if (n == 0)
        etm_cli_print(output, "    code       none: give --image\n");
    for (size_t i = 0; i < n; i++) {
        struct etm_space space;
        uint32_t address;
        size_t size;

        if (etm_image_region(image, i, &address, &size, &space) != ETM_OK)
            continue;
        etm_cli_print(output, "    %-10s 0x%08" PRIx32 "-0x%08" PRIx64,
                      i == 0 ? "code" : "", address, (uint64_t)address + size);
        if (space.secure != ETM_UNKNOWN)
            etm_cli_print(output, " %s",
                          space.secure == ETM_TRUE ? "secure" : "non-secure");
        if (space.has_context)
            etm_cli_print(output, " context ID 0x%" PRIx32, space.context_id);
        etm_cli_print(output, "\n");
    }
}

static void show_counts(struct etm_cli_output *output,
                        const struct etm_cli_source *s)
{
    const struct etm_cli_counts *c = &s->counts;

    etm_cli_print(output, "    trace      %" PRIu64 " byte%s", c->bytes,
                  plural(c->bytes));
    for (size_t i = 0; i < s->info->n_buffers; i++)
        etm_cli_print(
            output, "%s%s", i == 0 ? " in " : ", ",
            etm_session_buffer(
                s->session, etm_session_source_buffer(s->session, s->index, i))
                ->name);
    if (s->info->why_not) {
        etm_cli_print(output, "\n");
        return;
    }
    etm_cli_print(output,
                  ", %" PRIu64 " packet%s, %" PRIu64 " A-sync%s, %" PRIu64
                  " I-sync%s\n",
                  c->packets, plural(c->packets), c->a_syncs,
                  plural(c->a_syncs), c->i_syncs, plural(c->i_syncs));
    if (c->gaps > 0)
        etm_cli_print(output, "    overflows  %" PRIu64 "\n", c->gaps);
    if (c->unsynchronized_bytes > 0)
        etm_cli_print(
            output, "    unusable   %" PRIu64 " bytes before synchronization\n",
            c->unsynchronized_bytes);
    if (c->bad > 0)
        etm_cli_print(
            output,
            "    damage     %" PRIu64 " bad packet%s, %" PRIu64 " byte%s\n",
            c->bad, plural(c->bad), c->bad_bytes, plural(c->bad_bytes));
}

/* What is certain, in the words of the configuration and as an option. */
static void show_guess(struct etm_cli_output *output, const struct etm_guess *g)
{
    bool v3 = g->protocol == ETM_PROTOCOL_ETMV3;
    unsigned context_id = g->context_id_bytes == 4 ? 3
                          : g->context_id_bytes > 0
                              ? (unsigned)g->context_id_bytes
                              : 0;
    uint32_t control = (g->cycle_accurate == ETM_TRUE ? 1u << 12 : 0) |
                       context_id << 14 |
                       (g->data_value == ETM_TRUE ? 1u << 2 : 0) |
                       (g->data_address == ETM_TRUE ? 1u << 3 : 0);

    if (g->protocol == ETM_PROTOCOL_NONE) {
        etm_cli_print(output, "    the bytes  do not tell the protocol\n");
        return;
    }
    etm_cli_print(output, "    the bytes  look like %s", v3 ? "ETMv3" : "PFT");
    if (g->cycle_accurate != ETM_UNKNOWN)
        etm_cli_print(output, ", %scycle-accurate",
                      g->cycle_accurate == ETM_TRUE ? "" : "not ");
    if (g->context_id_bytes == 0)
        etm_cli_print(output, ", no context ID");
    else if (g->context_id_bytes > 0)
        etm_cli_print(output, ", context ID of %d byte%s", g->context_id_bytes,
                      plural((uint64_t)g->context_id_bytes));
    if (g->alternative_branches != ETM_UNKNOWN)
        etm_cli_print(output, ", %s branch encoding",
                      g->alternative_branches == ETM_TRUE ? "alternative"
                                                          : "original");
    if (v3 && g->data_address == ETM_FALSE && g->data_value == ETM_FALSE)
        etm_cli_print(output, ", no data");
    if (g->data_address == ETM_TRUE)
        etm_cli_print(output, ", data addresses");
    if (g->data_value == ETM_TRUE)
        etm_cli_print(output, ", data values");
    etm_cli_print(output,
                  "\n               (%" PRIu64 " bytes tried, %" PRIu64
                  " not explained)\n",
                  g->sample_bytes, g->bad_bytes);
    if (g->cycle_accurate == ETM_UNKNOWN)
        etm_cli_print(output, "               they do not tell whether they "
                              "are cycle-accurate\n");
    if (g->context_id_bytes < 0)
        etm_cli_print(output, "               they do not tell the size of "
                              "the context ID\n");
    if (v3 && g->alternative_branches == ETM_UNKNOWN)
        etm_cli_print(output, "               they do not tell the branch "
                              "encoding\n");
    etm_cli_print(output,
                  "    try        --protocol %s --reg ETMCR=0x%08" PRIx32,
                  etm_protocol_name(g->protocol), control);
    if (g->alternative_branches == ETM_TRUE)
        etm_cli_print(output, " --reg ETMIDR=0x%08" PRIx32,
                      UINT32_C(0x4114f240));
    etm_cli_print(output, "\n");
}

void etm_cli_info_text(struct etm_cli_output *output,
                       const struct etm_cli_options *options,
                       const struct etm_cli_source *s)
{
    const struct etm_source_info *info = s->info;
    char words[512], title[32];

    (void)options;
    etm_cli_print(output, "source %s (0x%02x)\n", info->name, info->id);
    if (info->why_not) {
        if (info->type[0] != '\0')
            etm_cli_print(output, "    type       %s\n", info->type);
        etm_cli_print(output, "    passed over: %s\n", info->why_not);
    } else {
        etm_cli_print(output, "    protocol   %s\n",
                      etm_config_title(&info->config, title, sizeof title));
        etm_cli_print(output, "    traces     %s\n",
                      etm_cli_config_words(&info->config, words, sizeof words));
    }
    if (info->core && info->core[0] != '\0')
        etm_cli_print(output, "    core       %s%s%s\n", info->core,
                      info->core_type && info->core_type[0] ? ", " : "",
                      info->core_type ? info->core_type : "");
    if (!info->why_not)
        show_code(output, info->image);
    show_counts(output, s);
    if (s->guessed)
        show_guess(output, &s->guess);
}

void etm_cli_notes_text(struct etm_cli_output *output,
                        const struct etm_session *session)
{
    for (size_t i = 0; i < etm_session_notes(session); i++)
        etm_cli_print(output, "note: %s\n", etm_session_note(session, i));
}
