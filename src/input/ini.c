/* SPDX-License-Identifier: Apache-2.0 */
#include "input/ini.h"

#include "base/mark.h"
#include "base/plain.h"
#include "input/file.h"
#include "input/text.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Remove blanks on both sides; terminates in place. */
static char *trim(char *text, size_t n)
{
    while (n > 0 && is_blank(text[n - 1]))
        n--;
    text[n] = '\0';
    while (is_blank(*text))
        text++;
    return text;
}

static int malformed(struct etm_diag *diag, const struct etm_ini *ini,
                     unsigned line, const char *what)
{
    return etm_text_fail(diag, ETM_ERR_FORMAT, ini->path, line, "%s", what);
}

/*
 * The value after a '=': to the end of the line or to a comment. A value that
 * begins with a quotation mark goes to the next one.
 */
static char *value_of(char *text, const char **error)
{
    char quote, *end;

    text += strspn(text, " \t");
    quote = *text;
    if (quote != '"' && quote != '\'')
        return trim(text, strcspn(text, ";#"));
    end = strchr(++text, quote);
    if (end == NULL) {
        *error = "a quotation mark is never closed";
        return text;
    }
    *end++ = '\0';
    while (is_blank(*end))
        end++;
    if (*end != '\0' && *end != ';' && *end != '#')
        *error = "unexpected text after the quoted value";
    return text;
}

static int take_section(struct etm_ini *ini, char *text, unsigned line,
                        struct etm_diag *diag)
{
    struct etm_ini_section section = {.line = line, .first = ini->entries.n};
    char *end = strchr(text, ']');
    char *behind;

    if (end == NULL)
        return malformed(diag, ini, line, "a section without ']'");
    behind = trim(end + 1, strcspn(end + 1, ";#"));
    if (*behind != '\0')
        return malformed(diag, ini, line,
                         "unexpected text after the section's name");
    section.name = trim(text, (size_t)(end - text));
    if (section.name[0] == '\0')
        return malformed(diag, ini, line, "a section without a name");
    return etm_vec_append(&ini->sections, &section, 1);
}

static int take_entry(struct etm_ini *ini, char *text, unsigned line,
                      struct etm_diag *diag)
{
    struct etm_ini_section *section;
    struct etm_ini_entry entry = {.line = line};
    const char *error = NULL;
    char *equals = strchr(text, '=');

    if (equals == NULL)
        return malformed(diag, ini, line,
                         "neither a section nor a key with a value");
    if (ini->sections.n == 0)
        return malformed(diag, ini, line, "a key before the first section");
    entry.value = value_of(equals + 1, &error);
    if (error != NULL)
        return malformed(diag, ini, line, error);
    entry.key = trim(text, (size_t)(equals - text));
    if (entry.key[0] == '\0')
        return malformed(diag, ini, line, "a value without a key");
    section =
        (struct etm_ini_section *)ini->sections.data + ini->sections.n - 1;
    section->n++;
    return etm_vec_append(&ini->entries, &entry, 1);
}

static int parse(struct etm_ini *ini, struct etm_diag *diag)
{
    char *next = ini->text;
    int status = ETM_OK;

    for (unsigned line = 1; *next != '\0' && status == ETM_OK; line++) {
        char *text = next;
        size_t n = strcspn(text, "\n");

        next = text[n] == '\0' ? text + n : text + n + 1;
        text = trim(text, n);
        if (*text == '[')
            status = take_section(ini, text + 1, line, diag);
        else if (*text != '\0' && *text != ';' && *text != '#')
            status = take_entry(ini, text, line, diag);
    }
    return status;
}

static int load(struct etm_ini *ini, struct etm_diag *diag)
{
    struct etm_file file;
    size_t skip;
    int status = etm_file_open(&file, ini->path, &ini->allocator, diag);

    if (status != ETM_OK)
        return status;
    if (memchr(file.bytes, 0, file.n) != NULL) {
        status = etm_text_fail(diag, ETM_ERR_FORMAT, ini->path, ETM_DIAG_NONE,
                               "not a text file");
    } else {
        skip = etm_mark_size(file.bytes, file.n);
        ini->text = etm_text_copy(
            &ini->allocator, (const char *)file.bytes + skip, file.n - skip);
        if (ini->text == NULL)
            status = ETM_ERR_MEMORY;
        else
            /* names of devices go to the terminal */
            etm_make_plain(ini->text, "\t\n\v\f\r");
    }
    etm_file_close(&file, &ini->allocator);
    return status;
}

int etm_ini_open(struct etm_ini *ini, const char *path,
                 const struct etm_allocator *allocator, struct etm_diag *diag)
{
    int status;

    *ini = (struct etm_ini){.allocator = etm_allocator_or_default(allocator)};
    etm_vec_init(&ini->sections, sizeof(struct etm_ini_section), allocator);
    etm_vec_init(&ini->entries, sizeof(struct etm_ini_entry), allocator);
    ini->path = etm_text_copy(&ini->allocator, path, strlen(path));
    status = ini->path == NULL ? ETM_ERR_MEMORY : load(ini, diag);
    if (status == ETM_OK)
        status = parse(ini, diag);
    if (status != ETM_OK)
        etm_ini_close(ini);
    return status;
}

void etm_ini_close(struct etm_ini *ini)
{
    if (ini->allocator.resize == NULL)
        return;
    etm_alloc_free(&ini->allocator, ini->path);
    etm_alloc_free(&ini->allocator, ini->text);
    etm_vec_fini(&ini->sections);
    etm_vec_fini(&ini->entries);
    *ini = (struct etm_ini){0};
}

const struct etm_ini_section *etm_ini_section(const struct etm_ini *ini,
                                              const char *name)
{
    const struct etm_ini_section *sections = ini->sections.data;

    for (size_t i = 0; i < ini->sections.n; i++) {
        if (etm_text_same(sections[i].name, name))
            return &sections[i];
    }
    return NULL;
}

const struct etm_ini_section *
etm_ini_another(const struct etm_ini *ini,
                const struct etm_ini_section *section)
{
    const struct etm_ini_section *sections = ini->sections.data;

    for (const struct etm_ini_section *s = section + 1;
         s < sections + ini->sections.n; s++) {
        if (etm_text_same(s->name, section->name))
            return s;
    }
    return NULL;
}

struct etm_ini_entry *etm_ini_entry(const struct etm_ini *ini,
                                    const struct etm_ini_section *section,
                                    size_t i)
{
    return (struct etm_ini_entry *)ini->entries.data + section->first + i;
}

struct etm_ini_entry *etm_ini_find(const struct etm_ini *ini,
                                   const struct etm_ini_section *section,
                                   const char *key)
{
    for (size_t i = 0; section != NULL && i < section->n; i++) {
        struct etm_ini_entry *entry = etm_ini_entry(ini, section, i);

        if (etm_text_same(entry->key, key))
            return entry;
    }
    return NULL;
}
