/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for a snapshot that a test writes. */
#ifndef ETM_TEST_WRITE_SNAPSHOT_FOLDER_H
#define ETM_TEST_WRITE_SNAPSHOT_FOLDER_H

#include <etm/snapshot.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char directory[64];

static inline int make(void **state)
{
    (void)state;
    strcpy(directory, "etm-snapshot-XXXXXX");
    return mkdtemp(directory) == NULL ? -1 : 0;
}

static inline int clear(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", directory);
    return system(command);
}

static inline struct etm_snapshot_writer *begin(void)
{
    struct etm_snapshot_writer_config config = {.directory = directory};
    struct etm_snapshot_writer *writer;

    assert_int_equal(etm_snapshot_writer_new(&writer, &config, NULL), ETM_OK);
    return writer;
}

static inline struct etm_config config_of(enum etm_protocol protocol,
                                          uint8_t minor, uint8_t id)
{
    return (struct etm_config){
        .protocol = protocol, .minor = minor, .trace_id = id};
}

#define IN_A_FOLDER(name) cmocka_unit_test_setup_teardown(name, make, clear)

#endif
