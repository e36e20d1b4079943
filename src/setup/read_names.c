/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of registers by their names: `NAME = VALUE` and its like, columns, the
 * registers of OpenOCD, and what Linux's driver and CSAL print in words.
 */
#include "regs/device.h"
#include "setup/read.h"

#include <string.h>

/* What separates columns, and the quotation marks and braces of JSON. */
#define APART "=:,|\"'{}"

static const char *skip_apart(const char *at)
{
    while (etm_line_blank(*at) || (*at != '\0' && strchr(APART, *at)))
        at++;
    return at;
}

/*
 * A number without 0x is that of the tool that printed it: hexadecimal if it
 * has eight digits, or a letter, or if others have a letter and all are without
 * 0x. Decimal ones with others that are hexadecimal may be either.
 */
static const char *value_at(struct etm_reader *r, const char *at,
                            struct etm_value *value)
{
    size_t n = etm_line_digits(at);
    bool letters = false, with_0x = etm_fold_begins(at, "0x"), zeros, hex;

    *value = (struct etm_value){.word = etm_line_word(at, " ")};
    for (size_t i = 0; i < n; i++)
        letters = letters || !etm_line_digit(at[i]);
    zeros = n > 1 && at[0] == '0';
    r->with_0x = r->with_0x || with_0x;
    r->of_eight = r->of_eight || (n == 8 && !with_0x);
    r->with_letters = r->with_letters || (letters && n != 8 && !with_0x);
    hex = letters || n == 8 || (r->with_letters && !r->with_0x);
    at = etm_line_number(at, hex ? 16 : 10, &value->number);
    if (!at || with_0x || hex)
        return at;
    if (value->number > (zeros ? 7u : 9u) &&
        (zeros || r->of_eight || r->with_letters))
        value->known = ETM_READ_AMBIGUOUS;
    value->word.n = n;
    return at;
}

/* `+0x040`, an offset; `reg 0x010`, a number. */
static enum etm_read_result take_number(struct etm_reader *r, const char **at,
                                        uint32_t *number)
{
    bool offset = **at == '+';
    const char *from = etm_line_skip(*at + (offset ? 1 : 3));
    const char *end = etm_line_number(from, 10, number);

    if (!end)
        return etm_read_wrong(r, "the number of the register is missing",
                              etm_line_word(from, ""));
    if (offset && *number % 4 != 0)
        return etm_read_wrong(r, "an offset has to be a multiple of 4",
                              etm_line_word(from, ""));
    if (offset)
        *number /= 4;
    if (!etm_setup_known(*number))
        return etm_read_wrong(r, "register numbers are 0 to 0x3ff",
                              etm_line_word(from, APART));
    *at = end;
    return ETM_READ_TAKEN;
}

/* The last part of a path, as `grep` gives it for a directory of files. */
static struct etm_span take_name(const char **at)
{
    struct etm_span name = {*at, 0};

    for (; **at != '\0' && !etm_line_blank(**at) && !strchr("(" APART, **at);
         (*at)++, name.n++)
        if (**at == '/')
            name = (struct etm_span){*at + 1, (size_t)-1};
    return name;
}

/* `NAME`, `NAME(0x010)`, `reg 0x010`, `+0x040`; moves *at after it. */
static enum etm_read_result take_register(struct etm_reader *r, const char **at,
                                          uint32_t *number)
{
    struct etm_span name;

    if (**at == '+' ||
        (etm_fold_begins(*at, "reg") && etm_line_blank((*at)[3])))
        return take_number(r, at, number);
    name = take_name(at);
    *number = etm_read_number(name);
    if (*number == ETM_REGISTER_NONE && etm_span_has(name, "->"))
        *number = etm_read_path(name);
    if (**at == '(') { /* as in the files of snapshots */
        struct etm_register_brackets own;
        const char *end = etm_register_brackets(*at, &own);

        if (!end)
            return etm_read_wrong(r, "the number of the register is missing",
                                  etm_line_word(*at, ""));
        *at = end;
        if (*number == ETM_REGISTER_NONE && own.number < ETM_REGISTER_NONE)
            *number = (uint32_t)own.number;
    }
    if (*number == ETM_REGISTER_NONE && !r->devices)
        return etm_read_wrong(r, "no register has that name", name);
    return ETM_READ_TAKEN;
}

