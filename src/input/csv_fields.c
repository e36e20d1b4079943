/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a table: their fields, and what is wrong in them (csv.h). */
#include "input/csv.h"

#include "base/diag.h"

#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The separator of columns: a program that writes numbers with a comma uses a
 * different one, and so does one whose tables are TSV. Others may be in names,
 * but less often, and in quotes. */
char etm_csv_separator(const char *names, size_t n)
{
    static const char separators[] = {',', ';', '\t'};
    size_t found[sizeof separators] = {0}, best = 0;
    bool quoted = false;

    for (size_t i = 0; i < n; i++) {
        quoted ^= names[i] == '"';
        for (size_t k = 0; k < sizeof separators && !quoted; k++)
            found[k] += names[i] == separators[k];
    }
    for (size_t k = 1; k < sizeof separators; k++)
        best = found[k] > found[best] ? k : best;
    return separators[best];
}

bool etm_csv_next(const struct etm_csv *csv, const char **at, const char *end,
                  const char **field, size_t *n)
{
    const char *from = *at, *last;

    if (from == NULL)
        return false;
    last = memchr(from, csv->separator, (size_t)(end - from));
    while (from < end && *from != csv->separator && is_space(*from))
        from++;
    if (from < end && *from == '"') { /* the separator may be in quotes */
        last = memchr(from + 1, '"', (size_t)(end - from - 1));
        if (last != NULL)
            last = memchr(last, csv->separator, (size_t)(end - last));
    }
    *at = last != NULL ? last + 1 : NULL;
    last = last != NULL ? last : end;
    while (last > from && is_space(last[-1]))
        last--;
    if (last - from > 1 && *from == '"' && last[-1] == '"') {
        for (from++, last--; from < last && is_space(*from);)
            from++;
        while (last > from && is_space(last[-1]))
            last--;
    }
    *field = from;
    *n = (size_t)(last - from);
    return true;
}

int etm_csv_fail(struct etm_csv *csv, struct etm_diag *diag, const char *what)
{
    etm_vcd_fail(&csv->vcd, ETM_ERR_FORMAT, diag, what);
    if (diag != NULL)
        diag->line = csv->number > 0 ? csv->number : 1;
    return csv->vcd.status;
}

int etm_csv_fail_memory(struct etm_csv *csv, struct etm_diag *diag)
{
    csv->vcd.status = etm_diag_begin(diag, ETM_ERR_MEMORY, NULL);
    return csv->vcd.status;
}
