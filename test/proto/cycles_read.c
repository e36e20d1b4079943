/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of the trace port of ETMv2 in words. */
#include "encoding.h"

#include <stdlib.h>
#include <string.h>

/* How TRACEPKT is used, or how many half bytes of it are packets. */
static bool read_use(struct etm_packet *p, const char *word)
{
    static const struct {
        const char *name;
        uint8_t kind, use;
    } uses[] = {{"-", ETM_PACKET_TRACE_PACKET, ETM_USE_NOTHING},
                {"status", ETM_PACKET_TRACE_PACKET, ETM_USE_STATUS},
                {"gap", ETM_PACKET_TRACE_PACKET, ETM_USE_GAP},
                {"reserved", ETM_PACKET_TRACE_PACKET, ETM_USE_RESERVED},
                {"half", ETM_PACKET_TFO, ETM_USE_TFO},
                {"?", ETM_PACKET_UNSYNCHRONIZED, ETM_USE_UNKNOWN}};
    char *end;

    if (strncmp(word, "tfo", 3) == 0) {
        p->kind = ETM_PACKET_TFO;
        p->use = ETM_USE_TFO;
        p->address = (uint32_t)strtoul(word + 3, &end, 10);
        p->address_bits = 7;
        p->fields = ETM_FIELD_ADDRESS;
        return *end == 0 && end != word + 3;
    }
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (strcmp(word, uses[i].name) == 0) {
            p->kind = uses[i].kind;
            p->use = uses[i].use;
            return true;
        }
    p->kind = ETM_PACKET_TRACE_PACKET;
    p->use = ETM_USE_PACKETS;
    p->count = (uint8_t)strtoul(word, &end, 10);
    return *end == 0 && end != word;
}

static bool read_cycle(struct row *row, const char *word)
{
    static const char statuses[] = "IEDEINDNWTDWTRTD";
    const char *use = strchr(word, '=');
    struct etm_packet *p = &row->packet[row->n_packets];
    unsigned wide = row->config->port_width == 16 ? 2 : 1, status = 0;
    char *end;

    while (status < 8 && strncmp(word, statuses + 2 * status, 2) != 0)
        status++;
    if (status == 8 || word[2] != ':' || use == NULL ||
        row->n_packets + 2 > PACKETS)
        return wrong("no cycle: %s", word);
    p[0] = (struct etm_packet){
        .kind = ETM_PACKET_PIPESTAT, .value = status, .size = 1};
    p[1] = (struct etm_packet){.value = strtoul(word + 3, &end, 16),
                               .value_bytes = (uint8_t)wide,
                               .info = (uint8_t)status,
                               .size = wide};
    use += strncmp(use, "=bad", 4) == 0 ? 4 : 1;
    if (!read_use(&p[1], use))
        return wrong("no use: %s", use);
    if (use[-1] == 'd')
        p[1].kind = ETM_PACKET_BAD;
    if (p[1].kind == ETM_PACKET_BAD || p[1].kind == ETM_PACKET_UNSYNCHRONIZED)
        row->way = '>';
    row->n_packets += 2;
    row->bytes[row->n++] = (uint8_t)status;
    for (unsigned i = 0; i < wide; i++)
        row->bytes[row->n++] = (uint8_t)(p[1].value >> 8 * i);
    return true;
}

bool cycles_read(struct row *row, char **words, size_t n)
{
    bool good = true;

    row->way = '|';
    for (size_t i = 0; i < n && good; i++)
        good = read_cycle(row, words[i]);
    return good;
}