/*
 * A value as the files of a snapshot's devices have it (E-313): in quotation
 * marks or not, and perhaps how the register is accessed after it, "(RW)".
 */
static const char *device_value_at(const char *at, uint32_t *value)
{
    char quote = *at;
    bool quoted = quote == '"' || quote == '\'';

    at = etm_line_number(quoted ? etm_line_skip(at + 1) : at, 10, value);
    if (at && quoted)
        at = *at == quote ? at + 1 : NULL;
    if (at && etm_register_is_access(etm_line_skip(at)))
        at += strlen(at);
    return at;
}

static enum etm_read_result device_line(struct etm_reader *r, const char *at)
{
    struct etm_value value = {0};
    uint32_t number;
    enum etm_read_result result = take_register(r, &at, &number);
    const char *end;

    /* it has others than those of the macrocell, which may be longer */
    if (result != ETM_READ_TAKEN || number == ETM_REGISTER_NONE)
        return result;
    at = etm_line_skip(at);
    at = *at == '=' || *at == ':' ? etm_line_skip(at + 1) : at;
    if (*at == '\0')
        return ETM_READ_TAKEN; /* it is not given */
    end = device_value_at(at, &value.number);
    if (!end)
        return etm_read_wrong(r, "the value is not a 32-bit number",
                              etm_line_word(at, ""));
    if (*etm_line_skip(end) != '\0')
        return etm_read_wrong(r, "unexpected text after the value",
                              etm_line_word(etm_line_skip(end), ""));
    return etm_read_register(r, number, value, ETM_READ_NAMED);
}

/* A column with the number, offset or address of the register before its
 * value. */
static const char *after_column(const char *at, uint32_t number)
{
    uint32_t v;
    const char *end = etm_line_number(at, 16, &v), *next;

    if (!end || !(etm_line_blank(*end) || strchr(APART, *end)) || *end == '\0')
        return at;
    next = skip_apart(end);
    if (!etm_line_digit(*next) && etm_line_digits(next) == 0)
        return at;
    return v == number || v % ETM_READ_FRAME == 4 * number ? next : at;
}

/* An address before the name. */
static const char *after_address(const char *at)
{
    struct etm_span word = etm_line_word(at, APART);
    uint32_t v;
    const char *end = etm_line_number(at, 16, &v);

    if (!end || end != at + word.n || word.n < 3 ||
        etm_line_name(skip_apart(end)).n == 0 ||
        etm_read_number(etm_line_word(skip_apart(end), APART)) ==
            ETM_REGISTER_NONE)
        return at;
    return skip_apart(end);
}

/* A further register with its value in the line. */
static bool is_another(const char *at)
{
    struct etm_span name = etm_line_word(at = skip_apart(at), APART);

    at = etm_line_skip(at + name.n);
    return name.n != 0 && (*at == '=' || *at == '"') &&
           etm_read_number(name) != ETM_REGISTER_NONE;
}

/* What may follow a value: the end, or a description after a whole word. */
static bool is_end(const char *value, const char *end)
{
    size_t n = (size_t)(end - value);
    const char *rest = skip_apart(end);

    return *rest == '\0' || *etm_line_skip(end) == '|' ||
           (*end == ',' && !strchr(end, '=')) || *etm_line_skip(end) == '(' ||
           ((n == 8 || n == 10) && etm_line_blank(*end) &&
            etm_line_digits(rest) == 0);
}

/* `NAME = VALUE`; moves *at after it. */
static enum etm_read_result take_named(struct etm_reader *r, const char **at)
{
    const char *from, *end;
    struct etm_value value;
    uint32_t number;
    enum etm_read_result result = take_register(r, at, &number);

