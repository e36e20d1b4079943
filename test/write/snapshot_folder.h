/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for a snapshot that a test writes, and for files beside it. All is
 * removed after the test, however it ends. */
#ifndef ETM_TEST_WRITE_SNAPSHOT_FOLDER_H
#define ETM_TEST_WRITE_SNAPSHOT_FOLDER_H

#include "../support/test.h"

#include <etm/write.h>

#include <sys/stat.h>

static char around[256];    /* the temporary folder */
static char directory[300]; /* the snapshot, in it */

/* The path of a file beside the snapshot. */
static inline const char *beside(const char *name)
{
    static char path[300];

    snprintf(path, sizeof path, "%s/%s", around, name);
    return path;
}

static inline int make(void **state)
{
    const char *parent = getenv("TMPDIR");

    (void)state;
    snprintf(around, sizeof around, "%s/etm-write-XXXXXX",
             parent != NULL ? parent : P_tmpdir);
    if (mkdtemp(around) == NULL)
        return -1;
    snprintf(directory, sizeof directory, "%s", beside("snapshot"));
    return mkdir(directory, 0700);
}

static inline int clear(void **state)
{
    char command[300];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", around);
    return system(command);
}

static inline struct etm_snapshot_writer *begin(void)
{
    struct etm_snapshot_writer_config config = {.directory = directory};
    struct etm_snapshot_writer *writer;

    assert_ok(etm_snapshot_writer_new(&writer, &config, NULL));
    return writer;
}

static inline struct etm_config config_of(enum etm_protocol protocol,
                                          uint8_t minor, uint8_t id)
{
    return (struct etm_config){
        .protocol = protocol, .minor = minor, .trace_id = id};
}

#define IN_A_FOLDER(name) TEST_BETWEEN(name, make, clear)

#endif
