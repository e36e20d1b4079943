/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory as debuggers list it: `0xe0041000: 00000d90 8c842000` (OpenOCD, U-Boot
 * and pyOCD, with the characters after it), `0xe0041000 <name>: 0x00000d90`
 * (GDB), `E0041000 = 00000D90` (J-Link), `SD:E0041000|>00000D90` (TRACE32); and
 * the answers to commands that read one word.
 */
#include "setup/read.h"

#include "base/diag.h"

#include <string.h>

static const char wrong[] = "a line of memory is an address and words of 32 "
                            "bits";

/* Eight digits. */
static bool is_word(const char *at)
{
    at += etm_fold_begins(at, "0x") ? 2 : 0;
    return etm_line_digits(at) == 8 && (at[8] == '\0' || etm_line_blank(at[8]));
}

/* The address, and after what separates it from the words; NULL: it is no such
 * line. */
static const char *address_at(const char *line, uint32_t *address)
{
    const char *at = etm_line_skip(line), *from;
    struct etm_span class = etm_line_name(at);

    if (class.n != 0 && at[class.n] == ':' &&
        etm_line_digits(at + class.n + 1) >= 4)
        at += class.n + 1;
    from = at;
    at = etm_line_number(at, 16, address);
    if (!at || at - from < 4)
        return NULL;
    at = etm_line_skip(at);
    if (*at == '<' && strchr(at, '>'))
        at = etm_line_skip(strchr(at, '>') + 1);
    if (*at == '|') /* and a mark in some lines */
        return at + 1 + (at[1] == '>');
    if (*at == ':' || *at == '=')
        return at + 1;
    /* columns */
    return is_word(from) && is_word(at) ? at : NULL;
}

/* Whether this may be the column with a character for each byte of `words`. */
static bool is_characters(const char *at, size_t words)
{
    size_t n = 0;

    if (words != 0 && strchr("|'\"", *at))
        return true;
    for (; *at != '\0'; at++)
        n += ((unsigned char)*at & 0xc0) != 0x80; /* of UTF-8 */
    return words != 0 && n <= 4 * words + 2;
}

/* Memory that could not be read. */
static bool is_missing(struct etm_span word)
{
    for (size_t i = 0; i < word.n; i++)
        if (!strchr("?-xX*", word.at[i]))
            return false;
    return word.n == 8;
}

/* Bytes and halfwords: there is no telling in which order. */
static bool is_narrow(const char *at)
{
    bool with_0x = etm_fold_begins(at, "0x");
    size_t n = etm_line_digits(at + (with_0x ? 2 : 0));
    const char *next = etm_line_skip(at + (with_0x ? 2 : 0) + n);

    return (n == 2 || n == 4) && (!with_0x || (etm_fold_begins(next, "0x") &&
                                               etm_line_digits(next + 2) == n));
}

enum etm_read_result etm_read_memory(struct etm_reader *r, const char *line)
{
    uint32_t address, first;
    const char *at = address_at(line, &address);
    size_t n = 0;

    if (!at && strstr(line, "address|")) /* the head of TRACE32's columns */
        return ETM_READ_TAKEN;
    if (!at)
        return ETM_READ_OTHER;
    at = etm_line_skip(at);
    if (is_narrow(at))
        return etm_read_wrong(r, wrong, etm_line_word(at, ""));
    r->awaits = false;
    first = address;
    for (; *at != '\0'; at = etm_line_skip(at), address += 4, n++) {
        struct etm_span word = etm_line_word(at, "");
        struct etm_value value = {0};
        const char *end = etm_line_number(at, 16, &value.number);

        if (is_missing(word)) {
            at += word.n;
            continue;
        }
        if (n != 0 && (end != at + word.n || word.n < 8) &&
            is_characters(at, n))
            break;
        if (end != at + word.n || address % 4 != 0)
            return etm_read_wrong(r, wrong, word);
        if ((first ^ address) / ETM_READ_FRAME != 0)
            return etm_read_wrong(
                r, "a line of memory goes beyond the registers", word);
        if (etm_read_access(r, address, value, ETM_READ_LISTED) ==
            ETM_READ_WRONG)
            return ETM_READ_WRONG;
        at = end;
    }
    return n != 0 ? ETM_READ_TAKEN
                  : etm_read_wrong(r, wrong, (struct etm_span){0});
}

