/* SPDX-License-Identifier: Apache-2.0 */
/* Everyday (everyday.h): formulas become code of bytes, and that is run. */
#include "everyday.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#define STACK 16u

enum code { PUSH, LOAD, ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE, ROOT, END };

static struct {
    uint8_t code[128]; /* enum code, each with an operand or none */
    unsigned n;
    double constants[32], stack[STACK], variables[26];
    unsigned n_constants, depth;
    const uint8_t *at;
} machine;

static void emit(enum code code)
{
    machine.code[machine.n++] = (uint8_t)code;
}

static void compile_sum(const char **p);

static void compile_factor(const char **p)
{
    char c = **p, *end;

    if (c == '-' || c == 'r') { /* r: square root */
        ++*p;
        compile_factor(p);
        emit(c == '-' ? NEGATE : ROOT);
    } else if (c == '(') {
        ++*p;
        compile_sum(p);
        check(*(*p)++ == ')', "a bracket is missing");
    } else if (isupper((unsigned char)c)) {
        ++*p;
        emit(LOAD);
        machine.code[machine.n++] = (uint8_t)(c - 'A');
    } else {
        emit(PUSH);
        machine.code[machine.n++] = (uint8_t)machine.n_constants;
        machine.constants[machine.n_constants++] = strtod(*p, &end);
        check(end != *p, "a number is missing");
        *p = end;
    }
}

static void compile_product(const char **p)
{
    compile_factor(p);
    while (**p == '*' || **p == '/') {
        enum code code = *(*p)++ == '*' ? MULTIPLY : DIVIDE;

        compile_factor(p);
        emit(code);
    }
}

static void compile_sum(const char **p)
{
    compile_product(p);
    while (**p == '+' || **p == '-') {
        enum code code = *(*p)++ == '+' ? ADD : SUBTRACT;

        compile_product(p);
        emit(code);
    }
}

static void push(double value)
{
    check(machine.depth < STACK, "the stack is full");
    machine.stack[machine.depth++] = value;
}

static double pop(void)
{
    check(machine.depth != 0, "the stack is empty");
    return machine.stack[--machine.depth];
}

static void run_push(void)
{
    push(machine.constants[*machine.at++]);
}

static void run_load(void)
{
    push(machine.variables[*machine.at++]);
}

static void run_add(void)
{
    push(pop() + pop());
}

static void run_subtract(void)
{
    double right = pop();

    push(pop() - right);
}

static void run_multiply(void)
{
    push(pop() * pop());
}

static void run_divide(void)
{
    double right = pop(), left = pop();

    push(right != 0 ? left / right : 0);
}

static void run_negate(void)
{
    push(-pop());
}

static void run_root(void)
{
    push(sqrt(fabs(pop())));
}

static double run_code(void)
{
    static void (*const functions[END])(void) = {
        [PUSH] = run_push,         [LOAD] = run_load,
        [ADD] = run_add,           [SUBTRACT] = run_subtract,
        [MULTIPLY] = run_multiply, [DIVIDE] = run_divide,
        [NEGATE] = run_negate,     [ROOT] = run_root,
    };

    machine.depth = 0;
    machine.at = machine.code;
    while (*machine.at != END)
        functions[*machine.at++]();
    return pop();
}

void work_formula_out(void)
{
    static const char *const formulas[] = {
        "(A+B)*(C-2.5)/r(1+D*D)", "-A*0.25+B/(C+1)-(D-r(E))*3",
        "r(A*A+B*B+C*C)/(E+r2)", "((A-B)/(A+B+1)+0.5)*100"};
    const char *p = formulas[random_below(4)];

    machine.n = machine.n_constants = 0;
    compile_sum(&p);
    emit(END);
    for (unsigned i = 0; i < 20; i++) {
        for (unsigned k = 0; k < 5; k++)
            machine.variables[k] = sensor_value(k) + random_below(1000);
        check(isfinite(run_code()), "a formula went wrong");
    }
}
