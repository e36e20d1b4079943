/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From text to a setup. The format is recognized: commands for Linux's driver,
 * calls of etm_write, an array in C, a table, or memory as listed by a
 * debugger.
 */
#include "base/diag.h"
#include "base/mark.h"
#include "setup/setup.h"

#include "model/registers.h"

#include <string.h>

#define LINE 512

struct reader {
    struct etm_setup *setup;
    struct etm_setup_sysfs sysfs;
    enum etm_setup_format format;
    bool comment; /* of C, over several lines */
    bool devices; /* a snapshot's file: registers are only in [regs] */
    bool inside;  /* ... and this is the current section */
};

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip(const char *text)
{
    while (blank(*text))
        text++;
    return text;
}

/* A number in `base`, or hexadecimal after 0x; NULL if there is no 32-bit
 * number. */
static const char *based_at(const char *text, unsigned base, uint32_t *value)
{
    uint64_t v = 0;
    size_t n = 0;

    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    }
    for (;; text++, n++) {
        char c = *text;
        unsigned digit = 99;

        if (c >= '0' && c <= '9')
            digit = (unsigned)(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = (unsigned)(c - 'a') + 10;
        else if (c >= 'A' && c <= 'F')
            digit = (unsigned)(c - 'A') + 10;
        if (digit >= base)
            break;
        v = v * base + digit;
        if (v > UINT32_MAX)
            return NULL;
    }
    *value = (uint32_t)v;
    return n != 0 ? text : NULL;
}

