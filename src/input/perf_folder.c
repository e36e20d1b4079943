/* SPDX-License-Identifier: Apache-2.0 */
/* The directory written by `perf record --kcore`: a perf file, and the
 * kernel's code as it was in memory. */
#define _POSIX_C_SOURCE 200809L
#include "input/build.h"
#include "input/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_there(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static const char *separator(const char *path)
{
    return path[0] != '\0' && path[strlen(path) - 1] == '/' ? "" : "/";
}

/* Another file of that name may be anything. */
bool etm_is_perf_folder(const char *path)
{
    char data[4096];
    uint8_t bytes[8];
    int length = snprintf(data, sizeof data, "%s%sdata", path, separator(path));
    FILE *file = length > 0 && (size_t)length < sizeof data && is_there(data)
                     ? fopen(data, "rb")
                     : NULL;
    size_t n = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;

    if (file != NULL)
        (void)fclose(file);
    return n == sizeof bytes && etm_may_be_perf(bytes, n);
}

int etm_capture_open_perf_folder(struct etm_capture *capture, const char *path,
                                 const struct etm_raw_options *options,
                                 const struct etm_allocator *allocator,
                                 struct etm_diag *diag)
{
    const struct etm_allocator a = etm_allocator_or_default(allocator);
    struct etm_raw_options inner = *options;
    char *data = etm_text_print(&a, "%s%sdata", path, separator(path));
    char *kcore =
        etm_text_print(&a, "%s%skcore_dir/kcore", path, separator(path));
    const char **images =
        etm_alloc_zero(&a, (options->n_images + 1) * sizeof *images);
    int status;

    if (data != NULL && kcore != NULL && images != NULL) {
        for (size_t i = 0; i < options->n_images; i++)
            images[i] = options->images[i];
        if (is_there(kcore))
            images[inner.n_images++] = kcore;
        inner.images = images;
        status = etm_capture_open_raw(capture, data, &inner, &a, diag);
    } else {
        status = etm_text_fail(diag, ETM_ERR_MEMORY, path, ETM_DIAG_NONE, "%s",
                               etm_status_text(ETM_ERR_MEMORY));
    }
    etm_alloc_free(&a, images);
    etm_alloc_free(&a, kcore);
    etm_alloc_free(&a, data);
    return status;
}
