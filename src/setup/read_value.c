/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions of C, Tcl, GDB and shells, as scripts have them for addresses and
 * values. Whatever cannot be calculated is a value that is not known, with the
 * word because of which it is not.
 */
#include "setup/read.h"

#include <string.h>

/* Levels of brackets, macros and operators. */
#define DEPTH 40

/* Parts of an expression, with those of its macros. */
#define STEPS 300

struct parser {
    struct etm_reader *r;
    const char *at;
    unsigned base; /* of numbers without 0x; 0: as in C */
};

static struct etm_value parse_binary(struct parser *p, int level);

static struct etm_value known(uint32_t number)
{
    return (struct etm_value){.number = number};
}

static struct etm_value vague(enum etm_read_known how, struct etm_span word)
{
    return (struct etm_value){.known = how, .word = word};
}

/* The value in a place. */
static struct etm_value load(struct parser *p, struct etm_value v)
{
    return v.place == ETM_READ_AT_NONE ? v : etm_read_stored(p->r, v);
}

/* After a number: the letters of C for its type. */
static const char *after_suffix(const char *at)
{
    while (*at != '\0' && strchr("uUlL", *at))
        at++;
    return at;
}

/* Up to what cannot be in a number, for a message. */
static struct etm_span number_word(const char *at)
{
    size_t n = 0;

    while (etm_line_letter(at[n]))
        n++;
    return (struct etm_span){at, n};
}

/* 0b101; NULL if it is none. */
static const char *binary_at(const char *at, uint32_t *value)
{
    if (at[0] != '0' || (at[1] != 'b' && at[1] != 'B'))
        return NULL;
    return etm_line_number(at + 2, 2, value);
}

static struct etm_value parse_number(struct parser *p)
{
    struct etm_span word = number_word(p->at);
    bool with_0x = etm_fold_begins(p->at, "0x");
    const char *end;
    uint32_t v;

    p->at += word.n;
    if (p->base == 16 && !with_0x && *p->at == '.') { /* TRACE32's decimal */
        p->at++;
        end = etm_line_number(word.at, 10, &v);
        return end == word.at + word.n ? known(v)
                                       : vague(ETM_READ_UNDEFINED, word);
    }
    end = p->base == 16 ? NULL : binary_at(word.at, &v);
    if (!end)
        end = etm_line_number(word.at, p->base == 0 ? 10 : p->base, &v);
    if (!end || after_suffix(end) != word.at + word.n)
        return vague(ETM_READ_UNDEFINED, word);
    if (p->base == 0 && !with_0x && word.at[0] == '0' && v > 7 &&
        etm_line_digit(word.at[1]))
        return vague(ETM_READ_AMBIGUOUS, word);
    return known(v);
}

/* Arguments in brackets, after the one that opens them. */
static size_t parse_arguments(struct parser *p, struct etm_value *to,
                              size_t room)
{
    size_t n = 0;

    for (;;) {
        struct etm_value v;

        p->at = etm_line_skip(p->at);
        if (*p->at == ')' || *p->at == '\0')
            break;
        v = load(p, parse_binary(p, 0));
        if (n < room)
            to[n++] = v;
        if (*p->at != ',')
            break;
        p->at++;
    }
    if (*p->at == ')')
        p->at++;
    return n;
}

/* The text that a macro stands for. */
static struct etm_value expand(struct parser *p, struct etm_read_name *macro,
                               const struct etm_value *arguments, size_t n)
{
    struct parser inner = {p->r, macro->body, 0};
    size_t names = p->r->n_names;
    struct etm_value v;

    etm_read_bind(p->r, macro->parameters, arguments, n);
    macro->macro = false; /* it does not expand itself */
    v = parse_binary(&inner, 0);
    macro->macro = true;
    p->r->n_names = names;
    if (*inner.at != '\0')
        return vague(ETM_READ_UNDEFINED,
                     (struct etm_span){macro->name, strlen(macro->name)});
    return v;
}

/* NAME(...), of a macro, of C's types, or memory: REG32(0xe0041000). */
static struct etm_value parse_call(struct parser *p, struct etm_span name)
{
    static const char *const same[] = {"UINT32_C", "UL",       "U",  "_UL",
                                       "_AC",      "uint32_t", "PTR"};
    struct etm_read_name *macro = etm_read_find(p->r, name);
    struct etm_value arguments[4];
    size_t n = parse_arguments(p, arguments, 4);
    /* what a function returns may be anything, a macro should be known */
    bool upper = name.at[0] < 'a' || name.at[0] > 'z';
    enum etm_read_known how = upper ? ETM_READ_UNDEFINED : ETM_READ_UNKNOWN;

