/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong in a log, and in which line. */
#include "exec/reader.h"

#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>

int etm_reader_fail(struct etm_execution_reader *r, const char *format, ...)
{
    va_list list;

    etm_diag_begin(&r->diag, ETM_ERR_FORMAT, r->name);
    r->diag.line = r->report.lines;
    va_start(list, format);
    vsnprintf(r->diag.what, sizeof r->diag.what, format, list);
    va_end(list);
    return ETM_ERR_FORMAT;
}
