/* SPDX-License-Identifier: Apache-2.0 */
/* etm explain: sentences and mistakes, as text and as JSON Lines. */
#include "cli/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MISTAKES 512

struct printing {
    struct etm_cli_explain *e;
    struct etm_cli_output *out;
    int topic; /* the last one; -1: none yet */
};

/* The last value of a register; false if it is not known. */
static bool value_of(const struct etm_cli_explain *e, uint32_t number,
                     uint64_t *value)
{
    bool found = false;

    for (size_t i = 0; i < e->n; i++) {
        if (e->registers[i].number == number) {
            *value = e->registers[i].value;
            found = true;
        }
    }
    return found;
}

static int print_line(void *context, const struct etm_explain_line *line)
{
    struct printing *p = context;

    if (p->topic != (int)line->topic)
        etm_cli_print(p->out, "%s%s\n", p->topic < 0 ? "" : "\n",
                      etm_topic_name(line->topic));
    p->topic = (int)line->topic;
    etm_cli_put_sentence(p->out, line->text);
    return p->out->failed || p->out->closed;
}

static void print_name(struct etm_cli_output *out, uint32_t number)
{
    const char *name = etm_register_name(number);

    if (name)
        etm_cli_print(out, "\"%s\"", name);
    else
        etm_cli_print(out, "\"0x%03x\"", (unsigned)number);
}

static int json_line(void *context, const struct etm_explain_line *line)
{
    struct printing *p = context;
    char subject[128], text[4096];

    etm_cli_print(p->out,
                  "{\"k\":\"says\",\"topic\":\"%s\",\"subject\":%s,"
                  "\"known\":%s,\"registers\":{",
                  etm_topic_name(line->topic),
                  etm_json_string(line->subject, subject, sizeof subject),
                  line->known ? "true" : "false");
    for (size_t i = 0; i < line->n_registers; i++) {
        uint64_t value;

        etm_cli_print(p->out, "%s", i > 0 ? "," : "");
        print_name(p->out, line->registers[i]);
        if (value_of(p->e, line->registers[i], &value))
            etm_cli_print(p->out, ":\"0x%08x\"", (unsigned)value);
        else
            etm_cli_print(p->out, ":null");
    }
    etm_cli_print(p->out, "},\"text\":%s}\n",
                  etm_json_string(line->text, text, sizeof text));
    return p->out->failed || p->out->closed;
}

static void print_mistake(struct etm_cli_output *out,
                          const struct etm_lint *lint)
{
    const char *name = etm_register_name(lint->number);
    char text[512];
    int n = snprintf(text, sizeof text, "%s: %s (%s%s%s) [%s]",
                     etm_severity_name(lint->severity), lint->text,
                     name ? name : "", name ? ", " : "", lint->section,
                     etm_lint_id(lint->rule));

    if (n > 0)
        etm_cli_put_sentence(out, text);
}

static void json_mistake(struct etm_cli_output *out,
                         const struct etm_lint *lint)
{
    char text[640];

    etm_cli_print(out,
                  "{\"k\":\"lint\",\"id\":\"%s\",\"severity\":\"%s\","
                  "\"register\":",
                  etm_lint_id(lint->rule), etm_severity_name(lint->severity));
    if (lint->number == ETM_REGISTER_NONE)
        etm_cli_print(out, "null");
    else
        print_name(out, lint->number);
    etm_cli_print(out, ",\"section\":\"%s\",\"text\":%s}\n", lint->section,
                  etm_json_string(lint->text, text, sizeof text));
}

static void print_mistakes(struct printing *p, const struct etm_lint *lints,
                           int n)
{
    bool json = strcmp(p->e->format, "jsonl") == 0;

    if (!json && n > 0)
        etm_cli_print(p->out, "\nmistakes\n");
    for (int i = 0; i < n && i < MISTAKES; i++) {
        if (json)
            json_mistake(p->out, &lints[i]);
        else
            print_mistake(p->out, &lints[i]);
    }
}

