/* SPDX-License-Identifier: Apache-2.0 */
#include "qemu_log.h"

#include <stdlib.h>
#include <string.h>

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* A line "Trace 0: ..." begins an instruction; its registers follow. */
static bool add_step(struct log *log, struct log_step *between)
{
    if (log->n == log->capacity) {
        size_t capacity = log->capacity == 0 ? 4096 : 2 * log->capacity;
        struct log_step *steps =
            realloc(log->steps, capacity * sizeof log->steps[0]);

        if (steps == NULL)
            return false;
        log->steps = steps;
        log->capacity = capacity;
    }
    log->steps[log->n++] = *between;
    *between = (struct log_step){0};
    return true;
}

/* "R00=00000000 R01=00000000 R02=00000000 R03=00000000" */
static void take_registers(struct log_step *step, const char *line)
{
    for (; *line == 'R'; line += line[12] == ' ' ? 13 : 12) {
        unsigned long number = strtoul(line + 1, NULL, 10);

        if (number > 15 || strlen(line) < 12)
            return;
        step->r[number] = (uint32_t)strtoul(line + 4, NULL, 16);
    }
}

/* "PSR=600001d3 -ZC- T S svc32" or "XPSR=61000000 -ZC- T priv-thread" */
static void take_psr(struct log_step *step, const char *line)
{
    step->m_profile = line[0] == 'X';
    step->psr = (uint32_t)strtoul(strchr(line, '=') + 1, NULL, 16);
    step->thumb = strstr(line, " T ") != NULL;
    step->ns = strstr(line, " NS ") != NULL;
}

/*
 * QEMU logs an instruction before it begins and then may find that something
 * else comes first: an interrupt, or the clock. The instruction has not run;
 * what was between it and the one before still holds.
 */
static void drop_step(struct log *log, struct log_step *between)
{
    struct log_step *step;

    if (log->n == 0)
        return;
    step = &log->steps[--log->n];
    *between = (struct log_step){.returned = step->returned,
                                 .exception = step->exception,
                                 .number = step->number,
                                 .stopped = step->stopped,
                                 .stopped_at = step->stopped_at};
    if (between->exception == LOG_NO_EXCEPTION) {
        between->stopped = true;
        between->stopped_at = step->r[15];
    }
}

/* "Taking exception 2 [SVC] on CPU 0" */
static void take_exception(struct log_step *between, const char *line)
{
    if (strstr(line, "[QEMU v7M exception exit]") != NULL)
        between->returned = true;
    else if (strstr(line, "[SVC]") != NULL)
        between->exception = LOG_SVC;
    else if (strstr(line, "[IRQ]") != NULL)
        between->exception = LOG_IRQ;
    else
        between->exception = LOG_OTHER;
}

/* "...taking pending nonsecure exception 15" */
static void take_m_exception(struct log_step *between, const char *line)
{
    between->exception = LOG_M_PROFILE;
    between->number = (uint16_t)strtoul(strrchr(line, ' '), NULL, 10);
}

bool log_read(struct log *log, FILE *file)
{
    struct log_step between = {0};
    char line[256];

    *log = (struct log){0};
    while (fgets(line, sizeof line, file) != NULL) {
        struct log_step *step = log->n == 0 ? NULL : &log->steps[log->n - 1];

        if (begins(line, "Trace ")) {
            if (!add_step(log, &between)) {
                fputs("out of memory\n", stderr);
                return false;
            }
        } else if (line[0] == 'R' && line[3] == '=' && step != NULL) {
            take_registers(step, line);
        } else if ((begins(line, "PSR=") || begins(line, "XPSR=")) &&
                   step != NULL) {
            take_psr(step, line);
        } else if (begins(line, "Stopped execution") ||
                   begins(line, "cpu_io_recompile: rewound")) {
            drop_step(log, &between);
        } else if (begins(line, "Taking exception")) {
            take_exception(&between, line);
        } else if (begins(line, "...taking pending")) {
            take_m_exception(&between, line);
        }
    }
    if (ferror(file) || log->n == 0) {
        fputs("this is not a log of QEMU's\n", stderr);
        return false;
    }
    return true;
}
