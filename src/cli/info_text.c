/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of `etm info`. */
#include "cli/guess.h"
#include "cli/info.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Columns of a terminal, and of the left margin. */
enum { WIDTH = 80, INDENT = 15 };

/* A list, "one, two; three", in lines of that width: a terminal would break
 * them anywhere. */
struct list {
    char text[4096];
    size_t n;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
add(struct list *list, const char *format, ...)
{
    size_t room = sizeof list->text - list->n;
    va_list arguments;
    int n;

    va_start(arguments, format);
    n = vsnprintf(list->text + list->n, room, format, arguments);
    va_end(arguments);
    if (n > 0)
        list->n += (size_t)n < room ? (size_t)n : room - 1;
}

/* Length of the first item of a list, including the comma after it. */
static size_t item_of(const char *text)
{
    size_t n = strcspn(text, ",;");

    while (text[n] != '\0' && text[n + 1] != ' ')
        n += 1 + strcspn(text + n + 1, ",;");
    return text[n] == '\0' ? n : n + 1;
}

static void show_list(struct etm_cli_output *output, const char *label,
                      const char *text)
{
    size_t column = INDENT;

    etm_cli_print(output, "    %-10s ", label);
    while (*text != '\0') {
        size_t n = item_of(text);

        if (column > INDENT && column + n >= WIDTH) {
            etm_cli_print(output, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (column > INDENT) {
            etm_cli_print(output, " ");
            column++;
        }
        etm_cli_print(output, "%.*s", (int)n, text);
        column += n;
        text += n + (text[n] == ' ');
    }
    etm_cli_print(output, "\n");
}

/* Show that there are frames in a buffer declared to have none. */
static void show_likely_framing(struct etm_cli_output *output,
                                enum etm_framing likely)
{
    if (likely == ETM_FRAMING_NONE)
        return;
    etm_cli_print(output, "    the bytes  look like %s: try --framing %s\n",
                  likely == ETM_FRAMING_PORT   ? "text or OpenOCD's samples"
                  : likely == ETM_FRAMING_SWO  ? "a dump of an SWO pin"
                  : likely == ETM_FRAMING_TPIU ? "frames and synchronization "
                                                 "packets of a TPIU"
                  : likely == ETM_FRAMING_DSTREAM
                      ? "frames of a TPIU in blocks of 512 bytes"
                      : "frames of the CoreSight formatter",
                  etm_framing_name(likely));
    if (likely == ETM_FRAMING_PORT)
        etm_cli_print(output,
                      "               (text that shows bytes instead, as of a "
                      "UART or SWO, has to be\n"
                      "               converted to these bytes)\n");
}

static void show_frames(struct etm_cli_output *output,
                        const struct etm_frame_counts *counts)
{
    struct list ids = {.n = 0};

    for (unsigned id = 1; id < ETM_ID_RESERVED; id++)
        if (counts->bytes[id] > 0)
            add(&ids, "0x%02x: %" PRIu64 " byte%s; ", id, counts->bytes[id],
                etm_cli_plural(counts->bytes[id]));
    add(&ids, "%" PRIu64 " frame%s", counts->frames,
        etm_cli_plural(counts->frames));
    show_list(output, "trace IDs", ids.text);
    if (counts->bytes[ETM_ID_TRIGGER] > 0)
        etm_cli_print(output, "    triggers   %" PRIu64 "\n",
                      counts->bytes[ETM_ID_TRIGGER]);
    if (counts->bytes[ETM_ID_UNKNOWN] > 0)
        etm_cli_print(output,
                      "    unknown    %" PRIu64
                      " byte%s before the first trace ID\n",
                      counts->bytes[ETM_ID_UNKNOWN],
                      etm_cli_plural(counts->bytes[ETM_ID_UNKNOWN]));
    if (counts->bad > 0)
        etm_cli_print(output,
                      "    damage     %" PRIu64 " byte%s in bad frames\n",
                      counts->bad, etm_cli_plural(counts->bad));
    if (counts->moved > 0)
        etm_cli_print(output,
                      "    alignment  of frames changes at %" PRIu64
                      " place%s, where bytes were lost or added\n",
                      counts->moved, etm_cli_plural(counts->moved));
}

static void put_path(struct etm_cli_output *output, const char *path)
{
    path = etm_cli_path(path);
    etm_cli_put_name(output, path);
}

void etm_cli_buffer_text(struct etm_cli_output *output,
                         const struct etm_cli_buffer *buffer)
{
    const struct etm_buffer_info *info = buffer->info;

    etm_cli_print(output, "buffer ");
    put_path(output, info->name);
    etm_cli_print(output, "\n    file       ");
    put_path(output, info->path);
    etm_cli_print(output, ", %" PRIu64 " byte%s", info->bytes + info->stop,
                  etm_cli_plural(info->bytes + info->stop));
    if (info->stop != 0)
        etm_cli_print(output, ", of which the last %" PRIu64 " %s no trace",
                      info->stop, info->stop == 1 ? "is" : "are");
    etm_cli_print(output, "\n");
    etm_cli_print(output, "    framing    %s", etm_framing_name(info->framing));
    if (info->framing == ETM_FRAMING_PORT)
        etm_cli_print(output, ", samples as %s",
                      etm_port_form_name(info->form));
    if (info->first_frame != 0)
        etm_cli_print(output, ", the first frame at byte %u",
                      info->first_frame);
    if (info->blocks)
        etm_cli_print(output, ", in blocks of 512 bytes");
    etm_cli_print(output, "\n");
    if (info->framing == ETM_FRAMING_NONE)
        show_likely_framing(output, buffer->likely);
    else if (info->framing != ETM_FRAMING_PORT)
        show_frames(output, &buffer->counts);
}

/* `wanted`: without code little can be decoded. */
static void show_code(struct etm_cli_output *output,
                      const struct etm_image *image, bool wanted)
{
    size_t n = image ? etm_image_regions(image) : 0;

    if (n == 0 && wanted)
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

static void show_samples(struct etm_cli_output *output,
                         const struct etm_cli_counts *c)
{
    etm_cli_print(
        output, ", %" PRIu64 " sample%s, %" PRIu64 " synchronization point%s\n",
        c->samples, etm_cli_plural(c->samples), c->syncs,
        etm_cli_plural(c->syncs));
    if (c->triggers > 0)
        etm_cli_print(output, "    triggers   %" PRIu64 "\n", c->triggers);
}

static void show_counts(struct etm_cli_output *output,
                        const struct etm_cli_source *s)
{
    const struct etm_cli_counts *c = &s->counts;

    etm_cli_print(output, "    trace      %" PRIu64 " byte%s", c->bytes,
                  etm_cli_plural(c->bytes));
    for (size_t i = 0; i < s->info->n_buffers; i++) {
        etm_cli_print(output, "%s", i == 0 ? " in " : ", ");
        etm_cli_put_name(
            output, etm_cli_path(etm_session_buffer(
                                     s->session, etm_session_source_buffer(
                                                     s->session, s->index, i))
                                     ->name));
    }
    if (s->info->why_not) {
        etm_cli_print(output, "\n");
        return;
    }
    if (etm_protocol_is_port(s->info->config.protocol))
        show_samples(output, c);
    else if (s->info->config.protocol == ETM_PROTOCOL_ITM)
        etm_cli_print(output,
                      ", %" PRIu64 " packet%s, %" PRIu64
                      " synchronization packet%s\n",
                      c->packets, etm_cli_plural(c->packets), c->syncs,
                      etm_cli_plural(c->syncs));
    else if (s->info->config.protocol == ETM_PROTOCOL_MTB)
        etm_cli_print(output, ", %" PRIu64 " packet%s\n", c->packets,
                      etm_cli_plural(c->packets));
    else
        etm_cli_print(output,
                      ", %" PRIu64 " packet%s, %" PRIu64 " A-sync%s, %" PRIu64
                      " I-sync%s\n",
                      c->packets, etm_cli_plural(c->packets), c->a_syncs,
                      etm_cli_plural(c->a_syncs), c->i_syncs,
                      etm_cli_plural(c->i_syncs));
    if (c->gaps > 0)
        etm_cli_print(output, "    overflows  %" PRIu64 "\n", c->gaps);
    if (c->unsynchronized_bytes > 0)
        etm_cli_print(
            output,
            "    unusable   %" PRIu64 " byte%s before synchronization\n",
            c->unsynchronized_bytes, etm_cli_plural(c->unsynchronized_bytes));
    if (c->bad > 0)
        etm_cli_print(output,
                      "    damage     %" PRIu64 " bad packet%s, %" PRIu64
                      " byte%s\n",
                      c->bad, etm_cli_plural(c->bad), c->bad_bytes,
                      etm_cli_plural(c->bad_bytes));
}

/* Show what is certain, in the words of the configuration. */
static void show_known(struct list *words, const struct etm_guess *g)
{
    bool v3 = g->protocol == ETM_PROTOCOL_ETMV3;

    if (g->cycle_accurate != ETM_UNKNOWN)
        add(words, ", %scycle-accurate",
            g->cycle_accurate == ETM_TRUE ? "" : "not ");
    if (g->context_id_bytes == 0)
        add(words, ", no context ID");
    else if (g->context_id_bytes > 0)
        add(words, ", context ID of %d byte%s", g->context_id_bytes,
            etm_cli_plural((uint64_t)g->context_id_bytes));
    if (g->alternative_branches != ETM_UNKNOWN)
        add(words, ", %s branch encoding",
            g->alternative_branches == ETM_TRUE ? "alternative" : "original");
    if (v3 && g->data_address == ETM_FALSE && g->data_value == ETM_FALSE)
        add(words, g->config.cprt ? ", coprocessor transfers without values"
                                  : ", no data");
    if (g->data_only == ETM_TRUE)
        add(words, ", data only");
    if (g->data_address == ETM_TRUE)
        add(words, ", data addresses");
    if (g->data_value == ETM_TRUE)
        add(words, ", data values");
    if (g->timestamps != ETM_TRUE)
        return;
    add(words, ", ");
    if (g->timestamp_bits != 0)
        add(words, "%d-bit ", g->timestamp_bits);
    add(words, "%stimestamps",
        g->timestamp_binary == ETM_UNKNOWN ? ""
        : g->timestamp_binary == ETM_TRUE  ? "binary "
                                           : "Gray-coded ");
}

/* Show what the bytes leave open, and what bytes cannot show. */
static void show_unknown(struct etm_cli_output *output,
                         const struct etm_guess *g)
{
    bool v3 = g->protocol == ETM_PROTOCOL_ETMV3;
    bool flow = g->data_only != ETM_TRUE;
    bool stamps = g->timestamps == ETM_TRUE;
    const struct {
        bool unknown;
        const char *what;
    } all[] = {
        {flow && g->cycle_accurate == ETM_UNKNOWN,
         "whether they are cycle-accurate"},
        {g->context_id_bytes < 0, "size of the context ID"},
        {v3 && flow && g->alternative_branches == ETM_UNKNOWN,
         "branch encoding"},
        {v3 && (g->data_address == ETM_UNKNOWN || g->data_value == ETM_UNKNOWN),
         "what data is traced"},
        {stamps && g->timestamp_bits == 0, "size of timestamps"},
        {stamps && g->timestamp_binary == ETM_UNKNOWN, "code of timestamps"},
        {!v3, "return stack (on does no harm)"},
        {!v3, "whether barriers are waypoints"},
        {v3 && !stamps, "version"},
        {v3 && flow && !stamps && g->alternative_branches != ETM_TRUE,
         "whether a Thumb BL is traced as two instructions (ETMIDR, of an "
         "ARM11 0x41013211)"},
    };
    struct list words = {.n = 0};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].unknown)
            add(&words, "%s%s", words.n == 0 ? "" : ", ", all[i].what);
    if (words.n != 0)
        show_list(output, "not told", words.text);
}

/* Show the options that decode the bytes. */
static void show_options(struct etm_cli_output *output,
                         const struct etm_guess *g)
{
    struct etm_cli_guessed guessed = {""};
    struct etm_register registers[3];

    etm_cli_guess_options(&guessed, g->protocol, registers,
                          etm_guess_registers(g, registers));
    etm_cli_print(output, "    try       %s\n", guessed.text);
}

static void show_guess(struct etm_cli_output *output, const struct etm_guess *g)
{
    struct list words = {.n = 0};

    if (g->other) {
        etm_cli_print(output,
                      "    the bytes  look like %s, which is not decoded "
                      "here\n",
                      g->other);
        return;
    }
    if (g->protocol == ETM_PROTOCOL_NONE) {
        etm_cli_print(output, "    the bytes  do not tell the protocol%s\n",
                      g->a_syncs != 0
                          ? ""
                          : ": none of them is an A-sync, with which\n"
                            "               decoding begins (ETMSYNCFR says "
                            "how often there is one)");
        return;
    }
    add(&words, "look %slike %s", g->weak ? "a little " : "",
        g->protocol != ETM_PROTOCOL_ETMV3 ? "PFT"
        : g->timestamps == ETM_TRUE       ? "ETMv3.5"
                                          : "ETMv3");
    show_known(&words, g);
    show_list(output, "the bytes", words.text);
    etm_cli_print(output,
                  "               (%" PRIu64 " byte%s tried, %" PRIu64
                  " not explained)\n",
                  g->sample_bytes, etm_cli_plural(g->sample_bytes),
                  g->bad_bytes);
    if (g->weak) {
        etm_cli_print(
            output,
            "               too much remains unexplained: the guess is weak\n");
        return;
    }
    show_unknown(output, g);
    show_options(output, g);
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
        etm_cli_print(output, "    skipped: %s\n", info->why_not);
    } else {
        etm_cli_print(output, "    protocol   %s\n",
                      etm_config_title(&info->config, title, sizeof title));
        show_list(output, "traces",
                  etm_cli_config_words(&info->config, words, sizeof words));
    }
    if (info->core && info->core[0] != '\0')
        etm_cli_print(output, "    core       %s%s%s\n", info->core,
                      info->core_type && info->core_type[0] ? ", " : "",
                      info->core_type ? info->core_type : "");
    if (!info->why_not)
        show_code(output, info->image,
                  info->config.protocol != ETM_PROTOCOL_ITM);
    show_counts(output, s);
    if (s->guessed && s->guess.sample_bytes != 0)
        show_guess(output, &s->guess);
}

void etm_cli_notes_text(struct etm_cli_output *output,
                        const struct etm_session *session)
{
    for (size_t i = 0; i < etm_session_notes(session); i++) {
        const char *note = etm_session_note(session, i);

        etm_cli_print(output, "note: ");
        etm_cli_put_name(output, note);
        etm_cli_print(output, "\n");
    }
}
