/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of a trace port in units of a fixed size (port_reader.h). The layouts
 * of ETB words and of OpenOCD's files are facts about those tools; the
 * architecture does not specify them. Table 8-2 says that signal 4 is
 * PIPESTAT[3] in ETMv2.
 */
#include "base/bytes.h"
#include "input/port_reader.h"

#include "base/diag.h"
#include "proto/sample.h"

#include <string.h>

#define WORD 4u
#define OPENOCD_HEADER 12u
#define OPENOCD_TRACESYNC 1u
#define OPENOCD_TRIGGER 2u
#define PIPESTAT_TR 6u

/* Minimum number of samples with more than bit 0 of PIPESTAT, none of which is
 * a second or third one of a word: this is no coincidence. */
#define CUT_LEAST 16u

bool etm_port_openocd_header(const uint8_t *bytes, size_t n, uint32_t *etmcr)
{
    if (n < OPENOCD_HEADER || (n - OPENOCD_HEADER) % ETM_PORT_UNIT_MAX != 0 ||
        etm_be(bytes + 8, 4) != (n - OPENOCD_HEADER) / ETM_PORT_UNIT_MAX)
        return false;
    *etmcr = etm_be(bytes + 4, 4);
    return true;
}

bool etm_port_openocd_is_cut(const uint8_t *bytes, size_t n)
{
    size_t samples = n / ETM_PORT_UNIT_MAX - 1, whole = 0;
    uint32_t etmcr;

    if (!etm_port_openocd_header(bytes, n, &etmcr) || (etmcr >> 4 & 7) != 0)
        return false;
    for (size_t i = 0; i < samples; i++) {
        bool high =
            etm_be(bytes + OPENOCD_HEADER + ETM_PORT_UNIT_MAX * i, 4) > 1;

        if (high && i % 3 != 0)
            return false;
        whole += high;
    }
    return whole >= CUT_LEAST;
}

int etm_port_units_init(struct etm_port_units *units,
                        const struct etm_port_config *config,
                        enum etm_port_form form, struct etm_diag *diag)
{
    unsigned width = config->width;
    const char *what = NULL;

    *units = (struct etm_port_units){.config = *config, .form = form};
    if (etm_port_is_stream(config))
        what = "samples of this form are for ETMv1 and ETMv2 only";
    else if (form == ETM_PORT_FORM_OPENOCD &&
             config->protocol != ETM_PROTOCOL_ETMV1)
        what = "OpenOCD's files hold the trace of an ETMv1";
    else if (form == ETM_PORT_FORM_BYTES && width != 4)
        what = "samples of one byte are for a port of 4 bits only";
    if (what != NULL) {
        units->status = etm_diag_say(diag, ETM_ERR_CONFIG, NULL, what);
        return units->status;
    }
    units->size = form == ETM_PORT_FORM_OPENOCD ? ETM_PORT_UNIT_MAX
                  : form == ETM_PORT_FORM_ETB   ? WORD
                  : form == ETM_PORT_FORM_BYTES ? 1
                  : width > 8                   ? 3
                                                : 2;
    return ETM_OK;
}

/* "What is 0x..", which no sample has. */
static void fail(struct etm_port_units *units, const char *what, uint64_t value,
                 struct etm_diag *diag)
{
    units->status = etm_diag_begin(diag, ETM_ERR_FORMAT, NULL);
    if (diag != NULL)
        diag->offset = units->offset;
    etm_diag_text(diag, what);
    etm_diag_text(diag, " is ");
    etm_diag_hex(diag, value);
    etm_diag_text(diag, ", which no sample of this port has");
}

static void add(struct etm_port_units *units, struct etm_vec *samples,
                unsigned control, unsigned status, uint64_t data,
                struct etm_diag *diag)
{
    struct etm_port_sample sample = {data, (uint8_t)control, (uint8_t)status};

    if (etm_vec_append(samples, &sample, 1) != ETM_OK)
        units->status = etm_diag_begin(diag, ETM_ERR_MEMORY, NULL);
}

static void take_record(struct etm_port_units *units, struct etm_vec *samples,
                        struct etm_diag *diag)
{
    const uint8_t *unit = units->unit;
    bool v1 = units->config.protocol == ETM_PROTOCOL_ETMV1;
    unsigned known = v1 ? ETM_SAMPLE_SYNC | 7u : ETM_SAMPLE_STATUS;
    unsigned data = unit[1] | (units->size > 2 ? (unsigned)unit[2] << 8 : 0);

    if ((unit[0] & ~known) != 0 || (units->config.width == 4 && data > 0xf))
        add(units, samples, 0, ETM_PORT_LOST, 0, diag);
    else
        add(units, samples, unit[0] >> 7, unit[0] & ETM_SAMPLE_STATUS, data,
            diag);
}