    if (result != ETM_READ_TAKEN)
        return result;
    from = after_column(skip_apart(*at), number);
    end = value_at(r, from, &value);
    if (!end ||
        (*end != '\0' && !etm_line_blank(*end) && !strchr(APART "(", *end)))
        return etm_read_wrong(r, "the value is not a 32-bit number",
                              etm_line_word(from, ""));
    if (!is_end(from, end) && !is_another(end))
        return etm_read_wrong(r, "unexpected text after the value",
                              etm_line_word(etm_line_skip(end), ""));
    *at = end;
    return etm_read_register(r, number, value, ETM_READ_NAMED);
}

/* A register of another block, such as DWT_CTRL. */
static bool is_elsewhere(struct etm_span name)
{
    static const char *const blocks[] = {
        "DWT",  "ITM", "TPI", "DBGMCU", "SCB", "COREDEBUG", "DEMCR", "DHCSR",
        "ETB_", "ETF", "TMC", "CTI",    "STM", "CSTF",      "FUNNEL"};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (etm_fold_begins(name.at, blocks[i]))
            return true;
    return false;
}

/* The head of a table, and lines between its parts. */
static bool is_frame(const char *line)
{
    return line[strspn(line, " \t-+_" APART)] == '\0' ||
           ((etm_fold_begins(line = skip_apart(line), "Register") ||
             etm_fold_begins(line, "Name")) &&
            !strpbrk(line, "0123456789"));
}

enum etm_read_result etm_read_named(struct etm_reader *r, const char *line)
{
    const char *at = etm_line_skip(line);
    enum etm_read_result result;
    struct etm_span name;

    if (r->devices)
        return device_line(r, at);
    if (is_frame(at))
        return ETM_READ_TAKEN;
    at = after_address(skip_apart(at));
    name = etm_line_word(at, APART);
    if (is_elsewhere(name) && etm_read_number(name) == ETM_REGISTER_NONE)
        return etm_read_place(
            r, (struct etm_value){.known = ETM_READ_UNKNOWN, .word = name},
            (struct etm_value){0}, ETM_READ_NAMED);
    do {
        result = take_named(r, &at);
        at = skip_apart(at);
    } while (result == ETM_READ_TAKEN && is_another(at));
    return result;
}

/* OpenOCD's `reg`: `(33) ETM_ctrl (/32): 0x0000d90c (dirty)`. Other registers
 * are those of the processor; what it cannot read has no value. */
static enum etm_read_result openocd_register(struct etm_reader *r,
                                             const char *at)
{
    const char *size = strstr(at, " (/"), *end;
    struct etm_value value = {0};
    struct etm_span name;
    uint32_t number;

    if (etm_fold_begins(at, "====="))
        return ETM_READ_TAKEN;
    if (*at == '(' && etm_line_digit(at[1]) && strchr(at, ')'))
        at = etm_line_skip(strchr(at, ')') + 1);
    if (!size || size < at)
        return ETM_READ_OTHER;
    name = etm_line_word(at, "");
    number = etm_fold_begins(name.at, "ETM_") ? etm_read_number(name)
                                              : ETM_REGISTER_NONE;
    at = strchr(size, ':');
    if (number == ETM_REGISTER_NONE || !at)
        return etm_fold_begins(name.at, "ETM_") && at
                   ? etm_read_wrong(r, "no register has that name", name)
                   : ETM_READ_TAKEN;
    at = etm_line_skip(at + 1);
    end = etm_line_number(at, 16, &value.number);
    if (!end)
        return etm_read_wrong(r, "the value is not a 32-bit number",
                              etm_line_word(at, ""));
    return etm_read_register(r, number, value, ETM_READ_NAMED);
}

/* What Linux's driver (status) and CSAL call registers; the second number is
 * after the word `next`. */
static const struct {
    const char *text;
    const char *next;
    uint32_t number, second;
} phrases[] = {
    {"Enable event:", NULL, ETM_REG_TEEVR, 0},
    {"Enable start/stop:", NULL, ETM_REG_TSSCR, 0},
    {"Enable control: CR1", "CR2", ETM_REG_TECR1, ETM_REG_TECR2},
    {"CPU affinity:", NULL, ETM_REGISTER_NONE, 0},
    {"Trace enable control: CR1=", "CR2=", ETM_REG_TECR1, ETM_REG_TECR2},
    {"ViewData control 1:", NULL, ETM_REG_VDCR1, 0},
    {"ViewData control 2:", NULL, ETM_REG_VDCR2, 0},
    {"ViewData control 3:", NULL, ETM_REG_VDCR3, 0},
};

