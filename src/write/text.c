/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text form, for people: one line for each element, aligned columns, gaps
 * that stand out. text_code.c shows what was executed.
 */
#include "write/text.h"

#include "write/part.h"

#include <etm/decode.h>

static void put_address(struct etm_listing *l, uint32_t address)
{
    etm_out_hex32(&l->out, address);
    etm_text_symbol(l, address);
}

/*
 * What a processor without these extensions always is goes without saying:
 * Secure, and not in Hyp mode. Those of the M profile have neither state.
 */
static void put_state(struct etm_listing *l, const struct etm_element *e)
{
    unsigned secure = e->u.context.secure, hyp = e->u.context.hyp;

    if (l->trace.profile == ETM_PROFILE_M)
        return;
    if (secure == ETM_FALSE)
        ETM_OUT(&l->out, ", non-secure");
    else if (secure == ETM_TRUE && l->trace.security)
        ETM_OUT(&l->out, ", secure");
    if (hyp == ETM_TRUE)
        ETM_OUT(&l->out, ", Hyp mode");
    else if (hyp == ETM_FALSE && l->trace.virtualization)
        ETM_OUT(&l->out, ", not Hyp mode");
}

static void show_context(struct etm_listing *l, const struct etm_element *e)
{
    struct etm_out *out = &l->out;

    ETM_OUT(out, "-- context: ");
    etm_out_word(out, etm_isa_name((enum etm_isa)e->u.context.isa));
    put_state(l, e);
    if (e->u.context.context_id_known) {
        ETM_OUT(out, ", context ID 0x");
        etm_out_hex32(out, e->u.context.context_id);
    }
    if (e->u.context.vmid_known) {
        ETM_OUT(out, ", VMID ");
        etm_out_decimal(out, e->u.context.vmid);
    }
}

static void show_exception(struct etm_listing *l, const struct etm_element *e)
{
    struct etm_out *out = &l->out;

    ETM_OUT(out, "** exception: ");
    if (e->u.exception.action != ETM_EXCEPTION_UNTOLD) {
        etm_out_word(out,
                     etm_exception_action_name(
                         (enum etm_exception_action)e->u.exception.action));
        etm_out_char(out, ' ');
    }
    if (e->u.exception.type == ETM_EXCEPTION_IRQ_N) {
        ETM_OUT(out, "irq");
        etm_out_decimal(out, e->u.exception.irq);
    } else {
        etm_out_word(out, etm_exception_name(
                              (enum etm_exception_type)e->u.exception.type));
    }
    ETM_OUT(out, " (");
    etm_out_decimal(out, e->u.exception.number);
    etm_out_char(out, ')');
    if (e->u.exception.cancels_known) {
        ETM_OUT(out, ", cancels ");
        put_address(l, e->u.exception.cancels);
    }
    if (e->u.exception.resume > 0) {
        ETM_OUT(out, " after transfer ");
        etm_out_decimal(out, e->u.exception.resume);
    }
    if (e->u.exception.return_known) {
        ETM_OUT(out, ", returns to ");
        put_address(l, e->u.exception.return_address);
    }
}

/* The register that a transfer loads or stores. */
static void put_register(struct etm_out *out, const struct etm_element *e)
{
    static const char *const special[] = {"sp", "lr", "pc"};
    unsigned reg = e->u.data.reg;

    switch ((enum etm_register_kind)e->u.data.reg_kind) {
    case ETM_REGISTER_NO:
        return;
    case ETM_REGISTER_CORE:
        if (reg >= 13 && reg <= 15) {
            etm_out_word(out, special[reg - 13]);
            return;
        }
        etm_out_char(out, 'r');
        break;
    case ETM_REGISTER_S:
        etm_out_char(out, 's');
        break;
    case ETM_REGISTER_D_LOW:
    case ETM_REGISTER_D_HIGH:
        etm_out_char(out, 'd');
        break;
    case ETM_REGISTER_XPSR:
        ETM_OUT(out, "psr");
        return;
    }
    etm_out_decimal(out, reg);
    if (e->u.data.reg_kind == ETM_REGISTER_D_LOW)
        ETM_OUT(out, ".low");
    else if (e->u.data.reg_kind == ETM_REGISTER_D_HIGH)
        ETM_OUT(out, ".high");
}

/* "????1234": the low bits of an address. */
static void put_offset(struct etm_out *out, unsigned offset)
{
    ETM_OUT(out, "????");
    etm_out_hex_bytes(out, offset, 2);
}

