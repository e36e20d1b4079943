/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON Lines: one object a line, keys in the order that doc/elements.md gives
 * them. What is not known is null; keys are never left out.
 */
#include "base/lists.h"
#include "write/listing.h"
#include "write/put.h"

#include <etm/decode.h>
#include <etm/packet.h>

/* What is put for each value of an enum. */
#define QUOTED(value, text) [value] = ETM_OUT_NAME("\"" text "\""),
#define ELEMENT(value, text)                                                   \
    [value] = ETM_OUT_NAME("{\"k\":\"" text "\",\"src\":"),
#define PACKET(value, text)                                                    \
    [value] = ETM_OUT_NAME(",\"packet\":\"" text "\",\"bytes\":\""),

static const struct etm_out_name elements[] = {ETM_ELEMENT_LIST(ELEMENT)};
static const struct etm_out_name packets[] = {ETM_ALL_PACKET_LIST(PACKET)};
static const struct etm_out_name isas[] = {ETM_ISA_LIST(QUOTED)};
static const struct etm_out_name types[] = {ETM_INSN_TYPE_LIST(QUOTED)};
static const struct etm_out_name statuses[] = {ETM_DATA_LIST(QUOTED)};
static const struct etm_out_name tris[] = {
    ETM_OUT_NAME("null"), ETM_OUT_NAME("false"), ETM_OUT_NAME("true")};

#define ROWS(rows) (sizeof(rows) / sizeof *(rows))
#define TRIS 3u

/*
 * What many lines have in common, made once. Most lines are ranges or
 * instructions: they are a few pieces with numbers in between.
 */
struct jsonl {
    bool made;
    bool places;    /* the pieces are followed by the offset */
    uint8_t source; /* of the pieces that name it */
    struct etm_slow_number offset;
    /* {"k":"range","src":16,"off": */
    struct etm_piece elements[ROWS(elements)];
    /* ,"src":16,"packet":"atom","bytes":" */
    struct etm_piece packets[ROWS(packets)];
    /* ","isa":"arm","n": and ","isa":"arm","opcode":"0x */
    struct etm_piece range_isas[ROWS(isas)], insn_isas[ROWS(isas)];
    /* ","type":"direct","exec":true,"link":false,"return":false},"cycles": */
    struct etm_piece range_ends[ROWS(types)][TRIS][2][2];
    /* ","size":4,"exec":true,"type":"other","cycles": */
    struct etm_piece insn_ends[2][TRIS][ROWS(types)];
};

static char *put_row(char *at, const struct etm_out_name *rows, size_t n,
                     unsigned i)
{
    return etm_put_name(at, i < n ? &rows[i] : &tris[0]);
}
#define PUT_ROW(at, rows, i) put_row(at, rows, ROWS(rows), i)

static char *put_tri(char *at, unsigned tri)
{
    return PUT_ROW(at, tris, tri);
}

static char *put_bool(char *at, bool value)
{
    return put_tri(at, value ? ETM_TRUE : ETM_FALSE);
}

/* A name between quotes; names need no escaping. */
static char *put_name(char *at, const char *name)
{
    *at++ = '"';
    at = etm_put(at, name, strlen(name));
    *at++ = '"';
    return at;
}

static char *put_isa(char *at, unsigned isa)
{
    if (isa == ETM_ISA_UNKNOWN)
        return ETM_PUT(at, "null");
    return PUT_ROW(at, isas, isa);
}

static char *put_address(char *at, uint32_t address)
{
    at = ETM_PUT(at, "\"0x");
    at = etm_put_hex32(at, address);
    *at++ = '"';
    return at;
}

static char *put_address_if(char *at, bool known, uint32_t address)
{
    return known ? put_address(at, address) : ETM_PUT(at, "null");
}

/* `bytes` bytes, two digits each. */
static char *put_hex(char *at, uint64_t value, unsigned bytes)
{
    at = ETM_PUT(at, "\"0x");
    at = etm_put_hex(at, value, bytes);
    *at++ = '"';
    return at;
}

static char *put_time(char *at, uint64_t time)
{
    if (time == ETM_TIMESTAMP_UNKNOWN)
        return ETM_PUT(at, "null");
    *at++ = '"';
    at = etm_put_decimal(at, time);
    *at++ = '"';
    return at;
}

static char *put_cycles(char *at, uint64_t cycles)
{
    if (cycles == ETM_CYCLES_UNKNOWN)
        return ETM_PUT(at, "null");
    return etm_put_decimal(at, cycles);
}