static const char *number_at(const char *text, uint32_t *value)
{
    return based_at(text, 10, value);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Add a value if its register is programmable; other values in a script belong
 * to its procedure. */
static const char *keep(struct reader *r, uint32_t number, uint32_t value)
{
    if (r->format != ETM_SETUP_FORMAT_TABLE && !etm_setup_programmable(number))
        return NULL;
    if (number >= ETM_REGISTERS)
        return "register numbers are 0 to 0x3ff";
    return etm_setup_set(r->setup, number, value) == ETM_OK
               ? NULL
               : "more registers than a setup can hold";
}

/* Remove comments from a line: `#`, `;`, two slashes, and those of C. */
static void strip(struct reader *r, char *line)
{
    char *to = line;

    for (const char *at = line; *at != '\0'; at++) {
        if (r->comment) {
            if (at[0] == '*' && at[1] == '/') {
                r->comment = false;
                at++;
            }
            continue;
        }
        if (at[0] == '/' && at[1] == '*') {
            r->comment = true;
            at++;
            continue;
        }
        if (*at == '#' || *at == ';' || (at[0] == '/' && at[1] == '/'))
            break;
        *to++ = *at;
    }
    while (to > line && blank(to[-1]))
        to--;
    *to = '\0';
}

/* `NAME`, `NAME(0x010)`, `reg 0x010`, `+0x040`; moves *at after it. */
static const char *take_register(const char **at, uint32_t *number)
{
    char name[32];
    const char *end = *at;
    size_t n = 0;

    if (*end == '+') {
        end = number_at(end + 1, number);
        if (!end || *number % 4 != 0)
            return "an offset has to be a multiple of 4";
        *number /= 4;
        *at = end;
        return NULL;
    }
    if (begins(end, "reg") && blank(end[3])) {
        end = number_at(skip(end + 3), number);
        if (!end)
            return "the number of the register is missing";
        *at = end;
        return NULL;
    }
    while (*end != '\0' && !blank(*end) && !strchr("=:(,", *end)) {
        if (n + 1 == sizeof name)
            return "no register has that name";
        name[n++] = *end++;
        /* the output of `grep` for a directory of files, such as Linux's
         * mgmt */
        if (name[n - 1] == '/')
            n = 0;
    }
    name[n] = '\0';
    *number = etm_register_number(name);
    if (*end == '(') /* as in the files of snapshots */
        end = number_at(end + 1, number);
    if (end && *end == ')')
        end++;
    if (!end || *number == ETM_REGISTER_NONE)
        return "no register has that name";
    *at = end;
    return NULL;
}

/* "[regs]", in any case. */
static bool begins_section(const char *line)
{
    static const char name[] = "[REGS]";

    for (size_t i = 0; name[i] != '\0'; i++) {
        char c = line[i];

        if (c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        if (c != name[i])
            return false;
    }
    return true;
}

/*
 * A value as the files of a snapshot's devices have it (E-313): in quotation
 * marks or not, and perhaps how the register is accessed after it, "(RW)".
 */
static const char *device_value_at(const char *at, uint32_t *value)
{
    char quote = *at;
    bool quoted = quote == '"' || quote == '\'';

    at = number_at(quoted ? skip(at + 1) : at, value);
    if (at && quoted)
        at = *at == quote ? at + 1 : NULL;
    if (at && *skip(at) == '(' && at[strlen(at) - 1] == ')')
        at += strlen(at);
    return at;
}

/* Size of the memory of a macrocell's registers, and its alignment. */
#define FRAME 0x1000u

/* Whether reading the register gives its value. Others read as nothing useful,
 * or have side effects. */
static bool is_read(uint32_t number)
{
    return etm_register_name(number) != NULL && number != ETM_REG_LAR &&
           number != ETM_REG_OSLAR && number != ETM_REG_OSSRR;
}

/*
 * Memory as debuggers list it, `0xe0041000: 00000d90 8c842000` (OpenOCD),
 * `0xe0041000 <name>: 0x00000d90 0x8c842000` (GDB) or `E0041000 = 00000D90`
 * (J-Link): the registers in order from the address on. Returns NULL; what is
 * wrong; or `line` if it is not such a line.
 */
static const char *read_memory(struct reader *r, const char *line)
{
    static const char wrong[] = "a line of memory is an address and words of "
                                "32 bits";
    uint32_t address, value;
    const char *at = based_at(line, 16, &address);

    if (!at || at - line < 4)
        return line;
    at = skip(at);
    if (*at == '<' && strchr(at, '>'))
        at = skip(strchr(at, '>') + 1);
    if (*at != ':' && *at != '=')
        return line;
    address %= FRAME;
    for (at = skip(at + 1); *at != '\0'; at = skip(at), address += 4) {
        const char *why;

        at = based_at(at, 16, &value);
        if (!at || (*at != '\0' && !blank(*at)) || address % 4 != 0)
            return wrong;
        if (address >= FRAME)
            return "a line of memory goes beyond the registers";
        why = is_read(address / 4) ? keep(r, address / 4, value) : NULL;
        if (why)
            return why;
    }
    return NULL;
}

/* The command that made a listing, in a terminal's text. */
static bool is_prompt(const char *line)
{
    static const char *const prompts[] = {">", "(gdb)", "J-Link>"};

    for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++)
        if (begins(line, prompts[i]))
            return true;
    return false;
}

static const char *read_table(struct reader *r, const char *line)
{
    const char *at = skip(line), *wrong;
    uint32_t number, value;

    if (*at == '[')
        r->inside = begins_section(at);
    if (*at == '\0' || *at == '[' || (r->devices && !r->inside) ||
        is_prompt(at))
        return NULL;
    wrong = r->devices ? at : read_memory(r, at);
    if (wrong != at)
        return wrong;
    wrong = take_register(&at, &number);
    if (wrong)
        return wrong;
    at = skip(at);
    if (*at == '=' || *at == ':')
        at = skip(at + 1);
    if (r->devices && *at == '\0')
        return NULL; /* it is not given */
    at = r->devices ? device_value_at(at, &value) : number_at(at, &value);
    if (!at)
        return "the value is not a 32-bit number";
    if (*skip(at) != '\0')
        return "unexpected text after the value";
    return keep(r, number, value);
}

/* `{0x010, 0x8000},` */
static const char *read_c(struct reader *r, const char *line)
{
    const char *at = skip(line);
    uint32_t number, value;

    if (*at != '{' || !strchr("0123456789", *skip(at + 1)) ||
        *skip(at + 1) == '\0')
        return NULL;
    at = number_at(skip(at + 1), &number);
    if (!at || *(at = skip(at)) != ',')
        return "not a pair {number, value}";
    at = number_at(skip(at + 1), &value);
    if (!at || *skip(at) != '}')
        return "not a pair {number, value}";
    return keep(r, number, value);
}

/* `etm_write 0x010 0x8000`, and the variable for ETMCR; computed values belong
 * to the procedure. */
static const char *read_script(struct reader *r, const char *line)
{
    const char *at = skip(line);
    uint32_t number, value;

    if (begins(at, "set etmcr ") || begins(at, "set $etmcr = ")) {
        at += strlen(at[4] == '$' ? "set $etmcr = " : "set etmcr ");
        if (*at < '0' || *at > '9')
            return NULL;
        at = number_at(at, &value);
        if (!at || *skip(at) != '\0')
            return "ETMCR is not a 32-bit number";
        return keep(r, ETM_REG_CR, value);
    }
    if (!begins(at, "etm_write "))
        return NULL;
    at = number_at(skip(at + strlen("etm_write ")), &number);
    if (!at || !blank(*at))
        return "etm_write: the number of the register is missing";
    at = skip(at);
    if (number == ETM_REG_CR && (*at < '0' || *at > '9'))
        return NULL;
    at = number_at(at, &value);
    if (!at || *skip(at) != '\0')
        return "etm_write: the value is not a 32-bit number";
    return keep(r, number, value);
}

/* `echo VALUE > PATH/ATTRIBUTE` */
static const char *read_echo(struct reader *r, char *line)
{
    char *at = line, *arrow, *end;
    const char *name;

    while (blank(*at))
        at++;
    if (!begins(at, "echo "))
        return NULL;
    arrow = strchr(at, '>');
    if (!arrow)
        return "echo: there is no file to write to";
    *arrow = '\0';
    name = strrchr(arrow + 1, '/');
    name = name ? name + 1 : skip(arrow + 1);
    end = arrow;
    for (char *c = at; c < end; c++)
        if (*c == '"' || *c == '\'')
            *c = ' ';
    return etm_setup_read_sysfs(r->setup, &r->sysfs, name,
                                skip(at + strlen("echo ")));
}

static const char *read_line(struct reader *r, char *line)
{
    strip(r, line);
    switch (r->format) {
    case ETM_SETUP_FORMAT_TABLE:
        return read_table(r, line);
    case ETM_SETUP_FORMAT_C:
        return read_c(r, line);
    case ETM_SETUP_FORMAT_OPENOCD:
    case ETM_SETUP_FORMAT_GDB:
        return read_script(r, line);
    case ETM_SETUP_FORMAT_SYSFS:
        return read_echo(r, line);
    }
    return NULL;
}

/* Copy the line at *at and move after it; false if it is too long or holds a
   zero. */
static bool next_line(const char **at, const char *end, char *line)
{
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    size_t n = (size_t)((newline ? newline : end) - *at);
    bool good = n < LINE && !memchr(*at, '\0', n);

    if (good) {
        memcpy(line, *at, n);
        line[n] = '\0';
    }
    *at = newline ? newline + 1 : end;
    return good;
}

/* The format by the first line that shows it; a table shows nothing. */
static enum etm_setup_format find_format(const char *text, const char *end,
                                         bool *devices)
{
    char line[LINE];

    while (text < end) {
        const char *at;

        if (!next_line(&text, end, line))
            continue;
        at = skip(line);
        if (begins_section(at)) {
            *devices = true;
            return ETM_SETUP_FORMAT_TABLE;
        }
        if (begins(at, "echo ") || begins(at, "etm=/sys/"))
            return ETM_SETUP_FORMAT_SYSFS;
        if (begins(at, "define etm_") || begins(at, "set $etm"))
            return ETM_SETUP_FORMAT_GDB;
        if (begins(at, "proc etm_") || begins(at, "set etm") ||
            begins(at, "etm_write "))
            return ETM_SETUP_FORMAT_OPENOCD;
        if (begins(at, "#include") || begins(at, "static const") ||
            begins(at, "{0x"))
            return ETM_SETUP_FORMAT_C;
    }
    return ETM_SETUP_FORMAT_TABLE;
}

int etm_setup_read(struct etm_setup *setup, const char *text, size_t length,
                   struct etm_diag *diag)
{
    struct reader r = {.setup = setup};
    const char *at = text, *end;
    char line[LINE];
    uint64_t n = 0;

    if (!setup || (!text && length != 0))
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "setup", "none given");
    setup->n = 0;
    if (length == 0)
        return etm_diag_say(diag, ETM_ERR_FORMAT, NULL, "it is empty");
    end = text + length;
    at += etm_mark_size(text, length);
    r.format = find_format(at, end, &r.devices);
    while (at < end) {
        const char *wrong = "not a line of text, or longer than 511 characters";

        n++;
        if (next_line(&at, end, line))
            wrong = read_line(&r, line);
        if (!wrong)
            continue;
        (void)etm_diag_say(diag, ETM_ERR_FORMAT, NULL, wrong);
        if (diag)
            diag->line = n;
        return ETM_ERR_FORMAT;
    }
    if (setup->n == 0)
        return etm_diag_say(diag, ETM_ERR_FORMAT, NULL, "no register in it");
    return ETM_OK;
}
