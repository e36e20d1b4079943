/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who called whom, and how many instructions each took: a line for each stack
 * of functions, as tools that draw flame graphs read them.
 *
 *     cc stacks.c $(pkg-config --cflags --libs libetm-capture)
 *     ./a.out demo/cortex-m3 | flamegraph.pl >graph.svg
 *
 * It takes the options of options.h.
 */
#include "options.h"

/* A function, called from where its parent says. */
struct node {
    const char *name;
    struct node *parent, *child, *next;
    unsigned long instructions;
    int exception; /* the name is that of one */
};

struct stacks {
    struct etm_session *session;
    size_t source;
    struct node root, *now;
    int called, returned; /* by the last instruction */
    int resumed;          /* what an exception had interrupted */
};

static struct node *enter(struct node *parent, const char *name, int exception)
{
    struct node *node = parent->child;

    while (node != NULL &&
           (node->exception != exception || strcmp(node->name, name) != 0))
        node = node->next;
    if (node != NULL)
        return node;
    node = (struct node *)calloc(1, sizeof *node);
    if (node == NULL)
        return NULL;
    node->name = name;
    node->exception = exception;
    node->parent = parent;
    node->next = parent->child;
    parent->child = node;
    return node;
}

/* Execution goes on in this function: where is it on the stack? */
static struct node *arrive(struct stacks *s, const char *name)
{
    struct node *at = s->now;
    int left = s->returned && !s->resumed;

    if (at == &s->root || at->exception || s->called)
        return enter(at, name, 0);
    if (!s->returned) /* it is still there, or has jumped to its tail call */
        return strcmp(at->name, name) == 0 ? at : enter(at->parent, name, 0);
    while (at != &s->root && ((left && at == s->now) || at->exception ||
                              strcmp(at->name, name) != 0))
        at = at->parent;
    /* no caller on this stack: another one continues, as of another task */
    return at != &s->root ? at : enter(at, name, 0);
}

static int range(struct stacks *s, const struct etm_element *e)
{
    struct etm_symbol symbol;
    const char *name = "?";
    int passed = e->u.range.last_exec != ETM_FALSE;

    if (etm_session_symbol(s->session, s->source, e->u.range.start, &symbol) ==
        ETM_OK)
        name = symbol.name;
    s->now = arrive(s, name);
    if (s->now == NULL)
        return ETM_ERR_MEMORY;
    s->now->instructions += e->u.range.n;
    s->called = passed && (e->u.range.last_flags & ETM_INSN_LINK) != 0;
    s->returned = passed && (e->u.range.last_flags & ETM_INSN_RETURN) != 0;
    s->resumed = 0;
    return ETM_OK;
}

static int element(struct stacks *s, const struct etm_element *e)
{
    switch (e->kind) {
    case ETM_ELEMENT_RANGE:
        return range(s, e);
    case ETM_ELEMENT_EXCEPTION_RETURN: /* of the M profile */
        while (s->now != &s->root && !s->now->exception)
            s->now = s->now->parent;
        if (s->now != &s->root)
            s->now = s->now->parent;
        s->called = 0;
        s->returned = s->resumed = 1;
        break;
    case ETM_ELEMENT_EXCEPTION:
        s->now = enter(
            s->now,
            etm_exception_name((enum etm_exception_type)e->u.exception.type),
            1);
        return s->now != NULL ? ETM_OK : ETM_ERR_MEMORY;
    case ETM_ELEMENT_TRACE_ON: /* what ran before is not known */
    case ETM_ELEMENT_LOST:
    case ETM_ELEMENT_NO_IMAGE:
        s->now = &s->root;
        break;
    default:
        break;
    }
    return ETM_OK;
}

static int elements(void *context, const struct etm_element *e, size_t n)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        status = element((struct stacks *)context, &e[i]);
    return status;
}

static void print_names(const struct node *node)
{
    if (node->parent->name != NULL) {
        print_names(node->parent);
        putchar(';');
    }
    printf(node->exception ? "[%s]" : "%s", node->name);
}

/* Prints a node with all below it, and frees what is below. */
static void print(struct node *node)
{
    if (node->instructions != 0) {
        print_names(node);
        printf(" %lu\n", node->instructions);
    }
    while (node->child != NULL) {
        struct node *child = node->child;

        print(child);
        node->child = child->next;
        free(child);
    }
}

int main(int argc, char **argv)
{
    static struct stacks stacks;
    struct etm_session_run run = {0};
    struct etm_diag diag = {0};
    int status;

    if (example_open(&stacks.session, &stacks.source, argc, argv) != ETM_OK)
        return 1;
    stacks.now = &stacks.root;
    run.size = sizeof run;
    run.elements = elements;
    run.context = &stacks;
    status = etm_session_run_source(stacks.session, stacks.source, &run, &diag);
    if (status != ETM_OK)
        fprintf(stderr, "%s: %s\n", diag.source, diag.what);
    print(&stacks.root);
    etm_session_free(stacks.session);
    return status != ETM_OK;
}
