/* SPDX-License-Identifier: Apache-2.0 */
/* etm --help, etm COMMAND --help. man/etm.1 has the details. */
#include "cli/cli.h"

#include <stdio.h>

static const char general[] =
    "usage: etm info     CAPTURE [options]   what is in a capture\n"
    "       etm packets  CAPTURE [options]   one line per packet on the wire\n"
    "       etm decode   CAPTURE [options]   the program that ran\n"
    "       etm profile  CAPTURE [options]   what functions cost\n"
    "       etm calls    CAPTURE [options]   who called whom, and when\n"
    "       etm exceptions CAPTURE [options] interrupts: how often, how long\n"
    "       etm timeline CAPTURE -o FILE     for ui.perfetto.dev\n"
    "       etm coverage CAPTURE [options]   what of the program was executed\n"
    "       etm variables CAPTURE [options]  values over time, by data trace\n"
    "       etm report CAPTURE -o FILE       a page to look at\n"
    "       etm diff CAPTURE CAPTURE         where two traces differ\n"
    "       etm index    CAPTURE [options]   where decoding can begin\n"
    "       etm top      CAPTURE [options]   what runs, while the trace comes\n"
    "       etm gdb      CAPTURE --image ELF   a debugger goes back in it\n"
    "       etm split    CAPTURE -o DIR      the bytes of each source\n"
    "       etm merge    FILE... [-o FILE]   add up counts of several runs\n"
    "       etm configure --core NAME [options]   register values for a trace\n"
    "       etm explain  FILE [options]      registers in plain words\n"
    "       etm record   PROGRAM -o DIR      run and trace a program\n"
    "\n"
    "CAPTURE is a snapshot directory, its snapshot.ini, a perf.data, a raw\n"
    "trace file (- is standard input), or tcp:HOST:PORT: what a server sends.\n"
    "\n"
    "  etm info demo/cortex-m3\n"
    "  etm decode demo/cortex-m3 --level instructions --source-lines\n"
    "\n"
    "  etm help COMMAND     the options of a command (or etm COMMAND --help)\n"
    "  etm --version\n";

static const char info[] =
    "usage: etm info CAPTURE [options]\n"
    "\n"
    "What is in a capture: its buffers, trace sources with their protocol and\n"
    "configuration in words, code, synchronization points and damage. Where\n"
    "registers are missing: what the bytes suggest.\n"
    "\n"
    "  etm info demo/cortex-m3\n"
    "  etm info etb.bin --framing coresight\n"
    "\n";

static const char packets[] =
    "usage: etm packets CAPTURE [options]\n"
    "\n"
    "One line per packet on the wire, with its place in the capture, its "
    "bytes\n"
    "and its fields; compressed addresses are shown whole.\n"
    "\n"
    "  etm packets demo/cortex-a9 --source PTM_0\n"
    "\n"
    "  --no-offset          without places, for diff(1)\n"
    "  --format vcd         of ETMv1 and ETMv2: the pins of the trace port, "
    "for\n"
    "                       waveform viewers\n"
    "\n";

static const char decode[] =
    "usage: etm decode CAPTURE [options]\n"
    "\n"
    "The program that ran: instructions, data, exceptions, and the gaps in\n"
    "between. Damage is summed up on standard error.\n"
    "\n"
    "  etm decode demo/cortex-m3 --level instructions --source-lines\n"
    "  etm decode etb.bin --core cortex-m3 --image program.elf --last 64K\n"
    "\n"
    "  --level ranges|instructions   one line per range (default) or\n"
    "                       per instruction\n"
    "  --source-lines       show source lines; implies\n"
    "                       --level instructions; text only\n"
    "  --cycles             show the cycles so far and those of each line\n"
    "  --no-offset          without places, for diff(1)\n"
    "  --stats              counts instead of a listing, for 'etm merge', or\n"
    "                       with --format text for people\n"
    "  --itm-text PORT      what the program wrote to a stimulus port of an "
    "ITM,\n"
    "                       byte for byte\n"
    "  --jobs N             threads (default: one per core)\n"
    "  --from PLACE, --to PLACE      a part: bytes (64K, 2M), 40%, ts:TIME\n"
    "                       or cyc:CYCLES\n"
    "  --last BYTES         the end of the capture\n"
    "  --merge              the lines of all sources in the order of time, by\n"
    "                       timestamps\n"
    "  --shard I/N          part I of N; all parts together are the whole\n"
    "  --index FILE         output of 'etm index', for ts: and cyc:\n"
    "\n";

