/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What QEMU logs with `-singlestep -d exec,cpu,nochain,int`: the registers
 * before each instruction, and the exceptions between instructions.
 */
#ifndef DEMO_QEMU_LOG_H
#define DEMO_QEMU_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum log_exception {
    LOG_NO_EXCEPTION = 0,
    LOG_SVC,
    LOG_IRQ,
    LOG_M_PROFILE, /* `number` says which */
    LOG_OTHER      /* one that this recorder does not know */
};

/* One instruction, and what happened between the one before and this one. */
struct log_step {
    uint32_t r[16]; /* r[15]: its address */
    uint32_t psr;   /* CPSR or xPSR */
    bool thumb, ns, m_profile;
    bool returned;     /* M profile: an exception return came before */
    bool stopped;      /* the exception came when `stopped_at` was next */
    uint8_t exception; /* enum log_exception */
    uint16_t number;   /* of an M-profile exception */
    uint32_t stopped_at;
};

struct log {
    struct log_step *steps;
    size_t n, capacity;
};

/* Read a log. On failure a message is printed. free(log->steps) in the end. */
bool log_read(struct log *log, FILE *file);

#endif