/* One sample of an ETB word, its lowest bits. */
static void take_field(struct etm_port_units *units, uint32_t field,
                       struct etm_vec *samples, struct etm_diag *diag)
{
    unsigned width = units->config.width;
    uint32_t data = field >> 3 & ((UINT32_C(1) << width) - 1);
    unsigned top = field >> (3 + width) & 1;
    bool v1 = units->config.protocol == ETM_PROTOCOL_ETMV1;

    if (v1)
        add(units, samples, top, field & 7, data, diag);
    else
        add(units, samples, 0, (field & 7) | top << 3, data, diag);
}

static void take_word(struct etm_port_units *units, struct etm_vec *samples,
                      struct etm_diag *diag)
{
    uint32_t word = etm_le32(units->unit);
    unsigned width = units->config.width;
    unsigned n = width == 4 ? 3 : width == 8 ? 2 : 1;

    for (unsigned i = 0; i < n && units->status == ETM_OK; i++)
        take_field(units, word >> i * (width + 4), samples, diag);
}

static void take_openocd(struct etm_port_units *units, struct etm_vec *samples,
                         struct etm_diag *diag)
{
    uint32_t status = etm_be(units->unit, 4);
    uint32_t data = etm_be(units->unit + 4, 4);
    uint32_t flags = etm_be(units->unit + 8, 4);

    if (!units->headed) {
        units->headed = true;
        units->left = flags;
        return;
    }
    if (units->left == 0)
        fail(units, "a sample after the last one", status, diag);
    else if (status > 7)
        fail(units, "PIPESTAT", status, diag);
    else if (data >> units->config.width != 0)
        fail(units, "TRACEPKT", data, diag);
    else if ((flags & ~(OPENOCD_TRACESYNC | OPENOCD_TRIGGER)) != 0)
        fail(units, "a word of flags", flags, diag);
    else
        add(units, samples, flags & OPENOCD_TRACESYNC,
            (flags & OPENOCD_TRIGGER) != 0 ? PIPESTAT_TR : status, data, diag);
    units->left--;
}

static void take_unit(struct etm_port_units *units, struct etm_vec *samples,
                      struct etm_diag *diag)
{
    switch (units->form) {
    case ETM_PORT_FORM_RECORDS:
        take_record(units, samples, diag);
        break;
    case ETM_PORT_FORM_ETB:
        take_word(units, samples, diag);
        break;
    case ETM_PORT_FORM_BYTES:
        take_field(units, units->unit[0], samples, diag);
        break;
    case ETM_PORT_FORM_OPENOCD:
        take_openocd(units, samples, diag);
        break;
    case ETM_PORT_FORM_AUTO:
    case ETM_PORT_FORM_TEXT:
    case ETM_PORT_FORM_VCD:
    case ETM_PORT_FORM_CSV:
        break;
    }
}

int etm_port_units_push(struct etm_port_units *units, const uint8_t *bytes,
                        size_t n, struct etm_vec *samples,
                        struct etm_diag *diag)
{
    while (n > 0 && units->status == ETM_OK) {
        size_t more = (size_t)units->size - units->fill;

        more = more < n ? more : n;
        memcpy(units->unit + units->fill, bytes, more);
        units->fill = (uint8_t)(units->fill + more);
        bytes += more;
        n -= more;
        if (units->fill < units->size)
            break;
        take_unit(units, samples, diag);
        units->offset += units->size;
        units->fill = 0;
    }
    return units->status;
}

int etm_port_units_finish(struct etm_port_units *units, struct etm_vec *samples,
                          struct etm_diag *diag)
{
    bool headless = units->form == ETM_PORT_FORM_OPENOCD && !units->headed;

    /* only a file of OpenOCD has its length */
    if (units->status == ETM_OK && units->fill > 0 &&
        units->form != ETM_PORT_FORM_OPENOCD) {
        units->fill = 0;
        add(units, samples, 0, ETM_PORT_LOST, 0, diag);
    }

    if (units->status != ETM_OK ||
        (units->fill == 0 && units->left == 0 && !headless))
        return units->status;
    units->status = etm_diag_begin(diag, ETM_ERR_FORMAT, NULL);
    if (diag != NULL)
        diag->offset = units->offset;
    etm_diag_text(diag, "the file ends ");
    if (units->fill > 0 || headless) {
        etm_diag_text(diag, "within a sample");
    } else {
        etm_diag_dec(diag, units->left);
        etm_diag_text(diag, " samples too early");
    }
    return units->status;
}