static const char index_help[] =
    "usage: etm index CAPTURE [options]\n"
    "\n"
    "Where decoding can begin: the synchronization points of each source, "
    "with\n"
    "place, address, and the timestamp and cycles before them.\n"
    "\n"
    "  etm index perf.data --format jsonl -o points\n"
    "  etm decode perf.data --index points --from ts:1200000\n"
    "\n"
    "  --every BYTES        no two points closer than this\n"
    "\n";

/* Of all that show what the program did. */
#define INLINED_OPTION                                                         \
    "  --inlined            also functions that are inlined, as their debug\n" \
    "                       information tells\n"
#define VIEW_OPTIONS                                                           \
    "  --no-demangle        names of C++ and Rust as in the program\n"         \
    "  --task-variable NAME|ADDRESS  the variable that tells the task, of\n"   \
    "                       which stores are traced with data\n"               \
    "  --jobs N             threads (default: one per core)\n"                 \
    "  --from PLACE, --to PLACE, --last BYTES   a part, as of 'etm decode'\n"  \
    "  --index FILE         output of 'etm index', for ts: and cyc:\n"         \
    "\n"

static const char profile[] =
    "usage: etm profile CAPTURE [options]\n"
    "\n"
    "What functions cost: instructions and, if the trace has them, cycles, of\n"
    "the function itself and with all that it calls; calls, and how long they\n"
    "take.\n"
    "\n"
    "  etm profile demo/cortex-m3\n"
    "  etm profile demo/cortex-m3 --format folded | flamegraph.pl >graph.svg\n"
    "\n"
    "  --by function|line|file|address|exception|task|source   what has a "
    "line\n"
    "  --annotate FUNCTION  its source and instructions with their costs\n"
    "  --callers, --callees   below each function\n" INLINED_OPTION
    "  --format folded|callgrind|speedscope|pprof   for flame graphs,\n"
    "                       KCachegrind, speedscope.app, pprof\n" VIEW_OPTIONS;

static const char calls[] =
    "usage: etm calls CAPTURE [options]\n"
    "\n"
    "Who called whom, in the order of time: functions and exceptions, "
    "indented,\n"
    "with their durations.\n"
    "\n"
    "  etm calls demo/cortex-m3 --function SysTick_Handler\n"
    "\n"
    "  --function NAME      only this function and what it calls\n"
    "  --depth N            no more levels than this\n"
    "  --minimum-duration N   only calls that take this long, in the unit of\n"
    "                       the source: cycles, ticks or instructions\n"
    "  --merge              all sources in the order of time, by timestamps\n"
    "  --summary            add up calls of the same functions by the same\n"
    "                       callers\n" INLINED_OPTION VIEW_OPTIONS;

static const char exceptions[] =
    "usage: etm exceptions CAPTURE [options]\n"
    "\n"
    "Exceptions: how many, how long, how regular, and what they interrupt.\n"
    "\n"
    "  etm exceptions demo/cortex-m3\n"
    "\n"
    "  --merge              those of all sources, by their first "
    "entry\n" VIEW_OPTIONS;

static const char timeline[] =
    "usage: etm timeline CAPTURE -o FILE [options]\n"
    "\n"
    "A file for ui.perfetto.dev: the functions of each task, exceptions, "
    "which\n"
    "task runs, gaps, triggers and values of variables, over time.\n"
    "\n"
    "  etm timeline demo/cortex-m3 -o sensor.perfetto-trace\n"
    "\n"
    "  --format perfetto|chrome|ctf   chrome: JSON, also for speedscope.app;\n"
    "                       ctf: a directory, for babeltrace2, Trace Compass\n"
    "  --function NAME      only this function and what it calls\n"
    "  --depth N            no more levels than this\n"
    "  --minimum-duration N   only slices that last this long, in ns of the "
    "file\n"
    "  --watch NAME[,NAME]  variables, or addresses, whose values are "
    "traced\n" INLINED_OPTION VIEW_OPTIONS;

static const char coverage[] =
    "usage: etm coverage CAPTURE [options]\n"
    "\n"
    "What of the program was executed, and how often: lines, functions,\n"
    "instructions, and both outcomes of each conditional branch. Gaps in the\n"
    "trace, in which more may have been executed, are counted.\n"
    "\n"
    "  etm coverage demo/cortex-m3\n"
    "  etm coverage demo/cortex-m3 --format lcov -o ran.info\n"
    "  genhtml ran.info -o pages\n"
    "\n"
    "  --format lcov|cobertura|gcovr   for tools and build servers\n"
    "  --format source      source code with counts, as gcov has it\n"
    "  --level instructions   also which conditional instructions passed "
    "and\n"
    "                       failed; slower\n"
    "  --jobs N             threads (default: one per core)\n"
    "  --from PLACE, --to PLACE, --last BYTES   a part, as of 'etm decode'\n"
    "  --shard I/N          part I of N; 'etm merge' adds up JSON Lines\n"
    "  --index FILE         output of 'etm index', for ts: and cyc:\n"
    "\n";

