/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON Lines: one object a line, keys in the order that doc/elements.md gives
 * them. What is not known is null; keys are never left out.
 */
#include "write/listing.h"

#include <etm/element.h>

/* What is put for each value of an enum. */
#define QUOTED(name, text) ETM_OUT_NAME("\"" text "\""),
#define ELEMENT(name, text) ETM_OUT_NAME("{\"k\":\"" text "\",\"src\":"),
#define PACKET(name, text)                                                     \
    ETM_OUT_NAME(",\"packet\":\"" text "\",\"bytes\":\""),

static const struct etm_out_name elements[] = {ETM_ELEMENT_LIST(ELEMENT)};
static const struct etm_out_name packets[] = {ETM_PACKET_LIST(PACKET)};
static const struct etm_out_name isas[] = {ETM_ISA_LIST(QUOTED)};
static const struct etm_out_name types[] = {ETM_INSN_TYPE_LIST(QUOTED)};
static const struct etm_out_name statuses[] = {ETM_DATA_LIST(QUOTED)};
static const struct etm_out_name tris[] = {
    ETM_OUT_NAME("null"), ETM_OUT_NAME("false"), ETM_OUT_NAME("true")};

static void put_row(struct etm_out *out, const struct etm_out_name *rows,
                    size_t n, unsigned i)
{
    etm_out_name(out, i < n ? &rows[i] : &tris[0]);
}
#define PUT_ROW(out, rows, i) put_row(out, rows, sizeof rows / sizeof *rows, i)

static void put_tri(struct etm_out *out, unsigned tri)
{
    PUT_ROW(out, tris, tri);
}

static void put_bool(struct etm_out *out, bool value)
{
    put_tri(out, value ? ETM_TRUE : ETM_FALSE);
}

/* A name between quotes; names need no escaping. */
static void put_name(struct etm_out *out, const char *name)
{
    etm_out_char(out, '"');
    etm_out_word(out, name);
    etm_out_char(out, '"');
}

static void put_isa(struct etm_out *out, unsigned isa)
{
    if (isa == ETM_ISA_UNKNOWN)
        ETM_OUT(out, "null");
    else
        PUT_ROW(out, isas, isa);
}

static void put_address(struct etm_out *out, uint32_t address)
{
    ETM_OUT(out, "\"0x");
    etm_out_hex32(out, address);
    etm_out_char(out, '"');
}

static void put_address_if(struct etm_out *out, bool known, uint32_t address)
{
    if (known)
        put_address(out, address);
    else
        ETM_OUT(out, "null");
}

/* `bytes` bytes, two digits each. */
static void put_hex(struct etm_out *out, uint64_t value, unsigned bytes)
{
    ETM_OUT(out, "\"0x");
    etm_out_hex_bytes(out, value, bytes);
    etm_out_char(out, '"');
}

static void put_cycles(struct etm_out *out, uint64_t cycles)
{
    if (cycles == ETM_CYCLES_UNKNOWN)
        ETM_OUT(out, "null");
    else
        etm_out_decimal(out, cycles);
}

static void put_number_if(struct etm_out *out, bool known, uint64_t value)
{
    put_cycles(out, known ? value : ETM_CYCLES_UNKNOWN);
}

static void element_context(struct etm_out *out, const struct etm_element *e)
{
    ETM_OUT(out, ",\"isa\":");
    put_isa(out, e->u.context.isa);
    ETM_OUT(out, ",\"secure\":");
    put_tri(out, e->u.context.secure);
    ETM_OUT(out, ",\"hyp\":");
    put_tri(out, e->u.context.hyp);
    ETM_OUT(out, ",\"context_id\":");
    put_number_if(out, e->u.context.context_id_known, e->u.context.context_id);
    ETM_OUT(out, ",\"vmid\":");
    put_number_if(out, e->u.context.vmid_known, e->u.context.vmid);
}

