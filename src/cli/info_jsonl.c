/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON Lines form of `etm info`: one line a buffer, source and note. */
#include "cli/info.h"
#include "cli/json.h"

#include <inttypes.h>

/* An empty text means unknown. */
static void put_known(struct etm_cli_output *output, const char *key,
                      const char *text)
{
    etm_cli_json_text(output, key, text && text[0] != '\0' ? text : NULL);
}

static void put_number(struct etm_cli_output *output, const char *key,
                       uint64_t value)
{
    etm_cli_json_number(output, key, true, value);
}

static const char *boolean(bool value)
{
    return value ? "true" : "false";
}

static const char *tri(enum etm_tri value)
{
    return value == ETM_TRUE ? "true" : value == ETM_FALSE ? "false" : "null";
}

static void put_ids(struct etm_cli_output *output,
                    const struct etm_frame_counts *counts)
{
    bool first = true;

    etm_cli_print(output, ",\"ids\":[");
    for (unsigned id = 0; id < ETM_ID_RESERVED; id++) {
        if (counts->bytes[id] == 0)
            continue;
        etm_cli_print(output, "%s{\"src\":%u,\"bytes\":%" PRIu64 "}",
                      first ? "" : ",", id, counts->bytes[id]);
        first = false;
    }
    etm_cli_print(output, "]");
    put_number(output, "triggers", counts->bytes[ETM_ID_TRIGGER]);
    put_number(output, "unknown_bytes", counts->bytes[ETM_ID_UNKNOWN]);
    put_number(output, "bad_bytes", counts->bad);
    put_number(output, "moved", counts->moved);
}

void etm_cli_buffer_jsonl(struct etm_cli_output *output,
                          const struct etm_cli_buffer *buffer)
{
    const struct etm_buffer_info *info = buffer->info;
    bool looks = info->bare || info->framing == ETM_FRAMING_NONE;
    enum etm_framing likely = info->bare ? ETM_FRAMING_NONE : buffer->likely;

    etm_cli_print(output, "{\"k\":\"buffer\"");
    etm_cli_json_text(output, "name", info->name);
    etm_cli_json_text(output, "file", info->path);
    etm_cli_json_text(output, "framing", etm_framing_name(info->framing));
    put_known(output, "form",
              info->framing == ETM_FRAMING_PORT ? etm_port_form_name(info->form)
                                                : NULL);
    put_number(output, "bytes", info->bytes + info->stop);
    etm_cli_json_number(output, "stop", info->framing == ETM_FRAMING_NONE,
                        info->stop);
    etm_cli_json_text(output, "looks", looks ? etm_framing_name(likely) : NULL);
    etm_cli_json_number(output, "first_frame",
                        info->framing == ETM_FRAMING_CORESIGHT,
                        info->first_frame);
    etm_cli_json_number(output, "swapped", info->swapped != 0, info->swapped);
    etm_cli_json_number(output, "block", info->blocks, ETM_BLOCK_BYTES);
    put_ids(output, &buffer->counts);
    etm_cli_print(output, "}\n");
}