    if (macro && macro->macro)
        return expand(p, macro, arguments, n);
    if (n == 0)
        return vague(how, name);
    if (arguments[0].known != ETM_READ_KNOWN)
        return vague(how, name);
    if (etm_span_is(name, "BIT") || etm_span_is(name, "_BV"))
        return known(
            arguments[0].number < 32 ? UINT32_C(1) << arguments[0].number : 0);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (etm_span_is(name, same[i]))
            return arguments[0];
    if (n != 1 || arguments[0].number < ETM_READ_FRAME ||
        arguments[0].number % 4 != 0)
        return vague(how, name);
    return (struct etm_value){.number = arguments[0].number,
                              .place = ETM_READ_AT_MEMORY};
}

/* A name with its members; blanks around arrows are allowed. */
static struct etm_span take_path(struct parser *p)
{
    const char *from = p->at, *end;

    for (;;) {
        p->at += etm_line_name(p->at).n;
        end = etm_line_skip(p->at);
        if (end[0] == '-' && end[1] == '>')
            end += 2;
        else if (end[0] == '.' && end == p->at)
            end++;
        else
            break;
        end = etm_line_skip(end);
        if (etm_line_name(end).n == 0)
            break;
        p->at = end;
    }
    return (struct etm_span){from, (size_t)(p->at - from)};
}

/* reinterpret_cast<volatile uint32_t *>(0xe0041000) */
static bool skip_template(struct parser *p, struct etm_span name)
{
    const char *end = strchr(p->at, '>');

    if (name.n < 5 || memcmp(name.at + name.n - 5, "_cast", 5) != 0 ||
        *p->at != '<' || !end)
        return false;
    p->at = end + 1;
    return true;
}

/* The first name of a path, if the text says where that is. */
static bool take_base(struct parser *p, struct etm_span path,
                      struct etm_value *v)
{
    struct etm_span first = etm_line_name(path.at);
    struct etm_read_name *name = etm_read_find(p->r, first);
    const char *after = p->at;

    if (first.n == path.n || !name || name->text)
        return false;
    p->at = first.at + first.n;
    *v = name->macro ? expand(p, name, NULL, 0) : name->value;
    if (v->known == ETM_READ_KNOWN && *etm_line_skip(p->at) == '-')
        return true;
    p->at = after;
    return false;
}

static struct etm_value parse_name(struct parser *p)
{
    struct etm_span path = take_path(p);
    struct etm_read_name *name = etm_read_find(p->r, path);
    struct etm_value v;

    if (take_base(p, path, &v))
        return v;
    if (skip_template(p, path)) {
        v = parse_binary(p, 12);
        v.scale = 4;
        return v;
    }
    if (*etm_line_skip(p->at) == '(') {
        p->at = etm_line_skip(p->at) + 1;
        return parse_call(p, path);
    }
    if (name && name->macro)
        return expand(p, name, NULL, 0);
    if (name && !name->text)
        return name->value;
    if (etm_read_constant(path, &v.number))
        return known(v.number);
    if (p->base == 16 && etm_line_digits(path.at) == path.n) {
        p->at = path.at;
        return parse_number(p);
    }
    /* a name alone is a register of C, and a constant elsewhere */
    v = (struct etm_value){.number = etm_read_path(path),
                           .place = ETM_READ_AT_REGISTER};
    return v.number == ETM_REGISTER_NONE || !p->r->source
               ? vague(ETM_READ_UNDEFINED, path)
               : v;
}

/* A command of Tcl in brackets: an expression, or what reads memory. */
static struct etm_value parse_tcl(struct parser *p)
{
    const char *end = etm_line_balanced(p->at);
    struct etm_span command = etm_line_name(etm_line_skip(p->at + 1));
    struct etm_value v;

    p->at = command.at + command.n;
    if (!etm_span_is(command, "expr")) {
        v = load(p, parse_binary(p, 0));
        if (v.known == ETM_READ_KNOWN && etm_span_is(command, "mrw"))
            v = load(p, (struct etm_value){.number = v.number,
                                           .place = ETM_READ_AT_MEMORY});
        else
            v = vague(ETM_READ_UNKNOWN, command);
        p->at = end;
        return v;
    }
    v = load(p, parse_binary(p, 0));
    if (*p->at != ']')
        v = vague(ETM_READ_UNDEFINED, etm_line_word(p->at, "]"));
    p->at = end;
    return v;
}

/* What a type in brackets points to: 0 for no pointer. */
static uint8_t type_scale(struct etm_span type)
{
    if (!memchr(type.at, '*', type.n))
        return 0;
    if (etm_span_has(type, "char") || etm_span_has(type, "8") ||
        etm_span_has(type, "void"))
        return 1;
    return etm_span_has(type, "short") || etm_span_has(type, "16") ? 2 : 4;
}

/*
 * A type in brackets, for a cast: words and asterisks, with an asterisk in the
 * end, or one that is no name of the text, before what can be cast.
 */
