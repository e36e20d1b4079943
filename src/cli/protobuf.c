/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/protobuf.h"

#include <stdlib.h>
#include <string.h>

/* Wire types. */
enum { VARINT = 0, FIXED64 = 1, LENGTH = 2 };

static void put(struct etm_cli_message *m, const void *data, size_t n)
{
    if (n > m->room - m->n) {
        size_t room = 2 * (m->n + n) + 256;
        uint8_t *bigger = realloc(m->data, room);

        if (!bigger) {
            m->failed = true;
            return;
        }
        m->data = bigger;
        m->room = room;
    }
    if (n != 0)
        memcpy(m->data + m->n, data, n);
    m->n += n;
}

static void put_varint(struct etm_cli_message *m, uint64_t value)
{
    uint8_t text[10];
    size_t n = 0;

    for (; value > 0x7f; value >>= 7)
        text[n++] = (uint8_t)(value | 0x80);
    text[n++] = (uint8_t)value;
    put(m, text, n);
}

static void put_block(struct etm_cli_message *m, unsigned field,
                      const void *data, size_t n)
{
    put_varint(m, field << 3 | LENGTH);
    put_varint(m, n);
    put(m, data, n);
}

void etm_cli_message_number(struct etm_cli_message *m, unsigned field,
                            uint64_t value)
{
    put_varint(m, field << 3 | VARINT);
    put_varint(m, value);
}

void etm_cli_message_double(struct etm_cli_message *m, unsigned field,
                            double value)
{
    uint8_t bytes[8];
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    put_varint(m, field << 3 | FIXED64);
    put(m, bytes, sizeof bytes);
}

void etm_cli_message_text(struct etm_cli_message *m, unsigned field,
                          const char *text)
{
    put_block(m, field, text, strlen(text));
}

void etm_cli_message_nest(struct etm_cli_message *m, unsigned field,
                          struct etm_cli_message *nested)
{
    put_block(m, field, nested->data, nested->n);
    m->failed |= nested->failed;
    nested->n = 0;
}
