/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes on an SWO pin, from a value change dump or a table of a logic
 * analyser (<etm/types.h>, ETM_FRAMING_SWO), of levels or of bytes. All of them
 * are converted at once: what they are, a TPIU's stream or that of an ITM
 * alone, has to be known.
 */
#include "base/diag.h"
#include "input/build.h"
#include "input/port_reader.h"
#include "input/serial.h"
#include "input/text.h"
#include "port/manchester.h"

#include <string.h>

/* Bytes of the file that are read at a time. */
#define PIECE ((size_t)1 << 16)

/* Bytes of declarations that are read at a time. */
#define HEAD_PIECE ((size_t)1024)

/* Femtoseconds of a second. */
#define SECOND UINT64_C(1000000000000000)

/* A bit shorter than this many units of time cannot be told. */
#define UNITS_LEAST 2u

struct pin {
    struct etm_vec changes;
    uint64_t unit; /* femtoseconds; 0: not known */
};

static int read_changes(const struct etm_capture_buffer *b, struct pin *pin,
                        struct etm_diag *diag)
{
    const struct etm_allocator *allocator = &pin->changes.allocator;
    struct etm_port_reader_config config = {
        .port = {.protocol = ETM_PROTOCOL_ETMV3,
                 .width = 1,
                 .allocator = allocator},
        .form = b->form,
        .signals = b->signals,
    };
    struct etm_port_reader reader = {0};
    struct etm_vec samples; /* there are none */
    struct etm_vcd *vcd;
    int status = etm_port_reader_init(&reader, &config, diag);

    etm_vec_init(&samples, sizeof(struct etm_port_sample), allocator);
    vcd = b->form == ETM_PORT_FORM_CSV ? &reader.csv.vcd : &reader.vcd;
    vcd->changes = &pin->changes;
    for (size_t at = 0, n; at < b->n && status == ETM_OK; at += n) {
        n = b->n - at < PIECE ? b->n - at : PIECE;
        status =
            etm_port_reader_push(&reader, b->bytes + at, n, &samples, diag);
    }
    if (status == ETM_OK)
        status = etm_port_reader_finish(&reader, &samples, diag);
    pin->unit = vcd->unit;
    etm_vec_fini(&samples);
    etm_port_reader_fini(&reader);
    return status;
}

static int fail(struct etm_diag *diag, const char *path, const char *what)
{
    return etm_text_fail(diag, ETM_ERR_CONFIG, path, ETM_DIAG_NONE, "%s", what);
}

/* The length of a bit: from the baud rate, or from the pulses. */
static int find_period(const struct pin *pin, uint64_t baud, const char *path,
                       uint64_t *period, struct etm_diag *diag)
{
    if (baud != 0 && pin->unit == 0)
        return fail(diag, path,
                    "it does not say the unit of its times, so that a baud "
                    "rate says nothing");
    *period = baud != 0 ? (SECOND << ETM_UART_FRACTION) / baud / pin->unit
                        : etm_uart_period(pin->changes.data, pin->changes.n);
    if (*period == 0)
        return fail(diag, path,
                    baud != 0 ? "a bit of that baud rate is shorter than the "
                                "unit of its times"
                              : "too few pulses of SWO show how long a bit is: "
                                "give --baud");
    if (baud != 0 && *period >> ETM_UART_FRACTION < UNITS_LEAST)
        return fail(diag, path,
                    "a bit of that baud rate has less than two units of its "
                    "times");
    return ETM_OK;
}

/* Bits a second; 0: the unit of time is not known. */
static uint32_t rate(const struct pin *pin, uint64_t period)
{
    uint64_t baud =
        pin->unit != 0 ? (SECOND << ETM_UART_FRACTION) / pin->unit / period : 0;

    return baud < UINT32_MAX ? (uint32_t)baud : UINT32_MAX;
}

int etm_build_swo_notes(struct etm_capture *capture, const char *path,
                        const struct etm_swo_facts *swo)
{
    struct etm_diag diag;
    int status = ETM_OK;

    if (swo->baud != 0)
        status = etm_build_note(capture, "%s: SWO is read at %lu baud%s", path,
                                (unsigned long)swo->baud,
                                swo->manchester ? ", in Manchester code" : "");
    if (status != ETM_OK || swo->n_wrong == 0)
        return status;
    (void)etm_text_fail(&diag, ETM_ERR_FORMAT, path, ETM_DIAG_NONE,
                        "%zu byte%s of SWO ha%s a wrong start or stop bit",
                        swo->n_wrong, swo->n_wrong == 1 ? "" : "s",
                        swo->n_wrong == 1 ? "s" : "ve");
    return etm_build_fault(capture, &diag,
                           swo->n_wrong == 1 ? "it is not used"
                                             : "they are not used");
}

