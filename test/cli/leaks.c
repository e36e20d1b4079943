/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command gives back all memory, whether it succeeds or not: after it has run
 * once, which fills what libraries keep, it has as much after the third run as
 * after the second. Speaks TAP. Usage: leaks DEMO
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int etm_main(int argc, char **argv); /* main() of the command */

#define WORDS 24u

/* The exit status, and the words, in the folder of the demo's captures. "%" is
 * a scratch folder before a slash, and "#" the number of the run. */
static const struct {
    int status;
    const char *words;
} lines[] = {
    {0, "info cortex-m3"},
    {0, "info cortex-m3 --format jsonl"},
    {1, "info nothing"},
    {1, "info cortex-m3 --source nobody"},
    {0, "packets cortex-a9"},
    {0, "packets cortex-a9 --format jsonl -o %/packets"},
    {1, "packets cortex-a9 -o /no/folder"},
    {0, "decode cortex-m3 --to 300"},
    {0, "decode cortex-m3 --level instructions --source-lines --to 300"},
    {0, "decode cortex-m3 --stats"},
    {0, "decode cortex-m3 --stats --jobs 2 --format jsonl"},
    {0, "decode cortex-m3 --merge --cycles"},
    {0, "decode cortex-m3 --from 7%"},
    {0, "decode cortex-m3 --from 50% --to 60%"},
    {0, "decode cortex-m3/cstrace.bin --framing coresight --protocol pft"},
    {1, "decode cortex-m3/cstrace.bin --framing port --protocol etmv1"},
    {1, "decode cortex-m3 --image nothing@0"},
    {2, "decode cortex-m3 --level nothing"},
    {0, "coverage cortex-m3"},
    {0, "coverage cortex-m3 --format lcov"},
    {0, "coverage cortex-m3 --format cobertura"},
    {0, "coverage cortex-m3 --format jsonl -o %/counts"},
    {0, "merge %/counts %/counts"},
    {1, "merge %/counts nothing"},
    {1, "merge cortex-m3/cpu_0.ini"},
    {0, "index cortex-a9 --every 1K"},
    {0, "index cortex-a9 --every 1K -o %/index"},
    {2, "decode cortex-a9 --index %/index --from cyc:1000"},
    {2, "decode cortex-a9 --index cortex-a9/cpu_0.ini --from cyc:1000"},
    {0, "profile cortex-m3"},
    {0, "profile cortex-m3 --format callgrind"},
    {0, "profile cortex-m3 --format pprof"},
    {2, "profile cortex-m3 --format nothing"},
    {0, "calls cortex-m3"},
    {0, "calls cortex-m3 --summary --inlined"},
    {0, "exceptions cortex-m3"},
    {0, "timeline cortex-m3 --format perfetto"},
    {0, "timeline cortex-m3 --format ctf -o %/ctf-#"},
    {0, "variables cortex-m3"},
    {0, "report cortex-m3 -o %/report"},
    {0, "top cortex-m3 --once"},
    {0, "split cortex-m3 -o %/split"},
    {0, "diff cortex-m3 cortex-m3"},
    {1, "diff cortex-m3 cortex-a9"},
    {2, "diff cortex-m3 nothing"},
    {0, "configure --core cortex-m3 --range 8000-9000"},
    {2, "configure --core cortex-m3 --range 8000-"},
    {2, "configure --core nothing"},
    {0, "configure --core cortex-a9 --format openocd -o %/setup"},
    {0, "explain %/setup"},
    {0, "explain %/setup --format jsonl"},
    {0, "explain %/setup --elf cortex-a9/sensor.elf"},
    {1, "explain %/setup --elf cortex-a9/cstrace.bin"},
    {2, "explain %/setup --core nothing"},
    {2, "explain %/setup --core cortex-a9 --etm 9"},
    {2, "explain %/setup --memory 0-fff --memory 0"},
    {1, "explain %/setup --simulate nothing"},
    {0, "explain %/setup --core cortex-a9 --simulate cortex-a9/sensor.elf "
        "--limit 1000"},
    {1, "explain %/setup --core cortex-a9 --simulate cortex-a9/cstrace.bin"},
    {1, "explain cortex-m3/board.c"},
    {1, "explain nothing"},
    {1, "explain %/setup -o /no/folder"},
    {0, "record cortex-a9/sensor.elf --core cortex-a9 --limit 1000 -o "
        "%/recorded-#"},
    {0, "record cortex-a9/sensor.elf --core cortex-a9 --limit 1000 -o "
        "%/logged-# --log %/log"},
    {0, "record --execution %/log --core cortex-a9 -o %/replayed-#"},
    {1, "record --execution cortex-a9/board.c -o %/none"},
    {0, "decode %/reversed --image cortex-a9/sensor.elf"},
    {1, "record cortex-a9/board.c --core cortex-a9 -o %/none"},
    {0, "help decode"},
    {2, "help nothing"},
    {2, "nothing"},
};
#define LINES (sizeof lines / sizeof *lines)

/* Run a command for the n-th time; its exit status. */
static int run(const char *line, const char *scratch, int n)
{
    static char text[2048];
    char *argv[WORDS] = {"etm"}, *word, *at = text;
    unsigned argc = 1;
    int status;

    for (const char *c = line; *c != '\0'; c++) {
        if (c[0] == '%' && c[1] == '/') {
            strcpy(at, scratch);
            at += strlen(scratch);
        } else {
            *at++ = (char)(*c == '#' ? '0' + n : *c);
        }
    }
    *at = '\0';
    for (word = strtok(text, " "); word && argc < WORDS - 1;
         word = strtok(NULL, " "))
        argv[argc++] = word;
    status = etm_main((int)argc, argv);
    fflush(stdout);
    return status;
}

/* A capture as a tool writes it that has the words in the other order. */
static bool write_reversed(const char *scratch)
{
    char path[64];
    FILE *in = fopen("cortex-a9/cstrace.bin", "rb"), *out;
    unsigned char word[4];
    bool good;

    (void)snprintf(path, sizeof path, "%s/reversed", scratch);
    out = fopen(path, "wb");
    while (in && out && fread(word, 1, 4, in) == 4)
        for (unsigned i = 4; i-- > 0;)
            putc(word[i], out);
    good = in && out && !ferror(in) && fclose(out) == 0;
    return in && fclose(in) == 0 && good;
}

int main(int argc, char **argv)
{
    FILE *tap = fdopen(dup(STDOUT_FILENO), "w");
    char scratch[] = "/tmp/etm-leaks-XXXXXX", command[64];
    int null = open("/dev/null", O_WRONLY);
    bool good = true;

    if (argc != 2 || !tap || null < 0 || chdir(argv[1]) != 0 ||
        !mkdtemp(scratch) || !write_reversed(scratch))
        return 2;
    setvbuf(tap, NULL, _IOLBF, 256);
    fprintf(tap, "1..%zu\n", LINES);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    for (size_t i = 0; i < LINES; i++) {
        size_t used[3];
        int status = 0;
        bool same;

        for (int n = 0; n < 3; n++) {
            status = run(lines[i].words, scratch, n);
            used[n] = mallinfo2().uordblks;
        }
        same = used[2] == used[1] && status == lines[i].status;
        fprintf(tap, "%sok %zu - %s\n", same ? "" : "not ", i + 1,
                lines[i].words);
        if (!same)
            fprintf(tap, "# %zu bytes, then %zu; status %d\n", used[1], used[2],
                    status);
        good = good && same;
    }
    (void)snprintf(command, sizeof command, "rm -rf %s", scratch);
    (void)!system(command);
    return good ? 0 : 1;
}