/* "load  r3 <- [20000010] = 0000002a" */
static void put_transfer(struct etm_out *out, const struct etm_element *e)
{
    if (e->u.data.store == ETM_UNKNOWN)
        ETM_OUT(out, "data  ");
    else if (e->u.data.store == ETM_TRUE)
        ETM_OUT(out, "store ");
    else
        ETM_OUT(out, "load  ");
    if (e->u.data.reg_kind != ETM_REGISTER_NO) {
        put_register(out, e);
        if (e->u.data.store == ETM_TRUE)
            ETM_OUT(out, " -> ");
        else if (e->u.data.store == ETM_FALSE)
            ETM_OUT(out, " <- ");
        else
            etm_out_char(out, ' ');
    }
    etm_out_char(out, '[');
    if (e->u.data.address_known)
        etm_out_hex32(out, e->u.data.address);
    else if (e->u.data.address_low_known)
        put_offset(out, e->u.data.address_low);
    else
        etm_out_char(out, '?');
    etm_out_char(out, ']');
    if (e->u.data.value_known) {
        ETM_OUT(out, " = ");
        etm_out_hex_bytes(out, e->u.data.value,
                          etm_put_value_bytes(e->u.data.value, e->u.data.size));
    }
}

static void show_data(struct etm_listing *l, const struct etm_element *e)
{
    struct etm_out *out = &l->out;

    ETM_OUT(out, "     ");
    put_transfer(out, e);
    if (e->u.data.status != ETM_DATA_OK) {
        ETM_OUT(out, " (");
        etm_out_word(
            out, etm_data_status_name((enum etm_data_status)e->u.data.status));
        etm_out_char(out, ')');
    }
    if (e->u.data.be8 == ETM_TRUE)
        ETM_OUT(out, " big-endian");
    if (e->u.data.insn_known) {
        ETM_OUT(out, "  by ");
        etm_out_hex32(out, e->u.data.insn);
    }
    if (e->u.data.comparator_known) {
        ETM_OUT(out, "  comparator ");
        etm_out_decimal(out, e->u.data.comparator);
    }
}

static void show_cycles(struct etm_out *out, uint64_t n)
{
    ETM_OUT(out, "-- ");
    if (n == ETM_CYCLES_UNKNOWN)
        ETM_OUT(out, "an unknown number of");
    else
        etm_out_decimal(out, n);
    etm_out_word(out,
                 n == 1 ? " cycle without trace" : " cycles without trace");
}

static void show_pc_sample(struct etm_listing *l, const struct etm_element *e)
{
    ETM_OUT(&l->out, "     pc ");
    if (e->u.pc_sample.state == ETM_PC_RUNNING)
        put_address(l, e->u.pc_sample.address);
    else
        etm_out_word(&l->out, etm_pc_state_name(
                                  (enum etm_pc_state)e->u.pc_sample.state));
}

static enum etm_colour colour_of(enum etm_element_kind kind)
{
    switch (kind) {
    case ETM_ELEMENT_LOST:
    case ETM_ELEMENT_NO_IMAGE:
        return ETM_COLOUR_GAP;
    case ETM_ELEMENT_EXCEPTION:
    case ETM_ELEMENT_EXCEPTION_RETURN:
    case ETM_ELEMENT_TRIGGER:
    case ETM_ELEMENT_EVENT_COUNTER:
        return ETM_COLOUR_EVENT;
    case ETM_ELEMENT_TRACE_ON:
    case ETM_ELEMENT_CONTEXT:
    case ETM_ELEMENT_CYCLES:
    case ETM_ELEMENT_TIMESTAMP:
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
    case ETM_ELEMENT_END:
        return ETM_COLOUR_NOTE;
    case ETM_ELEMENT_RANGE:
    case ETM_ELEMENT_INSN:
    case ETM_ELEMENT_DATA:
    case ETM_ELEMENT_SOFTWARE:
    case ETM_ELEMENT_PC_SAMPLE:
        break;
    }
    return ETM_COLOUR_NONE;
}

