/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of C, Python and GDB that write memory: assignments and calls. */
#include "setup/read.h"

#include <string.h>

/* Calls that write memory: which argument is what. */
static const struct call {
    const char *name; /* the last name of a path */
    uint8_t address, value;
    char how; /* '=' the value; '|' bits to set; '&' bits to clear; '+' the
                 address is an offset; 'm' bits to clear, then bits to set */
} calls[] = {
    {"_WDWORD", 0, 1, '='},            /* Keil */
    {"__writeMemory32", 1, 0, '='},    /* IAR */
    {"JLINK_MEM_WriteU32", 0, 1, '='}, /* SEGGER */
    {"JLINKARM_WriteU32", 0, 1, '='},
    {"MEM_WriteU32", 0, 1, '='},
    {"WriteU32", 0, 1, '='},
    {"write32", 0, 1, '='}, /* pyOCD */
    {"write_memory", 0, 1, '='},
    {"write_u32", 0, 1, '='},
    {"memory_write32", 0, 1, '='},
    {"ETM_STORE", 0, 1, '='}, /* of etm configure */
    {"writel", 1, 0, '='},    /* Linux, U-Boot */
    {"writel_relaxed", 1, 0, '='},
    {"__raw_writel", 1, 0, '='},
    {"iowrite32", 1, 0, '='},
    {"out_le32", 0, 1, '='},
    {"etm_writel", 2, 1, '+'},
    {"Xil_Out32", 0, 1, '='},
    {"mmio_write_32", 0, 1, '='},
    {"sys_write32", 1, 0, '='}, /* Zephyr */
    {"write_volatile", 0, 1, '='},
    {"putreg32", 1, 0, '='},  /* NuttX */
    {"WRITE_REG", 0, 1, '='}, /* ST */
    {"SET_BIT", 0, 1, '|'},
    {"CLEAR_BIT", 0, 1, '&'},
    {"MODIFY_REG", 0, 1, 'm'},
};

/* The operator that assigns at the top level of a text: its `=`; NULL. */
static const char *assignment_in(const char *text)
{
    int depth = 0;
    char quote = '\0';

    for (const char *at = text; *at != '\0'; at++) {
        char last = at > text ? at[-1] : ' ';

        if (quote != '\0') {
            quote = *at == quote ? '\0' : quote;
            continue;
        }
        if (*at == '"')
            quote = *at;
        depth += (*at == '(' || *at == '[' || *at == '{') -
                 (*at == ')' || *at == ']' || *at == '}');
        if (*at != '=' || depth != 0)
            continue;
        if (at[1] == '=') {
            at++;
            continue;
        }
        if ((last == '<' || last == '>') && at > text + 1 && at[-2] == last)
            return at;
        if (last != '!' && last != '<' && last != '>')
            return at;
    }
    return NULL;
}

bool etm_read_assigns(const char *text)
{
    return assignment_in(text) != NULL;
}

/* After `if (...)` and the like. */
static const char *after_control(const char *text)
{
    static const char *const words[] = {"if",     "while", "for",
                                        "else",   "do",    "switch",
                                        "return", "until", "volatile"};
    bool again = true;

    while (again) {
        struct etm_span word = etm_line_name(text = etm_line_skip(text));

        again = false;
        for (size_t i = 0; i < sizeof words / sizeof *words && !again; i++) {
            if (!etm_span_is(word, words[i]))
                continue;
            text = etm_line_skip(text + word.n);
            if (*text == '(' && i != 3 && i != 6)
                text = etm_line_balanced(text);
            again = true;
        }
    }
    return text;
}

/* A copy of what is before `end`, without blanks around it. */
static bool copy_part(const char *from, const char *end, char *to, size_t room)
{
    from = etm_line_skip(from);
    while (end > from && (etm_line_blank(end[-1]) || end[-1] == '\n'))
        end--;
    return end >= from &&
           etm_span_copy((struct etm_span){from, (size_t)(end - from)}, to,
                         room);
}