static char *put_number_if(char *at, bool known, uint64_t value)
{
    return put_cycles(at, known ? value : ETM_CYCLES_UNKNOWN);
}

static char *put_range_end(char *at, unsigned type, unsigned exec, bool link,
                           bool is_return)
{
    at = ETM_PUT(at, "\",\"type\":");
    at = PUT_ROW(at, types, type);
    at = ETM_PUT(at, ",\"exec\":");
    at = put_tri(at, exec);
    at = ETM_PUT(at, ",\"link\":");
    at = put_bool(at, link);
    at = ETM_PUT(at, ",\"return\":");
    at = put_bool(at, is_return);
    return ETM_PUT(at, "},\"cycles\":");
}

static char *put_insn_end(char *at, unsigned size, unsigned exec, unsigned type)
{
    at = ETM_PUT(at, "\",\"size\":");
    at = etm_put_decimal(at, size);
    at = ETM_PUT(at, ",\"exec\":");
    at = put_tri(at, exec);
    at = ETM_PUT(at, ",\"type\":");
    at = PUT_ROW(at, types, type);
    return ETM_PUT(at, ",\"cycles\":");
}

static char *put_insn_isa(char *at, unsigned isa)
{
    at = ETM_PUT(at, "\",\"isa\":");
    at = put_isa(at, isa);
    return ETM_PUT(at, ",\"opcode\":\"0x");
}

static char *put_range_isa(char *at, unsigned isa)
{
    at = ETM_PUT(at, "\",\"isa\":");
    at = put_isa(at, isa);
    return ETM_PUT(at, ",\"n\":");
}

/* Keep the text up to `end` as a piece. */
static void keep(struct etm_piece *piece, const char *text, const char *end)
{
    piece->n = (uint8_t)(end - text);
    memcpy(piece->text, text, piece->n);
}

static void make_sources(struct jsonl *j, uint8_t source)
{
    char text[256], *at;

    j->source = source;
    for (size_t i = 0; i < ROWS(elements); i++) {
        at = etm_put_name(text, &elements[i]);
        at = etm_put_decimal(at, source);
        keep(&j->elements[i], text, j->places ? ETM_PUT(at, ",\"off\":") : at);
    }
    for (size_t i = 0; i < ROWS(packets); i++) {
        at = j->places ? ETM_PUT(text, ",\"src\":") : ETM_PUT(text, "\"src\":");
        at = etm_put_decimal(at, source);
        keep(&j->packets[i], text, etm_put_name(at, &packets[i]));
    }
}

static void make_pieces(struct jsonl *j)
{
    char text[256];

    for (unsigned i = 0; i < ROWS(isas); i++) {
        keep(&j->range_isas[i], text, put_range_isa(text, i));
        keep(&j->insn_isas[i], text, put_insn_isa(text, i));
    }
    for (unsigned type = 0; type < ROWS(types); type++)
        for (unsigned exec = 0; exec < TRIS; exec++)
            for (unsigned i = 0; i < 4; i++) {
                keep(&j->range_ends[type][exec][i / 2][i % 2], text,
                     put_range_end(text, type, exec, i / 2, i % 2));
                keep(&j->insn_ends[i / 2][exec][type], text,
                     put_insn_end(text, i / 2 ? 4 : 2, exec, type));
            }
}

static char *put_range(const struct jsonl *j, char *at,
                       const struct etm_element *e)
{
    unsigned type = e->u.range.last_type, exec = e->u.range.last_exec;
    bool link = e->u.range.last_flags & ETM_INSN_LINK;
    bool is_return = e->u.range.last_flags & ETM_INSN_RETURN;

    at = ETM_PUT(at, ",\"start\":\"0x");
    at = etm_put_hex32(at, e->u.range.start);
    at = ETM_PUT(at, "\",\"end\":\"0x");
    at = etm_put_hex32(at, e->u.range.end);
    if (e->u.range.isa < ROWS(isas))
        at = etm_put_piece(at, &j->range_isas[e->u.range.isa]);
    else
        at = put_range_isa(at, e->u.range.isa);
    at = etm_put_decimal(at, e->u.range.n);
    at = ETM_PUT(at, ",\"last\":{\"addr\":\"0x");
    at = etm_put_hex32(at, e->u.range.last_address);
    if (type < ROWS(types) && exec < TRIS)
        at = etm_put_piece(at, &j->range_ends[type][exec][link][is_return]);
    else
        at = put_range_end(at, type, exec, link, is_return);
    return put_cycles(at, e->u.range.cycles);
}

