/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of what only an ITM and a DWT have, but for addresses. */
#include "write/text.h"

#include <etm/decode.h>
#include <etm/packet.h>

/* The bytes of a value in their order, if all of them are printable. */
static void put_characters(struct etm_out *out, uint32_t value, unsigned n)
{
    char text[4];

    for (unsigned i = 0; i < n && i < sizeof text; i++) {
        text[i] = (char)(value >> (8 * i) & 0xffu);
        if (text[i] < ' ' || text[i] > '~')
            return;
    }
    ETM_OUT(out, "  \"");
    etm_out_put(out, text, n);
    etm_out_char(out, '"');
}

static void show_software(struct etm_out *out, const struct etm_element *e)
{
    unsigned size = e->u.software.size <= 4 ? e->u.software.size : 4u;

    ETM_OUT(out, "     port ");
    etm_out_decimal(out, e->u.software.port);
    ETM_OUT(out, " = ");
    etm_out_hex_bytes(out, e->u.software.value, size);
    put_characters(out, e->u.software.value, size);
}

static void show_event_counter(struct etm_out *out, const struct etm_element *e)
{
    ETM_OUT(out, "** counters wrapped:");
    for (unsigned i = 0; i <= ETM_ITM_COUNTER_CYC; i++) {
        if ((e->u.event_counter.counters >> i & 1) == 0)
            continue;
        etm_out_char(out, ' ');
        etm_out_word(out, etm_itm_counter_name((enum etm_itm_counter)i));
    }
}

static void show_local_timestamp(struct etm_out *out,
                                 const struct etm_element *e)
{
    unsigned relation = e->u.local_timestamp.relation;

    ETM_OUT(out, "-- local timestamp ");
    etm_out_decimal(out, e->u.local_timestamp.ticks);
    ETM_OUT(out, " (+");
    etm_out_decimal(out, e->u.local_timestamp.delta);
    etm_out_char(out, ')');
    if (relation == ETM_ITM_SYNCHRONOUS)
        return;
    ETM_OUT(out, ", ");
    etm_out_word(out, etm_itm_relation_name((enum etm_itm_relation)relation));
}

void etm_text_itm(struct etm_out *out, const struct etm_element *e)
{
    switch ((unsigned)e->kind) {
    case ETM_ELEMENT_SOFTWARE:
        show_software(out, e);
        break;
    case ETM_ELEMENT_EVENT_COUNTER:
        show_event_counter(out, e);
        break;
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
        show_local_timestamp(out, e);
        break;
    }
}
