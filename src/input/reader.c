/* SPDX-License-Identifier: Apache-2.0 */
#include "input/reader.h"

#include "input/foreign.h"
#include "input/orbflow.h"
#include "input/other_text.h"
#include "input/port_reader.h"
#include "input/serial.h"
#include "input/text.h"
#include "port/frame.h"

#include <string.h>

static int refuse(const struct etm_capture *capture, int status,
                  const char *what, struct etm_diag *diag)
{
    return etm_text_fail(diag, status, capture->path, ETM_DIAG_NONE, "%s",
                         what);
}

/* A program instead of its trace, or compressed trace. */
static int refuse_foreign(const struct etm_capture *capture,
                          struct etm_diag *diag)
{
    const struct etm_capture_buffer *b = capture->buffers.data;
    const char *kind = etm_foreign_kind(b->bytes, b->n);

    return kind == NULL ? ETM_OK
                        : etm_text_fail(diag, ETM_ERR_FORMAT, capture->path,
                                        ETM_DIAG_NONE, "it is %s", kind);
}

static int refuse_signals(const struct etm_capture *capture,
                          struct etm_diag *diag)
{
    return refuse(capture, ETM_ERR_CONFIG,
                  "names of signals are for value change dumps and tables only",
                  diag);
}

/* Bytes of trace are not described as samples are. */
static int refuse_description(const struct etm_capture *capture,
                              const struct etm_raw_options *o,
                              struct etm_diag *diag)
{
    if (o->form != ETM_PORT_FORM_AUTO)
        return refuse(capture, ETM_ERR_CONFIG,
                      "a form of samples is for the framing port only", diag);
    return o->signals == NULL ? ETM_OK : refuse_signals(capture, diag);
}

/* Bytes of trace, not text. */
static int open_bytes(struct etm_capture *capture,
                      const struct etm_raw_options *o, struct etm_diag *diag)
{
    const struct etm_capture_buffer *b = capture->buffers.data;
    /* bytes of SWO as text, if nothing else is declared, are recognized later,
     * when the framing is guessed */
    bool serial = !o->framing_told && b->framing == ETM_FRAMING_NONE &&
                  etm_serial_is(b->bytes, b->n);
    const char *text =
        serial ? NULL
               : etm_other_text(b->bytes, b->n, b->framing != ETM_FRAMING_NONE);
    int status = refuse_foreign(capture, diag);

    if (status != ETM_OK)
        return status;
    if (text != NULL)
        return refuse(capture, ETM_ERR_FORMAT, text, diag);
    return refuse_description(capture, o, diag);
}

/* Is it bytes instead of text? Some binary samples have to be declared. */
static bool is_binary_for_text(const struct etm_capture_buffer *b)
{
    for (size_t i = 0; i < b->n && i < ETM_PHASE_BYTES; i++)
        if (b->bytes[i] < '\t')
            return b->form != ETM_PORT_FORM_OPENOCD;
    return false;
}

/* Samples of a port: their form, and their signals. */
static int open_port(struct etm_capture *capture,
                     const struct etm_raw_options *o, struct etm_diag *diag)
{
    struct etm_capture_buffer *b = capture->buffers.data;
    int status = refuse_foreign(capture, diag);

    if (status != ETM_OK)
        return status;
    if (o->form == ETM_PORT_FORM_AUTO && is_binary_for_text(b))
        return refuse(
            capture, ETM_ERR_FORMAT,
            "it is not samples as text, a table or a value change dump: for "
            "binary samples, use the port format records, etb or bytes; for "
            "trace that is not samples, another framing",
            diag);
    if (o->form != ETM_PORT_FORM_AUTO)
        b->form = o->form;
    b->port_width = o->port_width;
    if (o->signals == NULL)
        return ETM_OK;
    if (!etm_port_form_is_named(b->form))
        return refuse_signals(capture, diag);
    b->signals =
        etm_text_copy(&capture->allocator, o->signals, strlen(o->signals));
    return b->signals != NULL ? ETM_OK : ETM_ERR_MEMORY;
}

/* Samples that carried the stream of a TPIU, which the buffer gets. */
static int open_tpiu_port(struct etm_capture *capture,
                          const struct etm_raw_options *o,
                          struct etm_diag *diag)
{
    int status = open_port(capture, o, diag);

    return status == ETM_OK ? etm_build_port_frames(capture, 0, diag) : status;
}

static int open_swo(struct etm_capture *capture,
                    const struct etm_raw_options *o, struct etm_diag *diag)
{
    int status = open_port(capture, o, diag);

    return status == ETM_OK ? etm_build_swo(capture, 0, o->baud, diag) : status;
}

static int note_packets(struct etm_capture *capture,
                        const struct etm_orbflow *orbflow)
{
    struct etm_diag diag;
    int status = etm_build_note(capture, "%s: %llu packets of orbflow",
                                etm_file_name(capture->path),
                                (unsigned long long)orbflow->good);

    if (status != ETM_OK || orbflow->damaged == 0)
        return status;
    (void)etm_text_fail(&diag, ETM_ERR_FORMAT, capture->path, ETM_DIAG_NONE,
                        "%llu packet%s of orbflow %s damaged",
                        (unsigned long long)orbflow->damaged,
                        orbflow->damaged == 1 ? "" : "s",
                        orbflow->damaged == 1 ? "is" : "are");
    return etm_build_fault(capture, &diag, "their bytes are missing");
}

/* Packets, of which the buffer gets frames; those of a connection that is read
 * as it comes are frames already. */
