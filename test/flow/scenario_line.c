/* SPDX-License-Identifier: Apache-2.0 */
/* What the lines of a scenario say: configuration, code and packets. */
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT (256u << 10) /* of one line, with those that continue it */

/* Cuts the first row off *at; NULL: there is no more. */
static char *next_row(char **at)
{
    char *row = *at;

    if (row == NULL)
        return NULL;
    *at = strchr(row, '\n');
    if (*at != NULL)
        *(*at)++ = 0;
    return row;
}

/* The words of a line; `text` is cut. */
static void words(char *text, struct etm_scenario_line *line)
{
    line->n = 0;
    for (char *word = strtok(text, " "); word && line->n < 32;
         word = strtok(NULL, " "))
        line->word[line->n++] = word;
}

static bool configure(struct scenario *s, struct etm_scenario_line *line)
{
    struct etm_config *config = &s->config;
    struct etm_diag diag;

    *config = (struct etm_config){.size = sizeof *config};
    s->configured = true;
    for (unsigned i = 1; i < line->n; i++)
        if (!etm_scenario_config(config, line->word[i]))
            return wrong("not understood: %s", line->word[i]);
    return etm_config_check(config, &diag) == ETM_OK || wrong("%s", diag.what);
}

/* ---- Code ---------------------------------------------------------------- */

/* `n` bytes of an opcode in the order of memory. */
static void memory(struct section *c, uint32_t opcode, size_t digits)
{
    bool thumb = c->isa == ETM_ISA_THUMB || c->isa == ETM_ISA_THUMBEE;

    for (size_t i = 0; i < digits / 2; i++) {
        size_t at = thumb && digits == 8 ? i ^ 2 : i;
        c->bytes[c->n++] = (uint8_t)(opcode >> (8 * at));
    }
}

/* "OPCODE" or "OPCODE*TIMES"; what stands after it is for the eye. */
static bool opcode(struct section *c, const char *text)
{
    char *end;
    uint32_t value = (uint32_t)strtoul(text += strspn(text, " "), &end, 16);
    size_t digits = (size_t)(end - text);
    unsigned long times = *end == '*' ? strtoul(end + 1, &end, 10) : 1;

    if (strchr(" ", *end) == NULL || digits > 8 || digits % 2 != 0)
        return wrong("not an opcode: %s", text);
    c->bytes = realloc(c->bytes, c->n + times * digits / 2 + 1);
    if (c->bytes == NULL)
        abort();
    while (times-- != 0)
        memory(c, value, digits);
    return true;
}

/* What was given before the first case is not for a case that has its own. */
static void drop_common(struct scenario *s)
{
    while (s->n_sections != 0 && s->sections[s->n_sections - 1].common)
        free(s->sections[--s->n_sections].bytes);
}

static bool code(struct scenario *s, char *text)
{
    char *row = next_row(&text);
    struct section *c;
    struct etm_scenario_line line;
    const char *context;
    char head[256];

    snprintf(head, sizeof head, "%s", row);
    words(head, &line);
    if (!cases_in_header())
        drop_common(s);
    if (line.n == 2 && strcmp(line.word[1], "none") == 0)
        return true;
    if (line.n < 3 || s->n_sections == SECTIONS)
        return wrong("code ADDRESS ISA");
    context = etm_scenario_value(&line, "context");
    c = &s->sections[s->n_sections++];
    *c = (struct section){.common = cases_in_header(),
                          .address = (uint32_t)strtoul(line.word[1], NULL, 16),
                          .isa = etm_scenario_isa(line.word[2]),
                          .space = {ETM_UNKNOWN, context != NULL, 0}};
    if (context != NULL)
        c->space.context_id = (uint32_t)strtoul(context, NULL, 16);
    if (etm_scenario_flag(&line, "secure"))
        c->space.secure = ETM_TRUE;
    if (etm_scenario_flag(&line, "ns"))
        c->space.secure = ETM_FALSE;
    if (c->isa == ETM_ISA_UNKNOWN)
        return wrong("no instruction set: %s", line.word[2]);
    while ((row = next_row(&text)) != NULL)
        if (!opcode(c, row))
            return false;
    return true;
}

bool scenario_image(struct scenario *s)
{
    if (etm_image_new(&s->image, NULL) != ETM_OK)
        abort();
    for (const struct section *c = s->sections; c < s->sections + s->n_sections;
         c++) {
        int status =
            etm_image_add_copy(s->image, c->address, c->bytes, c->n, &c->space);
        if (status != ETM_OK)
            return wrong("code: %s", etm_status_text(status));
    }
    return true;
}

/* ---- Packets ------------------------------------------------------------- */

