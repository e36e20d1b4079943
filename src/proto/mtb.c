/* SPDX-License-Identifier: Apache-2.0 */
#include "proto/mtb.h"

#include <string.h>

void etm_mtb_decoder_init(struct etm_mtb_decoder *d,
                          const struct etm_config *config)
{
    (void)config;
    memset(d, 0, sizeof *d);
}

void etm_mtb_decoder_enter(struct etm_mtb_decoder *d, uint64_t offset)
{
    d->offset = offset;
}

static uint32_t word(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* Can a branch come from there, or go there? */
static bool is_place(uint32_t address)
{
    return address < ETM_MTB_CODE_END || etm_mtb_is_return(address);
}

/* A branch leads from code to code, or over a value that returns: that is where
 * the next packet comes from (2.3.1). */
static bool is_possible(uint32_t source, uint32_t destination)
{
    return is_place(source) && is_place(destination) &&
           !(etm_mtb_is_return(source) && etm_mtb_is_return(destination));
}

static void parse(struct etm_packet *p, const uint8_t *bytes)
{
    uint32_t source = word(bytes), destination = word(bytes + 4);

    p->header = bytes[0];
    if ((source | destination) == 0) {
        p->kind = ETM_PACKET_IGNORE;
        return;
    }
    p->address = destination & ~ETM_MTB_FLAG;
    p->address2 = source & ~ETM_MTB_FLAG;
    if (!is_possible(p->address2, p->address)) {
        p->address = p->address2 = 0;
        return;
    }
    p->kind = ETM_PACKET_EXECUTION_TRACE;
    p->address_bits = p->address2_bits = 32;
    p->address_bytes = p->address2_bytes = 4;
    if ((source & ETM_MTB_FLAG) != 0)
        p->fields |= ETM_FIELD_A;
    if ((destination & ETM_MTB_FLAG) != 0)
        p->reason = ETM_SYNC_TRACE_ON;
}

/* Output a packet of `size` bytes; there is room. */
static struct etm_packet *emit(struct etm_mtb_decoder *d, struct etm_vec *out,
                               unsigned size)
{
    struct etm_packet *p = (struct etm_packet *)out->data + out->n++;

    *p = (struct etm_packet){
        .offset = d->offset, .size = size, .kind = ETM_PACKET_BAD};
    d->offset += size;
    d->n_carry = 0;
    return p;
}

int etm_mtb_decoder_push(struct etm_mtb_decoder *d, const uint8_t *bytes,
                         size_t n, struct etm_vec *out)
{
    if (etm_vec_reserve(out, n / ETM_MTB_PACKET_SIZE + 1) != ETM_OK)
        return ETM_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        d->carry[d->n_carry++] = bytes[i];
        if (d->n_carry == ETM_MTB_PACKET_SIZE)
            parse(emit(d, out, ETM_MTB_PACKET_SIZE), d->carry);
    }
    return ETM_OK;
}

static int flush(struct etm_mtb_decoder *d, struct etm_vec *out,
                 uint16_t fields)
{
    struct etm_packet *p;

    if (d->n_carry == 0)
        return ETM_OK;
    if (etm_vec_reserve(out, 1) != ETM_OK)
        return ETM_ERR_MEMORY;
    p = emit(d, out, d->n_carry);
    p->header = d->carry[0];
    p->fields = fields;
    return ETM_OK;
}

int etm_mtb_decoder_gap(struct etm_mtb_decoder *d, struct etm_vec *out)
{
    return flush(d, out, 0);
}

int etm_mtb_decoder_finish(struct etm_mtb_decoder *d, struct etm_vec *out)
{
    return flush(d, out, ETM_FIELD_TRUNCATED);
}

int etm_mtb_encode(const struct etm_config *config,
                   const struct etm_packet *packet, struct etm_writer *w)
{
    bool is_trace = packet->kind == ETM_PACKET_EXECUTION_TRACE;
    uint32_t source = packet->address2, destination = packet->address;

    (void)config;
    if (packet->kind == ETM_PACKET_BAD)
        return ETM_ERR_UNSUPPORTED;
    if (!is_trace && packet->kind != ETM_PACKET_IGNORE)
        return ETM_ERR_ARGUMENT;
    if (is_trace && (((source | destination) & ETM_MTB_FLAG) != 0 ||
                     !is_possible(source, destination) ||
                     packet->reason > ETM_SYNC_TRACE_ON))
        return ETM_ERR_ARGUMENT;
    if ((size_t)(w->end - w->next) < ETM_MTB_PACKET_SIZE)
        return ETM_ERR_ARGUMENT;
    if (!is_trace)
        source = destination = 0;
    if (is_trace && (packet->fields & ETM_FIELD_A) != 0)
        source |= ETM_MTB_FLAG;
    if (is_trace && packet->reason == ETM_SYNC_TRACE_ON)
        destination |= ETM_MTB_FLAG;
    /* these bytes would be `ignore` */
    if (is_trace && (source | destination) == 0)
        return ETM_ERR_ARGUMENT;
    etm_writer_le(w, source, 4);
    etm_writer_le(w, destination, 4);
    return ETM_OK;
}
