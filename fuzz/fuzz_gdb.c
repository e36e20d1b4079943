/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any characters as what a debugger sends: cut or whole, the same packets come
 * of them, and what is sent back can be read.
 */
#include "fuzz.h"
#include "gdb/packet.h"

/* Take a packet apart in every way that there is. */
static void read_text(const struct etm_gdb_input *in)
{
    struct etm_gdb_text text = {in->text, in->text + in->n};
    uint64_t value;
    int64_t thread;

    if (in->n > ETM_GDB_PACKET_MOST || in->text[in->n] != '\0')
        abort();
    while (!etm_gdb_is_end(&text)) {
        const char *at = text.at;
        struct etm_gdb_text some = text;
        char bytes[3];

        (void)etm_gdb_take_bytes(&some, bytes, sizeof bytes);
        if (some.at < text.at || some.at > some.end)
            abort();
        if (!etm_gdb_take_word(&text, "vCont") &&
            !etm_gdb_take_thread(&text, &thread) &&
            !etm_gdb_take_hex(&text, &value) &&
            !etm_gdb_take_char(&text, *text.at))
            abort();
        if (text.at <= at || text.at > text.end)
            abort();
    }
}

/* What is framed is read back as it was. */
static void echo(const struct etm_gdb_input *in)
{
    static struct etm_gdb_reply reply;
    static struct etm_gdb_input back;
    static char framed[ETM_GDB_FRAMED_MOST];
    enum etm_gdb_input_kind kind = ETM_GDB_NOTHING;
    size_t n;

    memset(&back, 0, sizeof back);
    reply.n = 0;
    for (size_t i = 0; i < in->n; i++)
        etm_gdb_put_char(&reply, in->text[i]);
    n = etm_gdb_reply_frame(&reply, framed);
    for (size_t i = 0; i < n; i++)
        kind = etm_gdb_input_take(&back, (uint8_t)framed[i]);
    if (kind != ETM_GDB_PACKET || back.n != in->n ||
        memcmp(back.text, in->text, in->n) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct etm_gdb_input in;

    memset(&in, 0, sizeof in);
    for (size_t i = 0; i < size; i++)
        if (etm_gdb_input_take(&in, data[i]) == ETM_GDB_PACKET) {
            read_text(&in);
            echo(&in);
        }
    return 0;
}
