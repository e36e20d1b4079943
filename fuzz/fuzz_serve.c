/* SPDX-License-Identifier: Apache-2.0 */
/* Any packets of a debugger on a trace: the server answers until the client
 * has gone. */
#include "fuzz.h"
#include "gdb/gdb.h"

#include <fcntl.h>

/* The packet with its sum. */
static void frame(FILE *stream, const uint8_t *text, size_t n)
{
    uint8_t sum = 0;

    fputc('$', stream);
    for (size_t i = 0; i < n; i++) {
        sum = (uint8_t)(sum + text[i]);
        fputc(text[i], stream);
    }
    fprintf(stream, "#%02x+", sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct etm_session *session;
    static const size_t source = 0;
    struct etm_gdb_config config = {.sources = &source, .n_sources = 1};
    FILE *stream;

    if (session == NULL)
        must(etm_session_open(&session, FUZZ_CAPTURE, NULL, NULL) == ETM_OK);
    stream = fopen(in_directory("packets"), "wb");
    must(stream != NULL);
    while (size > 0) {
        size_t n;
        const uint8_t *text = take_text(&data, &size, &n);

        frame(stream, text, n);
    }
    must(fclose(stream) == 0);
    config.session = session;
    config.jobs = 1;
    config.in = open(in_directory("packets"), O_RDONLY);
    config.out = open("/dev/null", O_WRONLY);
    must(config.in >= 0 && config.out >= 0);
    (void)etm_gdb_serve(&config);
    close(config.in);
    close(config.out);
    return 0;
}