/* Everything but instructions and ranges, which have their own columns. */
static void show_other(struct etm_listing *l, const struct etm_element *e)
{
    struct etm_out *out = &l->out;

    switch ((enum etm_element_kind)e->kind) {
    case ETM_ELEMENT_TRACE_ON:
        ETM_OUT(out, "== trace on: ");
        etm_out_word(out, etm_trace_on_name(
                              (enum etm_trace_on_reason)e->u.trace_on.reason));
        break;
    case ETM_ELEMENT_LOST:
        ETM_OUT(out, "!! ");
        etm_out_decimal(out, e->u.lost.bytes);
        etm_out_word(out, e->u.lost.bytes == 1 ? " byte" : " bytes");
        ETM_OUT(out, " lost: ");
        etm_out_word(out,
                     etm_lost_name((enum etm_lost_reason)e->u.lost.reason));
        break;
    case ETM_ELEMENT_CONTEXT:
        show_context(l, e);
        break;
    case ETM_ELEMENT_NO_IMAGE:
        ETM_OUT(out, "!! no code is known at ");
        put_address(l, e->u.no_image.address);
        break;
    case ETM_ELEMENT_EXCEPTION:
        show_exception(l, e);
        break;
    case ETM_ELEMENT_EXCEPTION_RETURN:
        ETM_OUT(out, "** exception return");
        break;
    case ETM_ELEMENT_DATA:
        show_data(l, e);
        break;
    case ETM_ELEMENT_CYCLES:
        etm_text_count(l, e->u.cycles.n);
        show_cycles(out, e->u.cycles.n);
        break;
    case ETM_ELEMENT_TIMESTAMP:
        ETM_OUT(out, "-- timestamp ");
        if (e->u.timestamp.value != ETM_TIMESTAMP_UNKNOWN)
            etm_out_decimal(out, e->u.timestamp.value);
        else
            ETM_OUT(out, "unknown");
        break;
    case ETM_ELEMENT_TRIGGER:
        ETM_OUT(out, "** trigger");
        break;
    case ETM_ELEMENT_END:
        ETM_OUT(out, "== end of trace");
        break;
    case ETM_ELEMENT_PC_SAMPLE:
        show_pc_sample(l, e);
        break;
    case ETM_ELEMENT_SOFTWARE:
    case ETM_ELEMENT_EVENT_COUNTER:
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
        etm_text_itm(out, e);
        break;
    case ETM_ELEMENT_RANGE:
    case ETM_ELEMENT_INSN:
        break;
    }
}

static void text_element(struct etm_listing *l, const struct etm_element *e)
{
    struct etm_text *text = l->state;
    enum etm_colour colour = colour_of((enum etm_element_kind)e->kind);

    if (e->kind == ETM_ELEMENT_INSN) {
        etm_text_insn(l, e);
        return;
    }
    if (e->kind == ETM_ELEMENT_RANGE) {
        etm_text_range(l, e);
        return;
    }
    etm_text_offset(l, e->offset);
    etm_text_put_since(l, e);
    if (colour != ETM_COLOUR_NONE)
        etm_text_colour(l, colour);
    show_other(l, e);
    if (colour != ETM_COLOUR_NONE)
        etm_text_colour(l, ETM_COLOUR_NONE);
    etm_out_char(&l->out, '\n');
    /* after a break the function is named again */
    if (e->kind == ETM_ELEMENT_TRACE_ON || e->kind == ETM_ELEMENT_LOST ||
        e->kind == ETM_ELEMENT_EXCEPTION || e->kind == ETM_ELEMENT_NO_IMAGE) {
        text->function = text->file = NULL;
        text->it = 0;
    }
}

static void text_begin(struct etm_listing *l)
{
    struct etm_text *text = l->state;

    if (text->open)
        etm_disassembler_fini(&text->disassembler);
    else
        etm_text_cache_init(&text->cache, l->config.threads, &l->out.allocator);
    etm_disassembler_init(&text->disassembler, l->trace.profile);
    text->open = true;
    etm_text_check_disassembler(l);
    text->function = text->file = NULL;
    text->it = 0;
    /* another source may have other code at the same addresses */
    etm_text_cache_forget(&text->cache);
    memset(text->names, 0, sizeof text->names);
    text->last = 0;
    text->total = 0;
    text->total_partial = false;
    if (!l->source.title)
        return;
    etm_out_line(&l->out);
    if (l->begun && !text->apart)
        etm_out_char(&l->out, '\n');
    text->apart = false;
    etm_text_colour(l, ETM_COLOUR_TITLE);
    etm_out_plain(&l->out, l->source.title);
    etm_text_colour(l, ETM_COLOUR_NONE);
    etm_out_char(&l->out, '\n');
}

static void text_fini(struct etm_listing *l)
{
    struct etm_text *text = l->state;

    etm_coverage_doc_free(&text->coverage);
    if (!text->open)
        return;
    etm_disassembler_fini(&text->disassembler);
    etm_text_cache_fini(&text->cache);
}

const struct etm_format etm_format_text = {
    .about = {.name = "text",
              .extension = "txt",
              .description = "for people",
              .takes = ETM_LISTING_ELEMENTS | ETM_LISTING_PACKETS |
                       ETM_LISTING_COUNTS},
    .state_size = sizeof(struct etm_text),
    .begin = text_begin,
    .element = text_element,
    .place = etm_text_offset,
    .packet = etm_text_packet,
    .counts = etm_text_counts,
    .finish = etm_text_finish,
    .fini = text_fini,
    .part_begin = etm_text_part_begin,
    .part_holds = etm_text_part_holds,
    .part_end = etm_text_part_end,
    .part_append = etm_text_part_append,
};
