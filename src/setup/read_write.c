/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of debuggers and shells that write memory. */
#include "setup/read.h"

#include <string.h>

/*
 * The words of a command. In its form A is an address, N the number of a
 * register, V a value, W values for successive words, M bits to set and to
 * clear, D a name to define, S a word that does not matter.
 */
static const struct command {
    const char *words;
    const char *form;
    unsigned base; /* of numbers without 0x; 0: as in C */
} commands[] = {
    {"mww phys", "AV", 0}, /* OpenOCD */
    {"mww", "AV", 0},
    {"mmw", "AM", 0}, /* of its helper scripts */
    {"write_memory", "ASW", 0},
    {"etm_write", "NV", 0}, /* of etm configure */
    {"write32", "AW", 0},   /* pyOCD */
    {"ww", "AW", 0},
    {"memory write", "SSAW", 0}, /* LLDB, with -s 4 */
    {"w4", "AV", 16},            /* J-Link */
    {"w32", "AV", 16},
    {"-w32", "AV", 16}, /* STM32CubeProgrammer */
    {"mw.l", "AV", 16}, /* U-Boot */
    {"mw", "AV", 16},
    {"setenv", "DV", 16},
    {"devmem2", "ASV", 0}, /* Linux */
    {"devmem", "ASV", 0},
    {"Data.Set", "AW", 16}, /* TRACE32 */
    {"D.S", "AW", 16},
    {"Data.Out", "AW", 16},
    {"D.O", "AW", 16},
    {"PER.Set.simple", "AW", 16},
    {"PER.Set", "AW", 16},
    {"PER.S.simple", "AW", 16},
    {"PER.S", "AW", 16},
    {"set", "DV", 0}, /* Tcl */
    {"variable", "DV", 0},
};

/* Words before a command. */
static const char *const before[] = {
    "monitor", "mon",   "sudo",     "busybox", "catch", "set variable",
    "set var", "print", "print/x",  "p",       "p/x",   "call",
    "export",  "local", "readonly", "eval",    "do"};

/* The next word: up to a blank or comma that is in no bracket. */
static struct etm_span next_word(const char **at)
{
    const char *from;
    int depth = 0;
    bool quoted = false;

    while (etm_line_blank(**at) || **at == ',')
        (*at)++;
    for (from = *at; **at != '\0'; (*at)++) {
        char c = **at;

        if (depth <= 0 && !quoted && (etm_line_blank(c) || c == ','))
            break;
        depth += (c == '(' || c == '[' || c == '{') -
                 (c == ')' || c == ']' || c == '}');
        quoted = quoted != (c == '"');
    }
    return (struct etm_span){from, (size_t)(*at - from)};
}

/* After these words, if the text begins with them; NULL. */
static const char *after_words(const char *text, const char *words)
{
    for (;;) {
        struct etm_span word = etm_line_word(words, "");

        for (size_t i = 0; i < word.n; i++, text++)
            if (etm_fold(*text) != etm_fold(word.at[i]))
                return NULL;
        if (*text != '\0' && !etm_line_blank(*text))
            return NULL;
        text = etm_line_skip(text);
        if (words[word.n] == '\0')
            return text;
        words += word.n + 1;
    }
}

/* The value of a word. */
static struct etm_value word_value(struct etm_reader *r, struct etm_span word,
                                   unsigned base)
{
    char text[256];
    struct etm_value v = {.known = ETM_READ_UNDEFINED, .word = word};

    if (!etm_span_copy(word, text, sizeof text))
        return v;
    v = etm_read_value(r, text, base);
    /* the copy is gone, the word remains */
    if (v.word.n != 0 && v.word.at >= text && v.word.at < text + sizeof text)
        v.word.at = word.at + (v.word.at - text);
    return v;
}

/* An address, perhaps after a memory class of TRACE32. */
static struct etm_value address_value(struct etm_reader *r,
                                      struct etm_span word, unsigned base)
{
    struct etm_span class = etm_line_name(word.at);
    struct etm_value v;

    if (base == 16 && class.n < word.n && word.at[class.n] == ':') {
        word.at += class.n + 1;
        word.n -= class.n + 1;
    }
    v = word_value(r, word, base);
    v.place = ETM_READ_AT_MEMORY;
    return v;
}

/* Bits to set and to clear in memory. */
static enum etm_read_result modify(struct etm_reader *r, struct etm_value place,
                                   struct etm_value set, struct etm_value clear)
{
    struct etm_value v = etm_read_stored(r, place);

    if (v.known == ETM_READ_KNOWN && set.known != ETM_READ_KNOWN)
        v = set;
    else if (v.known == ETM_READ_KNOWN && clear.known != ETM_READ_KNOWN)
        v = clear;
    else
        v.number = (v.number & ~clear.number) | set.number;
    return etm_read_place(r, place, v, ETM_READ_WRITTEN);
}

