/* SPDX-License-Identifier: Apache-2.0 */
/* A fuzz target without a fuzzer: each file of the arguments, and of the
 * directories among them, is one input. */
#include "fuzz.h"

#include <dirent.h>

static unsigned long inputs;

static void replay(const char *path)
{
    static uint8_t bytes[1 << 20];
    FILE *stream = fopen(path, "rb");
    uint8_t *exact;
    size_t n;

    must(stream != NULL);
    n = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    exact = malloc(n + (n == 0)); /* so that what is behind it is noticed */
    must(exact != NULL);
    memcpy(exact, bytes, n);
    fprintf(stderr, "%s\n", path);
    (void)LLVMFuzzerTestOneInput(exact, n);
    free(exact);
    inputs++;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        DIR *directory = opendir(argv[i]);
        struct dirent *entry;
        char path[4096];

        if (directory == NULL) {
            replay(argv[i]);
            continue;
        }
        while ((entry = readdir(directory)) != NULL) {
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (entry->d_name[0] != '.')
                replay(path);
        }
        closedir(directory);
    }
    fprintf(stderr, "%lu inputs\n", inputs);
    return inputs == 0;
}
