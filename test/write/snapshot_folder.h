/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for a snapshot that a test writes with the writer `w`, and for files
 * beside it. All is removed after the test, however it ends. */
#ifndef ETM_TEST_WRITE_SNAPSHOT_FOLDER_H
#define ETM_TEST_WRITE_SNAPSHOT_FOLDER_H

#include "../support/test.h"

#include <etm/write.h>

#include <sys/stat.h>

static char around[256];    /* the temporary folder */
static char directory[300]; /* the snapshot, in it */
static struct etm_diag diag;
static struct etm_snapshot_writer *w;

/* The path of a file beside the snapshot, or in it; until the next call. */
static inline const char *beside(const char *name)
{
    static char path[300];

    snprintf(path, sizeof path, "%s/%s", around, name);
    return path;
}

static inline const char *within(const char *name)
{
    static char path[400];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static inline int make(void **state)
{
    const char *parent = getenv("TMPDIR");
    struct etm_snapshot_writer_config config = {.directory = directory};

    (void)state;
    snprintf(around, sizeof around, "%s/etm-write-XXXXXX",
             parent != NULL ? parent : P_tmpdir);
    if (mkdtemp(around) == NULL)
        return -1;
    snprintf(directory, sizeof directory, "%s", beside("snapshot"));
    return mkdir(directory, 0700) != 0 ||
           etm_snapshot_writer_new(&w, &config, NULL) != ETM_OK;
}

static inline int clear(void **state)
{
    char command[300];

    (void)state;
    etm_snapshot_writer_free(w);
    w = NULL;
    snprintf(command, sizeof command, "rm -rf '%s'", around);
    return system(command);
}

#define IN_A_FOLDER(name) TEST_BETWEEN(name, make, clear)

/* What is added to it: fields of the struct. */
#define CORE(...)                                                              \
    etm_snapshot_add_core(w, &(struct etm_snapshot_core){__VA_ARGS__}, NULL,   \
                          &diag)
#define BUFFER(...)                                                            \
    etm_snapshot_add_buffer(w, &(struct etm_snapshot_buffer){__VA_ARGS__},     \
                            NULL, &diag)
#define SOURCE(...)                                                            \
    etm_snapshot_add_source(w, &(struct etm_snapshot_source){__VA_ARGS__},     \
                            NULL, &diag)
#define CONFIG(is, ...) (&(struct etm_config){.protocol = is, __VA_ARGS__})
#define PFT(id) CONFIG(ETM_PROTOCOL_PFT, .minor = 1, .trace_id = id)

static inline int memory(const char *file, uint32_t address,
                         const uint8_t *bytes, size_t n)
{
    return etm_snapshot_add_memory(w, 0, file, address, bytes, n, NULL, &diag);
}

static inline int trace(size_t source, const uint8_t *bytes, size_t n)
{
    return etm_snapshot_add_trace(w, source, bytes, n, &diag);
}

static inline void refused_for(int status, const char *text)
{
    assert_refused(status);
    assert_non_null(strstr(diag.what, text));
}

#define refused_config(call) assert_int_equal(call, ETM_ERR_CONFIG)

#endif