static char *put_insn(const struct jsonl *j, char *at,
                      const struct etm_element *e)
{
    unsigned size = e->u.insn.size, isa = e->u.insn.isa;
    unsigned type = e->u.insn.type, exec = e->u.insn.exec;

    at = ETM_PUT(at, ",\"addr\":\"0x");
    at = etm_put_hex32(at, e->u.insn.address);
    if (isa < ROWS(isas))
        at = etm_put_piece(at, &j->insn_isas[isa]);
    else
        at = put_insn_isa(at, isa);
    if (size == 4)
        at = etm_put_hex32(at, e->u.insn.opcode);
    else /* a Jazelle instruction may be longer than its opcode */
        at = etm_put_hex(at, e->u.insn.opcode, size < 4 ? size : 4);
    if ((size == 2 || size == 4) && exec < TRIS && type < ROWS(types))
        at = etm_put_piece(at, &j->insn_ends[size / 4][exec][type]);
    else
        at = put_insn_end(at, size, exec, type);
    return put_cycles(at, e->u.insn.cycles);
}

static char *put_context(char *at, const struct etm_element *e)
{
    at = ETM_PUT(at, ",\"isa\":");
    at = put_isa(at, e->u.context.isa);
    at = ETM_PUT(at, ",\"secure\":");
    at = put_tri(at, e->u.context.secure);
    at = ETM_PUT(at, ",\"hyp\":");
    at = put_tri(at, e->u.context.hyp);
    at = ETM_PUT(at, ",\"context_id\":");
    at = put_number_if(at, e->u.context.context_id_known,
                       e->u.context.context_id);
    at = ETM_PUT(at, ",\"vmid\":");
    return put_number_if(at, e->u.context.vmid_known, e->u.context.vmid);
}

static char *put_exception(char *at, const struct etm_element *e)
{
    at = ETM_PUT(at, ",\"number\":");
    at = etm_put_decimal(at, e->u.exception.number);
    at = ETM_PUT(at, ",\"name\":");
    if (e->u.exception.type == ETM_EXCEPTION_IRQ_N) {
        at = ETM_PUT(at, "\"irq");
        at = etm_put_decimal(at, e->u.exception.irq);
        *at++ = '"';
    } else {
        at = put_name(at, etm_exception_name(
                              (enum etm_exception_type)e->u.exception.type));
    }
    at = ETM_PUT(at, ",\"return\":");
    at = put_address_if(at, e->u.exception.return_known,
                        e->u.exception.return_address);
    at = ETM_PUT(at, ",\"cancels\":");
    at = put_address_if(at, e->u.exception.cancels_known,
                        e->u.exception.cancels);
    at = ETM_PUT(at, ",\"resume\":");
    at = etm_put_decimal(at, e->u.exception.resume);
    if (e->u.exception.action == ETM_EXCEPTION_UNTOLD)
        return at;
    at = ETM_PUT(at, ",\"action\":");
    return put_name(at, etm_exception_action_name(
                            (enum etm_exception_action)e->u.exception.action));
}

static char *put_data(char *at, const struct etm_element *e)
{
    unsigned size = e->u.data.size;

    at = ETM_PUT(at, ",\"insn\":");
    at = put_address_if(at, e->u.data.insn_known, e->u.data.insn);
    at = ETM_PUT(at, ",\"addr\":");
    at = put_address_if(at, e->u.data.address_known, e->u.data.address);
    at = ETM_PUT(at, ",\"value\":");
    if (e->u.data.value_known)
        at = put_hex(at, e->u.data.value,
                     etm_put_value_bytes(e->u.data.value, size));
    else
        at = ETM_PUT(at, "null");
    at = ETM_PUT(at, ",\"size\":");
    at = put_number_if(at, size > 0, size);
    at = ETM_PUT(at, ",\"store\":");
    at = put_tri(at, e->u.data.store);
    at = ETM_PUT(at, ",\"index\":");
    at = put_number_if(at, e->u.data.index != ETM_DATA_INDEX_UNKNOWN,
                       e->u.data.index);
    at = ETM_PUT(at, ",\"status\":");
    at = PUT_ROW(at, statuses, e->u.data.status);
    at = ETM_PUT(at, ",\"be8\":");
    at = put_tri(at, e->u.data.be8);
    if (!e->u.data.comparator_known)
        return at;
    at = ETM_PUT(at, ",\"comparator\":");
    at = etm_put_decimal(at, e->u.data.comparator);
    at = ETM_PUT(at, ",\"offset\":");
    return e->u.data.address_low_known ? put_hex(at, e->u.data.address_low, 2)
                                       : ETM_PUT(at, "null");
}