/* Commands whose answers are read, or which have none. */
static const struct {
    const char *words;
    char how; /* 'A' one word at an address; 'E' of an expression; 'F' a file of
                 Linux's driver; 0: the answer says where */
} queries[] = {
    {"mrw", 'A'},      {"devmem", 'A'},   {"devmem2", 'A'}, {"p/x", 'E'},
    {"print/x", 'E'},  {"output/x", 'E'}, {"p", 'E'},       {"print", 'E'},
    {"cat", 'F'},      {"mdw", 0},        {"mem32", 0},     {"mem", 0},
    {"read32", 0},     {"rw", 0},         {"md.l", 0},      {"md", 0},
    {"Data.dump", 0},  {"D.dump", 0},     {"D", 0},         {"PER.view", 0},
    {"grep", 0},       {"monitor", 0},    {"Data.List", 0}, {"memory", 0},
    {"monitor mdw", 0}};

static void await(struct etm_reader *r, char how, const char *at)
{
    char text[128];
    size_t n = how == 'E' ? strlen(at) : etm_line_word(at, "").n;

    if (!etm_span_copy((struct etm_span){at, n}, text, sizeof text))
        return;
    if (how == 'F') {
        const char *name = strrchr(text, '/');

        r->awaited = (struct etm_value){
            .number = etm_register_number(name ? name + 1 : text),
            .place = ETM_READ_AT_REGISTER};
        r->awaits = r->awaited.number != ETM_REGISTER_NONE;
        return;
    }
    r->awaited = etm_read_lvalue(r, text);
    if (how == 'A')
        r->awaited.place = ETM_READ_AT_MEMORY;
    r->awaits = r->awaited.known == ETM_READ_KNOWN &&
                r->awaited.place != ETM_READ_AT_NONE;
}

enum etm_read_result etm_read_query(struct etm_reader *r, const char *line)
{
    line = etm_line_skip(line);
    if (etm_fold_begins(line, "x/")) {
        r->awaits = false;
        return ETM_READ_TAKEN;
    }
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        size_t n = strlen(queries[i].words);

        if (!etm_fold_begins(line, queries[i].words) ||
            !etm_line_blank(line[n]))
            continue;
        r->awaits = false;
        if (queries[i].how != 0)
            await(r, queries[i].how, etm_line_skip(line + n));
        return ETM_READ_TAKEN;
    }
    return ETM_READ_OTHER;
}

/* `Value at address 0xf889c000 (0xb6f8a000): 0x400` of devmem2, and what it
 * says before it. */
static enum etm_read_result devmem2(struct etm_reader *r, const char *line)
{
    static const char *const begins[] = {"Value at address ",
                                         "Read at address "};
    struct etm_value value = {0};
    uint32_t address;

    if (etm_fold_begins(line, "/dev/mem opened") ||
        etm_fold_begins(line, "Memory mapped at address"))
        return ETM_READ_TAKEN;
    for (size_t i = 0; i < 2; i++) {
        const char *at = line + strlen(begins[i]), *last = strrchr(line, ':');

        if (!etm_fold_begins(line, begins[i]) || !last)
            continue;
        last = etm_line_skip(last + 1);
        if (!etm_line_number(etm_line_skip(at), 16, &address) ||
            !etm_line_number(last, 16, &value.number))
            return etm_read_wrong(r, "the value is not a 32-bit number",
                                  etm_line_word(last, ""));
        r->awaits = false;
        return etm_read_access(r, address, value, ETM_READ_LISTED);
    }
    return ETM_READ_OTHER;
}

enum etm_read_result etm_read_answer(struct etm_reader *r, const char *line)
{
    const char *at = etm_line_skip(line);
    struct etm_value value;
    enum etm_read_result result = devmem2(r, at);

    if (result != ETM_READ_OTHER)
        return result;
    if (!r->awaits)
        return ETM_READ_OTHER;
    if (*at == '$' && etm_line_digit(at[1]) && strchr(at, '='))
        at = etm_line_skip(strchr(at, '=') + 1);
    if (!etm_line_digit(*at))
        return ETM_READ_OTHER;
    value = etm_read_value(r, at, 0);
    if (value.known != ETM_READ_KNOWN)
        return etm_read_wrong(r, "the value is not a 32-bit number",
                              value.word);
    r->awaits = false;
    return etm_read_place(r, r->awaited, value, ETM_READ_LISTED);
}
