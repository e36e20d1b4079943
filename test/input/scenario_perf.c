/* SPDX-License-Identifier: Apache-2.0 */
/* Files of Linux's perf, a record a line. */
#define _POSIX_C_SOURCE 200809L
#include "scenario.h"

#include "perf_support.h"

#include "input/elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define KERNEL 1u
#define EXEC (1u << 13)     /* of COMM */
#define DATA (1u << 13)     /* of MMAP */
#define HAS_SIZE (1u << 15) /* of a build ID */

static const uint8_t id_a[20] = {0xab, 0xcd, 0xef, 1, 2, 3};
static const uint8_t id_b[20] = {0xab, 0xcd, 0xef, 1, 2, 4};
/* as A has it with 16 bytes, and more */
static const uint8_t id_longer[20] = {
    [0] = 0xab, [1] = 0xcd, [2] = 0xef, [3] = 1, [4] = 2, [5] = 3, [16] = 1};

static bool pipe_file;

static bool id_of(const char *word, const uint8_t **id)
{
    *id = strcmp(word, "a") == 0        ? id_a
          : strcmp(word, "b") == 0      ? id_b
          : strcmp(word, "longer") == 0 ? id_longer
                                        : NULL;
    return *id != NULL || wrong("no such build: %s", word);
}

/* The hexadecimal numbers of words from..; false: it is wrong. */
static bool numbers(struct words *w, unsigned from, uint64_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (from + i >= w->n || !number(w->word[from + i], 16, &values[i]))
            return wrong("%s: %zu numbers", w->word[0], n);
    return true;
}

/* perf: a file; perf pipe; perf code: an event of all processes, with a
 * macrocell that is traced */
static bool perf_line(struct words *w)
{
    bool code = w->n > 1 && strcmp(w->word[1], "code") == 0;

    pipe_file = w->n > 1 && strcmp(w->word[1], "pipe") == 0;
    perf_now = 0;
    begin(pipe_file);
    if (code) {
        file.bytes[104 + 40 + 2] = 1 << 2; /* sample_id_all */
        put_info(1, ETMV3, 0);
    }
    return w->n == 1 || code || pipe_file || wrong("perf pipe, perf code");
}

/* info VERSION [etmv4] [legacy] */
static bool info_line(struct words *w)
{
    uint64_t version, magic = ETMV3;
    uint32_t legacy = 0;

    if (!numbers(w, 1, &version, 1))
        return false;
    for (unsigned i = 2; i < w->n; i++) {
        if (strcmp(w->word[i], "etmv4") == 0)
            magic = ETMV4;
        else if (strcmp(w->word[i], "legacy") == 0)
            legacy = LEGACY;
        else
            return wrong("not known: %s", w->word[i]);
    }
    put_info((unsigned)version, magic, legacy);
    return true;
}

/* id CPU ID; trace SINK ID VALUE; piece SINK BYTES [OFFSET], before so many
 * bytes of trace; pieces N: of as many sinks, without trace; time N; poke AT
 * BYTES */
static bool short_line(struct words *w)
{
    const char *verb = w->word[0];
    uint64_t v[3] = {0};
    size_t count = strcmp(verb, "trace") == 0   ? 3
                   : strcmp(verb, "id") == 0    ? 2
                   : strcmp(verb, "piece") == 0 ? w->n - 1
                                                : 1;

    if (count > 3 || !numbers(w, 1, v, count))
        return false;
    if (strcmp(verb, "id") == 0) {
        put_id((uint32_t)v[0], v[1]);
    } else if (strcmp(verb, "trace") == 0) {
        put_trace((uint32_t)v[0], (uint8_t)v[1], (uint8_t)v[2]);
    } else if (strcmp(verb, "piece") == 0) {
        put_piece((uint32_t)v[0], v[1]);
        file.n -= 40 - 8;
        put(v[2], 8);
        file.n += 40 - 16;
    } else if (strcmp(verb, "pieces") == 0) {
        for (uint32_t i = 0; i < v[0]; i++)
            put_piece(i, 0);
    } else if (strcmp(verb, "poke") == 0) {
        size_t n = file.n;

        file.n = (size_t)v[0];
        for (unsigned i = 2; i < w->n; i++)
            put(strtoull(w->word[i], NULL, 16), 1);
        file.n = n;
    } else {
        perf_now = v[0];
    }
    return true;
}