/*
 * The name that a declaration or an assignment to a variable gives a value:
 * `x`, `$x`, `&x`, `volatile uint32_t *const x`. *pointer: the size of what it
 * points to.
 */
static struct etm_span variable_of(const char *left, uint8_t *pointer,
                                   bool *declared)
{
    struct etm_span name = {0};
    size_t words = 0;

    *pointer = 0;
    if (*left == '$' || *left == '&')
        left++;
    else if (*left == '*')
        return name;
    for (const char *at = left; *at != '\0';) {
        struct etm_span word = etm_line_name(at);

        if (*at == '*')
            *pointer = strstr(left, "8_t") || strstr(left, "char") ||
                               strstr(left, "void")
                           ? 1
                           : 4;
        else if (word.n != 0)
            name = word, words++;
        else if (!etm_line_blank(*at))
            return (struct etm_span){0};
        at += word.n != 0 ? word.n : 1;
    }
    *declared = words > 1;
    return name;
}

/* `a OP b` */
static struct etm_value apply(struct etm_value a, char op, struct etm_value b)
{
    struct etm_value v = {0};

    if (a.known != ETM_READ_KNOWN || b.known != ETM_READ_KNOWN)
        return a.known > b.known ? a : b;
    switch (op) {
    case '|':
        v.number = a.number | b.number;
        break;
    case '&':
        v.number = a.number & b.number;
        break;
    case '^':
        v.number = a.number ^ b.number;
        break;
    case '+':
        v.number = a.number + b.number;
        break;
    case '-':
        v.number = a.number - b.number;
        break;
    default:
        v.known = ETM_READ_UNKNOWN;
        break;
    }
    return v;
}

static void assign_variable(struct etm_reader *r, struct etm_span name, char op,
                            struct etm_value value, uint8_t pointer)
{
    const struct etm_read_name *before = etm_read_find(r, name);

    if (op != '=') {
        struct etm_value old = {.known = ETM_READ_UNKNOWN, .word = name};

        value = apply(before ? before->value : old, op, value);
    } else if (pointer != 0) {
        value.scale = pointer;
    }
    etm_read_define(r, name, value);
}

static enum etm_read_result assign(struct etm_reader *r, const char *text,
                                   const char *equals)
{
    const char *end = equals, *next = assignment_in(equals + 1), *right;
    bool shift = equals > text + 1 && (equals[-1] == '<' || equals[-1] == '>');
    char op =
        equals > text && strchr("|&^+-*/%", equals[-1]) ? equals[-1] : '=';
    char left[160];
    struct etm_value value, place;
    struct etm_span name;
    uint8_t pointer = 0;
    bool declared = false;

    if (shift)
        op = '<';
    end -= op == '=' ? 0 : op == '<' ? 2 : 1;
    if (!copy_part(text, end, left, sizeof left) || left[0] == '\0')
        return ETM_READ_OTHER;
    if (next) { /* a = b = 5 */
        enum etm_read_result result = assign(r, equals + 1, next);

        if (result == ETM_READ_WRONG)
            return result;
    }
    right = next ? next + 1 : equals + 1;
    value = etm_read_value(r, right, 0);
    name = variable_of(left, &pointer, &declared);
    if (name.n != 0) {
        place = etm_read_lvalue(r, left);
        if (declared || !r->source || place.place == ETM_READ_AT_NONE ||
            (etm_read_find(r, name) && !etm_read_find(r, name)->macro)) {
            if (*left == '&') /* TRACE32 */
                value = etm_read_value(r, right, 16);
            assign_variable(r, name, op, value, pointer);
            return ETM_READ_TAKEN;
        }
    } else {
        place = etm_read_lvalue(r, left);
    }
    if (place.place == ETM_READ_AT_NONE && place.known == ETM_READ_KNOWN)
        return ETM_READ_OTHER;
    if (op != '=')
        value = apply(etm_read_stored(r, place), op, value);
    return etm_read_place(r, place, value, ETM_READ_WRITTEN);
}