/* `#0: address=00008000 type=00000001`, `#0: value=...` of CSAL. */
static const struct {
    const char *field;
    uint32_t number;
} fields[] = {{" address=", ETM_REG_ACVR1},
              {" type=", ETM_REG_ACTR1},
              {" value=", ETM_REG_CNTVR1},
              {" reload_value=", ETM_REG_CNTRLDVR1}};

static enum etm_read_result csal_fields(struct etm_reader *r, const char *at)
{
    enum etm_read_result result = ETM_READ_OTHER;
    struct etm_value value = {0};
    uint32_t index;

    if (*at != '#' || !etm_line_number(at + 1, 10, &index) || index > 15)
        return result;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const char *field = strstr(at, fields[i].field);

        if (field &&
            etm_line_number(field + strlen(fields[i].field), 16, &value.number))
            result = etm_read_register(r, fields[i].number + index, value,
                                       ETM_READ_NAMED);
    }
    return result;
}

/* CSAL has the two halves of ETMTSSCR apart. */
static enum etm_read_result csal_half(struct etm_reader *r, const char *at,
                                      const char *text, unsigned shift)
{
    struct etm_value place = {.number = ETM_REG_TSSCR,
                              .place = ETM_READ_AT_REGISTER};
    struct etm_value value = etm_read_stored(r, place);
    uint32_t half;

    if (!etm_fold_begins(at, text) ||
        !etm_line_number(etm_line_skip(at + strlen(text)), 16, &half))
        return ETM_READ_OTHER;
    value = (struct etm_value){.number = value.number | half << shift};
    return etm_read_register(r, ETM_REG_TSSCR, value, ETM_READ_NAMED);
}

static enum etm_read_result phrase(struct etm_reader *r, const char *at,
                                   size_t i)
{
    struct etm_value value = {0};
    const char *from = etm_line_skip(at + strlen(phrases[i].text));

    if (phrases[i].number == ETM_REGISTER_NONE)
        return ETM_READ_TAKEN;
    from = etm_line_number(from, 16, &value.number);
    if (!from)
        return etm_read_wrong(r, "the value is not a 32-bit number",
                              etm_line_word(at + strlen(phrases[i].text), ""));
    (void)etm_read_register(r, phrases[i].number, value, ETM_READ_NAMED);
    if (!phrases[i].next || !(from = strstr(from, phrases[i].next)))
        return ETM_READ_TAKEN;
    if (!etm_line_number(etm_line_skip(from + strlen(phrases[i].next)), 16,
                         &value.number))
        return etm_read_wrong(r, "the value is not a 32-bit number",
                              etm_line_word(from, ""));
    return etm_read_register(r, phrases[i].second, value, ETM_READ_NAMED);
}

enum etm_read_result etm_read_prose(struct etm_reader *r, const char *line)
{
    const char *at = etm_line_skip(line);
    enum etm_read_result result = openocd_register(r, at);

    if (result != ETM_READ_OTHER)
        return result;
    if (etm_fold_begins(at, "ETM static configuration:") ||
        etm_fold_begins(at, "ETM dynamic configuration:")) {
        r->prose = true;
        return ETM_READ_TAKEN;
    }
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (etm_fold_begins(at, phrases[i].text))
            return phrase(r, at, i);
    if (!r->prose)
        return ETM_READ_OTHER;
    result = csal_fields(r, at);
    if (result == ETM_READ_OTHER)
        result = csal_half(r, at, "Trace start comparators:", 0);
    if (result == ETM_READ_OTHER)
        result = csal_half(r, at, "Trace stop comparators:", 16);
    /* the rest says in words what registers have */
    return result == ETM_READ_OTHER && !etm_fold_begins(at, "ETM")
               ? ETM_READ_TAKEN
               : result;
}
