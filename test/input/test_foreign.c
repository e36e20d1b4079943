/* SPDX-License-Identifier: Apache-2.0 */
/* Files of other kinds, which people give instead of trace. */
#include "../support/test.h"
#include "support.h"

#include "input/foreign.h"

/* A zip archive. */
struct zip {
    uint8_t bytes[4096];
    size_t n, directory;
};

static void add(struct zip *z, const void *bytes, size_t n)
{
    assert_true(n <= sizeof z->bytes - z->n);
    memcpy(z->bytes + z->n, bytes, n);
    z->n += n;
}

static void add_number(struct zip *z, size_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++, number >>= 8)
        add(z, &(uint8_t){(uint8_t)number}, 1);
}

static void add_zeros(struct zip *z, unsigned n)
{
    add_number(z, 0, n);
}

/* The size of `data` follows it, with flag 8. */
static void add_file(struct zip *z, const char *name, const char *data,
                     unsigned flags)
{
    add(z, "PK\003\004", 4);
    add_zeros(z, 2);
    add_number(z, flags, 2);
    add_zeros(z, 10);
    add_number(z, flags == 0 ? strlen(data) : 0, 4);
    add_number(z, flags == 0 ? strlen(data) : 0, 4);
    add_number(z, strlen(name), 2);
    add_number(z, 3, 2);
    add(z, name, strlen(name));
    add(z, "ext", 3);
    add(z, data, strlen(data));
}

/* The names, separated by commas, and a comment after everything. */
static void add_directory(struct zip *z, const char *names, const char *comment)
{
    size_t files = 0, from = z->n;

    for (const char *end; *names != '\0'; names = end + (*end == ',')) {
        end = names + strcspn(names, ",");
        add(z, "PK\001\002", 4);
        add_zeros(z, 24);
        add_number(z, (size_t)(end - names), 2);
        add_number(z, 2, 2);
        add_number(z, 1, 2);
        add_zeros(z, 12);
        add(z, names, (size_t)(end - names));
        add(z, "xyc", 3);
        files++;
    }
    add(z, "PK\005\006", 4);
    add_zeros(z, 4);
    add_number(z, files, 2);
    add_number(z, files, 2);
    add_number(z, z->n - from, 4);
    add_number(z, from, 4);
    add_number(z, strlen(comment), 2);
    add(z, comment, strlen(comment));
}

