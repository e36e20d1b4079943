/* SPDX-License-Identifier: Apache-2.0 */
/* One execution in ETMv2 and in ETMv3 (ETM architecture, 7.11). Rows of the
 * conformance list stand above the tests. */
#include "gen_util.h"

#define MOV 0xe1a00000u
#define LDR 0xe5910000u
#define B 0xea000000u   /* b . + 8 */
#define BEQ 0x0a000000u /* beq . + 8 */
#define ADDEQ 0x00800001u
#define LDREQ 0x05910000u

struct atoms {
    size_t n;
    char text[256];
};

static void add(struct atoms *a, const char *text)
{
    size_t n = strlen(text);

    assert_true(a->n + n < sizeof a->text);
    memcpy(a->text + a->n, text, n + 1);
    a->n += n;
}

/* Table 7-24: PIPESTAT from IE to PNDN. */
static int from_statuses(void *context, const struct etm_packet *packets,
                         size_t n)
{
    static const char *const meaning[16] = {
        "WE",  "WE",  "WN",  "WN",  "W",   "W",   "",    "",
        "WEE", "WEE", "WEN", "WEN", "WNE", "WNE", "WNN", "WNN"};

    for (size_t i = 0; i < n; i++)
        if (packets[i].kind == ETM_PACKET_PIPESTAT)
            add(context, meaning[packets[i].value & 15]);
    return ETM_OK;
}

static int from_headers(void *context, const struct etm_packet *packets,
                        size_t n)
{
    static const char *const meaning[3] = {"E", "N", "W"};

    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < packets[i].count; k++)
            add(context, meaning[packets[i].value >> 2 * k & 3]);
    return ETM_OK;
}

static void generate(struct atoms *atoms, const struct etm_config *config,
                     etm_packet_fn *packets, const struct etm_event *events,
                     size_t n)
{
    struct etm_generator_config options = {.size = sizeof options,
                                           .config = config,
                                           .packets = packets,
                                           .context = atoms,
                                           .fold_branches = true};
    struct etm_generator *g;

    *atoms = (struct atoms){0};
    assert_int_equal(etm_generator_new(&g, &options), ETM_OK);
    assert_int_equal(etm_generator_push(g, events, n), ETM_OK);
    assert_int_equal(etm_generator_finish(g), ETM_OK);
    etm_generator_free(g);
    while (atoms->n != 0 && atoms->text[atoms->n - 1] == 'W')
        atoms->text[--atoms->n] = '\0'; /* the FIFO of ETMv2 drains */
}

/* V3-CMP-01: in table 7-24 each status is a W and the instructions of its
 * cycle, whether data come with it or not. */
static void statuses_are_atoms(void **state)
{
    const struct etm_config v2 = {.protocol = ETM_PROTOCOL_ETMV2,
                                  .minor = 1,
                                  .data_value = true,
                                  .data_address = true};
    const struct etm_config v3 = {.protocol = ETM_PROTOCOL_ETMV3,
                                  .minor = 3,
                                  .cycle_accurate = true,
                                  .data_value = true,
                                  .data_address = true};
    const struct etm_event events[] = {
        after(1, start(place(0x8000, ETM_ISA_ARM))),
        after(6, arm(0x8000, MOV)), /* WT, IE */
        after(1, arm(0x8004, LDR)), /* DE */
        transfer(0x1000, 1),
        after(1, failing(arm(0x8008, ADDEQ))), /* IN */
        after(4, to(arm(0x800c, B), place(0x8014, ETM_ISA_ARM))),
        arm(0x8014, MOV), /* PTIE */
        after(1, to(arm(0x8018, B), place(0x8020, ETM_ISA_ARM))),
        arm(0x8020, LDR), /* PTDE */
        transfer(0x1004, 2),
        after(4, to(arm(0x8024, B), place(0x802c, ETM_ISA_ARM))),
        failing(arm(0x802c, LDREQ)), /* PTIN */
        after(1, failing(arm(0x8030, BEQ))),
        arm(0x8034, MOV), /* PNIE */
        after(1, failing(arm(0x8038, BEQ))),
        arm(0x803c, LDR), /* PNDE */
        transfer(0x1008, 3),
        after(3, failing(arm(0x8040, BEQ))),
        failing(arm(0x8044, ADDEQ)), /* PNIN */
        after(1, arm(0x8048, MOV))};
    struct atoms statuses, headers;

    (void)state;
    generate(&statuses, &v2, from_statuses, events, COUNT(events));
    generate(&headers, &v3, from_headers, events, COUNT(events));
    assert_string_equal(statuses.text,
                        "WWWWWWEWEWNWWWWEEWEEWWWWENWNEWNEWWWNNWE");
    assert_string_equal(headers.text, statuses.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_are_atoms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
