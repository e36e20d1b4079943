/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a program to its trace and back: what `etm record` says that ran is
 * what the trace decodes to, under every protocol.
 */
#include "../support/test.h"
#include "record_compare.h"
#include "reference/lister.h"

static const struct program a_profile[] =
    PROGRAMS("a9", "cortex-a9r0p0", A, IRQ_FIQ);
static const struct program r_profile[] =
    PROGRAMS("r4", "cortex-r4", R, IRQ_FIQ);
static const struct program m_profile[] = PROGRAMS(
    "m3", "cortex-m3", M, "--interrupt irq1/90 --interrupt systick/120");

static const char *const etmv3_versions[] = {"v3.0", "v3.1", "v3.2",
                                             "v3.3", "v3.4", "v3.5"};

IN_A_FOLDER(pft_comes_back)
{
    static const char *const options[] = {
        "",
        "--return-stack",
        "--cycle-accurate",
        "--branch-broadcast",
        "--context-id 4 --timestamps --sync 64",
        "--cycle-accurate --return-stack --context-id 2 --unformatted",
        "--framing tpiu --trace-id 0x33",
    };

    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < COUNT(options); k++)
            comes_back(&a_profile[i], k % 2 == 0 ? "pft1.1" : "pft1.0",
                       options[k], false);
}

IN_A_FOLDER(etmv3_instructions_come_back)
{
    static const char *const options[] = {"",
                                          "--cycle-accurate",
                                          "--branch-broadcast",
                                          "--context-id 4 --sync 64",
                                          "--framing none",
                                          "--framing dstream"};

    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 6; k++) {
            comes_back(&r_profile[i], etmv3_versions[k], options[(i + k) % 6],
                       false);
            comes_back(&r_profile[i], etmv3_versions[k],
                       options[(i + k + 3) % 6], false);
        }
}

IN_A_FOLDER(etmv3_data_come_back)
{
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 6; k++)
            comes_back(&r_profile[i], etmv3_versions[k],
                       k % 2 == 0 ? "--data both"
                                  : "--data both --cycle-accurate",
                       true);
}

IN_A_FOLDER(the_m_profile_comes_back)
{
    for (size_t i = 0; i < 3; i++) {
        comes_back(&m_profile[i], "v3.4", "", false);
        comes_back(&m_profile[i], "v3.5", "--timestamps", false);
        comes_back(&m_profile[i], "v3.4", "--branch-broadcast --sync 100",
                   false);
    }
}

/* Instructions of a range only, and the rest of them. */
static void keep(struct run *run, uint32_t from, uint32_t to, bool inside)
{
    size_t n = 0;

    for (size_t i = 0; i < run->n_steps; i++) {
        uint32_t address = run->steps[i].address;

        if ((address >= from && address <= to) == inside)
            run->steps[n++] = run->steps[i];
    }
    run->n_steps = n;
}

/* PFT selects waypoints, and traces the whole way to each. */
static bool waypoints[1 << 16];

static void keep_waypoints(struct run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->n_steps; i++) {
        if (waypoints[run->steps[i].address & 0xffff])
            run->steps[n++] = run->steps[i];
    }
    run->n_steps = n;
}

/* Where the waypoints are: what PFT tells the outcome of. */
static void find_waypoints(const struct program *p)
{
    struct run told;

    record(p->name, "--core cortex-a9");
    decode(&told);
    memset(waypoints, 0, sizeof waypoints);
    for (size_t i = 0; i < told.n_steps; i++) {
        assert_true(told.steps[i].address < sizeof waypoints);
        if (told.steps[i].exec != ETM_UNKNOWN)
            waypoints[told.steps[i].address] = true;
    }
    runs_free(NULL, &told);
}

/* What a setup selects is what comes out. */
static void selects(const struct program *p, const char *version,
                    const struct etm_request *request, uint32_t from,
                    uint32_t to, bool inside)
{
    struct etm_config config;
    struct run ran, told;

    record_request(p, version, request, &config);
    read_log(&ran, p->profile, version);
    decode(&told);
    keep(&ran, from, to, inside);
    if (config.protocol == ETM_PROTOCOL_PFT) {
        keep(&told, from, to, inside);
        keep_waypoints(&ran);
        keep_waypoints(&told);
    }
    assert_true(ran.n_steps > 100);
    same_steps(&ran, &told, tail_of(version), version);
    runs_free(&ran, &told);
}

