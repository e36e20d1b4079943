/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/demangle.h"

#include "cli/demangle_library.h"

#include <etm/types.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A symbol, which is known by where its name is. */
struct symbol {
    const char *name;
    char *text;
};

struct etm_cli_demangler {
    bool plain;
    struct symbol symbols[256];
    char **names; /* by number; NULL: not asked for, or as in the program */
    bool *known;
    size_t n;
};

struct etm_cli_demangler *etm_cli_demangler_new(bool plain)
{
    struct etm_cli_demangler *d = calloc(1, sizeof *d);

    if (d)
        d->plain = plain;
    return d;
}

/* As views show it, to be freed; NULL: it is as in the program. */
static char *text_of(const struct etm_cli_demangler *d, const char *name,
                     bool inlined)
{
    char *text = d->plain ? NULL : etm_cli_demangle_text(name), *made;
    char cut[ETM_NAME_SHOWN + 1];
    const char *shown = etm_name_shown(text ? text : name, cut);
    const char *mark = inlined ? " (inlined)" : "";

    if (!inlined && shown != cut)
        return text;
    made = malloc(strlen(shown) + strlen(mark) + 1);
    if (made) {
        strcpy(made, shown);
        strcat(made, mark);
    }
    free(text);
    return made;
}

static bool make_room(struct etm_cli_demangler *d, size_t number)
{
    size_t n = 2 * number + 64;
    char **names;
    bool *known;

    if (number < d->n)
        return true;
    names = realloc(d->names, n * sizeof *names);
    if (names)
        d->names = names;
    known = realloc(d->known, n * sizeof *known);
    if (known)
        d->known = known;
    if (!names || !known)
        return false;
    memset(names + d->n, 0, (n - d->n) * sizeof *names);
    memset(known + d->n, 0, (n - d->n) * sizeof *known);
    d->n = n;
    return true;
}

const char *etm_cli_demangle(struct etm_cli_demangler *d, size_t number,
                             const char *name, bool inlined)
{
    if (!d || !make_room(d, number))
        return name;
    if (!d->known[number])
        d->names[number] = text_of(d, name, inlined);
    d->known[number] = true;
    return d->names[number] ? d->names[number] : name;
}

const char *etm_cli_demangle_symbol(struct etm_cli_demangler *d,
                                    const char *name)
{
    struct symbol *s;

    if (!d)
        return name;
    s = &d->symbols[((uintptr_t)name ^ (uintptr_t)name >> 8) % 256];
    if (s->name != name) {
        free(s->text);
        *s = (struct symbol){name, text_of(d, name, false)};
    }
    return s->text ? s->text : name;
}

bool etm_cli_demangle_same(struct etm_cli_demangler *d, const char *name,
                           const char *wanted)
{
    size_t n = strlen(wanted);
    char *text;
    bool same;

    if (strcmp(name, wanted) == 0)
        return true;
    text = d && !d->plain ? etm_cli_demangle_text(name) : NULL;
    same = text && strncmp(text, wanted, n) == 0 &&
           (text[n] == '\0' || text[n] == '(');
    free(text);
    return same;
}

void etm_cli_demangler_clear(struct etm_cli_demangler *d)
{
    for (size_t i = 0; d && i < sizeof d->symbols / sizeof *d->symbols; i++) {
        free(d->symbols[i].text);
        d->symbols[i] = (struct symbol){0};
    }
    for (size_t i = 0; d && i < d->n; i++) {
        free(d->names[i]);
        d->names[i] = NULL;
        d->known[i] = false;
    }
}

void etm_cli_demangler_free(struct etm_cli_demangler *d)
{
    if (!d)
        return;
    etm_cli_demangler_clear(d);
    free(d->names);
    free(d->known);
    free(d);
}
