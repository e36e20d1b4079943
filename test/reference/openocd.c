/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenOCD wants hardware behind its JTAG port; a child process answers for it,
 * with zeros only.
 */
#define _POSIX_C_SOURCE 200809L

#include "openocd.h"
#include "../support/test.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void word(FILE *file, uint32_t value)
{
    for (unsigned i = 4; i-- > 0;)
        fputc((int)(value >> (8 * i) & 0xff), file);
}

static FILE *create(const char *folder, const char *name)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wb");
    assert_non_null(file);
    return file;
}

void openocd_write(const char *folder, const struct etm_config *config,
                   const uint8_t *image, size_t image_size,
                   const uint8_t *stream, size_t n)
{
    FILE *code = create(folder, "image"), *dump = create(folder, "dump");
    size_t size = config->port_width == 16 ? 3 : 2;
    uint32_t control = config->port_width == 4 ? 0 : config->port_width * 2u;

    fwrite(image, 1, image_size, code);
    fclose(code);
    /* words with the highest byte first: the state of the capture, ETMCR and
     * the number of cycles, then three for each of these */
    word(dump, 0);
    word(dump, control | (config->data_value ? 4u : 0) |
                   (config->data_address ? 8u : 0));
    word(dump, (uint32_t)(n / size));
    for (size_t i = 0; i < n; i += size) {
        uint32_t pins = stream[i + 1], status = stream[i] & 7;

        if (size == 3)
            pins |= (uint32_t)stream[i + 2] << 8;
        word(dump, status == 6 ? pins & 7 : status); /* TR: the replaced one */
        word(dump, pins);
        word(dump, (stream[i] >> 7) | (status == 6 ? 2u : 0));
    }
    fclose(dump);
}

/* Hardware that says 0, behind a socket: 'R' asks for TDO. */
static pid_t serve(const char *folder)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    char in[4096], out[4096];
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), s;
    pid_t child;

    snprintf(name.sun_path, sizeof name.sun_path, "%s/jtag", folder);
    unlink(name.sun_path);
    assert_int_equal(
        bind(listener, (const struct sockaddr *)&name, sizeof name), 0);
    assert_int_equal(listen(listener, 1), 0);
    child = fork();
    assert_true(child >= 0);
    if (child != 0) {
        close(listener);
        return child;
    }
    alarm(60);
    memset(out, '0', sizeof out);
    s = accept(listener, NULL, NULL);
    for (ssize_t n; (n = read(s, in, sizeof in)) > 0;) {
        size_t asked = 0;

        for (ssize_t i = 0; i < n; i++)
            asked += in[i] == 'R';
        if (write(s, out, asked) != (ssize_t)asked)
            break;
    }
    _exit(0);
}

static void write_script(const char *folder, unsigned pins)
{
    FILE *file = create(folder, "openocd.cfg");

    fprintf(file,
            "adapter driver remote_bitbang\n"
            "remote_bitbang host %s/jtag\n"
            "remote_bitbang port 0\n"
            "jtag newtap x etb -irlen 4 -expected-id 0\n"
            "jtag newtap x cpu -irlen 4 -expected-id 0\n"
            "target create x.cpu arm7tdmi -chain-position x.cpu\n"
            "etm config x.cpu %u normal full etb\n"
            "etb config x.cpu x.etb\n"
            "gdb_port disabled\ntcl_port disabled\ntelnet_port disabled\n",
            folder, pins);
    fclose(file);
}

bool openocd_usable(const char *folder, const struct etm_config *config)
{
    char line[160];

    write_script(folder, config->port_width);
    snprintf(line, sizeof line,
             "openocd -f %s/openocd.cfg -c shutdown >/dev/null 2>&1", folder);
    return system(line) == 0;
}

void openocd_run(const char *folder, struct openocd_listing *l)
{
    char line[512];
    pid_t server;
    FILE *out;

    l->n_insns = l->n_values = l->n_addresses = l->n_triggers = 0;
    server = serve(folder);
    /* what a command on the command line gives is printed */
    snprintf(line, sizeof line,
             "timeout 60 openocd -f %s/openocd.cfg -c init "
             "-c 'etm image %s/image 0 bin' -c 'etm load %s/dump' "
             "-c 'etm analyze' -c shutdown 2>&1",
             folder, folder, folder);
    out = popen(line, "r");
    assert_non_null(out);
    while (fgets(line, sizeof line, out) != NULL) {
        struct openocd_insn x = {.passed =
                                     strstr(line, "(not executed)") == NULL};

        if (sscanf(line, "0x%8x\t0x%8x\t", &x.address, &x.opcode) == 2 &&
            l->n_insns < OPENOCD_MAX)
            l->insns[l->n_insns++] = x;
        else if (sscanf(line, "data: 0x%8x", &x.address) == 1 &&
                 l->n_values < OPENOCD_MAX)
            l->values[l->n_values++] = x.address;
        else if (sscanf(line, "address: 0x%8x", &x.address) == 1 &&
                 l->n_addresses < OPENOCD_MAX)
            l->addresses[l->n_addresses++] = x.address;
        l->n_triggers += strcmp(line, "--- trigger ---\n") == 0;
    }
    pclose(out);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
}