static const char gdb[] =
    "usage: etm gdb CAPTURE [options]\n"
    "\n"
    "GDB's remote protocol over the trace: a debugger goes through it, "
    "forwards\n"
    "and backwards, beginning at its end. What the trace does not tell is\n"
    "unavailable.\n"
    "\n"
    "  (gdb) target remote | etm gdb etb.bin --core cortex-m3 --image app.elf\n"
    "  etm gdb demo/cortex-m3 --listen :3333\n"
    "\n"
    "  --listen HOST:PORT   wait for a debugger there; without a HOST only\n"
    "                       this machine can connect; - (default) is standard\n"
    "                       input and output\n"
    "  --task-variable NAME|ADDRESS  the variable that tells the task, of\n"
    "                       which stores are traced with data\n"
    "  --jobs N             threads (default: one per core)\n"
    "\n";

static const char variables[] =
    "usage: etm variables CAPTURE [options]\n"
    "\n"
    "Values of variables, by data trace: how often each was written and read, "
    "its\n"
    "first, last, least and greatest value; or each transfer, with what it "
    "left\n"
    "known of the variable, its time and its instruction.\n"
    "\n"
    "  etm variables captured\n"
    "  etm variables captured --watch sensor.samples[3],state --format csv\n"
    "\n"
    "  --watch NAME[,NAME]  each transfer of these variables, fields, elements "
    "or\n"
    "                       addresses\n"
    "  --format csv         a table\n"
    "  --merge              with --watch: all sources in the order of time, "
    "by\n"
    "                       timestamps\n" VIEW_OPTIONS;

static const char report[] =
    "usage: etm report CAPTURE -o FILE [options]\n"
    "\n"
    "A page for a browser, in one file and without a network: what the "
    "capture\n"
    "is and what is missing in it, a time line and a flame graph to zoom, "
    "what\n"
    "functions cost with their source, exceptions, what ran of the code.\n"
    "\n"
    "  etm report demo/cortex-m3 -o sensor.html\n"
    "\n"
    "  --watch NAME[,NAME]  variables, or addresses, whose values are "
    "traced\n" INLINED_OPTION VIEW_OPTIONS;

static const char split[] =
    "usage: etm split CAPTURE -o DIRECTORY [options]\n"
    "\n"
    "The bytes of each trace source, without frames, in a file of its own for\n"
    "other tools; also of sources that are not decoded here.\n"
    "\n"
    "  etm split trace.tpiu --framing tpiu -o streams\n"
    "\n";

static const char diff[] =
    "usage: etm diff CAPTURE CAPTURE [options]\n"
    "\n"
    "Where two traces differ, A and B, like diff -u: each difference, what is\n"
    "around it, and where both are in step again. Places in the captures are\n"
    "not compared. Exit status: 0 no difference, 1 differences, 2 trouble.\n"
    "\n"
    "  etm diff chip model --ignore timestamps\n"
    "  etm diff chip.bin model --level packets --core cortex-m3\n"
    "\n"
    "  --level packets|ranges|instructions   what is compared (default:\n"
    "                       instructions)\n"
    "  --ignore timestamps|cycles|context|sync|data|exec   not these; several\n"
    "                       times, or with commas\n"
    "  --context N          items around a difference (default: 3)\n"
    "  --lines N            lines of a difference on each side (default: 100;\n"
    "                       0: all)\n"
    "  --window N           items among which both sides get in step again\n"
    "                       (default: 65536)\n"
    "  --summary            only how many there are, and where the first is\n"
    "  --jobs N             threads (default: one per core)\n"
    "  --a-OPTION, --b-OPTION   an option of a capture, for one of them\n"
    "\n";

static const char top[] =
    "usage: etm top CAPTURE [options]\n"
    "\n"
    "Hot functions, exceptions and losses while the trace comes, now and in\n"
    "all: by instructions, cycles if the trace has them, or samples of an\n"
    "ITM. On a terminal it is refreshed in place; Ctrl-C ends it.\n"
    "\n"
    "  etm top tcp:localhost:3402 --protocol itm --image app.elf\n"
    "  etm top demo/cortex-m3 --once\n"
    "\n"
    "  --interval MS        milliseconds between frames (default: 1000)\n"
    "  --once               one frame: of the whole capture, or of what a\n"
    "                       server sends within that time\n"
    "  --lines N            functions of a frame (default: as many as fit, or\n"
    "                       20; 0: all)\n"
    "  --no-demangle        names of C++ and Rust as in the program\n"
    "  --jobs N             threads (default: one per core)\n"
    "\n";

