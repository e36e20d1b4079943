/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of packets. */
#include "base/lists.h"
#include "write/put.h"
#include "write/text.h"

/* Bytes shown on a line; only `unsynchronized` and A-sync have more. */
#define BYTES_SHOWN 8u

/* Names with the blanks after them that fill a column. */
#define BLANKS "                   "
#define PADDED(value, text) [value] = ETM_OUT_NAME(text BLANKS),
#define NAME_WIDTH (sizeof BLANKS - 1)

static const struct etm_out_name names[] = {ETM_ALL_PACKET_LIST(PADDED)};

static char *put_kind(char *at, unsigned kind)
{
    size_t n;

    if (kind >= sizeof names / sizeof *names)
        return at;
    n = names[kind].n - NAME_WIDTH;
    memcpy(at, names[kind].text, sizeof names[kind].text);
    return at + (n < NAME_WIDTH ? NAME_WIDTH : n + 1);
}

/* The first of the packet's bytes, a column too. */
static char *put_bytes(char *at, const uint8_t *bytes, uint32_t n)
{
    uint32_t shown = n <= BYTES_SHOWN ? n : BYTES_SHOWN;

    memset(at, ' ', 3 * BYTES_SHOWN + 1);
    for (uint32_t i = 0; i < shown; i++)
        memcpy(at + 3 * (size_t)i, etm_put_bytes[bytes[i]], 3);
    at += 3 * BYTES_SHOWN + 1;
    if (n <= BYTES_SHOWN)
        return at;
    at = ETM_PUT(at, "... ");
    at = etm_put_decimal(at, n);
    return ETM_PUT(at, " bytes  ");
}

static void put_key(struct etm_out *out, const struct etm_described *field)
{
    const struct etm_key *key = &etm_keys[field->key];

    memcpy(out->next, key->words, sizeof key->words);
    out->next += key->n_words;
}

static void put_field(struct etm_listing *l, const struct etm_described *field)
{
    struct etm_out *out = &l->out;

    if (field->type == ETM_SHOW_BOOL) {
        put_key(out, field);
        return;
    }
    if (field->type == ETM_SHOW_ATOMS) {
        etm_out_word(out, field->text);
        return;
    }
    put_key(out, field);
    etm_out_char(out, ' ');
    switch ((enum etm_field_type)field->type) {
    case ETM_SHOW_NUMBER:
    case ETM_SHOW_DECIMAL_STRING:
        etm_out_decimal(out, field->value);
        break;
    case ETM_SHOW_HEX:
        ETM_OUT(out, "0x");
        etm_out_hex_bytes(out, field->value, field->bytes);
        if (field->code)
            etm_text_symbol(l, (uint32_t)field->value);
        break;
    case ETM_SHOW_STRING:
        etm_out_word(out, field->text);
        break;
    case ETM_SHOW_NULL:
    case ETM_SHOW_BOOL:
    case ETM_SHOW_ATOMS:
        break;
    }
}

static enum etm_colour colour_of(const struct etm_packet *packet)
{
    if (packet->kind == ETM_PACKET_BAD || packet->kind == ETM_PACKET_RESERVED ||
        packet->kind == ETM_PACKET_UNSYNCHRONIZED)
        return ETM_COLOUR_GAP;
    if (packet->exception > 0)
        return ETM_COLOUR_EVENT;
    return ETM_COLOUR_NONE;
}

/* Fields that are false, or not in the packet, are not shown: the bytes are. */
static bool worth_showing(const struct etm_described *field)
{
    if (field->type == ETM_SHOW_NULL)
        return false;
    if (field->type == ETM_SHOW_BOOL && !field->value)
        return false;
    return !field->detail;
}

void etm_text_packet(struct etm_listing *l, const struct etm_packet *packet,
                     const struct etm_description *description,
                     const uint8_t *bytes)
{
    enum etm_colour colour = colour_of(packet);
    struct etm_out *out = &l->out;
    bool first = true;
    char *at;

    if (colour != ETM_COLOUR_NONE)
        etm_text_colour(l, colour);
    at = put_kind(etm_out_at(out), packet->kind);
    etm_out_upto(out, put_bytes(at, bytes, packet->size));
    for (size_t i = 0; i < description->n; i++) {
        if (!worth_showing(&description->fields[i]))
            continue;
        if (!first)
            ETM_OUT(out, ", ");
        put_field(l, &description->fields[i]);
        first = false;
    }
    while (out->next > out->start && out->next[-1] == ' ')
        out->next--;
    if (colour != ETM_COLOUR_NONE)
        etm_text_colour(l, ETM_COLOUR_NONE);
    etm_out_char(out, '\n');
}
