/* SPDX-License-Identifier: Apache-2.0 */
/* Files of other kinds (foreign.h). */
#include "input/foreign.h"

#include "base/fold.h"
#include "base/mark.h"

#include <stdbool.h>
#include <string.h>

static bool has(const uint8_t *bytes, size_t n, size_t at, const void *mark,
                size_t size)
{
    return at <= n && n - at >= size && memcmp(bytes + at, mark, size) == 0;
}

/* FST of GTKWave: a header block of 329 bytes, which has the number e to show
 * its byte order. */
static bool is_fst(const uint8_t *bytes, size_t n)
{
    static const uint8_t begins[] = {0, 0, 0, 0, 0, 0, 0, 1, 0x49};
    static const uint8_t little[] = {0x69, 0x57, 0x14, 0x8b,
                                     0x0a, 0xbf, 0x05, 0x40};
    static const uint8_t big[] = {0x40, 0x05, 0xbf, 0x0a,
                                  0x8b, 0x14, 0x57, 0x69};

    return has(bytes, n, 0, begins, sizeof begins) &&
           (has(bytes, n, 25, little, sizeof little) ||
            has(bytes, n, 25, big, sizeof big));
}

/* sigrok's outputs bits, hex and ascii: the library, then the channels. */
static bool is_sigrok_text(const uint8_t *bytes, size_t n)
{
    static const char first[] = "libsigrok ", second[] = "Acquisition with ";
    const uint8_t *line;

    if (!has(bytes, n, 0, first, sizeof first - 1))
        return false;
    line = memchr(bytes, '\n', n);
    return line != NULL &&
           has(bytes, n, (size_t)(line - bytes) + 1, second, sizeof second - 1);
}

/* Bytes of a file in which its first lines are. */
#define FEW_LINES ((size_t)16384)

/* A table file (.tbl) of Quartus: the radix before the values. */
static bool is_quartus_table(const uint8_t *bytes, size_t n)
{
    static const char radix[] = "\nRADIX ", pattern[] = "\nPATTERN";
    bool found = false;

    for (size_t i = 0; i < n && i < FEW_LINES && bytes[i] != 0; i++) {
        found = found || has(bytes, n, i, radix, sizeof radix - 1);
        if (found && has(bytes, n, i, pattern, sizeof pattern - 1))
            return true;
    }
    return false;
}

/* Text of ASCII characters in two bytes each, after a byte order mark. */
static bool is_wide_text(const uint8_t *bytes, size_t n)
{
    unsigned high;

    if (n < 4 || bytes[0] + bytes[1] != 0xff + 0xfe || bytes[0] < 0xfe)
        return false;
    high = bytes[0] == 0xff ? 1 : 0;
    for (size_t i = 2; i + 1 < n && i < 64; i += 2)
        if (bytes[i + high] != 0 || bytes[i + 1 - high] < '\t' ||
            bytes[i + 1 - high] > '~')
            return false;
    return true;
}

/* Does a text in small letters stand there, in letters of either case? */
static bool has_text(const uint8_t *bytes, size_t n, size_t at,
                     const char *text)
{
    while (*text != '\0' && at < n && etm_fold((char)bytes[at]) == *text) {
        text++;
        at++;
    }
    return *text == '\0';
}

static bool is_page(const uint8_t *bytes, size_t n)
{
    size_t at = etm_mark_size(bytes, n);

    while (at < n && bytes[at] <= ' ')
        at++;
    return has_text(bytes, n, at, "<!doctype html") ||
           has_text(bytes, n, at, "<html");
}

/* POSIX: the header of the first file. */
static bool is_tar(const uint8_t *bytes, size_t n)
{
    return has(bytes, n, 257, "ustar", 5);
}

/* Either what a file begins with, or how else it is recognized. */
static const struct {
    const char *begins;
    bool (*is)(const uint8_t *bytes, size_t n);
    const char *what;
} others[] = {
    {"\177ELF", NULL,
     "an ELF file: a program, not trace: it is for --image, beside the "
     "file with the trace"},
    {"!<arch>\n", NULL, "an archive of object files (ar), not trace"},
    {"PERFILE2", NULL, "a truncated perf file"},
    {"\037\213\010", NULL,
     "compressed by gzip: use 'zcat FILE |' with - as the capture"},
    {"\3757zXZ", NULL,
     "compressed by xz: use 'xzcat FILE |' with - as the capture"},
    {"\050\265\057\375", NULL,
     "compressed by zstd: use 'zstdcat FILE |' with - as the capture"},
    {"BZh91AY&SY", NULL,
     "compressed by bzip2: use 'bzcat FILE |' with - as the capture"},
    {"7z\274\257\047\034", NULL, "a 7z archive: extract the trace from it"},
    {"Rar!\032\007", NULL, "a RAR archive: extract the trace from it"},
    {"%PDF-", NULL, "a PDF document, not trace"},
    {"\211PNG\r\n\032\n", NULL, "a picture (PNG), not trace"},
    {"<SALEAE>", NULL,
     "a binary export of Saleae Logic: export its raw data as "
     "CSV"},
    {NULL, is_fst, "an FST file of waveforms: convert it with 'fst2vcd FILE'"},
    {NULL, is_sigrok_text, "sigrok's output for people: use -O vcd or -O csv"},
    {NULL, is_quartus_table,
     "a table file of Quartus: export the capture as CSV or VCD"},
    {NULL, is_wide_text,
     "text in UTF-16: convert it with 'iconv -f UTF-16 -t UTF-8'"},
    {NULL, is_page,
     "a web page (HTML), not trace: was it downloaded instead of the file?"},
    {NULL, is_tar, "a tar archive: extract the trace from it (tar -xf)"},
};

const char *etm_foreign_kind(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].begins != NULL
                ? has(bytes, n, 0, others[i].begins, strlen(others[i].begins))
                : others[i].is(bytes, n))
            return others[i].what;
    return etm_archive_kind(bytes, n);
}
