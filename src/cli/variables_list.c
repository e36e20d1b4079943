/* SPDX-License-Identifier: Apache-2.0 */
/* etm variables --watch: each transfer of these variables. */
#include "cli/json.h"
#include "cli/variables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is written of a sight. */
struct line {
    const struct etm_cli_sight *sight;
    struct etm_scalar scalar;
    bool whole;
    struct etm_cli_value value; /* if it is known */
    const char *name;           /* of the value, or NULL */
    const char *function;       /* or NULL */
    struct etm_source_line source;
    char memory[ETM_CLI_VALUE];
};

static void look(struct etm_cli_replay *r, const struct etm_cli_sight *sight,
                 struct line *l)
{
    struct etm_cli_variables *v = r->state;
    struct etm_symbol symbol;

    *l = (struct line){.sight = sight};
    etm_cli_sight_scalar(&v->sights, sight, &l->scalar);
    l->whole = etm_cli_sight_is_whole(sight, &l->scalar);
    if (l->whole) {
        l->value = etm_cli_value_of(&l->scalar, sight->raw);
        l->name = etm_cli_value_name(r, v->sights.programs, &l->scalar,
                                     &l->value, l->memory);
    }
    if (!sight->insn_known)
        return;
    if (r->names.symbol &&
        r->names.symbol(r->names.context, sight->insn, &symbol) == ETM_OK)
        l->function = etm_cli_demangle_symbol(r->demangler, symbol.name);
    if (!r->names.line ||
        r->names.line(r->names.context, sight->insn, &l->source) != ETM_OK)
        l->source.file = NULL;
}

/* The bytes as a number, `mask`: which are known. */
static uint64_t mask_of(const struct line *l)
{
    uint8_t bytes[8];

    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (l->sight->known >> i & 1) != 0 ? 0xff : 0;
    return etm_cli_join_bytes(bytes, l->scalar.size, l->sight->big);
}

/* "0x????002a" */
static void print_part(const struct line *l, char text[ETM_CLI_VALUE])
{
    uint64_t mask = mask_of(l);
    size_t n = 0;

    n += (size_t)snprintf(text, ETM_CLI_VALUE, "0x");
    for (unsigned i = l->scalar.size; i-- > 0;)
        n += (size_t)((mask >> 8 * i & 0xff) != 0
                          ? snprintf(text + n, ETM_CLI_VALUE - n, "%02x",
                                     (unsigned)(l->sight->raw >> 8 * i & 0xff))
                          : snprintf(text + n, ETM_CLI_VALUE - n, "??"));
}

/* ---- Text ---------------------------------------------------------------- */

static void text_head(struct etm_cli_replay *r)
{
    char title[256];

    etm_cli_title(r->info, title, sizeof title);
    etm_cli_print(r->output, "%s\n  %s\n", title, etm_cli_variables_traced(r));
    if (r->merged)
        etm_cli_print(r->output, "  time in %s\n", etm_cli_time_unit_name(r));
    else
        etm_cli_print(r->output,
                      "%14s  access  variable = value, by (time in %s)\n",
                      "time", etm_cli_time_unit_name(r));
}

static int text_begin(struct etm_cli_replay *r, const struct line *l,
                      const struct etm_clock_time *time)
{
    uint64_t at = etm_cli_in_unit(r, l->sight->at);
    bool ticks = r->unit == ETM_TIME_TICKS;

    if (r->merged)
        return etm_cli_line_at(r, time);
    if (!ticks || time->known)
        etm_cli_print(r->output, "%14" PRIu64 "  ", ticks ? time->ticks : at);
    else
        etm_cli_print(r->output, "%14s  ", "-");
    return ETM_OK;
}

static int text_sight(struct etm_cli_replay *r,
                      const struct etm_cli_sight *sight,
                      const struct etm_clock_time *time)
{
    char value[ETM_CLI_VALUE];
    struct line l;
    int status;

    look(r, sight, &l);
    status = text_begin(r, &l, time);
    if (l.whole)
        (void)etm_cli_value_text(&l.scalar, &l.value, l.name, value);
    else if (sight->known != 0)
        print_part(&l, value);
    else
        (void)snprintf(value, sizeof value, "?");
    etm_cli_print(r->output, "%-6s  ", etm_cli_sight_access(sight));
    etm_cli_put_name(r->output, l.scalar.name);
    etm_cli_put(r->output, " = ", 3);
    etm_cli_put_name(r->output, value);
    if (sight->insn_known)
        etm_cli_print(r->output, "  %08x", (unsigned)sight->insn);
    if (l.function) {
        etm_cli_put(r->output, " ", 1);
        etm_cli_put_name(r->output, l.function);
    }
    if (l.source.file) {
        etm_cli_put(r->output, "  ", 2);
        etm_cli_put_name(r->output, l.source.file);
        etm_cli_print(r->output, ":%u", (unsigned)l.source.line);
    }
    etm_cli_put(r->output, "\n", 1);
    return status;
}

static void text_end(struct etm_cli_replay *r)
{
    if (!r->merged)
        etm_cli_put(r->output, "\n", 1);
}

/* ---- JSON Lines ---------------------------------------------------------- */

static void no_head(struct etm_cli_replay *r)
{
    (void)r;
}

/* A number; a float that is none, and an integer that a double cannot hold, are
 * strings. */