static bool take_cast(struct parser *p, struct etm_span *type)
{
    const char *at = p->at + 1, *after;
    size_t words = 0, stars = 0;

    for (;; at = etm_line_skip(at)) {
        struct etm_span word = etm_line_name(at = etm_line_skip(at));

        if (*at == '*')
            stars++, at++;
        else if (word.n == 0 || stars > 2)
            break;
        else if (etm_span_is(word, "const") || etm_span_is(word, "volatile"))
            at += word.n;
        else
            words++, at += word.n;
    }
    *type = (struct etm_span){p->at + 1, (size_t)(at - p->at) - 1};
    if (*at != ')' || words == 0)
        return false;
    after = etm_line_skip(at + 1);
    if (stars == 0 && !(etm_line_letter(*after) || strchr("($~", *after)))
        return false;
    if (stars == 0 && words == 1 &&
        etm_read_find(p->r, etm_line_name(etm_line_skip(p->at + 1))))
        return false;
    p->at = at + 1;
    return true;
}

static struct etm_value parse_bracket(struct parser *p)
{
    char close = *p->at == '(' ? ')' : *p->at == '{' ? '}' : '"';
    struct etm_value v;

    p->at++;
    v = parse_binary(p, 0);
    if (*p->at != close)
        return vague(ETM_READ_UNDEFINED, etm_line_word(p->at, ")}\""));
    p->at++;
    return v;
}

/* $name, ${name}, $((expression)) */
static struct etm_value parse_dollar(struct parser *p)
{
    struct etm_span word;
    bool braces = p->at[1] == '{';
    const char *from = p->at;

    p->at++;
    if (*p->at == '(')
        return parse_bracket(p);
    p->at += braces;
    if (*p->at == ':' && p->at[1] == ':')
        p->at += 2;
    word = etm_line_name(p->at);
    p->at += word.n;
    p->at += braces && *p->at == '}';
    if (etm_read_find(p->r, word) && word.n != 0)
        return etm_read_find(p->r, word)->value;
    return vague(ETM_READ_UNDEFINED,
                 (struct etm_span){from, (size_t)(p->at - from)});
}

static struct etm_value parse_primary(struct parser *p)
{
    p->at = etm_line_skip(p->at);
    if (etm_line_digit(*p->at))
        return parse_number(p);
    if (etm_line_name(p->at).n != 0)
        return parse_name(p);
    if (*p->at == '$')
        return parse_dollar(p);
    if (*p->at == '[')
        return parse_tcl(p);
    if (*p->at == '(' || *p->at == '{' || *p->at == '"')
        return parse_bracket(p);
    return vague(ETM_READ_UNDEFINED, etm_line_word(p->at, ""));
}

/* `[INDEX]`, `->MEMBER` */
static struct etm_value parse_postfix(struct parser *p)
{
    struct etm_value v = parse_primary(p);

    for (;;) {
        const char *at = etm_line_skip(p->at);

        if (*at == '[') {
            struct etm_value index;

            p->at = at + 1;
            index = load(p, parse_binary(p, 0));
            p->at += *p->at == ']';
            if (v.place == ETM_READ_AT_MEMORY)
                v = load(p, v);
            if (v.known == ETM_READ_KNOWN && index.known != ETM_READ_KNOWN)
                v = vague(index.known, index.word);
            v.number += v.place == ETM_READ_AT_REGISTER
                            ? index.number
                            : index.number * (v.scale ? v.scale : 4);
            if (v.place == ETM_READ_AT_NONE)
                v.place = ETM_READ_AT_MEMORY;
        } else if (at[0] == '-' && at[1] == '>') {
            struct etm_span member = etm_line_name(etm_line_skip(at + 2));
            uint32_t number = etm_read_array(member);

            p->at = member.at + member.n;
            if (number == ETM_REGISTER_NONE)
                return vague(ETM_READ_UNDEFINED, member);
            v.number = v.number / ETM_READ_FRAME * ETM_READ_FRAME + 4 * number;
            v.place = ETM_READ_AT_MEMORY;
        } else {
            return v;
        }
    }
}

static struct etm_value parse_unary(struct parser *p)
{
    struct etm_span type;
    struct etm_value v;
    char c;

