/* SPDX-License-Identifier: Apache-2.0 */
/* Reading of scenario files. */
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum section { NOTHING, CODE, TRACE };

struct reader {
    struct etm_scenario *s;
    struct etm_broadcast said;
    enum section section;
    unsigned line;
    size_t n_stream;
    uint8_t code[65536]; /* of the section at hand */
    size_t n_code;
    uint32_t address;
    enum etm_isa isa;
    struct etm_space space;
};

static bool mistake(const struct reader *r, const char *what)
{
    printf("%s:%u: %s\n", r->s->path, r->line, what);
    return false;
}

static const struct {
    const char *name;
    size_t offset;
} switches[] = {
#define SWITCH(name)                                                           \
    {                                                                          \
#name, offsetof(struct etm_config, name)                               \
    }
    SWITCH(cycle_accurate),
    SWITCH(data_value),
    SWITCH(data_address),
    SWITCH(cprt),
    SWITCH(data_only),
    SWITCH(branch_broadcast),
    SWITCH(timestamps),
    SWITCH(return_stack),
    SWITCH(vmid),
    SWITCH(pc_first),
    SWITCH(thumb32_split),
    SWITCH(security),
    SWITCH(alternative_branches),
    SWITCH(return_stack_implemented),
    SWITCH(barriers_are_waypoints),
    SWITCH(virtualization),
    SWITCH(timestamp_binary),
    SWITCH(timestamp_64bit),
#undef SWITCH
};

bool etm_scenario_config(struct etm_config *config, const char *word)
{
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (strcmp(word, switches[i].name) == 0) {
            *(bool *)((char *)config + switches[i].offset) = true;
            return true;
        }
    if (strncmp(word, "minor=", 6) == 0)
        config->minor = (uint8_t)strtoul(word + 6, NULL, 10);
    else if (strncmp(word, "context_id_bytes=", 17) == 0)
        config->context_id_bytes = (uint8_t)strtoul(word + 17, NULL, 10);
    else if (strcmp(word, "profile=m") == 0)
        config->profile = ETM_PROFILE_M;
    else if (strcmp(word, "profile=r") == 0)
        config->profile = ETM_PROFILE_R;
    else if (strcmp(word, "profile=a") == 0)
        config->profile = ETM_PROFILE_A;
    else if (strcmp(word, "pft") == 0)
        config->protocol = ETM_PROTOCOL_PFT;
    else if (strcmp(word, "etmv3") == 0)
        config->protocol = ETM_PROTOCOL_ETMV3;
    else if (strcmp(word, "etmv1") == 0)
        config->protocol = ETM_PROTOCOL_ETMV1;
    else if (strncmp(word, "port_width=", 11) == 0)
        config->port_width = (uint8_t)strtoul(word + 11, NULL, 10);
    else if (strcmp(word, "itm") == 0)
        config->protocol = ETM_PROTOCOL_ITM;
    else if (strcmp(word, "mtb") == 0)
        config->protocol = ETM_PROTOCOL_MTB;
    else
        return false;
    return true;
}

static bool configure(struct reader *r, const struct etm_scenario_line *line)
{
    struct etm_config *config = &r->s->config;
    struct etm_diag diag;

    config->size = sizeof *config;
    for (unsigned i = 1; i < line->n; i++)
        if (!etm_scenario_config(config, line->word[i]))
            return mistake(r, line->word[i]);
    if (etm_config_check(config, &diag) != ETM_OK)
        return mistake(r, diag.what);
    return true;
}

/* What was written of a code section becomes a region. */
static bool end_code(struct reader *r)
{
    int status = ETM_OK;

    if (r->section == CODE)
        status = etm_image_add_copy(r->s->image, r->address, r->code, r->n_code,
                                    &r->space);
    r->n_code = 0;
    return status == ETM_OK || mistake(r, etm_status_text(status));
}

static bool begin_code(struct reader *r, const struct etm_scenario_line *line)
{
    const char *context = etm_scenario_value(line, "context");

    if (!end_code(r) || line->n < 3)
        return false;
    r->section = CODE;
    r->address = (uint32_t)strtoul(line->word[1], NULL, 16);
    r->isa = etm_scenario_isa(line->word[2]);
    r->space = (struct etm_space){ETM_UNKNOWN, context != NULL, 0};
    if (context != NULL)
        r->space.context_id = (uint32_t)strtoul(context, NULL, 16);
    if (etm_scenario_flag(line, "secure"))
        r->space.secure = ETM_TRUE;
    if (etm_scenario_flag(line, "ns"))
        r->space.secure = ETM_FALSE;
    return r->isa != ETM_ISA_UNKNOWN || mistake(r, "no instruction set");
}

/* `n` bytes of an opcode in the order of memory. */
static void memory(struct reader *r, uint32_t opcode, size_t digits)
{
    bool thumb = r->isa == ETM_ISA_THUMB || r->isa == ETM_ISA_THUMBEE;

    for (size_t i = 0; i < digits / 2; i++) {
        size_t at = thumb && digits == 8 ? i ^ 2 : i;
        if (r->n_code < sizeof r->code)
            r->code[r->n_code++] = (uint8_t)(opcode >> (8 * at));
    }
}

