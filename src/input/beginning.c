/* SPDX-License-Identifier: Apache-2.0 */
/* How much of a pipe has to come before the rest can be read as it comes. */
#include "input/port_reader.h"
#include "input/reader.h"
#include "port/frame.h"

#include <string.h>

bool etm_beginning_more(struct etm_beginning *b)
{
    return etm_pipe_look(b->pipe, &b->head.bytes, &b->head.n, &b->status,
                         b->diag) &&
           b->status == ETM_OK;
}

/* Do the declarations of a value change dump's signals continue? */
static bool declares(const struct etm_file *head)
{
    static const char last[] = "$enddefinitions";
    const size_t n = sizeof last - 1;

    for (size_t i = 0; i + n <= head->n; i++)
        if (memcmp(head->bytes + i, last, n) == 0)
            return false;
    return true;
}

/* Whether it is text so far, and not only blanks. */
static bool is_text(const struct etm_file *head, bool *blank)
{
    *blank = true;
    for (size_t i = 0; i < head->n; i++) {
        uint8_t c = head->bytes[i];

        if (c >= 0x7f || (c < ' ' && (c < '\t' || c > '\r')))
            return false;
        *blank = *blank && c <= ' ';
    }
    return true;
}

/* Bytes of a file that show its form, unless all are blanks. */
#define SHOWING 16u

/* Until the form is clear. Files of OpenOCD are recognized by their size, and
 * are short: all of them is needed. */
bool etm_beginning_samples(struct etm_beginning *b)
{
    const struct etm_file *head = &b->head;
    bool more = true, blank = false;
    enum etm_port_form form = b->options->form;

    if (form == ETM_PORT_FORM_OPENOCD)
        return false;
    while (form == ETM_PORT_FORM_AUTO && more) {
        more = etm_beginning_more(b);
        if (b->status != ETM_OK || !is_text(head, &blank))
            return false;
        if (!more || (head->n >= SHOWING && !blank))
            form = etm_port_form_of(head->bytes, head->n);
        /* the first comma of a table may come later in its first line */
        if (form == ETM_PORT_FORM_TEXT && more && head->n < ETM_PHASE_BYTES &&
            !etm_port_form_is_clear(head->bytes, head->n))
            form = ETM_PORT_FORM_AUTO;
    }
    if (form == ETM_PORT_FORM_CSV)
        return false;
    if (form != ETM_PORT_FORM_VCD)
        return true;
    while (more && declares(head))
        more = etm_beginning_more(b);
    return !declares(head);
}

/* The first source of packets, or the one with the most bytes in the frames
 * that came; 0: there is none. */
static uint8_t find_source(const struct etm_beginning *b)
{
    enum etm_frame_layout layout =
        b->options->framing == ETM_FRAMING_TPIU      ? ETM_FRAME_TPIU
        : b->options->framing == ETM_FRAMING_DSTREAM ? ETM_FRAME_DSTREAM
                                                     : ETM_FRAME_ALIGNED;
    struct etm_frame_counts counts;
    uint8_t id = etm_pipe_first_id(b->pipe);

    if (id != 0 || etm_frame_survey(&counts, layout, b->head.bytes, b->head.n,
                                    NULL) != ETM_OK)
        return id;
    for (uint8_t i = 1; i < ETM_ID_RESERVED; i++)
        if (counts.bytes[i] != 0 &&
            (id == 0 || counts.bytes[i] > counts.bytes[id]))
            id = i;
    return id;
}

bool etm_beginning_source(struct etm_beginning *b)
{
    if (b->source_known)
        return true;
    if (!etm_pipe_is_live(b->pipe))
        return false;
    do
        b->live = find_source(b);
    while (b->live == 0 && etm_beginning_more(b));
    return b->live != 0;
}

bool etm_beginning_packets(struct etm_beginning *b)
{
    if (!b->source_known && !etm_pipe_is_live(b->pipe))
        return false;
    b->unpacked = true;
    b->status = etm_pipe_unpack(b->pipe, &b->head.bytes, &b->head.n, b->diag);
    return b->status == ETM_OK && etm_beginning_source(b);
}

/* Until it is clear where frames begin. Words in the wrong byte order, which
 * are to be reversed, are kept. */
bool etm_beginning_frames(struct etm_beginning *b)
{
    const struct etm_file *head = &b->head;
    uint8_t first = 0;

    if (!etm_beginning_source(b))
        return false;
    while (etm_frame_phase(head->bytes, head->n, false, &first) ==
               ETM_PHASE_MORE &&
           etm_beginning_more(b))
        ;
    return b->options->reverse != 0 ||
           etm_frame_swapped(head->bytes, head->n, true, first) == 0;
}

/* Until it is clear whether there are blocks. */
bool etm_beginning_blocks(struct etm_beginning *b)
{
    bool known = etm_beginning_source(b);

    while (known && b->head.n < ETM_PHASE_BYTES && etm_beginning_more(b))
        ;
    return known;
}