/* cpus N: a macrocell in each of so many */
static bool cpus_line(struct words *w)
{
    uint64_t n;

    if (!numbers(w, 1, &n, 1))
        return false;
    put_record(70, 8 + 8 * (3 + 7 * (size_t)n));
    put(3, 4);
    put(0, 4);
    put(1, 8);
    put(n, 8);
    put(0, 8);
    for (unsigned i = 0; i < n; i++) {
        put(ETMV3, 8);
        put(i, 8);
        put(4, 8);
        for (unsigned k = 0; k < 4; k++)
            put(0x10, 8);
    }
    return true;
}

/* record TYPE VALUE ...: `8:1f` is 1f in 8 bytes, `1:0*104` 104 of them; more
 * VALUE ...: behind the record, of which it is no part */
static bool record_line(struct words *w)
{
    bool more = strcmp(w->word[0], "more") == 0;
    size_t begin = file.n, end;
    uint64_t type = 0;

    if (!more && (w->n < 2 || !number(w->word[1], 10, &type)))
        return false;
    if (!more)
        put_record((unsigned)type, 0);
    for (unsigned i = more ? 1 : 2; i < w->n; i++) {
        char *at;
        unsigned bytes = (unsigned)strtoul(w->word[i], &at, 10);
        uint64_t value = *at == ':' ? strtoull(at + 1, &at, 16) : 0;
        unsigned long times = *at == '*' ? strtoul(at + 1, &at, 10) : 1;

        if (*at != 0 || bytes > 8)
            return wrong("8:1f");
        for (; times != 0; times--)
            put(value, bytes);
    }
    end = file.n;
    file.n = begin + 6;
    if (!more)
        put(end - begin, 2);
    file.n = end;
    return true;
}

static void put_mmap(unsigned misc, const uint64_t *v, const char *name)
{
    size_t record = file.n;

    put_record(1, 32 + (strlen(name) + 8) / 8 * 8 + 32);
    set_misc(record, misc);
    put(v[0], 4);
    put(v[0], 4);
    for (unsigned i = 1; i < 4; i++)
        put(v[i], 8);
    put_name(name);
    put_end();
}

/* map PID ADDRESS NAME [length=N] [offset=N] [prot=N] [id=BUILD] [kernel]
 * [data] [old]: as a loader maps the first segment of a program */
static bool map_line(struct words *w)
{
    uint64_t v[4] = {0, 0, 0x1000, 0x74}, protection = 5;
    const uint8_t *id = NULL;
    unsigned misc = USER;
    bool old = false, good = numbers(w, 1, v, 2) && w->n > 3;

    for (unsigned i = 4; i < w->n && good; i++) {
        char *word = w->word[i], *is;

        if ((is = value_of(word, "length")) != NULL)
            good = number(is, 16, &v[2]);
        else if ((is = value_of(word, "offset")) != NULL)
            good = number(is, 16, &v[3]);
        else if ((is = value_of(word, "prot")) != NULL)
            good = number(is, 16, &protection);
        else if ((is = value_of(word, "id")) != NULL)
            good = id_of(is, &id);
        else if (strcmp(word, "kernel") == 0)
            misc = KERNEL;
        else if (strcmp(word, "data") == 0)
            misc |= DATA;
        else
            old = true;
    }
    if (!good)
        return wrong("map PID ADDRESS NAME");
    if (old)
        put_mmap(misc, v, w->word[3]);
    else
        put_mmap2(misc, (uint32_t)v[0], v[1], v[2], v[3], id,
                  (unsigned)protection, w->word[3]);
    return true;
}

/* maps PID ADDRESS N: of as many files that are missing */
static bool maps_line(struct words *w)
{
    uint64_t v[3];
    char name[32];

    if (!numbers(w, 1, v, 3))
        return false;
    for (unsigned i = 0; i < v[2]; i++) {
        snprintf(name, sizeof name, "/missing%u", i);
        put_mmap2(USER, (uint32_t)v[0], v[1] + 0x10000 * i, 0x1000, 0x74, NULL,
                  5, name);
    }
    return true;
}

/* folder NAME: in that of the case */
static bool folder_line(struct words *w)
{
    return (w->n == 2 && mkdir(in_directory(w->word[1]), 0700) == 0) ||
           wrong("folder NAME");
}