    p->at = etm_line_skip(p->at);
    c = *p->at;
    if (c == '(' && take_cast(p, &type)) {
        v = load(p, parse_unary(p));
        v.scale = type_scale(type);
        return v;
    }
    if (c == '{') { /* GDB: a type, then where it is */
        const char *end = etm_line_skip(etm_line_balanced(p->at));

        if (etm_line_letter(*end) || *end == '$' || *end == '(') {
            p->at = end;
            v = load(p, parse_unary(p));
            v.place = ETM_READ_AT_MEMORY;
            return v;
        }
    }
    if (c == '\0' || !strchr("~-+!*&", c))
        return parse_postfix(p);
    p->at++;
    v = parse_unary(p);
    if (c == '&') { /* C: its address; TRACE32: a variable */
        v.place = ETM_READ_AT_NONE;
        return v;
    }
    v = load(p, v);
    if (c == '*')
        v.place = ETM_READ_AT_MEMORY;
    else if (c != '+')
        v = (struct etm_value){.number = c == '~'   ? ~v.number
                                         : c == '-' ? 0 - v.number
                                                    : v.number == 0,
                               .known = v.known,
                               .word = v.word};
    return v;
}

/* Longer ones first. */
static const struct operator
{
    const char *text;
    int level;
}
operators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<<", 8}, {">>", 8},
    {"<=", 7}, {">=", 7}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
    {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};

static uint32_t calculate(const char *op, uint32_t a, uint32_t b)
{
    switch (op[0]) {
    case '|':
        return op[1] == '|' ? a != 0 || b != 0 : a | b;
    case '&':
        return op[1] == '&' ? a != 0 && b != 0 : a & b;
    case '^':
        return a ^ b;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '<':
        return op[1] == '<'   ? (b < 32 ? a << b : 0)
               : op[1] == '=' ? a <= b
                              : a < b;
    case '>':
        return op[1] == '>'   ? (b < 32 ? a >> b : 0)
               : op[1] == '=' ? a >= b
                              : a > b;
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return b != 0 ? a / b : 0;
    default:
        return b != 0 ? a % b : 0;
    }
}

static struct etm_value combine(const struct operator* op, struct etm_value a,
                                struct etm_value b)
{
    struct etm_value v = a.known > b.known ? a : b;

    if (v.known != ETM_READ_KNOWN) {
        v = vague(v.known, v.word);
        if (strcmp(op->text, "|") == 0) /* these bits are set in any case */
            v.number = a.number | b.number;
        return v;
    }
    v = (struct etm_value){.scale = op->level == 9 ? a.scale : 0};
    if (v.scale != 0)
        b.number *= v.scale;
    v.number = calculate(op->text, a.number, b.number);
    return v;
}

/* The operator here, if it binds at least this tightly; NULL. */
static const struct operator* operator_at(const char *at, int level)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t n = strlen(operators[i].text);

        if (strncmp(at, operators[i].text, n) == 0)
            return operators[i].level >= level ? &operators[i] : NULL;
    }
    return NULL;
}

/* `? a : b` */
static struct etm_value choose(struct parser *p, struct etm_value condition)
{
    struct etm_value a, b = {.known = ETM_READ_UNDEFINED};

    p->at = etm_line_skip(p->at) + 1;
    a = load(p, parse_binary(p, 0));
    if (*p->at == ':') {
        p->at++;
        b = load(p, parse_binary(p, 0));
    }
    if (condition.known != ETM_READ_KNOWN)
        return condition;
    return condition.number != 0 ? a : b;
}

/* With operators of this level and those that bind more tightly. Level 0 is an
 * expression: blanks behind it are taken, too. */
static struct etm_value parse_binary(struct parser *p, int level)
{
    const struct operator* op;
    struct etm_value v;

    if (p->r->depth >= DEPTH || p->r->steps == 0)
        return vague(ETM_READ_UNDEFINED, etm_line_word(p->at, ""));
    p->r->depth++;
    p->r->steps--;
    v = parse_unary(p);
    while (level <= 10 &&
           (op = operator_at(p->at = etm_line_skip(p->at), level)) != NULL) {
        p->at += strlen(op->text);
        v = load(p, v);
        v = combine(op, v, load(p, parse_binary(p, op->level + 1)));
    }
    p->r->depth--;
    return level == 0 && *p->at == '?' ? choose(p, load(p, v)) : v;
}

static struct etm_value parse_all(struct etm_reader *r, const char *text,
                                  unsigned base, bool place)
{
    struct parser p = {r, text, base};
    struct etm_value v;

    r->steps = r->all_steps < STEPS ? (unsigned)r->all_steps : STEPS;
    r->all_steps -= r->steps;
    v = parse_binary(&p, 0);
    r->all_steps += r->steps; /* that were not needed */
    if (!place)
        v = load(&p, v);
    if (*p.at != '\0' && v.known == ETM_READ_KNOWN)
        return vague(ETM_READ_UNDEFINED, etm_line_word(p.at, ""));
    return v;
}

struct etm_value etm_read_value(struct etm_reader *r, const char *text,
                                unsigned base)
{
    return parse_all(r, text, base, false);
}

struct etm_value etm_read_lvalue(struct etm_reader *r, const char *text)
{
    return parse_all(r, text, 0, true);
}
