/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv1 and ETMv2: what comes out of trace ports of every width is what ran,
 * to the last instruction, transfer and cycle.
 */
#include "../support/test.h"
#include "record_compare.h"

/* Ports of every width, with cycles and without; what v1.2 has comes last. */
static const char *const ports[] = {
    "--port-width 4",
    "--port-width 8 --cycle-accurate",
    "--port-width 16",
    "--port-width 4 --cycle-accurate",
    "--port-width 8 --branch-broadcast",
    "--port-width 16 --cycle-accurate",
    "--port-width 8 --context-id 4",
    "--port-width 4 --context-id 1 --cycle-accurate",
};
enum { PORTS = COUNT(ports), PORTS_V1_0 = 6 };

static const char *const v1[] = {"v1.0", "v1.1", "v1.2", "v1.3"};

IN_A_FOLDER(etmv1_comes_back)
{
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 4; k++) {
            size_t n = k < 2 ? PORTS_V1_0 : PORTS;

            comes_back(&arm7[i], v1[k], ports[(3 * i + k) % n], false);
            comes_back(k % 2 == 0 ? &arm9[i] : &arm7[i], v1[k],
                       ports[(3 * i + k + n / 2) % n], false);
        }
}

IN_A_FOLDER(etmv1_data_come_back)
{
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 4; k++)
            comes_back(k % 2 == 0 ? &arm7[i] : &arm9[i], v1[k],
                       (i + k) % 2 == 0 ? "--data both --port-width 16"
                                        : "--data both --cycle-accurate "
                                          "--port-width 16",
                       true);
}

IN_A_FOLDER(etmv2_comes_back)
{
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 3; k++)
            comes_back(&arm10[i], k % 2 == 0 ? "v2.1" : "v2.0",
                       ports[(3 * i + k) % PORTS], false);
        comes_back(&arm9[i], "v2.0", "", false);
    }
}

IN_A_FOLDER(etmv2_data_come_back)
{
    for (size_t i = 0; i < 3; i++) {
        comes_back(&arm10[i], "v2.0", "--data both --port-width 16", true);
        comes_back(&arm10[i], "v2.1",
                   "--data both --cycle-accurate --port-width 16", true);
        comes_back(&arm9[i], "v2.1", "--data both --port-width 16", true);
    }
}

IN_A_FOLDER(parts_of_data_come_back)
{
    for (size_t i = 0; i < 3; i += 2) {
        comes_back(&arm7[i], "v1.0", "--data value --port-width 16", true);
        comes_back(&arm9[i], "v1.3", "--data address --port-width 16", true);
        comes_back(&arm10[i], "v2.0", "--data value --port-width 16", true);
        comes_back(&arm10[i], "v2.1", "--data address --port-width 16", true);
    }
}

static const struct {
    const char *name;
    const struct program *programs;
    bool context_ids;
    uint8_t level; /* room for the longest load/store multiple */
} versions[] = {
    {"v1.0", arm9, false, 45}, {"v1.1", arm9, false, 45},
    {"v1.2", arm9, true, 45},  {"v1.3", arm9, true, 45},
    {"v2.0", arm10, true, 60}, {"v2.1", arm10, true, 60},
};
enum { VERSIONS = COUNT(versions) };

static const char *const data_words[] = {"", "--data address", "--data value",
                                         "--data both"};
static const uint8_t id_sizes[] = {0, 1, 2, 4};

/*
 * SIG-04, V1-CYC-02, V2-CYC-02: cycle for cycle, for each version, width of the
 * port, part of the data and size of the context ID. Where data would fill the
 * FIFO faster than the port empties it, the processor waits (FIFOFULL): then
 * there are more cycles than the log has.
 */
static void one_port(const struct program *p, size_t version, unsigned width,
                     unsigned data, unsigned id)
{
    bool stalls = data != 0 && width != 16;
    struct etm_request request = {
        .port_pins = (uint8_t)width,
        .cycle_accurate = true,
        .data_address = (data & 1) != 0,
        .data_value = (data & 2) != 0,
        .context_id_bytes = versions[version].context_ids ? id_sizes[id] : 0,
        .stall = stalls,
        .fifo_level = stalls ? versions[version].level : 0,
    };
    const char *name = versions[version].name;
    struct etm_config config;
    struct run ran, told;
    char what[200];

    snprintf(what, sizeof what, "%s %s, %u pins, %s, %u bytes of context ID",
             p->name, name, width, data_words[data],
             (unsigned)request.context_id_bytes);
    record_request(p, name, &request, &config);
    read_log(&ran, p->profile, name);
    keep_the_part(&ran, data_words[data]);
    decode(&told);
    if (told.n_overflows != 0)
        fail_msg("%s: %zu overflows", what, told.n_overflows);
    same_steps(&ran, &told, 0, what);
    assert_int_equal(told.steps[0].context_known,
                     request.context_id_bytes != 0);
    assert_int_equal(told.n_exceptions, ran.n_exceptions);
    if (data != 0)
        same_transfers(&ran, &told, 0, what);
    else
        assert_int_equal(told.n_transfers, 0);
    if (!request.stall)
        same_cycles(&ran, &told, name, what);
    else
        assert_true(told.cycles >= ran.cycles);
    runs_free(&ran, &told);
}

