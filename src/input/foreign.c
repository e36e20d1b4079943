/* SPDX-License-Identifier: Apache-2.0 */
/* Files of other kinds (foreign.h). */
#include "input/foreign.h"

#include "base/fold.h"
#include "base/mark.h"
#include "input/port_reader.h"

#include <stdbool.h>
#include <string.h>

static bool has(const uint8_t *bytes, size_t n, size_t at, const void *mark,
                size_t size)
{
    return at <= n && n - at >= size && memcmp(bytes + at, mark, size) == 0;
}

/* May the mark stand there, of which only a part has come? */
static bool may_have(const uint8_t *bytes, size_t n, size_t at,
                     const void *mark, size_t size)
{
    return at >= n || (n - at < size && memcmp(bytes + at, mark, n - at) == 0);
}

/* FST of GTKWave: a header block of 329 bytes, which has the number e to show
 * its byte order. */
#define FST_ORDER 25u
static const uint8_t fst_begins[] = {0, 0, 0, 0, 0, 0, 0, 1, 0x49};

static bool is_fst(const uint8_t *bytes, size_t n)
{
    static const uint8_t little[] = {0x69, 0x57, 0x14, 0x8b,
                                     0x0a, 0xbf, 0x05, 0x40};
    static const uint8_t big[] = {0x40, 0x05, 0xbf, 0x0a,
                                  0x8b, 0x14, 0x57, 0x69};

    return has(bytes, n, 0, fst_begins, sizeof fst_begins) &&
           (has(bytes, n, FST_ORDER, little, sizeof little) ||
            has(bytes, n, FST_ORDER, big, sizeof big));
}

static bool may_be_fst(const uint8_t *bytes, size_t n)
{
    return may_have(bytes, n, 0, fst_begins, sizeof fst_begins) ||
           (has(bytes, n, 0, fst_begins, sizeof fst_begins) &&
            n < FST_ORDER + 8);
}

/* sigrok's outputs bits, hex and ascii: the library, then the channels. */
static const char sigrok_first[] = "libsigrok ",
                  sigrok_second[] = "Acquisition with ";

static bool is_sigrok_text(const uint8_t *bytes, size_t n)
{
    const uint8_t *line;

    if (!has(bytes, n, 0, sigrok_first, sizeof sigrok_first - 1))
        return false;
    line = memchr(bytes, '\n', n);
    return line != NULL && has(bytes, n, (size_t)(line - bytes) + 1,
                               sigrok_second, sizeof sigrok_second - 1);
}

static bool may_be_sigrok_text(const uint8_t *bytes, size_t n)
{
    const uint8_t *line = n != 0 ? memchr(bytes, '\n', n) : NULL;

    if (!has(bytes, n, 0, sigrok_first, sizeof sigrok_first - 1))
        return may_have(bytes, n, 0, sigrok_first, sizeof sigrok_first - 1);
    return line == NULL || may_have(bytes, n, (size_t)(line - bytes) + 1,
                                    sigrok_second, sizeof sigrok_second - 1);
}

/* Bytes of a file in which its first lines are. */
#define FEW_LINES ((size_t)16384)

