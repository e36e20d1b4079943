/* SPDX-License-Identifier: Apache-2.0 */
/* etm split: the bytes of each source in a file of its own. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PATH 4096

struct split {
    FILE *file;
    const char *path;
    uint64_t bytes;
    struct etm_cli_progress progress;
};

static int take_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct split *s = context;

    s->bytes += n;
    return fwrite(bytes, 1, n, s->file) == n ? ETM_OK : ETM_ERR_STOPPED;
}

static int show_progress(void *context, uint64_t done, uint64_t total)
{
    struct split *s = context;

    etm_cli_progress_show(&s->progress, done, total);
    return ETM_OK;
}

/* DIRECTORY/NAME.bin: a name from a capture is no path. */
static bool make_path(char path[PATH], const char *directory, const char *name)
{
    int n = snprintf(path, PATH, "%s/%s.bin", directory, name);
    size_t at = strlen(directory) + 1;

    if (n < 0 || n >= PATH)
        return false;
    for (size_t i = 0; name[i] != '\0'; i++)
        if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                   "0123456789_-+.",
                   name[i]) == NULL ||
            (i == 0 && name[i] == '.'))
            path[at + i] = '_';
    return true;
}

/* What the source is: its protocol, or what the capture or its bytes say. */
static const char *type_of(const struct etm_source_info *info, char title[32])
{
    if (!info->why_not)
        return etm_config_title(&info->config, title, 32);
    return info->type[0] != '\0' ? info->type : "unknown";
}

static void show(struct etm_cli_output *output, bool text,
                 const struct etm_source_info *info, const struct split *s)
{
    char title[32], quoted[2 * PATH];

    if (text) {
        etm_cli_put_plain(output, s->path, strlen(s->path));
        etm_cli_print(output, ": %" PRIu64 " byte%s of ", s->bytes,
                      etm_cli_plural(s->bytes));
        etm_cli_put_plain(output, info->name, strlen(info->name));
        etm_cli_print(output, " (0x%02x), %s", info->id, type_of(info, title));
        etm_cli_print(output, "\n");
        return;
    }
    etm_cli_print(output, "{\"k\":\"stream\",\"src\":%u,\"name\":%s",
                  (unsigned)info->id,
                  etm_json_string(info->name, quoted, sizeof quoted));
    etm_cli_print(output, ",\"type\":%s",
                  etm_json_string(type_of(info, title), quoted, sizeof quoted));
    etm_cli_print(output, ",\"file\":%s,\"bytes\":%" PRIu64 "}\n",
                  etm_json_string(s->path, quoted, sizeof quoted), s->bytes);
}

static int refuse(const char *path)
{
    etm_cli_error("%s: %s", path, strerror(errno));
    return ETM_EXIT_UNREADABLE;
}

static int split_source(const struct etm_cli_options *options,
                        struct etm_cli_output *output, struct split *s,
                        const struct etm_session *session, size_t source)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    struct etm_session_run run = {.size = sizeof run,
                                  .bytes = take_bytes,
                                  .progress = show_progress,
                                  .context = s};
    struct etm_diag diag = {0};
    char path[PATH];
    int status;
    bool failed;

    if (!make_path(path, options->directory, info->name)) {
        errno = ENAMETOOLONG;
        return refuse(options->directory);
    }
    for (size_t i = 0; i < etm_session_buffers(session); i++)
        if (etm_cli_would_replace(path, etm_session_buffer(session, i)->path,
                                  "the capture"))
            return ETM_EXIT_UNREADABLE;
    s->path = path;
    s->bytes = 0;
    s->file = fopen(path, "wb");
    if (!s->file)
        return refuse(path);
    status = etm_session_run_source(session, source, &run, &diag);
    etm_cli_progress_stop(&s->progress);
    failed = ferror(s->file) != 0;
    failed = fclose(s->file) != 0 || failed;
    if (failed)
        return refuse(path);
    status = etm_cli_source_status(status, &diag, output);
    if (status == ETM_EXIT_OK)
        show(output, strcmp(options->format, "text") == 0, info, s);
    return status;
}

/* Nobody's bytes: they are in none of the files. */
static void tell_damage(const struct etm_session *session)
{
    for (size_t i = 0; i < etm_session_buffers(session); i++) {
        struct etm_frame_counts counts;

        if (etm_session_count(session, i, &counts) == ETM_OK && counts.bad != 0)
            etm_cli_error("%s: %" PRIu64 " byte%s in bad frames are in no file",
                          etm_cli_path(etm_session_buffer(session, i)->name),
                          counts.bad, etm_cli_plural(counts.bad));
    }
}

int etm_cli_split(const struct etm_cli_options *options,
                  struct etm_cli_output *output)
{
    struct etm_cli_capture capture;
    struct split s = {.bytes = 0};
    int status = etm_cli_open(&capture, options, output, false);

    if (status != ETM_EXIT_OK)
        return status;
    if (mkdir(options->directory, 0777) != 0 && errno != EEXIST)
        status = refuse(options->directory);
    etm_cli_progress_start(&s.progress, output, capture.n_sources);
    for (size_t i = 0;
         i < capture.n_sources && status == ETM_EXIT_OK && !output->closed;
         i++) {
        s.progress.part = i;
        status = split_source(options, output, &s, capture.session,
                              capture.sources[i]);
    }
    if (status == ETM_EXIT_OK)
        tell_damage(capture.session);
    etm_cli_close(&capture);
    return output->failed ? ETM_EXIT_UNREADABLE : status;
}
