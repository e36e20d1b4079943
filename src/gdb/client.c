/* SPDX-License-Identifier: Apache-2.0 */
/* The client: what it sends, and what is sent to it. */
#define _POSIX_C_SOURCE 200809L
#include "gdb/server.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

void etm_gdb_send(struct etm_gdb_server *s, const char *text, size_t n)
{
    while (n > 0 && !s->closed) {
        ssize_t done = write(s->config->out, text, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            s->closed = true;
            return;
        }
        text += done;
        n -= (size_t)done;
    }
}

void etm_gdb_send_reply(struct etm_gdb_server *s,
                        const struct etm_gdb_reply *reply)
{
    size_t n = etm_gdb_reply_frame(reply, s->framed);

    etm_gdb_send(s, s->framed, n);
}

/* Names are in it, and the debugger gives it to a terminal as it is. */
static void put_plain(struct etm_gdb_reply *to, const char *text, size_t n)
{
    for (size_t at = 0, length; at < n; at += length) {
        bool plain;

        length = etm_character(text + at, n - at, &plain);
        if (length == 0)
            length = 1;
        if (plain || text[at] == '\n' || text[at] == '\t')
            etm_gdb_put_bytes(to, (const uint8_t *)text + at, length);
        else
            etm_gdb_put_bytes(to, (const uint8_t *)"?", 1);
    }
}

/* How much of a text goes into one packet, which ends between characters. */
static size_t piece_of(const char *text, size_t n)
{
    size_t piece = ETM_GDB_PACKET_MOST / 4;

    if (n <= piece)
        return n;
    for (unsigned i = 0; i < 3 && ((uint8_t)text[piece] & 0xc0u) == 0x80; i++)
        piece--;
    return piece;
}

void etm_gdb_say(struct etm_gdb_server *s, const char *text)
{
    struct etm_gdb_reply *to = &s->said;
    size_t n = strlen(text);

    while (n > 0) {
        size_t piece = piece_of(text, n);

        to->n = 0;
        etm_gdb_put_char(to, 'O');
        put_plain(to, text, piece);
        etm_gdb_send_reply(s, to);
        text += piece;
        n -= piece;
    }
}

bool etm_gdb_receive(struct etm_gdb_server *s, etm_gdb_answer_fn *answer)
{
    uint8_t bytes[4096];
    ssize_t n = read(s->config->in, bytes, sizeof bytes);

    if (n < 0 && errno == EINTR)
        return true;
    for (ssize_t i = 0; i < n && !s->leaving; i++) {
        switch (etm_gdb_input_take(&s->input, bytes[i])) {
        case ETM_GDB_NOTHING:
            break;
        case ETM_GDB_PACKET:
            if (answer)
                answer(s);
            break;
        case ETM_GDB_BROKEN:
            if (!s->no_ack)
                etm_gdb_send(s, "-", 1);
            break;
        case ETM_GDB_INTERRUPT:
            s->interrupted = true;
            break;
        }
    }
    return n > 0 && !s->closed;
}

bool etm_gdb_poll_interrupt(void *server)
{
    struct etm_gdb_server *s = server;
    struct pollfd fd = {.fd = s->config->in, .events = POLLIN};

    if (!s->interrupted && poll(&fd, 1, 0) > 0 && !etm_gdb_receive(s, NULL))
        s->interrupted = s->closed = true;
    return s->interrupted;
}
