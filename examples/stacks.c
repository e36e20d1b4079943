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
    struct etm_calls *calls;
    struct node root;
    struct node *now[ETM_CALL_TASKS]; /* of each task */
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

/* What is entered and left, and what it cost itself. */
static int take(void *context, const struct etm_call *calls, size_t n)
{
    struct stacks *s = (struct stacks *)context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_call *c = &calls[i];
        const struct etm_function *f =
            etm_calls_function(s->calls, c->function);
        struct node **now = &s->now[c->task];

        if (c->kind == ETM_CALL_ENTER) {
            const char *name =
                etm_exception_name((enum etm_exception_type)c->exception_type);

            if (f != NULL)
                name = f->name != NULL ? f->name : "?";
            *now = enter(*now != NULL ? *now : &s->root, name, f == NULL);
            if (*now == NULL)
                return ETM_ERR_MEMORY;
        } else if (c->kind == ETM_CALL_LEAVE) {
            (*now)->instructions += (unsigned long)c->self.instructions;
            *now = (*now)->parent;
        }
    }
    return ETM_OK;
}

static int symbol(void *context, uint32_t address, struct etm_symbol *found)
{
    struct stacks *s = (struct stacks *)context;

    return etm_session_symbol(s->session, s->source, address, found);
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
    struct etm_calls_config config = {0};
    struct etm_session_run run = {0};
    struct etm_diag diag = {0};
    int status;

    if (example_open(&stacks.session, &stacks.source, argc, argv) != ETM_OK)
        return 1;
    config.size = sizeof config;
    config.calls = take;
    config.context = &stacks;
    config.names.symbol = symbol;
    config.names.context = &stacks;
    status = etm_calls_new(&stacks.calls, &config);
    run.size = sizeof run;
    run.elements = etm_calls_elements;
    run.context = stacks.calls;
    if (status == ETM_OK)
        status =
            etm_session_run_source(stacks.session, stacks.source, &run, &diag);
    if (status == ETM_OK)
        status = etm_calls_finish(stacks.calls);
    if (status != ETM_OK)
        fprintf(stderr, "%s: %s\n", diag.source, diag.what);
    print(&stacks.root);
    etm_calls_free(stacks.calls);
    etm_session_free(stacks.session);
    return status != ETM_OK;
}