/* What was passed over in the file. */
static void print_notes(struct printing *p)
{
    const struct etm_notes *notes = &p->e->listing.notes;
    bool json = strcmp(p->e->format, "jsonl") == 0;
    char text[1600];

    if (!json && notes->n > 0)
        etm_cli_print(p->out, "registers\n");
    for (size_t i = 0; i < notes->n; i++) {
        if (json) {
            etm_cli_print(p->out, "{\"k\":\"note\",\"text\":%s}\n",
                          etm_json_string(notes->text[i], text, sizeof text));
            continue;
        }
        (void)snprintf(text, sizeof text, "%s.", notes->text[i]);
        etm_cli_put_sentence(p->out, text);
    }
    if (!json && notes->n > 0)
        etm_cli_print(p->out, "\n");
}

static int failed(const struct etm_cli_explain *e, const struct etm_diag *diag)
{
    etm_cli_error("%s: %s%s", etm_cli_path(e->input), diag->what,
                  e->core ? "" : " (--core can stand in for them)");
    return ETM_EXIT_UNREADABLE;
}

int etm_cli_explain_print(struct etm_cli_explain *e)
{
    struct etm_cli_output out = {0};
    struct printing p = {e, &out, -1};
    struct etm_lint *lints = calloc(MISTAKES, sizeof *lints);
    struct etm_diag diag = {0};
    bool json = strcmp(e->format, "jsonl") == 0;
    int n, status;

    if (!lints) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    n = etm_lint_values(&e->explain, lints, MISTAKES, &diag);
    if (n < 0) {
        free(lints);
        return failed(e, &diag);
    }
    status = ETM_EXIT_UNREADABLE;
    if (etm_cli_would_replace(e->output, e->input, "the registers") ||
        etm_cli_would_replace(e->output, e->elf, "the program") ||
        etm_cli_would_replace(e->output, e->program, "the program"))
        out.failed = true;
    else
        status = etm_cli_output_open(&out, e->output, NULL);
    if (status == ETM_EXIT_OK)
        print_notes(&p);
    if (status == ETM_EXIT_OK &&
        etm_explain(&e->explain, json ? json_line : print_line, &p, &diag) ==
            ETM_OK)
        print_mistakes(&p, lints, n);
    if (status == ETM_EXIT_OK && e->program)
        status = etm_cli_explain_simulate(e, &out);
    if (json && status == ETM_EXIT_OK)
        etm_cli_print(&out, "{\"k\":\"end\"}\n");
    free(lints);
    n = etm_cli_output_close(&out);
    return status == ETM_EXIT_OK ? n : status;
}

int etm_cli_explain_help(void)
{
    static const char help[] =
        "usage: etm explain FILE [options]\n"
        "\n"
        "The registers of a macrocell in plain words, and the mistakes in\n"
        "them. FILE is a text with registers: lines NAME = VALUE, what\n"
        "'etm configure' writes, a device file of a snapshot, memory as a\n"
        "debugger lists it, or a script or C that writes it; - is standard\n"
        "input. Missing registers are unknown.\n"
        "\n"
        "  etm explain registers.txt --elf program.elf\n"
        "  etm explain setup --core cortex-a9 --simulate program.elf\n"
        "\n"
        "  --core NAME          the macrocell of that core, where the file\n"
        "                       does not identify it\n"
        "  --etm VERSION        with --core: another version, v3.4, pft1.1\n"
        "  --elf FILE           names for addresses\n"
        "  --simulate PROGRAM   run a bare-metal ELF program on the core and "
        "its\n"
        "                       macrocell, and sum up what would be traced\n"
        "  --limit N            end after N instructions; default 1000000\n"
        "  --memory FROM-TO     additional memory, as for 'etm record'\n"
        "  --format text|jsonl  for people (default) or for programs\n"
        "  -o FILE              write there instead of standard output\n";

    fputs(help, stdout);
    return ETM_EXIT_OK;
}
