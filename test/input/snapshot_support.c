/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot_support.h"

uint8_t code[64];

void write_good(void)
{
    uint8_t trace[32] = {0};

    for (unsigned i = 0; i < sizeof code; i++)
        code[i] = (uint8_t)(i + 1);
    write_file("code.bin", code, sizeof code);
    write_file("trace.bin", trace, sizeof trace);
    write_text("snapshot.ini", SNAPSHOT);
    write_text("cpu.ini", CPU DUMP);
    write_text("ptm.ini", PTM);
    write_text("trace.ini", TRACE);
}

void open_good(void)
{
    struct etm_diag diag = {0};
    int status = etm_capture_open_snapshot(&capture, in_directory(""), NULL,
                                           NULL, &diag);

    if (status != ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
}
