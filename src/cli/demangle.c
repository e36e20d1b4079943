/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/demangle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* abi::__cxa_demangle() (Itanium C++ ABI, 3.4): allocated text, or NULL. */
typedef char *demangle_fn(const char *name, char *text, size_t *size,
                          int *status);

struct etm_cli_demangler {
    void *library;
    demangle_fn *demangle;
    char **names; /* by number; NULL: not asked for, or as in the program */
    bool *known;
    size_t n;
};

struct etm_cli_demangler *etm_cli_demangler_new(void)
{
    static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1",
                                            "libc++abi.dylib"};
    struct etm_cli_demangler *d = calloc(1, sizeof *d);

    for (size_t i = 0;
         d && !d->library && i < sizeof libraries / sizeof *libraries; i++)
        d->library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
    /* POSIX has functions in void pointers (dlsym()) */
    if (d && d->library)
        *(void **)&d->demangle = dlsym(d->library, "__cxa_demangle");
    if (d && !d->demangle) {
        etm_cli_demangler_free(d);
        d = NULL;
    }
    return d;
}

/* "::h0123456789abcdef", with which Rust's older names end. */
static char *rust_hash(char *text)
{
    size_t n = strlen(text);
    char *hash = n > 19 ? text + n - 19 : NULL;

    return hash && strncmp(hash, "::h", 3) == 0 &&
                   strspn(hash + 3, "0123456789abcdef") == 16
               ? hash
               : NULL;
}

/* What these names have instead of some characters. */
static void undo_rust(char *text)
{
    static const char *const escapes[][2] = {
        {"$LT$", "<"}, {"$GT$", ">"},  {"$RF$", "&"}, {"$BP$", "*"},
        {"$C$", ","},  {"$u20$", " "}, {"$LP$", "("}, {"$RP$", ")"},
        {"..", "::"},  {"$u7b$", "{"}, {"$u7d$", "}"}};
    char *to = text;

    while (*text != '\0') {
        size_t i = 0, n = sizeof escapes / sizeof *escapes;

        if (text[0] == '_' && text[1] == '$') /* before what is no letter */
            text++;
        while (i < n &&
               strncmp(text, escapes[i][0], strlen(escapes[i][0])) != 0)
            i++;
        if (i == n) {
            *to++ = *text++;
            continue;
        }
        text += strlen(escapes[i][0]);
        memcpy(to, escapes[i][1], strlen(escapes[i][1]));
        to += strlen(escapes[i][1]);
    }
    *to = '\0';
}

/* To be freed; NULL: it is as in the program. */
static char *demangle(const struct etm_cli_demangler *d, const char *name)
{
    int status;
    char *text, *hash;

    if (strncmp(name, "_Z", 2) != 0)
        return NULL;
    text = d->demangle(name, NULL, NULL, &status);
    hash = text ? rust_hash(text) : NULL;
    if (hash) {
        *hash = '\0';
        undo_rust(text);
    }
    return text;
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
                             const char *name)
{
    if (!d || !make_room(d, number))
        return name;
    if (!d->known[number])
        d->names[number] = demangle(d, name);
    d->known[number] = true;
    return d->names[number] ? d->names[number] : name;
}

bool etm_cli_demangle_same(struct etm_cli_demangler *d, const char *name,
                           const char *wanted)
{
    size_t n = strlen(wanted);
    char *text;
    bool same;

    if (strcmp(name, wanted) == 0)
        return true;
    text = d ? demangle(d, name) : NULL;
    same = text && strncmp(text, wanted, n) == 0 &&
           (text[n] == '\0' || text[n] == '(');
    free(text);
    return same;
}

void etm_cli_demangler_clear(struct etm_cli_demangler *d)
{
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
    if (d->library)
        dlclose(d->library);
    free(d);
}
