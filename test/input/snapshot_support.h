/* SPDX-License-Identifier: Apache-2.0 */
/* A snapshot that is as it should be, and what was read of it. */
#ifndef ETM_TEST_INPUT_SNAPSHOT_SUPPORT_H
#define ETM_TEST_INPUT_SNAPSHOT_SUPPORT_H

#include "capture_support.h"

/* The files of the good snapshot. */
#define SNAPSHOT                                                               \
    "[snapshot]\nversion=1.0\n[device_list]\ndevice0=cpu.ini\n"                \
    "device1=ptm.ini\n[trace]\nmetadata=trace.ini\n"
#define CPU                                                                    \
    "[device]\nname=cpu_0\nclass=core\ntype=Cortex-A15\n;\n[regs]\n"           \
    "R15=0xC0008000\nCPSR=0x1D3\n"
#define DUMP "[dump]\nfile=code.bin\naddress=0x8000\nlength=0x20\n"
#define PTM                                                                    \
    "[device]\nname=PTM_0\nclass=trace_source\ntype=PTM1.1\n[regs]\n"          \
    "ETMCR(0x000)=0x10001000\nETMIDR(0x079)=0x411CF312\n"                      \
    "ETMCCER(0x07A)=0x34C01AC2\nETMTRACEIDR(0x080)=0x00000013\n"
#define TRACE                                                                  \
    "[trace_buffers]\nbuffers=buffer0\n[buffer0]\nname=ETB_0\n"                \
    "file=trace.bin\nformat=coresight\n[source_buffers]\nPTM_0=ETB_0\n"        \
    "[core_trace_sources]\ncpu_0=PTM_0\n"

/* The code of its image. */
extern uint8_t code[64];

void write_good(void);
void open_good(void);

/* A test that begins in an empty directory. */
#define TEST(name) cmocka_unit_test_setup(name, empty_directory)

#endif
