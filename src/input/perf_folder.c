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

/* Another file of that name may be anything. */
static bool is_of_perf(const char *path)
{
    uint8_t bytes[64];
    FILE *file = is_there(path) ? fopen(path, "rb") : NULL;
    size_t n = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;

    if (file != NULL)
        (void)fclose(file);
    return n >= 8 && etm_may_be_perf(bytes, n);
}

int etm_perf_folder(const char *path, const struct etm_allocator *a,
                    char **data, char **kcore)
{
    const char *slash =
        path[0] != '\0' && path[strlen(path) - 1] == '/' ? "" : "/";
    char *snapshot = etm_text_print(a, "%s%ssnapshot.ini", path, slash);
    int status = ETM_ERR_MEMORY;

    *data = etm_text_print(a, "%s%sdata", path, slash);
    *kcore = etm_text_print(a, "%s%skcore_dir/kcore", path, slash);
    if (snapshot != NULL && *data != NULL && *kcore != NULL)
        status = !is_there(snapshot) && is_of_perf(*data) ? ETM_OK
                                                          : ETM_ERR_NOT_FOUND;
    if (status != ETM_OK) {
        etm_alloc_free(a, *data);
        *data = NULL;
    }
    if (status != ETM_OK || !is_there(*kcore)) {
        etm_alloc_free(a, *kcore);
        *kcore = NULL;
    }
    etm_alloc_free(a, snapshot);
    return status;
}
