/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of captures. */
#define _POSIX_C_SOURCE 200809L
#include "input/capture.h"

#include "input/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_directory(const char *path)
{
    struct stat status;

    return strcmp(path, "-") != 0 && stat(path, &status) == 0 &&
           S_ISDIR(status.st_mode);
}

/* Is there a file of that name in the directory? */
static bool has_file(const char *path, const char *name)
{
    char file[4096];
    struct stat status;
    int n = snprintf(file, sizeof file, "%s/%s", path, name);

    /* a longer name is not looked for: opening it says what is wrong */
    return n < 0 || (size_t)n >= sizeof file || stat(file, &status) == 0;
}

/* A directory, or the ini file in it. */
static bool is_snapshot(const char *path)
{
    size_t n = strlen(path);

    if (is_directory(path))
        return has_file(path, "snapshot.ini");
    return n >= 4 && strcmp(path + n - 4, ".ini") == 0;
}

/* A snapshot has its own configuration; options cannot change it. */
static int open_snapshot(struct etm_capture *capture, const char *path,
                         const struct etm_raw_options *o,
                         const struct etm_allocator *allocator,
                         struct etm_diag *diag)
{
    const char *what = NULL, *of = "raw";

    if (o->protocol != ETM_PROTOCOL_NONE)
        what = "a protocol";
    else if (o->framing != ETM_FRAMING_NONE || o->framing_told)
        what = "a framing";
    else if (o->n_registers > 0)
        what = "registers";
    else if (o->port_width != 0)
        what = "the width of a port";
    else if (o->form != ETM_PORT_FORM_AUTO)
        what = "a form of samples";
    else if (o->signals != NULL)
        what = "names of signals";
    else if (o->reverse != 0)
        what = "a byte order";
    else if (o->write_pointer != 0)
        what = "a write pointer";
    else if (o->sysroot != NULL) {
        what = "a sysroot";
        of = "perf";
    }
    if (what != NULL)
        return etm_text_fail(diag, ETM_ERR_CONFIG, path, ETM_DIAG_NONE,
                             "a snapshot has its own configuration, %s can "
                             "only be given for a %s file",
                             what, of);
    return etm_capture_open_snapshot(capture, path, o, allocator, diag);
}

static int refuse_directory(struct etm_capture *capture, const char *path,
                            const struct etm_raw_options *o,
                            const struct etm_allocator *allocator,
                            struct etm_diag *diag)
{
    (void)capture;
    (void)o;
    (void)allocator;
    return etm_text_fail(
        diag, ETM_ERR_IO, path, ETM_DIAG_NONE, "%s",
        has_file(path, "perf.data")
            ? "it is a directory without a snapshot.ini: give the perf.data in "
              "it"
            : "it is a directory without a snapshot.ini, and not one of perf: "
              "give that of a snapshot, or the file with the trace");
}

/* A path is of the first kind that it looks like. */
static const struct {
    bool (*is)(const char *path); /* NULL: any other path */
    int (*open)(struct etm_capture *capture, const char *path,
                const struct etm_raw_options *options,
                const struct etm_allocator *allocator, struct etm_diag *diag);
} kinds[] = {
    {is_snapshot, open_snapshot},
    {etm_is_perf_folder, etm_capture_open_perf_folder},
    {is_directory, refuse_directory},
    {NULL, etm_capture_open_raw},
};

int etm_capture_open(struct etm_capture *capture, const char *path,
                     const struct etm_raw_options *options,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag)
{
    size_t i = 0;

    while (kinds[i].is != NULL && !kinds[i].is(path))
        i++;
    return kinds[i].open(capture, path, options, allocator, diag);
}