static bool gap(struct scenario *s, const struct etm_scenario_line *line)
{
    struct piece *piece = &s->pieces[s->n_pieces];
    size_t n = s->n_items != 0 ? s->items[s->n_items - 1].end : 0;

    if (line->n != 2 || ++s->n_pieces == PIECES)
        return wrong("a gap that cannot be");
    *piece = (struct piece){n, strtoull(line->word[1], NULL, 10)};
    return true;
}

/* The bytes of a packet; how many go into *n. */
static bool packet(struct scenario *s, const char *text, size_t at, size_t *n)
{
    struct etm_scenario_line line;
    size_t left = sizeof s->stream - at;
    char copy[512];
    int size;

    *n = 0;
    snprintf(copy, sizeof copy, "%s", text);
    words(copy, &line);
    if (strcmp(line.word[0], "gap") == 0)
        return gap(s, &line);
    if (left < ETM_PACKET_ENCODED_MAX + sizeof line.word / sizeof *line.word)
        return wrong("too much trace");
    if (strcmp(line.word[0], "bytes") == 0) {
        while (++*n < line.n)
            s->stream[at + *n - 1] = (uint8_t)strtoul(line.word[*n], NULL, 16);
        --*n;
        return true;
    }
    if (s->config.protocol == ETM_PROTOCOL_ETMV1 ||
        s->config.protocol == ETM_PROTOCOL_ETMV2)
        return scenario_records(s, &line, at, n);
    size =
        etm_scenario_packet(&s->config, &s->said, &line, s->stream + at, left);
    if (size < 0)
        return wrong("%s: %s", text,
                     size == ETM_ERR_NOT_FOUND ? "no such packet"
                                               : "no packet can be so");
    *n = (size_t)size;
    return true;
}

static bool item(struct scenario *s, char *text)
{
    struct item *i = &s->items[s->n_items];
    char *expected = strstr(text, " > ");
    size_t n, at = s->n_items != 0 ? i[-1].end : 0;

    if (s->n_items == ITEMS)
        return wrong("too much trace");
    if (expected != NULL)
        *expected = 0;
    if (!packet(s, text, at, &n))
        return false;
    *i = (struct item){at, at + n, text, expected != NULL ? expected + 3 : ""};
    s->n_items++;
    return true;
}

/* Rows that are indented further continue the one before. */
static bool trace(struct scenario *s, char *text)
{
    char *row, *out;
    bool first = strncmp(text, "trace first", 11) == 0, good = true;
    bool synchronized = s->config.protocol == ETM_PROTOCOL_PFT ||
                        s->config.protocol == ETM_PROTOCOL_ETMV3;

    if (s->trace != NULL)
        return wrong("trace twice");
    out = s->text = calloc(1, strlen(text) + 32);
    if (out == NULL)
        abort();
    s->trace = cases.at;
    cases.n_expected++;
    if (!s->configured)
        return wrong("no config before the trace");
    if (synchronized && !first) {
        good = item(s, strcpy(out, "a_sync"));
        out += 8;
    }
    (void)next_row(&text);
    while (good && (row = next_row(&text)) != NULL) {
        char *from = out;
        out += sprintf(out, "%s", row + strspn(row, " "));
        while (text != NULL && strncmp(text, "     ", 5) == 0) {
            row = next_row(&text);
            out += sprintf(out, " %s", row + strspn(row, " "));
        }
        out++;
        good = item(s, from);
    }
    if (good)
        s->pieces[s->n_pieces++].end =
            s->n_items != 0 ? s->items[s->n_items - 1].end : 0;
    return good;
}

bool scenario_line(struct scenario *s, const struct line *line)
{
    static char text[TEXT];
    struct etm_scenario_line head;

    if (!substitute(line->text, text, sizeof text))
        return false;
    if (strncmp(text, "code ", 5) == 0)
        return code(s, text);
    if (strncmp(text, "trace", 5) == 0)
        return trace(s, text);
    if (strncmp(text, "expect ranges", 13) == 0) {
        s->ranges = line;
        return true;
    }
    words(text, &head);
    if (strcmp(head.word[0], "config") == 0)
        return configure(s, &head);
    if (strcmp(head.word[0], "level") == 0) {
        s->only_ranges = etm_scenario_flag(&head, "ranges");
        return s->only_ranges || wrong("level ranges");
    }
    return wrong("not understood: %s", head.word[0]);
}

void scenario_clear(struct scenario *s)
{
    for (size_t i = 0; i < s->n_sections; i++)
        free(s->sections[i].bytes);
    etm_image_free(s->image);
    free(s->text);
    memset(s, 0, sizeof *s);
}