static const char listing_options[] =
    "  --format text|jsonl  for people (default) or for programs\n"
    "  -o FILE              write there instead of standard output\n";

static const char common[] =
    "  --source ID|NAME     only this trace source (repeatable)\n"
    "  --image FILE[@ADDR]  code: ELF, Intel HEX, S-records, or a binary at\n"
    "                       an address\n"
    "  --core NAME          the processor: what its macrocell implies "
    "('etm\n"
    "                       configure --core list')\n"
    "  --profile a|r|m      architecture profile of the processor\n"
    "  --color, --no-color  colours always or never; by default, and with\n"
    "                       --color=auto, on a terminal\n"
    "  --no-pager           no $ETM_PAGER, $PAGER or less on a terminal\n"
    "\n"
    "for a snapshot:\n"
    "  --allow-outside      it may name files outside of its folder\n"
    "for a server (tcp:HOST:PORT):\n"
    "  --reconnect          connect again when the connection is lost\n"
    "for a perf.data:\n"
    "  --sysroot DIR        where the files of the traced machine are\n"
    "for a raw trace file (packets, decode and index take what is not given\n"
    "from its bytes, if these are clear):\n"
    "  --protocol etmv1|etmv2|etmv3|pft|itm|mtb\n"
    "  --reg NAME=VALUE     a register of the macrocell: ETMCR, ETMIDR ...\n"
    "  --dump FILE          its registers, as 'etm explain' reads them\n"
    "  --framing none|coresight|tpiu|dstream|port|tpiu-port|swo|mtb|orbflow\n"
    "  --reverse-bytes auto|none|2|4|8   of words in the wrong byte order\n"
    "samples of a trace port (--framing port, tpiu-port):\n"
    "  --port-format auto|text|vcd|csv|openocd|records|etb|bytes\n"
    "  --port-width N       pins of TRACEPKT (ETMv1, ETMv2) or TRACEDATA\n"
    "  --signals LIST       pipestat=NAME,NAME,tracepkt=NAME,... (VCD, "
    "tables)\n"
    "  --write-pointer N    memory written in a circle: its oldest byte\n"
    "SWO of a logic analyser, as VCD or table (--framing swo):\n"
    "  --signals swo=NAME   the pin; default: SWO, TRACESWO\n"
    "  --baud N             bits a second; default: as the pulses show\n"
    "ETMv1 and ETMv2, also in a snapshot:\n"
    "  --endian le|be8|be32, --hivecs   byte order, high vectors\n"
    "  --coprocessor N=SHORT/LONG   words moved by LDC and STC (ETMv1)\n";

int etm_cli_help_missing(void)
{
    fputs(general, stderr);
    return ETM_EXIT_USAGE;
}

int etm_cli_help(const struct etm_cli_options *options)
{
    if (!options->name) {
        fputs(general, stdout);
        return ETM_EXIT_OK;
    }
    switch (options->command) {
    case ETM_CLI_INFO:
        fputs(info, stdout);
        break;
    case ETM_CLI_PACKETS:
        fputs(packets, stdout);
        break;
    case ETM_CLI_DECODE:
        fputs(decode, stdout);
        break;
    case ETM_CLI_INDEX:
        fputs(index_help, stdout);
        break;
    case ETM_CLI_PROFILE:
        fputs(profile, stdout);
        break;
    case ETM_CLI_CALLS:
        fputs(calls, stdout);
        break;
    case ETM_CLI_EXCEPTIONS:
        fputs(exceptions, stdout);
        break;
    case ETM_CLI_TIMELINE:
        fputs(timeline, stdout);
        break;
    case ETM_CLI_VARIABLES:
        fputs(variables, stdout);
        break;
    case ETM_CLI_REPORT:
        fputs(report, stdout);
        break;
    case ETM_CLI_SPLIT:
        fputs(split, stdout);
        break;
    case ETM_CLI_COVERAGE:
        fputs(coverage, stdout);
        break;
    case ETM_CLI_GDB:
        fputs(gdb, stdout);
        break;
    case ETM_CLI_DIFF:
        fputs(diff, stdout);
        break;
    case ETM_CLI_TOP:
        fputs(top, stdout);
        break;
    }
    if (options->command != ETM_CLI_GDB)
        fputs(listing_options, stdout);
    fputs(common, stdout);
    return ETM_EXIT_OK;
}