IN_A_FOLDER(ranges_select_instructions)
{
    static const struct {
        const struct program *program;
        const char *version;
    } rows[] = {
        {&a_profile[0], "pft1.0"}, {&a_profile[0], "pft1.1"},
        {&r_profile[0], "v3.0"},   {&r_profile[0], "v3.3"},
        {&r_profile[0], "v3.5"},   {&r_profile[2], "v3.4"},
        {&arm7[0], "v1.2"},        {&arm9[0], "v1.3"},
        {&arm10[0], "v2.0"},       {&arm10[0], "v2.1"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct program *p = rows[i].program;
        struct run ran;
        uint32_t low, high;
        struct etm_request_match match = {.range = true};
        struct etm_request request = {.include = &match, .n_include = 1};

        /* the middle third of the addresses that ran */
        find_waypoints(p);
        read_log(&ran, p->profile, rows[i].version);
        low = UINT32_MAX;
        high = 0;
        for (size_t k = 0; k < ran.n_steps; k++) {
            uint32_t address = ran.steps[k].address;

            low = address < low ? address : low;
            high = address > high ? address : high;
        }
        runs_free(&ran, NULL);
        match.from = (low + (high - low) / 3) & ~3u;
        match.to = ((low + (high - low) / 3 * 2) & ~3u) - 1;
        selects(p, rows[i].version, &request, match.from, match.to, true);
        request = (struct etm_request){.exclude = &match, .n_exclude = 1};
        selects(p, rows[i].version, &request, match.from, match.to, false);
    }
}

/* From one address up to another, again and again. */
static void keep_between(struct run *run, uint32_t start, uint32_t stop)
{
    bool on = false;
    size_t n = 0;

    for (size_t i = 0; i < run->n_steps; i++) {
        uint32_t address = run->steps[i].address;

        on = address == start || (on && address != stop);
        if (on)
            run->steps[n++] = run->steps[i];
    }
    run->n_steps = n;
}

/* MC-SSB-13, MC-SSB-18: the first is traced, the last is not */
IN_A_FOLDER(start_and_stop_select_instructions)
{
    static const char *const versions[] = {"v3.0", "v3.1", "v3.3", "v3.5"};

    for (size_t i = 0; i < 4; i++) {
        const struct program *p = &r_profile[0];
        struct etm_request_match start = {0}, stop = {0};
        struct etm_request request = {
            .start = &start, .n_start = 1, .stop = &stop, .n_stop = 1};
        struct etm_config config;
        struct run ran, told;

        record(p->name, "--core cortex-r4");
        read_log(&ran, p->profile, versions[i]);
        start.from = start.to = ran.steps[1000].address;
        stop.from = stop.to = ran.steps[1040].address;
        assert_int_not_equal(start.from, stop.from);
        keep_between(&ran, start.from, stop.from);
        record_request(p, versions[i], &request, &config);
        decode(&told);
        same_steps(&ran, &told, 0, versions[i]);
        assert_true(told.n_steps > 40);
        runs_free(&ran, &told);
    }
}

/* Do instructions of a stretch of trace stand there in what ran? */
static bool stands_at(const struct run *ran, size_t at, const struct run *told,
                      size_t first, size_t n)
{
    if (at + n > ran->n_steps)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (ran->steps[at + i].address != told->steps[first + i].address ||
            ran->steps[at + i].opcode != told->steps[first + i].opcode)
            return false;
    }
    return true;
}

/* Between two overflows the trace has every instruction. */
IN_A_FOLDER(a_small_fifo_loses_whole_stretches)
{
    static const char *const rows[] = {
        "--core cortex-r4 --etm v3.0 --data both --fifo 20 --port-width 8",
        "--core cortex-r4 --etm v3.3 --data both --fifo 24 --port-width 8",
        "--core cortex-r4 --etm v3.5 --data both --fifo 24 --port-width 8",
        "--core cortex-a9 --etm pft1.1 --branch-broadcast --fifo 8",
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct run ran, told;
        size_t at = 0, n;

        record("recurse-r4", "%s", rows[i]);
        read_log(&ran, ETM_PROFILE_R, "v3");
        decode(&told);
        assert_int_equal(told.n_lost, 0);
        assert_true(told.n_overflows > 3);
        assert_true(told.n_steps < ran.n_steps && told.n_steps > 5000);
        for (size_t first = 0; first < told.n_steps; first += n) {
            n = 1;
            while (first + n < told.n_steps && !told.steps[first + n].begins)
                n++;
            while (at < ran.n_steps && !stands_at(&ran, at, &told, first, n))
                at++;
            if (at == ran.n_steps)
                fail_msg("%s: the stretch of %zu instructions from 0x%08x on "
                         "never ran",
                         rows[i], n, (unsigned)told.steps[first].address);
            at += n;
        }
        runs_free(&ran, &told);
    }
}

/* Instructions by the ranges of another decoder: the same, as far as it goes.
 * Where an exception comes between, it may begin a new range. */
static void lister_agrees(const struct program *p, const char *version,
                          const char *options)
{
    struct etm_lister lister;
    struct run ran;
    size_t at = 0, n = 0;

    record(p->name, "--core %s --etm %s %s %s", p->core, version, p->interrupts,
           options);
    if (!etm_lister_run(&lister, snapshot(), 0x10))
        return;
    read_log(&ran, p->profile, version);
    for (size_t i = 0; i < lister.n_elements; i++) {
        const struct etm_lister_element *e = &lister.elements[i];

        if (strcmp(e->name, "INSTR_RANGE") != 0)
            continue;
        n++;
        if (at + e->n > ran.n_steps || ran.steps[at].address != e->start ||
            ran.steps[at + e->n - 1].address >= e->end)
            fail_msg("%s %s %s: range %zu at 0x%08x is not where instruction "
                     "%zu was, 0x%08x",
                     p->name, version, options, i, (unsigned)e->start, at,
                     at < ran.n_steps ? (unsigned)ran.steps[at].address : 0);
        at += (size_t)e->n;
    }
    assert_true(n > 50);
    if (at + tail_of(version) < ran.n_steps)
        fail_msg("%s %s %s: %zu of %zu instructions", p->name, version, options,
                 at, ran.n_steps);
    runs_free(&ran, NULL);
    etm_lister_free(&lister);
}

IN_A_FOLDER(another_decoder_reads_the_same)
{
    lister_agrees(&a_profile[0], "pft1.0", "");
    lister_agrees(&a_profile[2], "pft1.1", "--cycle-accurate");
    lister_agrees(&m_profile[0], "v3.4", "");
    lister_agrees(&m_profile[2], "v3.5", "--branch-broadcast");
    /* not recurse-r4: OpenCSD 1.3 forgets the state after a BLX at the end of
     * a P-header */
    lister_agrees(&r_profile[2], "v3.3", "");
    lister_agrees(&r_profile[2], "v3.5", "--cycle-accurate");
}

int main(int argc, char **argv)
{
    if (!record_setup(argc, argv))
        return 77;
    return tests_run();
}