static void put_config(struct etm_cli_output *output,
                       const struct etm_config *c)
{
    static const char *const profiles[] = {"null", "\"a\"", "\"r\"", "\"m\""};
    static const char *const endians[] = {"null", "\"le\"", "\"be8\"",
                                          "\"be32\""};

    etm_cli_print(
        output,
        ",\"configuration\":{\"profile\":%s,\"cycle_accurate\":%s,"
        "\"context_id_bytes\":%u,\"data_address\":%s,\"data_value\":%s,"
        "\"data_only\":%s,\"branch_broadcast\":%s,"
        "\"alternative_branches\":%s,\"timestamps\":%s,"
        "\"timestamp_bits\":%u,\"timestamp_binary\":%s,\"return_stack\":%s,"
        "\"vmid\":%s,\"security\":%s,\"virtualization\":%s,"
        "\"sync_period\":%u",
        profiles[c->profile & 3], boolean(c->cycle_accurate),
        (unsigned)c->context_id_bytes, boolean(c->data_address),
        boolean(c->data_value), boolean(c->data_only),
        boolean(c->branch_broadcast), boolean(c->alternative_branches),
        boolean(c->timestamps), etm_timestamp_bits(c),
        boolean(c->timestamp_binary), boolean(c->return_stack),
        boolean(c->vmid), boolean(c->security), boolean(c->virtualization),
        (unsigned)c->sync_period);
    if (etm_protocol_is_port(c->protocol))
        etm_cli_print(output,
                      ",\"port_width\":%u,\"high_vectors\":%s,"
                      "\"endian\":%s}",
                      c->port_width == 0 ? 8u : (unsigned)c->port_width,
                      boolean(c->high_vectors),
                      endians[(unsigned)c->endian & 3u]);
    else
        etm_cli_print(output, ",\"port_width\":null,\"high_vectors\":null,"
                              "\"endian\":null}");
}

static void put_code(struct etm_cli_output *output,
                     const struct etm_image *image)
{
    size_t n = image ? etm_image_regions(image) : 0;

    etm_cli_print(output, ",\"code\":[");
    for (size_t i = 0; i < n; i++) {
        struct etm_space space = {0};
        uint32_t address = 0;
        size_t size = 0;

        (void)etm_image_region(image, i, &address, &size, &space);
        etm_cli_print(output,
                      "%s{\"start\":\"0x%08" PRIx32 "\",\"end\":\"0x%08" PRIx64
                      "\",\"secure\":%s",
                      i == 0 ? "" : ",", address, (uint64_t)address + size,
                      tri(space.secure));
        if (space.has_context)
            etm_cli_print(output, ",\"context_id\":%" PRIu32 "}",
                          space.context_id);
        else
            etm_cli_print(output, ",\"context_id\":null}");
    }
    etm_cli_print(output, "]");
}

static void put_counts(struct etm_cli_output *output,
                       const struct etm_cli_source *s)
{
    const struct etm_cli_counts *c = &s->counts;
    bool port = etm_protocol_is_port(s->info->config.protocol);
    bool itm = s->info->config.protocol == ETM_PROTOCOL_ITM;
    bool a_sync = !port && etm_protocol_is_macrocell(s->info->config.protocol);
    char quoted[ETM_CLI_JSON];

    etm_cli_print(output, ",\"buffers\":[");
    for (size_t i = 0; i < s->info->n_buffers; i++) {
        size_t index = etm_session_source_buffer(s->session, s->index, i);

        etm_cli_print(output, "%s%s", i == 0 ? "" : ",",
                      etm_cli_json_name(
                          etm_session_buffer(s->session, index)->name, quoted));
    }
    etm_cli_print(output, "]");
    put_number(output, "bytes", c->bytes);
    if (s->info->why_not) {
        etm_cli_print(output, ",\"packets\":null,\"a_syncs\":null,"
                              "\"i_syncs\":null,\"overflows\":null,"
                              "\"bad_packets\":null,\"bad_bytes\":null,"
                              "\"unsynchronized_bytes\":null,"
                              "\"samples\":null,\"synchronizations\":null,"
                              "\"triggers\":null");
        return;
    }
    put_number(output, "packets", c->packets);
    if (a_sync) {
        put_number(output, "a_syncs", c->a_syncs);
        put_number(output, "i_syncs", c->i_syncs);
    } else {
        etm_cli_print(output, ",\"a_syncs\":null,\"i_syncs\":null");
    }
    if (a_sync || itm)
        put_number(output, "overflows", c->gaps);
    else
        etm_cli_print(output, ",\"overflows\":null");
    put_number(output, "bad_packets", c->bad);
    put_number(output, "bad_bytes", c->bad_bytes);
    put_number(output, "unsynchronized_bytes", c->unsynchronized_bytes);
    if (port) {
        put_number(output, "samples", c->samples);
        put_number(output, "synchronizations", c->syncs);
        put_number(output, "triggers", c->triggers);
    } else if (itm) {
        etm_cli_print(output, ",\"samples\":null");
        put_number(output, "synchronizations", c->syncs);
        etm_cli_print(output, ",\"triggers\":null");
    } else {
        etm_cli_print(output, ",\"samples\":null,\"synchronizations\":null,"
                              "\"triggers\":null");
    }
}