/* Values for successive words; those of Tcl are in brackets. */
static enum etm_read_result write_words(struct etm_reader *r,
                                        struct etm_value place, const char *at,
                                        unsigned base, bool several)
{
    enum etm_read_result result = ETM_READ_TAKEN;
    size_t n = 0;

    if (several && *etm_line_skip(at) == '{')
        at = etm_line_skip(at) + 1;
    for (;; n++, place.number += 4) {
        struct etm_span word = next_word(&at);

        if (word.n != 0 && word.at[0] == '%') /* a format */
            word = next_word(&at);
        if (word.n != 0 && word.at[0] == '%')
            word = next_word(&at);
        if (several && word.n != 0 && word.at[word.n - 1] == '}' &&
            !memchr(word.at, '{', word.n))
            word.n--;
        if (word.n == 0 || *word.at == '/' || (n != 0 && !several) ||
            result != ETM_READ_TAKEN)
            break;
        result = etm_read_place(r, place, word_value(r, word, base),
                                ETM_READ_WRITTEN);
    }
    return n != 0 ? result : ETM_READ_OTHER;
}

static enum etm_read_result take_command(struct etm_reader *r,
                                         const struct command *command,
                                         const char *at)
{
    struct etm_value place = {.known = ETM_READ_UNDEFINED}, set;
    struct etm_span name = {0}, word;

    for (const char *form = command->form;; form++) {
        switch (*form) {
        case 'S':
            if (next_word(&at).n == 0)
                return ETM_READ_OTHER;
            break;
        case 'D':
            name = next_word(&at);
            break;
        case 'A':
            word = next_word(&at);
            place = address_value(r, word, command->base);
            break;
        case 'N':
            word = next_word(&at);
            place = word_value(r, word, 0);
            place.place = ETM_READ_AT_REGISTER;
            break;
        case 'M':
            word = next_word(&at);
            set = word_value(r, word, command->base);
            word = next_word(&at);
            return modify(r, place, set, word_value(r, word, command->base));
        default:
            if (name.n == 0)
                return write_words(r, place, at, command->base, *form == 'W');
            word = next_word(&at);
            if (word.n != 0)
                etm_read_define(r, name, word_value(r, word, command->base));
            return ETM_READ_TAKEN;
        }
    }
}

/* `NAME ARGUMENT...` of a procedure in Tcl or GDB. */
static enum etm_read_result call_procedure(struct etm_reader *r,
                                           const char *line)
{
    struct etm_span name = etm_line_word(line, "(");
    struct etm_read_name *procedure = etm_read_find(r, name);
    const char *at = line + name.n;
    struct etm_value arguments[8];
    size_t n = 0;

    if (!procedure || !procedure->text)
        return ETM_READ_OTHER;
    while (n < 8) {
        struct etm_span word = next_word(&at);

        if (word.n == 0)
            break;
        arguments[n++] = word_value(r, word, 0);
    }
    return etm_read_run(r, procedure, arguments, n);
}

static enum etm_read_result find_command(struct etm_reader *r, const char *line)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *at = after_words(line, commands[i].words);

        if (at)
            return take_command(r, &commands[i], at);
    }
    return ETM_READ_OTHER;
}

/* Commands in quotation marks, as other programs are given them. */
static enum etm_read_result quoted_commands(struct etm_reader *r,
                                            const char *line)
{
    enum etm_read_result result = ETM_READ_OTHER;
    const char *from;
    char text[256];

    while ((from = strpbrk(line, "\"'")) != NULL &&
           (line = strchr(from + 1, *from)) != NULL) {
        struct etm_span word = {from + 1, (size_t)(line - from) - 1};

        line++;
        if (!etm_span_copy(word, text, sizeof text))
            continue;
        if (find_command(r, text) == ETM_READ_TAKEN)
            result = ETM_READ_TAKEN;
    }
    return result;
}

enum etm_read_result etm_read_command(struct etm_reader *r, const char *line)
{
    enum etm_read_result result;
    const char *at = etm_line_skip(line), *next;
    struct etm_span word;

    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        next = after_words(at, before[i]);
        if (next && *next != '\0' && *next != '=') {
            at = next;
            i = (size_t)-1; /* there may be several */
        }
    }
    next = after_words(at, "set");
    if (etm_read_assigns(at) &&
        (next || *at == '$' || *at == '&' || *at == '*' || *at == '{'))
        return etm_read_statement(r, next ? next : at);
    result = call_procedure(r, at);
    if (result == ETM_READ_OTHER)
        result = find_command(r, at);
    if (result != ETM_READ_OTHER)
        return result;
    /* $_TARGETNAME mww */
    next = at;
    word = next_word(&next);
    next = etm_line_skip(next);
    if (word.n != 0 &&
        (after_words(next, "mww") || after_words(next, "mmw") ||
         after_words(next, "write_memory") || after_words(next, "-w32")))
        return find_command(r, next);
    return quoted_commands(r, at);
}
