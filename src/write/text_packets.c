/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of packets. */
#include "write/text.h"

/* Bytes shown on a line; only `unsynchronized` and A-sync have more. */
#define BYTES_SHOWN 8u
#define NAME_WIDTH 19u

static void put_bytes(struct etm_out *out, const uint8_t *bytes, uint32_t n)
{
    uint32_t shown = n <= BYTES_SHOWN ? n : BYTES_SHOWN;

    for (uint32_t i = 0; i < shown; i++) {
        etm_out_hex8(out, bytes[i]);
        etm_out_char(out, ' ');
    }
    ETM_OUT(out, " ");
    if (n <= BYTES_SHOWN) {
        etm_out_blanks(out, (size_t)3 * (BYTES_SHOWN - n));
        return;
    }
    ETM_OUT(out, "... ");
    etm_out_decimal(out, n);
    ETM_OUT(out, " bytes  ");
}

/* The keys are words of the specification: "address_bits" -> "address bits" */
static void put_key(struct etm_out *out, const char *key)
{
    for (; *key; key++)
        etm_out_char(out, *key == '_' ? ' ' : *key);
}

static void put_field(struct etm_listing *l, const struct etm_described *field)
{
    struct etm_out *out = &l->out;

    if (field->type == ETM_SHOW_BOOL) {
        put_key(out, field->key);
        return;
    }
    if (field->type == ETM_SHOW_ATOMS) {
        etm_out_word(out, field->text);
        return;
    }
    put_key(out, field->key);
    etm_out_char(out, ' ');
    switch ((enum etm_field_type)field->type) {
    case ETM_SHOW_NUMBER:
    case ETM_SHOW_DECIMAL_STRING:
        etm_out_decimal(out, field->value);
        break;
    case ETM_SHOW_HEX:
        ETM_OUT(out, "0x");
        etm_out_hex_bytes(out, field->value, field->bytes);
        if (field->code) {
            struct etm_disasm_insn at = {.address = (uint32_t)field->value};

            etm_text_symbol(out, etm_text_look_up(l, &at));
        }
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

/* What is false, or not in the packet, is left out: the bytes are there. */
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
    const char *name = etm_packet_kind_name((enum etm_packet_kind)packet->kind);
    struct etm_out *out = &l->out;
    bool first = true;
    size_t n;

    etm_text_offset(l, packet->offset);
    if (colour != ETM_COLOUR_NONE)
        etm_text_colour(l, colour);
    n = strlen(name);
    etm_out_put(out, name, n);
    etm_out_blanks(out, n < NAME_WIDTH ? NAME_WIDTH - n : 1);
    put_bytes(out, bytes, packet->size);
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