/* comm PID [exec] */
static bool comm_line(struct words *w)
{
    size_t record = file.n;
    uint64_t pid;

    if (!numbers(w, 1, &pid, 1))
        return false;
    put_record(3, 8 + 8 + 32);
    set_misc(record, w->n > 2 ? EXEC : 0);
    put(pid, 4);
    put(pid, 4);
    put_name("prog");
    put_end();
    return true;
}

/* program NAME [shared] [id=BUILD] [short_id]: the first 16 bytes of its ID */
static bool program_line(struct words *w)
{
    const uint8_t *id = NULL;
    bool shared = false, shorter = false;

    for (unsigned i = 2; i < w->n; i++) {
        char *is = value_of(w->word[i], "id");

        if (is != NULL && !id_of(is, &id))
            return false;
        shared = shared || strcmp(w->word[i], "shared") == 0;
        shorter = shorter || strcmp(w->word[i], "short_id") == 0;
    }
    if (w->n < 2)
        return wrong("program NAME");
    write_program(w->word[1], shared, id);
    if (shorter) {
        FILE *program = fopen(in_directory(w->word[1]), "r+b");

        /* the ID is at the end, after its size, type and owner */
        if (program == NULL || fseek(program, -32, SEEK_END) != 0 ||
            fputc(16, program) != 16 || fclose(program) != 0)
            return wrong("it is not written");
    }
    return true;
}

static void write_perf(void)
{
    if (pipe_file)
        write_file("perf.data", file.bytes, file.n);
    else
        end();
}

static void put_build(const char *path, const uint8_t *id, unsigned misc,
                      uint64_t size)
{
    size_t record = file.n;

    put_record(67, 28 + 8 + 16);
    set_misc(record, misc);
    put(UINT32_MAX, 4);
    for (unsigned i = 0; i < 20; i++)
        put(id[i], 1);
    put(size, 4);
    put_name(path);
    put_name("");
    put_name("");
}

/* builds BUILD [SIZE]: of /prog, as perf adds it after the records, with
 * sections of two other features before it, and one of another file behind it.
 * It is the last line of the file. */
static bool builds_line(struct words *w)
{
    static const uint8_t other[20] = {0xee};
    const unsigned misc = w->n > 2 ? HAS_SIZE : 0;
    const uint8_t *id;
    uint64_t size = 99;
    size_t behind;

    if (w->n < 2 || !id_of(w->word[1], &id) ||
        (w->n > 2 && !number(w->word[2], 10, &size)))
        return wrong("builds BUILD [SIZE]");
    capture_begin();
    write_perf();
    file.bytes[72] = 7;
    behind = file.n;
    for (unsigned i = 0; i < 6; i++)
        put(i == 4 ? behind + 48 : i == 5 ? 2 * (44 + 2 * 8) : 1, 8);
    put_build("/prog", id, misc, size);
    put_build("/bin", other, misc, size);
    write_file("perf.data", file.bytes, file.n);
    return true;
}

/* Of a file that is cut off it is said that it is, also when there is a source
 * if nothing comes after its trace. */
enum cut { WHOLE, CUT, CUT_TRACE };

/* Opened: what is in it is in memory of 32 bits, and of two sinks and CPUs at
 * most. Refused: it says why. *read is the number of regions of code and
 * sources then. */
static bool open_damaged(size_t n, enum cut cut, size_t *read)
{
    const struct etm_raw_options options = {.sysroot = perf_root()};
    struct etm_diag diag = {0};
    int status;
    size_t regions = 0;
    bool good = true;

    write_file("perf.data", file.bytes, n);
    status = etm_capture_open_raw(&capture, in_directory("perf.data"), &options,
                                  NULL, &diag);
    *read = 0;
    if (status != ETM_OK)
        return (status == ETM_ERR_FORMAT && diag.what[0] != 0 &&
                strstr(diag.source, "perf.data") != NULL) ||
               wrong("status %d: %s", status, diag.what);
    if (capture.cores.n != 0)
        regions = etm_image_regions(core_at(0)->image);
    for (size_t i = 0; i < regions; i++) {
        struct etm_space space;
        uint32_t address;
        size_t size;

        good = good &&
               etm_image_region(core_at(0)->image, i, &address, &size,
                                &space) == ETM_OK &&
               size > 0 && size <= UINT64_C(0x100000000) - address;
    }
    if (!good || capture.buffers.n > 2 || capture.sources.n > 2 ||
        (!has_note("is truncated") &&
         (cut == CUT_TRACE || (cut == CUT && capture.sources.n == 0))))
        good = wrong("%zu buffers, %zu sources", capture.buffers.n,
                     capture.sources.n);
    *read = 1 + regions;
    etm_capture_close(&capture);
    return good;
}