static void put_guess(struct etm_cli_output *output,
                      const struct etm_cli_source *s)
{
    const struct etm_guess *g = &s->guess;

    if (!s->guessed) {
        etm_cli_print(output, ",\"guess\":null");
        return;
    }
    etm_cli_print(output, ",\"guess\":{\"protocol\":");
    if (g->protocol == ETM_PROTOCOL_NONE)
        etm_cli_print(output, "null");
    else
        etm_cli_print(output, "\"%s\"", etm_protocol_name(g->protocol));
    etm_cli_print(output, ",\"cycle_accurate\":%s", tri(g->cycle_accurate));
    if (g->context_id_bytes < 0)
        etm_cli_print(output, ",\"context_id_bytes\":null");
    else
        etm_cli_print(output, ",\"context_id_bytes\":%d", g->context_id_bytes);
    etm_cli_print(output,
                  ",\"alternative_branches\":%s,\"data_address\":%s,"
                  "\"data_value\":%s,\"data_only\":%s,\"timestamps\":%s",
                  tri(g->alternative_branches), tri(g->data_address),
                  tri(g->data_value), tri(g->data_only), tri(g->timestamps));
    if (g->timestamp_bits == 0)
        etm_cli_print(output, ",\"timestamp_bits\":null");
    else
        etm_cli_print(output, ",\"timestamp_bits\":%d", g->timestamp_bits);
    etm_cli_print(output, ",\"timestamp_binary\":%s,\"weak\":%s",
                  tri(g->timestamp_binary), boolean(g->weak));
    put_number(output, "a_syncs", g->a_syncs);
    put_number(output, "i_syncs", g->i_syncs);
    put_number(output, "bad_bytes", g->bad_bytes);
    put_number(output, "sample_bytes", g->sample_bytes);
    put_known(output, "other", g->other);
    etm_cli_print(output, "}");
}

void etm_cli_info_jsonl(struct etm_cli_output *output,
                        const struct etm_cli_source *s)
{
    const struct etm_source_info *info = s->info;
    char title[32];

    etm_cli_print(output, "{\"k\":\"source\",\"src\":%u", (unsigned)info->id);
    etm_cli_json_text(output, "name", info->name);
    put_known(output, "type", info->type);
    if (info->why_not) {
        etm_cli_print(output, ",\"protocol\":null,\"version\":null");
        etm_cli_json_text(output, "why_not", info->why_not);
        etm_cli_print(output, ",\"configuration\":null");
    } else {
        etm_cli_json_text(output, "protocol",
                          etm_protocol_name(info->config.protocol));
        etm_cli_json_text(output, "version",
                          etm_config_title(&info->config, title, sizeof title));
        etm_cli_json_text(output, "why_not", NULL);
        put_config(output, &info->config);
    }
    put_known(output, "core", info->core);
    put_known(output, "core_type", info->core ? info->core_type : NULL);
    put_code(output, info->image);
    put_counts(output, s);
    put_guess(output, s);
    etm_cli_print(output, "}\n");
}

void etm_cli_notes_jsonl(struct etm_cli_output *output,
                         const struct etm_session *session)
{
    for (size_t i = 0; i < etm_session_notes(session); i++) {
        etm_cli_print(output, "{\"k\":\"note\"");
        etm_cli_json_text(output, "text", etm_session_note(session, i));
        etm_cli_print(output, "}\n");
    }
}