/* "OPCODE" or "OPCODE*TIMES"; what stands after it is for the eye. */
static bool code(struct reader *r, const struct etm_scenario_line *line)
{
    char *end;
    uint32_t opcode = (uint32_t)strtoul(line->word[0], &end, 16);
    size_t digits = (size_t)(end - line->word[0]);
    unsigned long times = *end == '*' ? strtoul(end + 1, NULL, 10) : 1;

    if ((*end != 0 && *end != '*') || digits > 8 || digits % 2 != 0)
        return mistake(r, "not an opcode");
    while (times-- != 0)
        memory(r, opcode, digits);
    return true;
}

static bool gap(struct reader *r, const struct etm_scenario_line *line)
{
    struct etm_scenario_piece *piece = &r->s->pieces[r->s->n_pieces];

    if (line->n != 2 || ++r->s->n_pieces == ETM_SCENARIO_PIECES)
        return mistake(r, "a gap that cannot be");
    piece->end = r->n_stream;
    piece->lost = strtoull(line->word[1], NULL, 10);
    return true;
}

static bool packet(struct reader *r, const struct etm_scenario_line *line)
{
    uint8_t *at = r->s->stream + r->n_stream;
    size_t left = sizeof r->s->stream - r->n_stream;
    int n;

    if (strcmp(line->word[0], "gap") == 0)
        return gap(r, line);
    if (left < ETM_PACKET_ENCODED_MAX + sizeof line->word / sizeof *line->word)
        return mistake(r, "too much trace");
    if (strcmp(line->word[0], "bytes") == 0) {
        for (unsigned i = 1; i < line->n; i++)
            *at++ = (uint8_t)strtoul(line->word[i], NULL, 16);
        r->n_stream += line->n - 1;
        return true;
    }
    n = etm_scenario_packet(&r->s->config, &r->said, line, at, left);
    if (n < 0)
        return mistake(r, n == ETM_ERR_NOT_FOUND ? "no such packet"
                                                 : "no packet can be so");
    r->n_stream += (size_t)n;
    return true;
}

/* A line that does not begin with a blank begins a section. */
static bool heading(struct reader *r, const struct etm_scenario_line *line)
{
    if (strcmp(line->word[0], "config") == 0)
        return configure(r, line);
    if (strcmp(line->word[0], "code") == 0)
        return begin_code(r, line);
    if (strcmp(line->word[0], "level") == 0) {
        r->s->only_ranges = etm_scenario_flag(line, "ranges");
        return true;
    }
    if (strcmp(line->word[0], "trace") != 0)
        return mistake(r, "no such section");
    if (!end_code(r))
        return false;
    r->section = TRACE;
    return true;
}

static bool one_line(struct reader *r, char *text)
{
    struct etm_scenario_line line = {.n = 0};
    bool indented = *text == ' ';

    text[strcspn(text, "#\r")] = 0;
    for (char *word = strtok(text, " "); word && line.n < 32;
         word = strtok(NULL, " "))
        line.word[line.n++] = word;
    if (line.n == 0)
        return true;
    if (!indented)
        return heading(r, &line);
    return r->section == CODE    ? code(r, &line)
           : r->section == TRACE ? packet(r, &line)
                                 : mistake(r, "not in a section");
}

static bool load(struct etm_scenario *s)
{
    FILE *file = fopen(s->path, "rb");
    char *expect;
    size_t n;

    if (file == NULL) {
        printf("%s: cannot be opened\n", s->path);
        return false;
    }
    s->text = calloc(1, 1u << 20);
    n = s->text != NULL ? fread(s->text, 1, (1u << 20) - 1, file) : 0;
    fclose(file);
    if (n == 0)
        return false;
    expect = strstr(s->text, "\nexpect ");
    s->given = expect != NULL ? (size_t)(expect - s->text) + 1 : n;
    s->expected = s->text + s->given;
    return true;
}

bool etm_scenario_read(struct etm_scenario *s, const char *path)
{
    static struct reader r;
    char *given, *next;
    bool good = true;

    memset(s, 0, sizeof *s);
    memset(&r, 0, sizeof r);
    r.s = s;
    snprintf(s->path, sizeof s->path, "%s", path);
    if (!load(s) || etm_image_new(&s->image, NULL) != ETM_OK)
        return false;
    given = calloc(1, s->given + 1);
    if (given == NULL)
        return false;
    memcpy(given, s->text, s->given);
    for (char *text = given; good && text != NULL; text = next) {
        next = strchr(text, '\n');
        if (next != NULL)
            *next++ = 0;
        r.line++;
        good = one_line(&r, text);
    }
    good = good && end_code(&r);
    s->pieces[s->n_pieces++].end = r.n_stream;
    free(given);
    return good;
}

void etm_scenario_fini(struct etm_scenario *s)
{
    etm_image_free(s->image);
    free(s->text);
}