static void put_value(struct etm_cli_replay *r, const struct line *l)
{
    const struct etm_cli_value *v = &l->value;
    uint64_t size =
        v->is_signed && (int64_t)v->bits < 0 ? 0 - v->bits : v->bits;
    bool quoted = v->is_float ? !isfinite(v->number) : size > UINT64_C(1) << 53;
    char number[ETM_CLI_VALUE];

    if (!l->whole)
        etm_cli_print(r->output, ",\"value\":null");
    else
        etm_cli_print(r->output, quoted ? ",\"value\":\"%s\"" : ",\"value\":%s",
                      etm_cli_value_number(&l->scalar, v, number));
}

static int jsonl_sight(struct etm_cli_replay *r,
                       const struct etm_cli_sight *sight,
                       const struct etm_clock_time *time)
{
    struct line l;
    int status = etm_cli_line_at(r, time);

    look(r, sight, &l);
    etm_cli_print(r->output, "{\"k\":\"value\",\"src\":%u,\"off\":%" PRIu64,
                  r->info->id, sight->offset);
    etm_cli_json_text(r->output, "name", l.scalar.name);
    etm_cli_json_text(r->output, "type",
                      l.scalar.type_name[0] != '\0' ? l.scalar.type_name
                                                    : NULL);
    if (sight->by_comparator)
        etm_cli_print(r->output, ",\"addr\":null");
    else
        etm_cli_print(r->output, ",\"addr\":\"0x%08x\"",
                      (unsigned)l.scalar.address);
    etm_cli_json_number(r->output, "size", l.scalar.size != 0, l.scalar.size);
    etm_cli_json_number(r->output, "bits", l.scalar.bits != 0, l.scalar.bits);
    etm_cli_print(r->output, ",\"store\":%s",
                  sight->store == ETM_TRUE    ? "true"
                  : sight->store == ETM_FALSE ? "false"
                                              : "null");
    put_value(r, &l);
    etm_cli_json_text(r->output, "text", l.name);
    etm_cli_print(r->output,
                  ",\"raw\":\"0x%0*" PRIx64 "\",\"known\":\"0x%0*" PRIx64 "\"",
                  2 * (int)l.scalar.size, sight->raw, 2 * (int)l.scalar.size,
                  mask_of(&l));
    if (sight->insn_known)
        etm_cli_print(r->output, ",\"insn\":\"0x%08x\"", (unsigned)sight->insn);
    else
        etm_cli_print(r->output, ",\"insn\":null");
    etm_cli_json_text(r->output, "function", l.function);
    etm_cli_json_text(r->output, "file", l.source.file);
    etm_cli_json_number(r->output, "line", l.source.file != NULL,
                        l.source.line);
    etm_cli_json_number(r->output, "at", true, sight->at.instructions);
    etm_cli_json_number(r->output, "at_cycles", r->cycles, sight->at.cycles);
    etm_cli_json_time(r->output, "time", time);
    etm_cli_put(r->output, "}\n", 2);
    return status;
}

/* ---- CSV ----------------------------------------------------------------- */

static void csv_head(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;

    if (!v->headed)
        etm_cli_print(r->output,
                      "time,unit,source,access,variable,type,value,text,raw,"
                      "known,insn,function,file,line\n");
    v->headed = true;
}

static int csv_sight(struct etm_cli_replay *r,
                     const struct etm_cli_sight *sight,
                     const struct etm_clock_time *time)
{
    char value[ETM_CLI_VALUE];
    struct line l;
    bool ticks = r->unit == ETM_TIME_TICKS;

    look(r, sight, &l);
    if (!ticks || time->known)
        etm_cli_print(r->output, "%" PRIu64,
                      ticks ? time->ticks : etm_cli_in_unit(r, sight->at));
    etm_cli_csv_text(r->output, etm_cli_time_unit_name(r));
    etm_cli_csv_text(r->output, r->info->name);
    etm_cli_csv_text(r->output, etm_cli_sight_access(sight));
    etm_cli_csv_text(r->output, l.scalar.name);
    etm_cli_csv_text(r->output, l.scalar.type_name);
    etm_cli_csv_text(r->output,
                     l.whole ? etm_cli_value_number(&l.scalar, &l.value, value)
                             : NULL);
    etm_cli_csv_text(r->output, l.name);
    etm_cli_print(r->output, ",0x%0*" PRIx64 ",0x%0*" PRIx64,
                  2 * (int)l.scalar.size, sight->raw, 2 * (int)l.scalar.size,
                  mask_of(&l));
    if (sight->insn_known)
        etm_cli_print(r->output, ",0x%08x", (unsigned)sight->insn);
    else
        etm_cli_put(r->output, ",", 1);
    etm_cli_csv_text(r->output, l.function);
    etm_cli_csv_text(r->output, l.source.file);
    if (l.source.file)
        etm_cli_print(r->output, ",%u\n", (unsigned)l.source.line);
    else
        etm_cli_put(r->output, ",\n", 2);
    return ETM_OK;
}

const struct etm_cli_variables_form *etm_cli_variables_list(const char *format)
{
    static const struct etm_cli_variables_form text = {text_head, text_sight,
                                                       text_end},
                                               jsonl = {no_head, jsonl_sight,
                                                        no_head},
                                               csv = {csv_head, csv_sight,
                                                      no_head};

    return strcmp(format, "csv") == 0     ? &csv
           : strcmp(format, "jsonl") == 0 ? &jsonl
                                          : &text;
}
