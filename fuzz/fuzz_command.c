/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a file that a command reads by itself: counts and indexes of
 * earlier runs, texts with registers, Tarmac logs, tables of analysers, records
 * of a port.
 */
#include "fuzz.h"

#include <fcntl.h>

int etm_main(int argc, char **argv); /* main() of the command */

/* "@": the file of the input; "%": the capture of the demo. */
static const char *const lines[][8] = {
    {"merge", "@"},
    {"merge", "@", "@"},
    {"coverage", "@"},
    {"info", "@"},
    {"index", "@", "--protocol", "pft"},
    {"explain", "@"},
    {"explain", "@", "--format", "jsonl"},
    {"explain", "@", "--core", "cortex-m3"},
    {"decode", "@", "--framing", "swo"},
    {"decode", "@", "--framing", "port", "--protocol", "etmv1"},
    {"decode", "@", "--framing", "mtb"},
    {"timeline", "@", "--protocol", "itm"},
    {"profile", "%", "--symbols", "@"},
    {"record", "--tarmac", "@", "--core", "cortex-m3", "-o", "/dev/shm/none/x"},
    {"record", "@", "--core", "cortex-a9", "-o", "/dev/shm/none/x"},
    {"decode", "%", "--image", "@"},
};
#define LINES (sizeof lines / sizeof *lines)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const *line = lines[take(&data, &size) % LINES];
    static char etm[] = "etm", path[128], capture[] = FUZZ_CAPTURE;
    static char words[8][64];
    char *argv[10] = {etm};
    int argc = 1, null;
    static bool quiet;

    if (!quiet) {
        null = open("/dev/null", O_WRONLY);
        must(null >= 0 && dup2(null, STDOUT_FILENO) >= 0);
        quiet = true;
    }
    write_file("file", data, size);
    snprintf(path, sizeof path, "%s", in_directory("file"));
    for (; argc <= 8 && line[argc - 1] != NULL; argc++) {
        snprintf(words[argc - 1], sizeof words[0], "%s", line[argc - 1]);
        argv[argc] = words[argc - 1];
        if (words[argc - 1][0] == '@')
            argv[argc] = path;
        else if (words[argc - 1][0] == '%')
            argv[argc] = capture;
    }
    (void)etm_main(argc, argv);
    return 0;
}