static void element_range(struct etm_out *out, const struct etm_element *e)
{
    ETM_OUT(out, ",\"start\":");
    put_address(out, e->u.range.start);
    ETM_OUT(out, ",\"end\":");
    put_address(out, e->u.range.end);
    ETM_OUT(out, ",\"isa\":");
    put_isa(out, e->u.range.isa);
    ETM_OUT(out, ",\"n\":");
    etm_out_decimal(out, e->u.range.n);
    ETM_OUT(out, ",\"last\":{\"addr\":");
    put_address(out, e->u.range.last_address);
    ETM_OUT(out, ",\"type\":");
    PUT_ROW(out, types, e->u.range.last_type);
    ETM_OUT(out, ",\"exec\":");
    put_tri(out, e->u.range.last_exec);
    ETM_OUT(out, ",\"link\":");
    put_bool(out, e->u.range.last_flags & ETM_INSN_LINK);
    ETM_OUT(out, ",\"return\":");
    put_bool(out, e->u.range.last_flags & ETM_INSN_RETURN);
    ETM_OUT(out, "},\"cycles\":");
    put_cycles(out, e->u.range.cycles);
}

static void element_insn(struct etm_out *out, const struct etm_element *e)
{
    unsigned size = e->u.insn.size;

    ETM_OUT(out, ",\"addr\":");
    put_address(out, e->u.insn.address);
    ETM_OUT(out, ",\"isa\":");
    put_isa(out, e->u.insn.isa);
    ETM_OUT(out, ",\"opcode\":");
    /* a Jazelle instruction may be longer than its opcode */
    put_hex(out, e->u.insn.opcode, size < 4 ? size : 4);
    ETM_OUT(out, ",\"size\":");
    etm_out_decimal(out, size);
    ETM_OUT(out, ",\"exec\":");
    put_tri(out, e->u.insn.exec);
    ETM_OUT(out, ",\"type\":");
    PUT_ROW(out, types, e->u.insn.type);
    ETM_OUT(out, ",\"cycles\":");
    put_cycles(out, e->u.insn.cycles);
}

static void element_exception(struct etm_out *out, const struct etm_element *e)
{
    ETM_OUT(out, ",\"number\":");
    etm_out_decimal(out, e->u.exception.number);
    ETM_OUT(out, ",\"name\":");
    if (e->u.exception.type == ETM_EXCEPTION_IRQ_N) {
        ETM_OUT(out, "\"irq");
        etm_out_decimal(out, e->u.exception.irq);
        etm_out_char(out, '"');
    } else {
        put_name(out, etm_exception_name(
                          (enum etm_exception_type)e->u.exception.type));
    }
    ETM_OUT(out, ",\"return\":");
    put_address_if(out, e->u.exception.return_known,
                   e->u.exception.return_address);
    ETM_OUT(out, ",\"cancels\":");
    put_address_if(out, e->u.exception.cancels_known, e->u.exception.cancels);
    ETM_OUT(out, ",\"resume\":");
    etm_out_decimal(out, e->u.exception.resume);
}

static void element_data(struct etm_out *out, const struct etm_element *e)
{
    unsigned size = e->u.data.size;

    ETM_OUT(out, ",\"insn\":");
    put_address_if(out, e->u.data.insn_known, e->u.data.insn);
    ETM_OUT(out, ",\"addr\":");
    put_address_if(out, e->u.data.address_known, e->u.data.address);
    ETM_OUT(out, ",\"value\":");
    if (e->u.data.value_known)
        put_hex(out, e->u.data.value, size >= 1 && size <= 8 ? size : 8);
    else
        ETM_OUT(out, "null");
    ETM_OUT(out, ",\"size\":");
    put_number_if(out, size > 0, size);
    ETM_OUT(out, ",\"store\":");
    put_tri(out, e->u.data.store);
    ETM_OUT(out, ",\"index\":");
    put_number_if(out, e->u.data.index != ETM_DATA_INDEX_UNKNOWN,
                  e->u.data.index);
    ETM_OUT(out, ",\"status\":");
    PUT_ROW(out, statuses, e->u.data.status);
    ETM_OUT(out, ",\"be8\":");
    put_tri(out, e->u.data.be8);
}