IN_A_FOLDER(every_port_tells_what_ran)
{
    for (size_t v = 0; v < VERSIONS; v++)
        for (unsigned width = 4; width <= 16; width *= 2)
            for (unsigned data = 0; data < 4; data++) {
                unsigned id = (unsigned)(v + data + width / 8) % 4;

                one_port(&versions[v].programs[2], v, width, data, id);
                if (data % 3 == 0)
                    one_port(&versions[v].programs[1], v, width, data, id ^ 2);
            }
}

/* The thousands of calls of this one have statuses of two halves. */
IN_A_FOLDER(every_cycle_is_one_record)
{
    for (size_t v = 0; v < VERSIONS; v++)
        for (unsigned width = 4; width <= 16; width *= 2)
            one_port(&versions[v].programs[0], v, width, 0, 0);
}

/* The log with another context ID at each place where it has one. */
static size_t with_context_ids(void)
{
    FILE *in = open_beside("log", "r"), *out = open_beside("ids", "w");
    char line[4096];
    size_t n = 0;

    while (fgets(line, sizeof line, in) != NULL)
        if (strncmp(line, "context 0", 9) == 0)
            fprintf(out, "context %08x%s",
                    0x12345678u + 0x01030507u * (unsigned)n++, line + 9);
        else
            fputs(line, out);
    assert_int_equal(fclose(in) | fclose(out), 0);
    return n;
}

/* CTX-01, CTX-03, CTX-04: as many bytes as are asked for, and nothing of those
 * that are not */
IN_A_FOLDER(context_ids_come_back)
{
    char options[300];

    for (size_t v = 2; v < VERSIONS; v++)
        for (unsigned id = 0; id < 4; id++) {
            const struct program *p = &versions[v].programs[1];
            unsigned bits = 8u * id_sizes[id];
            struct run ran, told;

            record(p->name, "--core %s --etm %s %s", p->core, versions[v].name,
                   p->interrupts);
            assert_true(with_context_ids() > 5);
            snprintf(options, sizeof options,
                     "--execution %s --core %s --etm %s --port-width 8 "
                     "--cycle-accurate --context-id %u",
                     beside("ids"), p->core, versions[v].name,
                     (unsigned)id_sizes[id]);
            record(NULL, "%s", options);
            read_log(&ran, p->profile, versions[v].name);
            for (size_t i = 0; i < ran.n_steps && bits < 32; i++)
                ran.steps[i].context_id &= (1u << bits) - 1;
            decode(&told);
            same_steps(&ran, &told, 0, options);
            same_cycles(&ran, &told, versions[v].name, options);
            assert_int_equal(told.steps[told.n_steps - 1].context_known,
                             bits != 0);
            runs_free(&ran, &told);
        }
}

/* V1-TRG-01, V1-PIPE-09: a load or store is what triggers, and takes several
 * cycles: TR comes after its status. */
IN_A_FOLDER(a_load_or_store_triggers)
{
    static const char *const events[] = {
        /* range 1, loads and stores in the stack */
        "--reg ETMTRIGGER=0x10 --reg ETMACVR1=0x30000 --reg ETMACTR1=0x1c "
        "--reg ETMACVR2=0x50000 --reg ETMACTR2=0x1c",
        /* the first instruction of main() */
        "--reg ETMTRIGGER=0x10 --reg ETMACVR1=0x104 --reg ETMACTR1=0x19 "
        "--reg ETMACVR2=0x10c --reg ETMACTR2=0x19",
    };
    static const char *const data[] = {"", "--data both"};

    for (size_t v = 0; v < VERSIONS; v++)
        for (size_t i = 0; i < 4; i++) {
            char options[400];
            struct run told;

            snprintf(options, sizeof options,
                     "--cycle-accurate --port-width 16 %s %s", data[i % 2],
                     events[i / 2]);
            comes_back(&versions[v].programs[1], versions[v].name, options,
                       i % 2 != 0);
            decode(&told);
            assert_int_equal(told.n_triggers, 1);
            runs_free(NULL, &told);
        }
}

int main(int argc, char **argv)
{
    if (!record_setup(argc, argv))
        return 77;
    return tests_run();
}