int etm_swo_is_named(const uint8_t *bytes, size_t n,
                     const struct etm_allocator *allocator, bool *is)
{
    const struct etm_port_config config = {
        .protocol = ETM_PROTOCOL_ETMV3, .width = 1, .allocator = allocator};
    struct etm_vec changes, samples;
    struct etm_vcd vcd;
    int status;

    *is = etm_serial_is(bytes, n);
    if (*is || etm_port_form_of(bytes, n) != ETM_PORT_FORM_VCD)
        return ETM_OK;
    etm_vec_init(&changes, sizeof(struct etm_pin_change), allocator);
    etm_vec_init(&samples, sizeof(struct etm_port_sample), allocator);
    (void)etm_vcd_init(&vcd, &config, NULL, false, NULL);
    vcd.changes = &changes;
    for (size_t at = 0, piece; at < n && vcd.status == ETM_OK && !vcd.defined;
         at += piece) {
        piece = n - at < HEAD_PIECE ? n - at : HEAD_PIECE;
        (void)etm_vcd_push(&vcd, (const char *)bytes + at, piece, &samples,
                           NULL);
    }
    *is = vcd.defined && vcd.taps.n == 1;
    status = vcd.status == ETM_ERR_MEMORY ? ETM_ERR_MEMORY : ETM_OK;
    etm_vcd_fini(&vcd);
    etm_vec_fini(&changes);
    etm_vec_fini(&samples);
    return status;
}

/* What was read of a pin. */
struct read {
    struct etm_vec bytes, wrong;
};

static void read_init(struct read *r, const struct etm_allocator *allocator)
{
    etm_vec_init(&r->bytes, 1, allocator);
    etm_vec_init(&r->wrong, sizeof(uint64_t), allocator);
}

static void read_fini(struct read *r)
{
    etm_vec_fini(&r->bytes);
    etm_vec_fini(&r->wrong);
}

/* The bytes of a code that does not fit are mostly wrong: in Manchester code
 * one of so many at most. */
#define WRONG_MOST 16u

/* Read it in Manchester code; *fits: it is in that. `half` is half of a bit. */
static int read_manchester(const struct pin *pin, uint64_t half, struct read *r,
                           bool *fits)
{
    const struct etm_pin_change *changes = pin->changes.data;
    int status = ETM_OK;

    *fits = etm_manchester_fits(changes, pin->changes.n, half);
    if (*fits)
        status = etm_manchester_bytes(changes, pin->changes.n, half, &r->bytes,
                                      &r->wrong);
    *fits = *fits && r->bytes.n != 0 && r->wrong.n <= r->bytes.n / WRONG_MOST;
    if (!*fits)
        r->bytes.n = r->wrong.n = 0;
    return status;
}

/* The bytes of a pin, in the code that fits. `baud` is the number of bits,
 * which in Manchester code have two halves. */
static int read_pin(const struct pin *pin, uint64_t baud, const char *path,
                    struct read *r, struct etm_swo_facts *facts,
                    struct etm_diag *diag)
{
    uint64_t period = 0;
    int status = find_period(pin, 2 * baud, path, &period, diag);

    if (status == ETM_OK)
        status = read_manchester(pin, period, r, &facts->manchester);
    if (status == ETM_OK && facts->manchester) {
        facts->baud = rate(pin, 2 * period);
        return ETM_OK;
    }
    if (baud != 0)
        status = find_period(pin, baud, path, &period, diag);
    if (status == ETM_OK)
        status = etm_uart_bytes(pin->changes.data, pin->changes.n, period,
                                &r->bytes, &r->wrong);
    if (status == ETM_OK)
        facts->baud = rate(pin, period);
    return status;
}

/* The pin of a value change dump or a table of levels. */
static int read_levels(const struct etm_capture_buffer *b, uint64_t baud,
                       struct read *r, struct etm_swo_facts *facts,
                       struct etm_diag *diag)
{
    struct pin pin = {.unit = 0};
    int status;

    if (!etm_port_form_is_named(b->form))
        return etm_text_fail(diag, ETM_ERR_FORMAT, b->path, ETM_DIAG_NONE,
                             "it is neither a value change dump nor a table of "
                             "a logic analyser");
    etm_vec_init(&pin.changes, sizeof(struct etm_pin_change),
                 &r->bytes.allocator);
    status = read_changes(b, &pin, diag);
    if (status == ETM_ERR_FORMAT && diag != NULL && diag->source[0] == '\0')
        strncat(diag->source, b->path, sizeof diag->source - 1);
    if (status == ETM_OK)
        status = read_pin(&pin, baud, b->path, r, facts, diag);
    etm_vec_fini(&pin.changes);
    return status;
}

int etm_build_swo(struct etm_capture *capture, size_t buffer, uint64_t baud,
                  struct etm_diag *diag)
{
    struct etm_capture_buffer *b =
        (struct etm_capture_buffer *)capture->buffers.data + buffer;
    struct etm_swo_facts facts = {.baud = 0};
    struct read r;
    int status;

    read_init(&r, &capture->allocator);
    status =
        etm_serial_is(b->bytes, b->n)
            ? etm_serial_read(b->bytes, b->n, b->path, &r.bytes, &r.wrong, diag)
            : read_levels(b, baud, &r, &facts, diag);
    if (status == ETM_OK)
        status = etm_vec_reserve(&r.bytes, 1); /* so that `data` is not NULL */
    if (status == ETM_OK) {
        facts.wrong = r.wrong.data;
        facts.n_wrong = r.wrong.n;
        etm_vec_init(&r.wrong, sizeof(uint64_t), &capture->allocator);
        etm_build_replace(capture, b, ETM_FRAMING_NONE, &r.bytes);
        b->swo = facts;
    }
    read_fini(&r);
    return status;
}
