/* SPDX-License-Identifier: Apache-2.0 */
#include "input/text.h"

#include "base/diag.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *etm_text_copy(const struct etm_allocator *allocator, const char *text,
                    size_t n)
{
    char *copy = etm_alloc_zero(allocator, n + 1);

    if (copy != NULL && n != 0)
        memcpy(copy, text, n);
    return copy;
}

char *etm_text_print(const struct etm_allocator *allocator, const char *format,
                     ...)
{
    char *text = NULL;
    va_list list;
    int n;

    va_start(list, format);
    n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (n >= 0)
        text = etm_alloc_zero(allocator, (size_t)n + 1);
    if (text == NULL)
        return NULL;
    va_start(list, format);
    vsnprintf(text, (size_t)n + 1, format, list);
    va_end(list);
    return text;
}

char *etm_text_path(const struct etm_allocator *allocator,
                    const char *directory, const char *name)
{
    char *path;

    if (name[0] == '/')
        directory = "";
    path = etm_text_print(allocator, "%s%s", directory, name);
    /* those of the name only: the snapshot may be from Windows, not we */
    for (char *at = path != NULL ? path + strlen(directory) : NULL;
         at != NULL && (at = strchr(at, '\\')) != NULL;)
        *at = '/';
    return path;
}

size_t etm_text_directory(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

bool etm_text_same(const char *a, const char *b)
{
    return etm_fold_same(a, b);
}

bool etm_text_begins(const char *text, const char *beginning)
{
    return etm_fold_begins(text, beginning);
}

bool etm_text_number(const char *text, uint64_t *number)
{
    return etm_number_read(text, strlen(text), 10, UINT64_MAX, number);
}

char *etm_text_item(char **rest)
{
    char *item = *rest, *end;
    size_t n;

    if (item == NULL)
        return NULL;
    end = strchr(item, ',');
    *rest = end == NULL ? NULL : end + 1;
    n = end == NULL ? strlen(item) : (size_t)(end - item);
    while (n > 0 && (item[0] == ' ' || item[0] == '\t')) {
        item++;
        n--;
    }
    while (n > 0 && (item[n - 1] == ' ' || item[n - 1] == '\t'))
        n--;
    item[n] = '\0';
    return item;
}

int etm_text_fail(struct etm_diag *diag, int status, const char *source,
                  uint64_t line, const char *format, ...)
{
    va_list list;

    etm_diag_begin(diag, status, source);
    if (diag == NULL)
        return status;
    diag->line = line;
    va_start(list, format);
    vsnprintf(diag->what, sizeof diag->what, format, list);
    va_end(list);
    return status;
}