static bool is_blank(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Where the text begins, after a byte order mark and blanks. */
static size_t begin_of(const uint8_t *bytes, size_t n)
{
    size_t at = etm_mark_size(bytes, n);

    while (at < n && is_blank(bytes[at]))
        at++;
    return at;
}

/* Does it begin as a table of Quartus does, with a comment or a keyword? */
static bool begins_table(const uint8_t *bytes, size_t n)
{
    size_t at = begin_of(bytes, n);
    char c = at < n ? etm_fold((char)bytes[at]) : '%';

    return c == '%' || (c >= 'a' && c <= 'z');
}

/* Bytes of text at the beginning, up to the end of the first lines. */
static size_t few_lines(const uint8_t *bytes, size_t n)
{
    size_t i = 0;

    while (i < n && i < FEW_LINES && (bytes[i] >= ' ' || is_blank(bytes[i])))
        i++;
    return i;
}

/* A table file (.tbl) of Quartus: the radix before the values. */
static bool is_quartus_table(const uint8_t *bytes, size_t n)
{
    static const char radix[] = "\nRADIX ", pattern[] = "\nPATTERN";
    const size_t end = begins_table(bytes, n) ? few_lines(bytes, n) : 0;
    bool found = false;

    for (size_t i = 0; i < end; i++) {
        found = found || has(bytes, n, i, radix, sizeof radix - 1);
        if (found && has(bytes, n, i, pattern, sizeof pattern - 1))
            return true;
    }
    return false;
}

/* Samples as text begin with letters, too, those of hexadecimal digits. */
static bool may_be_quartus_table(const uint8_t *bytes, size_t n)
{
    return n < FEW_LINES && begins_table(bytes, n) &&
           few_lines(bytes, n) == n &&
           !(etm_port_form_is_clear(bytes, n) &&
             etm_port_form_is_samples(bytes, n));
}

/* Text of ASCII characters in two bytes each, after a byte order mark. */
#define WIDE ((size_t)64)

static bool is_wide_text(const uint8_t *bytes, size_t n)
{
    unsigned high;

    if (n < 4 || bytes[0] + bytes[1] != 0xff + 0xfe || bytes[0] < 0xfe)
        return false;
    high = bytes[0] == 0xff ? 1 : 0;
    for (size_t i = 2; i + 1 < n && i < WIDE; i += 2)
        if (bytes[i + high] != 0 || bytes[i + 1 - high] < '\t' ||
            bytes[i + 1 - high] > '~')
            return false;
    return true;
}

static bool may_be_wide_text(const uint8_t *bytes, size_t n)
{
    return n < 4 ? n == 0 || bytes[0] >= 0xfe
                 : n < WIDE && is_wide_text(bytes, n);
}

/* Does a text in small letters stand there, in letters of either case? *cut:
 * the bytes end before it does. */
static bool has_text(const uint8_t *bytes, size_t n, size_t at,
                     const char *text, bool *cut)
{
    while (*text != '\0' && at < n && etm_fold((char)bytes[at]) == *text) {
        text++;
        at++;
    }
    *cut = *cut || (*text != '\0' && at == n);
    return *text == '\0';
}

static bool find_page(const uint8_t *bytes, size_t n, bool *cut)
{
    size_t at = begin_of(bytes, n);

    *cut = false;
    return has_text(bytes, n, at, "<!doctype html", cut) ||
           has_text(bytes, n, at, "<html", cut);
}

static bool is_page(const uint8_t *bytes, size_t n)
{
    bool cut;

    return find_page(bytes, n, &cut);
}

static bool may_be_page(const uint8_t *bytes, size_t n)
{
    bool cut;

    return !find_page(bytes, n, &cut) && cut;
}

/* POSIX: the header of the first file begins with its name, in 100 bytes. */
#define TAR_NAME 100u
#define TAR_MODE 8u
#define TAR_MAGIC 257u

/* A name, and zeros behind it? */
static bool begins_tar(const uint8_t *bytes, size_t n)
{
    size_t i = 0, end = n < TAR_NAME ? n : TAR_NAME;

    while (i < end && bytes[i] >= ' ')
        i++;
    if (i == 0 && n != 0)
        return false;
    while (i < end && bytes[i] == 0)
        i++;
    return i == end;
}

static bool is_tar(const uint8_t *bytes, size_t n)
{
    return begins_tar(bytes, n) && has(bytes, n, TAR_MAGIC, "ustar", 5);
}

/* Behind the name are digits of its mode; numbers after it may be binary. */
static bool may_be_tar(const uint8_t *bytes, size_t n)
{
    for (size_t i = TAR_NAME; i < n && i < TAR_NAME + TAR_MODE; i++)
        if (bytes[i] != 0 && bytes[i] != ' ' &&
            (bytes[i] < '0' || bytes[i] > '7'))
            return false;
    return begins_tar(bytes, n) && may_have(bytes, n, TAR_MAGIC, "ustar", 5);
}

/* Either what a file begins with, or how else it is recognized, and whether it
 * may be with more of it. */
static const struct other {
    const char *begins;
    bool (*is)(const uint8_t *bytes, size_t n);
    bool (*may)(const uint8_t *bytes, size_t n);
    const char *what;
} others[] = {
    {"\177ELF", NULL, NULL,
     "an ELF file: a program, not trace: it is for --image, beside the "
     "file with the trace"},
    {"!<arch>\n", NULL, NULL, "an archive of object files (ar), not trace"},
    {"PERFILE2", NULL, NULL, "a truncated perf file"},
    {"\037\213\010", NULL, NULL,
     "compressed by gzip: use 'zcat FILE |' with - as the capture"},
    {"\3757zXZ", NULL, NULL,
     "compressed by xz: use 'xzcat FILE |' with - as the capture"},
    {"\050\265\057\375", NULL, NULL,
     "compressed by zstd: use 'zstdcat FILE |' with - as the capture"},
    {"BZh91AY&SY", NULL, NULL,
     "compressed by bzip2: use 'bzcat FILE |' with - as the capture"},
    {"7z\274\257\047\034", NULL, NULL,
     "a 7z archive: extract the trace from it"},
    {"Rar!\032\007", NULL, NULL, "a RAR archive: extract the trace from it"},
    {"%PDF-", NULL, NULL, "a PDF document, not trace"},
    {"\211PNG\r\n\032\n", NULL, NULL, "a picture (PNG), not trace"},
    {"<SALEAE>", NULL, NULL,
     "a binary export of Saleae Logic: export its raw data as "
     "CSV"},
    {NULL, is_fst, may_be_fst,
     "an FST file of waveforms: convert it with 'fst2vcd FILE'"},
    {NULL, is_sigrok_text, may_be_sigrok_text,
     "sigrok's output for people: use -O vcd or -O csv"},
    {NULL, is_quartus_table, may_be_quartus_table,
     "a table file of Quartus: export the capture as CSV or VCD"},
    {NULL, is_wide_text, may_be_wide_text,
     "text in UTF-16: convert it with 'iconv -f UTF-16 -t UTF-8'"},
    {NULL, is_page, may_be_page,
     "a web page (HTML), not trace: was it downloaded instead of the file?"},
    {NULL, is_tar, may_be_tar,
     "a tar archive: extract the trace from it (tar -xf)"},
};

static bool is_other(const struct other *o, const uint8_t *bytes, size_t n)
{
    return o->begins != NULL ? has(bytes, n, 0, o->begins, strlen(o->begins))
                             : o->is(bytes, n);
}

static bool may_be_other(const struct other *o, const uint8_t *bytes, size_t n)
{
    return o->begins != NULL
               ? may_have(bytes, n, 0, o->begins, strlen(o->begins))
               : o->may(bytes, n);
}

const char *etm_foreign_kind(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_other(&others[i], bytes, n))
            return others[i].what;
    return etm_archive_kind(bytes, n);
}

bool etm_foreign_may_be(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (may_be_other(&others[i], bytes, n))
            return true;
    return n < ETM_ARCHIVE_LEAST && etm_archive_may_be(bytes, n);
}
