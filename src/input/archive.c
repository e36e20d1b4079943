/* SPDX-License-Identifier: Apache-2.0 */
/* What a zip archive is, by the names of the files in it: programs for logic
 * analysers keep their captures so (foreign.h). */
#include "base/bytes.h"
#include "input/foreign.h"

#include <string.h>

/* Layouts of PKWARE's APPNOTE: a header before each file, one for each in the
 * directory at the end, and the end of that directory. */
#define LOCAL 30u
#define CENTRAL 46u
#define END 22u
#define COMMENT_MOST 65535u

/* What names of files were found. */
struct contents {
    bool version, metadata;  /* of sigrok */
    bool header, data;       /* of DSView */
    bool meta_json, digital; /* of Saleae Logic 2 */
    bool waveform;           /* of Vivado */
    bool snapshot;           /* of trace */
    unsigned n;
};

static bool has(const uint8_t *bytes, size_t n, size_t at, const char *mark)
{
    return at <= n && n - at >= 4 && memcmp(bytes + at, mark, 4) == 0;
}

static bool begins(const char *name, size_t n, const char *with)
{
    return n >= strlen(with) && memcmp(name, with, strlen(with)) == 0;
}

static bool is(const char *name, size_t n, const char *all)
{
    return n == strlen(all) && begins(name, n, all);
}

static bool ends(const char *name, size_t n, const char *with)
{
    size_t m = strlen(with);

    return n >= m && memcmp(name + n - m, with, m) == 0;
}

static void take_name(struct contents *c, const char *name, size_t n)
{
    c->version |= is(name, n, "version");
    c->metadata |= is(name, n, "metadata");
    c->header |= is(name, n, "header");
    c->data |= is(name, n, "data") || begins(name, n, "L-");
    c->meta_json |= is(name, n, "meta.json");
    c->digital |= begins(name, n, "digital-");
    c->waveform |= is(name, n, "waveform.csv");
    c->snapshot |= ends(name, n, "snapshot.ini");
    c->n += n != 0 && name[n - 1] != '/'; /* not a folder */
}

/* Take the name after a header at *at; false: it is not there. */
static bool take_entry(struct contents *c, const uint8_t *bytes, size_t n,
                       size_t at, uint32_t length)
{
    if (at > n || n - at < length)
        return false;
    take_name(c, (const char *)bytes + at, length);
    return true;
}

/* The directory at the end of a whole file; false: there is none. */
static bool read_directory(struct contents *c, const uint8_t *bytes, size_t n)
{
    size_t at = n, files;

    if (n < END)
        return false;
    for (at = n - END; !has(bytes, n, at, "PK\005\006"); at--)
        if (at == 0 || n - END - at == COMMENT_MOST)
            return false;
    files = etm_le16(bytes + at + 10);
    at = etm_le32(bytes + at + 16);
    for (; files > 0 && has(bytes, n, at, "PK\001\002") && n - at >= CENTRAL;
         files--) {
        const uint8_t *h = bytes + at;

        if (!take_entry(c, bytes, n, at + CENTRAL, etm_le16(h + 28)))
            break;
        at += CENTRAL + etm_le16(h + 28) + etm_le16(h + 30) + etm_le16(h + 32);
    }
    return true;
}

/* The headers before files, as far as they say where the next one is. */
static void read_headers(struct contents *c, const uint8_t *bytes, size_t n)
{
    size_t at = 0;

    while (has(bytes, n, at, "PK\003\004") && n - at >= LOCAL) {
        const uint8_t *h = bytes + at;
        size_t size = etm_le32(h + 18);
        bool follows =
            (etm_le16(h + 6) & 8) != 0; /* its size, after the file */

        if (!take_entry(c, bytes, n, at + LOCAL, etm_le16(h + 26)) || follows)
            return;
        at += LOCAL + etm_le16(h + 26) + etm_le16(h + 28);
        if (size > n - (at < n ? at : n))
            return;
        at += size;
    }
}

bool etm_archive_may_be(const uint8_t *bytes, size_t n)
{
    return memcmp(bytes, "PK\003\004",
                  n < ETM_ARCHIVE_LEAST ? n : ETM_ARCHIVE_LEAST) == 0;
}

bool etm_archive_is_sigrok(const uint8_t *bytes, size_t n)
{
    struct contents c = {0};

    return has(bytes, n, 0, "PK\003\004") && read_directory(&c, bytes, n) &&
           c.version && c.metadata;
}

const char *etm_archive_kind(const uint8_t *bytes, size_t n)
{
    struct contents c = {0};
    bool whole;

    if (!has(bytes, n, 0, "PK\003\004"))
        return NULL;
    whole = read_directory(&c, bytes, n);
    if (!whole)
        read_headers(&c, bytes, n); /* perhaps not all of them */
    if (c.version && (c.metadata || !whole))
        return "a session of sigrok: use 'sigrok-cli -i FILE -O vcd |' with - "
               "as "
               "the capture";
    if (c.header && (c.data || !whole))
        return "a session of DSView: open it there and export it as CSV";
    if (c.digital && (c.meta_json || !whole))
        return "a capture of Saleae Logic 2: open it there and export its raw "
               "data as CSV";
    if (c.waveform)
        return "a capture of Vivado's ILA: use 'unzip -p FILE waveform.csv |' "
               "with - as the capture";
    if (c.snapshot)
        return "a zip archive of a snapshot: unpack it and give its folder";
    if (c.n > 1)
        return "a zip archive of several files: use 'unzip -p FILE NAME |' "
               "with "
               "- as the capture, NAME being that of the trace";
    return "a zip archive: use 'unzip -p FILE |' with - as the capture";
}