static void element_fields(struct etm_out *out, const struct etm_element *e)
{
    switch ((enum etm_element_kind)e->kind) {
    case ETM_ELEMENT_TRACE_ON:
        ETM_OUT(out, ",\"reason\":");
        put_name(out, etm_trace_on_name(
                          (enum etm_trace_on_reason)e->u.trace_on.reason));
        break;
    case ETM_ELEMENT_LOST:
        ETM_OUT(out, ",\"reason\":");
        put_name(out, etm_lost_name((enum etm_lost_reason)e->u.lost.reason));
        ETM_OUT(out, ",\"bytes\":");
        etm_out_decimal(out, e->u.lost.bytes);
        break;
    case ETM_ELEMENT_CONTEXT:
        element_context(out, e);
        break;
    case ETM_ELEMENT_RANGE:
        element_range(out, e);
        break;
    case ETM_ELEMENT_INSN:
        element_insn(out, e);
        break;
    case ETM_ELEMENT_NO_IMAGE:
        ETM_OUT(out, ",\"addr\":");
        put_address(out, e->u.no_image.address);
        break;
    case ETM_ELEMENT_EXCEPTION:
        element_exception(out, e);
        break;
    case ETM_ELEMENT_DATA:
        element_data(out, e);
        break;
    case ETM_ELEMENT_CYCLES:
        ETM_OUT(out, ",\"n\":");
        put_cycles(out, e->u.cycles.n);
        break;
    case ETM_ELEMENT_TIMESTAMP:
        ETM_OUT(out, ",\"value\":\"");
        etm_out_decimal(out, e->u.timestamp.value);
        etm_out_char(out, '"');
        break;
    case ETM_ELEMENT_EXCEPTION_RETURN:
    case ETM_ELEMENT_TRIGGER:
    case ETM_ELEMENT_END:
        break;
    }
}

static void jsonl_element(struct etm_listing *listing,
                          const struct etm_element *e)
{
    struct etm_out *out = &listing->out;

    PUT_ROW(out, elements, e->kind);
    etm_out_decimal(out, e->source);
    ETM_OUT(out, ",\"off\":");
    etm_out_decimal(out, e->offset);
    element_fields(out, e);
    ETM_OUT(out, "}\n");
}

static void put_field(struct etm_out *out, const struct etm_described *field)
{
    ETM_OUT(out, ",\"");
    etm_out_put(out, field->key, field->key_size);
    ETM_OUT(out, "\":");
    switch ((enum etm_field_type)field->type) {
    case ETM_SHOW_NULL:
        ETM_OUT(out, "null");
        break;
    case ETM_SHOW_BOOL:
        put_bool(out, field->value != 0);
        break;
    case ETM_SHOW_NUMBER:
        etm_out_decimal(out, field->value);
        break;
    case ETM_SHOW_HEX:
        put_hex(out, field->value, field->bytes);
        break;
    case ETM_SHOW_STRING:
    case ETM_SHOW_ATOMS:
        put_name(out, field->text);
        break;
    case ETM_SHOW_DECIMAL_STRING:
        etm_out_char(out, '"');
        etm_out_decimal(out, field->value);
        etm_out_char(out, '"');
        break;
    }
}

static void jsonl_packet(struct etm_listing *listing,
                         const struct etm_packet *packet,
                         const struct etm_description *description,
                         const uint8_t *bytes)
{
    struct etm_out *out = &listing->out;

    ETM_OUT(out, "{\"off\":");
    etm_out_decimal(out, packet->offset);
    ETM_OUT(out, ",\"src\":");
    etm_out_decimal(out, listing->source.id);
    PUT_ROW(out, packets, packet->kind);
    for (uint32_t i = 0; i < packet->size; i++) {
        if (i > 0)
            etm_out_char(out, ' ');
        etm_out_hex8(out, bytes[i]);
        /* unsynchronized bytes may be many */
        if (i % 256 == 255)
            etm_out_line(out);
    }
    etm_out_line(out);
    etm_out_char(out, '"');
    for (size_t i = 0; i < description->n; i++)
        put_field(out, &description->fields[i]);
    ETM_OUT(out, "}\n");
}

static void jsonl_begin(struct etm_listing *listing)
{
    (void)listing; /* each line says its source */
}

const struct etm_format etm_format_jsonl = {
    .name = "jsonl",
    .begin = jsonl_begin,
    .element = jsonl_element,
    .packet = jsonl_packet,
};