static int open_orbflow(struct etm_capture *capture,
                        const struct etm_raw_options *o, struct etm_diag *diag)
{
    struct etm_capture_buffer *b = capture->buffers.data;
    struct etm_orbflow orbflow;
    struct etm_vec frames;
    const bool unpacked = b->pipe != NULL && b->framing != ETM_FRAMING_NONE;
    int status = unpacked ? refuse_description(capture, o, diag)
                          : open_bytes(capture, o, diag);

    if (status != ETM_OK)
        return status;
    b->made = true;
    if (unpacked || b->n == 0)
        return ETM_OK;
    etm_vec_init(&frames, 1, &capture->allocator);
    status = etm_orbflow_init(&orbflow, &capture->allocator);
    if (status == ETM_OK)
        status = etm_orbflow_push(&orbflow, b->bytes, b->n, &frames);
    if (status == ETM_OK)
        status = etm_orbflow_break(&orbflow, &frames);
    if (status == ETM_OK && orbflow.good == 0)
        status = refuse(capture, ETM_ERR_FORMAT,
                        "no packet of orbflow is in it", diag);
    if (status == ETM_OK)
        status = note_packets(capture, &orbflow);
    if (status == ETM_OK)
        status = etm_vec_reserve(&frames, 1); /* so that `data` is not NULL */
    if (status == ETM_OK)
        etm_build_replace(capture, b, ETM_FRAMING_CORESIGHT, &frames);
    etm_vec_fini(&frames);
    etm_orbflow_fini(&orbflow);
    return status;
}

static bool always(struct etm_beginning *b)
{
    (void)b;
    return true;
}

#define DECLARED(name, as, flow, opens)                                        \
    {                                                                          \
        .framing = ETM_FRAMING_##name, .buffer = ETM_FRAMING_##as,             \
        .flows = (flow), .open = (opens)                                       \
    }

/* Files that are recognized come first. */
static const struct etm_reader readers[] = {
    {.may = etm_may_be_perf,
     .least = ETM_PERF_LEAST,
     .open = etm_build_perf,
     .described = true},
    DECLARED(NONE, NONE, always, open_bytes),
    DECLARED(CORESIGHT, CORESIGHT, etm_beginning_frames, open_bytes),
    DECLARED(DSTREAM, DSTREAM, etm_beginning_blocks, open_bytes),
    DECLARED(TPIU, TPIU, etm_beginning_source, open_bytes),
    DECLARED(PORT, PORT, etm_beginning_samples, open_port),
    DECLARED(TPIU_PORT, PORT, NULL, open_tpiu_port),
    DECLARED(SWO, PORT, NULL, open_swo),
    DECLARED(ORBFLOW, NONE, etm_beginning_packets, open_orbflow),
};

#define N_READERS (sizeof readers / sizeof *readers)

const struct etm_reader *etm_reader_of(const struct etm_raw_options *o,
                                       const uint8_t *bytes, size_t n)
{
    size_t i = 0;

    while (readers[i].may != NULL
               ? n < readers[i].least || !readers[i].may(bytes, n)
               : readers[i].framing != o->framing)
        i++;
    return &readers[i];
}

/* May a file that begins so be one that is recognized with more of it? */
static bool is_open(const struct etm_file *head)
{
    for (size_t i = 0; i < N_READERS; i++)
        if (readers[i].may != NULL && head->n < readers[i].least &&
            readers[i].may(head->bytes, head->n))
            return true;
    return false;
}

static bool is_described(const struct etm_raw_options *o)
{
    return o->form != ETM_PORT_FORM_AUTO || o->signals != NULL;
}

/* Does it take bytes of trace, so that text is refused? */
static bool takes_bytes(const struct etm_reader *reader)
{
    return reader->buffer != ETM_FRAMING_PORT;
}

/* Can more of it show another kind of file, or other text, than trace? */
static bool may_be_other(const struct etm_beginning *b)
{
    const uint8_t *bytes = b->head.bytes;
    const size_t n = b->head.n;

    return is_open(&b->head) || etm_foreign_may_be(bytes, n) ||
           (takes_bytes(etm_reader_of(b->options, bytes, n)) &&
            etm_other_text_may_be(bytes, n));
}

/* Is it what open() refuses, whatever comes then? */
static bool is_refused(const struct etm_reader *reader,
                       const struct etm_raw_options *o,
                       const struct etm_file *head)
{
    return etm_foreign_kind(head->bytes, head->n) != NULL ||
           (takes_bytes(reader) && is_described(o)) ||
           (takes_bytes(reader) &&
            etm_other_text(head->bytes, head->n,
                           reader->buffer != ETM_FRAMING_NONE) != NULL);
}

/*
 * A file of another kind is refused in the same words as one that is not a
 * pipe, however slowly it comes. Of most kinds the beginning says enough; an
 * archive has its directory at its end.
 */
const struct etm_reader *etm_reader_of_pipe(struct etm_beginning *b)
{
    const struct etm_file *head = &b->head;
    const struct etm_reader *reader;

    while (may_be_other(b) && etm_beginning_more(b))
        ;
    if (b->status != ETM_OK || head->n == 0 ||
        etm_archive_kind(head->bytes, head->n) != NULL)
        return NULL;
    reader = etm_reader_of(b->options, head->bytes, head->n);
    return reader->flows != NULL &&
                   (is_refused(reader, b->options, head) || reader->flows(b))
               ? reader
               : NULL;
}
