/* SPDX-License-Identifier: Apache-2.0 */
/* Macrocells of each version, register values, and what is said of them. */
#ifndef TEST_SETUP_EXPLAIN_UTIL_H
#define TEST_SETUP_EXPLAIN_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <etm/setup.h>

/* Versions as src/model/registers.h has them. */
enum {
    V1_0 = 0x10,
    V1_1 = 0x11,
    V1_2 = 0x12,
    V1_3 = 0x13,
    V2_0 = 0x20,
    V2_1 = 0x21,
    V3_0 = 0x30,
    V3_1 = 0x31,
    V3_2 = 0x32,
    V3_3 = 0x33,
    V3_4 = 0x34,
    V3_5 = 0x35,
    PFT1_0 = 0x40,
    PFT1_1 = 0x41
};

static const unsigned all_versions[] = {V1_0, V1_1, V1_2,   V1_3,  V2_0,
                                        V2_1, V3_0, V3_1,   V3_2,  V3_3,
                                        V3_4, V3_5, PFT1_0, PFT1_1};
#define N_VERSIONS (sizeof all_versions / sizeof *all_versions)

struct setting {
    struct etm_config config;
    struct etm_macrocell_config macrocell;
    struct etm_register registers[200];
    struct etm_explain_config explain;
};

/* 4 pairs, 2 data comparators, 2 decoders, 2 counters, sequencer, 4 inputs, 2
   outputs, FIFOFULL, 2 context ID comparators, start/stop block. */
#define CCR_ETM UINT32_C(0x06a94224)
#define CCR_PTM UINT32_C(0x06294004)

/* A macrocell of that version. */
static inline void machine(struct setting *s, unsigned version)
{
    memset(s, 0, sizeof *s);
    s->config.protocol =
        (enum etm_protocol)(ETM_PROTOCOL_ETMV1 + (int)(version >> 4) - 1);
    s->config.minor = version & 15;
    s->config.security = version >= V3_2;
    s->macrocell.config = &s->config;
    s->macrocell.ccr = version >= PFT1_0 ? CCR_PTM : CCR_ETM;
    /* 2 selectors of 40 inputs, readable, 2 instrumentation resources, 4
       EmbeddedICE comparators that start and stop, timestamps */
    s->macrocell.ccer = version >= V3_1 ? UINT32_C(0x00744942) : 0;
    s->macrocell.scr = version >= V3_0 ? 4 : 0x1fa;
    s->macrocell.fifo_size = 40;
    s->explain.registers = s->registers;
    s->explain.macrocell = &s->macrocell;
}

static inline void put(struct setting *s, uint32_t number, uint32_t value)
{
    struct etm_register *r = &s->registers[s->explain.n_registers];

    for (size_t i = 0; i < s->explain.n_registers; i++) {
        if (s->registers[i].number == number)
            r = &s->registers[i];
    }
    if (r == &s->registers[s->explain.n_registers])
        s->explain.n_registers++;
    assert_true(s->explain.n_registers < 200);
    r->number = number;
    r->value = value;
}

struct sentences {
    char text[32768];
    size_t n;
};

static inline int keep_line(void *context, const struct etm_explain_line *line)
{
    struct sentences *all = context;
    int n =
        snprintf(all->text + all->n, sizeof all->text - all->n, "%s/%s: %s\n",
                 etm_topic_name(line->topic), line->subject, line->text);

    assert_true(n > 0 && all->n + (size_t)n < sizeof all->text);
    all->n += (size_t)n;
    return 0;
}

/* All sentences, one a line, as "topic/subject: text". */
static inline const char *explained(const struct setting *s,
                                    struct sentences *all)
{
    struct etm_diag diag = {0};

    memset(all, 0, sizeof *all);
    if (etm_explain(&s->explain, keep_line, all, &diag) != ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
    return all->text;
}

static inline void assert_says(const struct setting *s, const char *line)
{
    struct sentences all;

    if (strstr(explained(s, &all), line) == NULL)
        fail_msg("\"%s\" is not in\n%s", line, all.text);
}

#define LINTS 100

#endif
