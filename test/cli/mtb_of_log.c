/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a Micro Trace Buffer would have written while the instructions of an
 * execution log ran (CoreSight MTB-M0+ Technical Reference Manual, 2.3.1):
 *
 *     mtb_of_log RAN <LOG >MEMORY
 *
 * RAN becomes the addresses of the instructions that were executed: all of the
 * log but those that raised a fault instead.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXC_RETURN 0xfffffff8u

/* The number of the transfer with the return address in a `push`. */
#define RETURN_ADDRESS 6

struct recorder {
    bool started;
    bool has_last, returned; /* an instruction ran; it wrote EXC_RETURN */
    uint32_t last, next;     /* it, and the one after it */
    FILE *ran;
    bool pushed;
    uint32_t back; /* where the exception returns to */
};

static void put_word(uint32_t word)
{
    for (unsigned i = 0; i < 32; i += 8)
        putchar((int)(word >> i & 0xff));
}

static void put(struct recorder *r, uint32_t from, bool exception, uint32_t to)
{
    put_word(from | (exception ? 1u : 0u));
    put_word(to | (r->started ? 0u : 1u));
    r->started = true;
}

/* The last instruction was executed. */
static void executed(const struct recorder *r)
{
    if (r->has_last)
        fprintf(r->ran, "%08lx\n", (unsigned long)r->last);
}

/* The program goes on at `address`, without an exception. */
static void arrive(struct recorder *r, uint32_t address)
{
    executed(r);
    if (!r->started) {
        put(r, address, true, address);
    } else if (r->returned) {
        put(r, r->last, false, EXC_RETURN);
        put(r, EXC_RETURN, true, address);
    } else if (r->has_last && address != r->next) {
        put(r, r->last, false, address);
    }
    r->has_last = r->returned = false;
}

static void instruction(struct recorder *r, const char *line)
{
    char *end;
    uint32_t address = (uint32_t)strtoul(line, &end, 16);
    size_t digits = strspn(end + 1, "0123456789abcdef");

    arrive(r, address);
    r->has_last = true;
    r->returned = strstr(line, " return") != NULL;
    r->last = address;
    r->next = address + (uint32_t)digits / 2;
}

static void push(struct recorder *r, const char *line)
{
    for (unsigned i = 0; i <= RETURN_ADDRESS && line != NULL; i++)
        line = strstr(line + 1, " w4");
    r->pushed = line != NULL && strchr(line, '=') != NULL;
    if (r->pushed)
        r->back = (uint32_t)strtoul(strchr(line, '=') + 1, NULL, 16);
}

static void exception(struct recorder *r, const char *line)
{
    const char *to = strstr(line, " to=");
    uint32_t handler = to != NULL ? (uint32_t)strtoul(to + 4, NULL, 16) : 0;

    if (r->pushed) {
        if (r->back != r->last)
            arrive(r, r->back);
        put(r, r->back, true, handler);
    } else { /* after another one, or instead of it */
        executed(r);
        if (r->returned)
            put(r, r->last, false, EXC_RETURN);
        put(r, EXC_RETURN, true, handler);
    }
    r->pushed = r->has_last = r->returned = false;
}

int main(int argc, char **argv)
{
    static char line[1 << 16];
    struct recorder r = {.ran = argc == 2 ? fopen(argv[1], "w") : NULL};

    if (r.ran == NULL)
        return 1;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strncmp(line, "push", 4) == 0)
            push(&r, line);
        else if (strncmp(line, "exception", 9) == 0)
            exception(&r, line);
        else if (strchr("0123456789abcdef", line[0]) != NULL &&
                 strcspn(line, " ") == 8)
            instruction(&r, line);
    }
    executed(&r);
    if (r.has_last) /* halted */
        put(&r, r.next, true, r.next);
    return fclose(r.ran) == 0 ? 0 : 1;
}