static char *put_software(char *at, const struct etm_element *e)
{
    at = ETM_PUT(at, ",\"port\":");
    at = etm_put_decimal(at, e->u.software.port);
    at = ETM_PUT(at, ",\"value\":");
    at = put_hex(at, e->u.software.value, e->u.software.size);
    at = ETM_PUT(at, ",\"size\":");
    return etm_put_decimal(at, e->u.software.size);
}

static char *put_pc_sample(char *at, const struct etm_element *e)
{
    at = ETM_PUT(at, ",\"addr\":");
    at = put_address_if(at, e->u.pc_sample.state == ETM_PC_RUNNING,
                        e->u.pc_sample.address);
    at = ETM_PUT(at, ",\"state\":");
    return put_name(at,
                    etm_pc_state_name((enum etm_pc_state)e->u.pc_sample.state));
}

static char *put_event_counter(char *at, const struct etm_element *e)
{
    bool first = true;

    at = ETM_PUT(at, ",\"counters\":[");
    for (unsigned i = 0; i <= ETM_ITM_COUNTER_CYC; i++) {
        if ((e->u.event_counter.counters >> i & 1) == 0)
            continue;
        if (!first)
            *at++ = ',';
        first = false;
        at = put_name(at, etm_itm_counter_name((enum etm_itm_counter)i));
    }
    *at++ = ']';
    return at;
}

static char *put_local_timestamp(char *at, const struct etm_element *e)
{
    at = ETM_PUT(at, ",\"delta\":");
    at = etm_put_decimal(at, e->u.local_timestamp.delta);
    at = ETM_PUT(at, ",\"ticks\":");
    at = etm_put_decimal(at, e->u.local_timestamp.ticks);
    at = ETM_PUT(at, ",\"relation\":");
    return put_name(at,
                    etm_itm_relation_name(
                        (enum etm_itm_relation)e->u.local_timestamp.relation));
}

static char *put_fields(const struct jsonl *j, char *at,
                        const struct etm_element *e)
{
    switch ((enum etm_element_kind)e->kind) {
    case ETM_ELEMENT_TRACE_ON:
        at = ETM_PUT(at, ",\"reason\":");
        at = put_name(at, etm_trace_on_name(
                              (enum etm_trace_on_reason)e->u.trace_on.reason));
        break;
    case ETM_ELEMENT_LOST:
        at = ETM_PUT(at, ",\"reason\":");
        at =
            put_name(at, etm_lost_name((enum etm_lost_reason)e->u.lost.reason));
        at = ETM_PUT(at, ",\"bytes\":");
        at = etm_put_decimal(at, e->u.lost.bytes);
        break;
    case ETM_ELEMENT_CONTEXT:
        at = put_context(at, e);
        break;
    case ETM_ELEMENT_RANGE:
        at = put_range(j, at, e);
        break;
    case ETM_ELEMENT_INSN:
        at = put_insn(j, at, e);
        break;
    case ETM_ELEMENT_NO_IMAGE:
        at = ETM_PUT(at, ",\"addr\":");
        at = put_address(at, e->u.no_image.address);
        break;
    case ETM_ELEMENT_EXCEPTION:
        at = put_exception(at, e);
        break;
    case ETM_ELEMENT_DATA:
        at = put_data(at, e);
        break;
    case ETM_ELEMENT_CYCLES:
        at = ETM_PUT(at, ",\"n\":");
        at = put_cycles(at, e->u.cycles.n);
        break;
    case ETM_ELEMENT_TIMESTAMP:
        at = ETM_PUT(at, ",\"value\":");
        at = put_time(at, e->u.timestamp.value);
        break;
    case ETM_ELEMENT_SOFTWARE:
        at = put_software(at, e);
        break;
    case ETM_ELEMENT_PC_SAMPLE:
        at = put_pc_sample(at, e);
        break;
    case ETM_ELEMENT_EVENT_COUNTER:
        at = put_event_counter(at, e);
        break;
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
        at = put_local_timestamp(at, e);
        break;
    case ETM_ELEMENT_EXCEPTION_RETURN:
    case ETM_ELEMENT_TRIGGER:
    case ETM_ELEMENT_END:
        break;
    }
    return at;
}