/* damaged N MOST: cut off anywhere, it is refused up to where the trace begins,
 * and has all of its MOST regions of code after that; with three other bytes, N
 * times, it is read or refused. */
static bool damaged_line(struct words *w)
{
    static uint8_t whole[sizeof file.bytes];
    uint64_t v[2], random = 1;
    size_t n = file.n, read, refused = 0, all = 0, fewer = 0;
    bool begun = false;

    cases.n_expected++;
    capture_begin();
    if (!numbers(w, 1, v, 2))
        return false;
    memcpy(whole, file.bytes, n);
    for (size_t cut = 16; cut < n; cut++) {
        if (!open_damaged(cut, v[1] == 0 ? CUT_TRACE : CUT, &read))
            return false;
        begun = begun || read != 0;
        if (read != (begun ? 1 + v[1] : 0))
            return wrong("%zu of %zu bytes: %zu regions", cut, n, read);
    }
    for (unsigned i = 0; i < v[0]; i++) {
        memcpy(file.bytes, whole, n);
        for (unsigned k = 0; k < 3; k++) {
            random = random * UINT64_C(6364136223846793005) + 99;
            file.bytes[8 + (random >> 33) % (n - 8)] = (uint8_t)(random >> 20);
        }
        if (!open_damaged(n, WHOLE, &read))
            return false;
        refused += read == 0;
        all += read == 1 + v[1];
        fewer += read != 0 && read < 1 + v[1];
    }
    /* the seed gives some of each */
    return (begun && refused > 20 && all > 20 && (fewer > 20 || v[1] == 0)) ||
           wrong("%zu refused, %zu read, %zu in part", refused, all, fewer);
}

bool perf_verb(struct words *w)
{
    static const struct verb records[] = {
        {"perf", perf_line},
        {"info", info_line},
        {"id", short_line},
        {"trace", short_line},
        {"piece", short_line},
        {"pieces", short_line},
        {"time", short_line},
        {"poke", short_line},
        {"record", record_line},
        {"more", record_line},
        {"cpus", cpus_line},
        {"map", map_line},
        {"maps", maps_line},
        {"folder", folder_line},
        {"comm", comm_line},
        {"program", program_line},
        {NULL, NULL},
    };
    const struct verb *const lists[] = {records, NULL};
    bool known, good = case_verb(lists, 0, w, &known);

    capture_begin();
    if (good)
        write_perf();
    return known ? good : wrong("not known: %s", w->word[0]);
}

const struct verb perf_ends[] = {
    {"builds", builds_line}, {"damaged", damaged_line}, {NULL, NULL}};

/* symbol ADDRESS NAME: of a program of the first core, `none` */
bool perf_symbol(struct words *w)
{
    struct etm_symbol symbol = {.name = "none"};
    uint64_t address;

    if (w->n != 4 || !number(w->word[2], 16, &address))
        return wrong("symbol ADDRESS NAME");
    for (size_t i = 0; i < core_at(0)->memory.n; i++) {
        struct etm_elf *elf = memory_at(0, i)->elf;

        if (elf != NULL && etm_elf_symbol(elf, (uint32_t)address, &symbol))
            break;
    }
    return strcmp(symbol.name, w->word[3]) == 0 ||
           wrong("it is %s", symbol.name);
}

void tell_mapping(struct scenario_text *t, size_t i)
{
    const struct etm_mapping *m =
        (const struct etm_mapping *)capture.mappings.data + i;
    const char *name = m->file != NULL ? strrchr(m->file, '/') : NULL;

    text_add(t, " path=%s file=%s address=%llx length=%llx offset=%llx",
             m->path, name != NULL ? name + 1 : "none",
             (unsigned long long)m->address, (unsigned long long)m->length,
             (unsigned long long)m->offset);
    if (m->moved_known)
        text_add(t, " moved=%llx", (unsigned long long)m->moved);
    if (m->program)
        text_add(t, " program");
}