static void expect(const void *bytes, size_t n, const char *part)
{
    const char *kind = etm_foreign_kind(bytes, n);

    if (part == NULL) {
        assert_null(kind);
        return;
    }
    assert_non_null(kind);
    if (strstr(kind, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", kind, part);
}

/* By the names in the directory, whatever comes first in the archive. */
TEST(an_archive_is_known_by_its_files)
{
    static const struct {
        const char *names, *part;
    } rows[] = {
        {"version,metadata,logic-1-1",
         "sigrok: use 'sigrok-cli -i FILE -O vcd"},
        {"logic-1-1,logic-1-2,metadata,version", "a session of sigrok"},
        {"header,L-0/0,L-1/0,decoders,session", "a session of DSView"},
        {"header,data", "a session of DSView"},
        {"digital-0.bin,digital-1.bin,meta.json", "Saleae Logic 2"},
        {"waveform.vcd,waveform.csv,hw_ila_data_1.wcfg",
         "Vivado's ILA: use 'unzip -p FILE waveform.csv |'"},
        {"run/,run/snapshot.ini,run/cstrace.bin", "a snapshot: unpack it"},
        {"etb.bin", "a zip archive: use 'unzip -p FILE |' with -"},
        {"run/,run/etb.bin", "a zip archive: use 'unzip -p FILE |' with -"},
        {"version,etb.bin", "several files: use 'unzip -p FILE NAME |'"},
        {"header,etb.bin", "several files"},
        {"meta.json,etb.bin", "several files"},
        {"", "a zip archive: use"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct zip z = {.n = 0};

        add_file(&z, "any", "PK\003\004 of another archive in it", 0);
        add_directory(&z, rows[i].names, i % 2 == 0 ? "" : "PK\005 remark");
        expect(z.bytes, z.n, rows[i].part);
    }
}

/* Of a pipe the directory has not come. */
TEST(the_beginning_of_an_archive_has_the_first_files)
{
    static const struct {
        const char *first, *second;
        unsigned flags;
        const char *part;
    } rows[] = {
        {"version", "metadata", 0, "sigrok"},
        {"version", "metadata", 8, "sigrok"},
        {"header", "session", 0, "DSView"},
        {"digital-0.bin", "digital-1.bin", 0, "Saleae"},
        {"etb.bin", "version", 8, "a zip archive: use 'unzip -p FILE |'"},
        {"etb.bin", "waveform.csv", 0, "Vivado"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct zip z = {.n = 0};

        add_file(&z, rows[i].first, "2", rows[i].flags);
        add_file(&z, rows[i].second, "some text", rows[i].flags);
        expect(z.bytes, z.n, rows[i].part);
    }
}

/* Wherever it is cut, and whatever its lengths are, nothing outside is read. */
TEST(a_damaged_archive_is_an_archive)
{
    struct zip z = {.n = 0};

    add_file(&z, "version", "2", 0);
    add_file(&z, "metadata", "x", 0);
    add_directory(&z, "version,metadata", "");
    for (size_t n = 4; n <= z.n; n++) {
        uint8_t *cut = malloc(n);

        assert_non_null(cut);
        memcpy(cut, z.bytes, n);
        expect(cut, n, n < 37 ? "a zip archive: use" : "sigrok");
        for (size_t i = 4; i < n; i++) {
            uint8_t kept = cut[i];

            cut[i] = 0xff;
            assert_non_null(etm_foreign_kind(cut, n));
            cut[i] = kept;
        }
        free(cut);
    }
}

/* As long as not enough has come, more is waited for. */
static void expect_waits(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (etm_foreign_kind((const uint8_t *)bytes, i) == NULL &&
            !etm_foreign_may_be((const uint8_t *)bytes, i))
            fail_msg("\"%.20s\": %zu bytes do not wait", bytes, i);
}

TEST(other_files_are_known_by_what_is_in_them)
{
#define FILE_OF(bytes, part)                                                   \
    {                                                                          \
        bytes, sizeof(bytes) - 1, part                                         \
    }
    static const struct {
        const char *bytes;
        size_t n;
        const char *part;
    } rows[] = {
        FILE_OF("<SALEAE>\0\0\0\0", "Saleae Logic: export"),
        FILE_OF("\0\0\0\0\0\0\0\1\111aaaaaaaabbbbbbbb\151\127\024\213\012\277\5"
                "\100",
                "FST"),
        FILE_OF("\0\0\0\0\0\0\0\1\111aaaaaaaabbbbbbbb\100\5\277\012\213\024\127"
                "\151",
                "FST"),
        FILE_OF("\0\0\0\0\0\0\0\1\111aaaaaaaabbbbbbbb\0\0\0\0\0\0\0\0", NULL),
        FILE_OF("libsigrok 0.5.2\nAcquisition with 8/8 channels at 1 MHz\n"
                "D0:00000001 10000000\n",
                "sigrok's output for people"),
        FILE_OF("libsigrok 0.5.2\n0 84\n", NULL),
        FILE_OF("GROUP CREATE D[7..0] = D[7] D[6];\r\nINPUTS D[7..0];\r\n"
                "UNIT ns;\r\nRADIX HEX;\r\nPATTERN\r\n0> 1F\r\n",
                "a table file of Quartus"),
        FILE_OF("0 84\nPATTERN\nRADIX HEX\n", NULL),
        FILE_OF("\377\376T\0i\0m\0e\0,\0D\0"
                "0\0\n\0",
                "UTF-16"),
        FILE_OF("\376\377\0T\0i\0m\0e\0,\0D\0"
                "0\0\n",
                "UTF-16"),
        FILE_OF("\377\376\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", NULL),
        FILE_OF("\n<!Doctype HTML>", "a web page"),
        FILE_OF("\177ELF", "a program, not trace"),
        FILE_OF("PK\003", NULL),
        FILE_OF("", NULL),
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        expect(rows[i].bytes, rows[i].n, rows[i].part);
        if (rows[i].part != NULL)
            expect_waits(rows[i].bytes, rows[i].n);
    }
}

/* GNU tar: numbers that are too long for octal digits are binary. */
TEST(an_archive_of_tar_may_have_binary_numbers)
{
    char header[512] = "run/etb.bin";

    memcpy(header + 100, "0000644\0\200\0\0\0\0\37\377\377", 16);
    memcpy(header + 257, "ustar  ", 8);
    expect(header, sizeof header, "a tar archive");
    expect_waits(header, sizeof header);
}