/* What the packet's own cycle can be known of (ETM architecture 7.3.3). */
static bool has_since(const struct etm_element *e)
{
    return e->kind == ETM_ELEMENT_DATA || e->kind == ETM_ELEMENT_TRIGGER ||
           e->kind == ETM_ELEMENT_CONTEXT;
}

static void jsonl_element(struct etm_listing *listing,
                          const struct etm_element *e)
{
    struct jsonl *j = listing->state;
    char *at = etm_out_at(&listing->out);

    if (e->source != j->source)
        make_sources(j, e->source);
    if (e->kind < ROWS(elements))
        at = etm_put_piece(at, &j->elements[e->kind]);
    if (j->places)
        at = etm_put_slow_decimal(at, &j->offset, e->offset);
    at = put_fields(j, at, e);
    if (listing->config.cycles && has_since(e)) {
        at = ETM_PUT(at, ",\"since\":");
        at = put_number_if(at, e->since_known, e->since);
    }
    etm_out_upto(&listing->out, ETM_PUT(at, "}\n"));
}

static char *put_field(char *at, const struct etm_described *field)
{
    const struct etm_key *key = &etm_keys[field->key];

    memcpy(at, key->json, sizeof key->json);
    at += key->n_json;
    switch ((enum etm_field_type)field->type) {
    case ETM_SHOW_NULL:
        return ETM_PUT(at, "null");
    case ETM_SHOW_BOOL:
        return put_bool(at, field->value != 0);
    case ETM_SHOW_NUMBER:
        return etm_put_decimal(at, field->value);
    case ETM_SHOW_HEX:
        return put_hex(at, field->value, field->bytes);
    case ETM_SHOW_STRING:
    case ETM_SHOW_ATOMS:
        return put_name(at, field->text);
    case ETM_SHOW_DECIMAL_STRING:
        *at++ = '"';
        at = etm_put_decimal(at, field->value);
        *at++ = '"';
        break;
    }
    return at;
}

/* "00 00 80": unsynchronized bytes may be many. */
static void put_bytes(struct etm_out *out, const uint8_t *bytes, uint32_t n)
{
    uint32_t i = 0;

    while (i < n) {
        uint32_t end = n - i < 256 ? n : i + 256;
        char *at = etm_out_at(out);

        for (; i < end; i++, at += 3)
            memcpy(at, etm_put_bytes[bytes[i]], 4);
        etm_out_upto(out, i < n ? at : at - 1);
        if (n > 64)
            etm_out_line(out);
    }
}

static void jsonl_place(struct etm_listing *listing, uint64_t offset)
{
    struct jsonl *j = listing->state;
    char *at = etm_out_at(&listing->out);

    if (!j->places) {
        *at++ = '{';
    } else {
        at = ETM_PUT(at, "{\"off\":");
        at = etm_put_slow_decimal(at, &j->offset, offset);
    }
    etm_out_upto(&listing->out, at);
}

static void jsonl_packet(struct etm_listing *listing,
                         const struct etm_packet *packet,
                         const struct etm_description *description,
                         const uint8_t *bytes)
{
    struct etm_out *out = &listing->out;
    struct jsonl *j = listing->state;
    char *at = etm_out_at(out);

    if (listing->source.id != j->source)
        make_sources(j, listing->source.id);
    if (packet->kind < ROWS(packets))
        etm_out_upto(out, etm_put_piece(at, &j->packets[packet->kind]));
    put_bytes(out, bytes, packet->size);
    at = etm_out_at(out);
    *at++ = '"';
    for (size_t i = 0; i < description->n; i++)
        at = put_field(at, &description->fields[i]);
    etm_out_upto(out, ETM_PUT(at, "}\n"));
}

static void jsonl_begin(struct etm_listing *listing)
{
    struct jsonl *j = listing->state;

    if (j->made)
        return;
    j->places = !listing->config.no_offset;
    make_pieces(j);
    make_sources(j, listing->source.id);
    j->made = true;
}

const struct etm_format etm_format_jsonl = {
    .about = {.name = "jsonl",
              .extension = "jsonl",
              .description = "JSON Lines, for programs",
              .takes = ETM_LISTING_ELEMENTS | ETM_LISTING_PACKETS},
    .state_size = sizeof(struct jsonl),
    .begin = jsonl_begin,
    .element = jsonl_element,
    .place = jsonl_place,
    .packet = jsonl_packet,
};