/* The arguments of a call; how many there are. */
static size_t arguments_of(const char *open, char (*to)[128], size_t room)
{
    const char *at = open + 1, *from = at;
    size_t n = 0;
    int depth = 0;

    for (; *at != '\0' && depth >= 0; at++) {
        if (depth == 0 && (*at == ',' || *at == ')')) {
            if (n == room || !copy_part(from, at, to[n], sizeof to[n]))
                return n;
            n++;
            from = at + 1;
        }
        depth += (*at == '(' || *at == '[' || *at == '{') -
                 (*at == ')' || *at == ']' || *at == '}');
    }
    return n == 1 && to[0][0] == '\0' ? 0 : n;
}

static enum etm_read_result take_call(struct etm_reader *r,
                                      const struct call *call,
                                      char (*arguments)[128], size_t n)
{
    struct etm_value place, value, old;

    if (n <= call->address || n <= call->value)
        return ETM_READ_OTHER;
    place = etm_read_lvalue(r, arguments[call->address]);
    value = etm_read_value(r, arguments[call->value], 0);
    if (call->how == '+' && place.place == ETM_READ_AT_NONE) {
        place.number /= 4;
        place.place = ETM_READ_AT_REGISTER;
    }
    if (place.place == ETM_READ_AT_NONE)
        place.place = ETM_READ_AT_MEMORY;
    old = etm_read_stored(r, place);
    if (call->how == '|')
        value = apply(old, '|', value);
    if (call->how == '&' || call->how == 'm') {
        value.number = ~value.number;
        value = apply(old, '&', value);
    }
    if (call->how == 'm' && n > 2)
        value = apply(value, '|', etm_read_value(r, arguments[2], 0));
    return etm_read_place(r, place, value, ETM_READ_WRITTEN);
}

/* `a.b->NAME(...)` */
static enum etm_read_result call(struct etm_reader *r, const char *text)
{
    const char *open = strchr(text, '('), *from;
    struct etm_span name, path;
    char arguments[4][128];
    size_t n;

    if (!open)
        return ETM_READ_OTHER;
    path = (struct etm_span){text, (size_t)(open - text)};
    while (path.n > 0 && etm_line_blank(path.at[path.n - 1]))
        path.n--;
    from = path.at + path.n;
    while (from > path.at && etm_line_letter(from[-1]))
        from--;
    name = (struct etm_span){from, (size_t)(path.at + path.n - from)};
    if (name.n == 0)
        return ETM_READ_OTHER;
    n = arguments_of(open, arguments, 4);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (etm_span_is(name, calls[i].name))
            return take_call(r, &calls[i], arguments, n);
    if (name.n == path.n && etm_read_find(r, name)) {
        struct etm_value values[4];

        for (size_t i = 0; i < n; i++)
            values[i] = etm_read_value(r, arguments[i], 0);
        return etm_read_run(r, etm_read_find(r, name), values, n);
    }
    return ETM_READ_OTHER;
}

/* One of several that commas separate, up to `end`. */
static enum etm_read_result part(struct etm_reader *r, const char *text,
                                 const char *end)
{
    char copy[512];
    const char *equals;

    if (!copy_part(text, end, copy, sizeof copy))
        return ETM_READ_OTHER;
    equals = assignment_in(copy);
    return equals ? assign(r, copy, equals) : ETM_READ_OTHER;
}

enum etm_read_result etm_read_statement(struct etm_reader *r, const char *text)
{
    enum etm_read_result result = ETM_READ_OTHER;
    const char *at;
    int depth = 0;

    text = after_control(text);
    if (!assignment_in(text))
        return call(r, text);
    for (at = text; result != ETM_READ_WRONG; at++) {
        depth += (*at == '(' || *at == '[' || *at == '{') -
                 (*at == ')' || *at == ']' || *at == '}');
        if (*at != '\0' && (*at != ',' || depth != 0))
            continue;
        result = part(r, text, at);
        if (*at == '\0')
            break;
        text = at + 1;
    }
    return result;
}
