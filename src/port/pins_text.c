/* SPDX-License-Identifier: Apache-2.0 */
/* Trace port samples as text. The form is described in pins.h. */
#include "port/pins.h"

#include "base/diag.h"
#include "base/number.h"

static uint64_t ones(unsigned n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

void etm_port_text_init(struct etm_port_text *text,
                        const struct etm_port_config *config)
{
    *text = (struct etm_port_text){.line = 1};
    if (etm_port_is_stream(config)) {
        text->columns = 2;
        text->names[0] = "TRACECTL";
        text->limits[0] = 1;
        text->names[1] = "TRACEDATA";
        text->limits[1] = ones(config->width);
        return;
    }
    text->columns = 3;
    text->names[0] = "TRACESYNC";
    text->limits[0] = config->protocol == ETM_PROTOCOL_ETMV1 ? 1 : 0;
    text->names[1] = "PIPESTAT";
    text->limits[1] = config->protocol == ETM_PROTOCOL_ETMV1 ? 7 : 15;
    text->names[2] = "TRACEPKT";
    text->limits[2] = ones(config->width);
}

static void fail(struct etm_port_text *text, struct etm_diag *diag)
{
    text->status = etm_diag_begin(diag, ETM_ERR_FORMAT, NULL);
    if (diag != NULL)
        diag->line = text->line;
}

static void say_columns(const struct etm_port_text *text, struct etm_diag *diag)
{
    etm_diag_text(diag, "a line of port samples has the numbers");
    for (unsigned i = 0; i < text->columns; i++) {
        etm_diag_text(diag, " ");
        etm_diag_text(diag, text->names[i]);
    }
}

static void fail_columns(struct etm_port_text *text, struct etm_diag *diag)
{
    fail(text, diag);
    say_columns(text, diag);
}

/* One more digit of a number. */
static void add_digit(struct etm_port_text *text, unsigned digit,
                      struct etm_diag *diag)
{
    uint64_t limit;

    if (text->column == text->columns) {
        fail_columns(text, diag);
        return;
    }
    limit = text->limits[text->column];
    if (text->value > limit >> 4 || (text->value << 4 | digit) > limit) {
        fail(text, diag);
        etm_diag_text(diag, text->names[text->column]);
        etm_diag_text(diag, " is larger than ");
        etm_diag_hex(diag, limit);
        etm_diag_text(diag, "; ");
        if (text->column + 1 == text->columns)
            etm_diag_text(
                diag, "the number of pins comes from ETMCR, or --port-width");
        else
            say_columns(text, diag);
        return;
    }
    text->value = text->value << 4 | digit;
    text->digits = true;
}

static void end_number(struct etm_port_text *text)
{
    if (!text->digits)
        return;
    text->values[text->column++] = text->value;
    text->value = 0;
    text->digits = false;
}

static void end_line(struct etm_port_text *text, struct etm_vec *samples,
                     struct etm_diag *diag)
{
    struct etm_port_sample sample;

    text->comment = false;
    if (text->column != 0) {
        if (text->column != text->columns) {
            fail_columns(text, diag);
            return;
        }
        sample = (struct etm_port_sample){
            .data = text->values[text->columns - 1],
            .control = (uint8_t)text->values[0],
            .status = text->columns == 3 ? (uint8_t)text->values[1] : 0,
        };
        if (etm_vec_append(samples, &sample, 1) != ETM_OK)
            text->status = etm_diag_begin(diag, ETM_ERR_MEMORY, NULL);
    }
    text->column = 0;
    text->line++;
}

static void add_character(struct etm_port_text *text, char c,
                          struct etm_vec *samples, struct etm_diag *diag)
{
    unsigned digit;

    if (c == '\n') {
        end_number(text);
        end_line(text, samples, diag);
        return;
    }
    if (text->comment)
        return;
    digit = etm_digit(c);
    if (digit != ETM_NO_DIGIT) {
        add_digit(text, digit, diag);
        return;
    }
    end_number(text);
    if (c == '#') {
        text->comment = true;
    } else if (c != ' ' && c != '\t' && c != '\r') {
        fail(text, diag);
        etm_diag_text(diag, "the character ");
        etm_diag_hex(diag, (unsigned char)c);
        etm_diag_text(diag, " is not a hexadecimal digit");
    }
}

int etm_port_text_push(struct etm_port_text *text, const char *characters,
                       size_t n, struct etm_vec *samples, struct etm_diag *diag)
{
    for (size_t i = 0; i < n && text->status == ETM_OK; i++)
        add_character(text, characters[i], samples, diag);
    return text->status;
}

int etm_port_text_finish(struct etm_port_text *text, struct etm_vec *samples,
                         struct etm_diag *diag)
{
    if (text->status == ETM_OK) {
        end_number(text);
        end_line(text, samples, diag);
    }
    return text->status;
}

/* `value` with as many digits as `limit` needs. */
static char *put_hex(char *out, uint64_t value, uint64_t limit)
{
    unsigned digits = 1;

    while (digits < 16 && limit >> (4 * digits) != 0)
        digits++;
    while (digits-- != 0)
        *out++ = "0123456789abcdef"[value >> (4 * digits) & 15];
    return out;
}

size_t etm_port_text_line(const struct etm_port_config *config,
                          const struct etm_port_sample *sample,
                          char line[ETM_PORT_LINE_MAX])
{
    uint64_t limit = ones(config->width);
    char *out = put_hex(line, sample->control, 1);

    *out++ = ' ';
    if (!etm_port_is_stream(config)) {
        out = put_hex(out, sample->status, 15);
        *out++ = ' ';
    }
    out = put_hex(out, sample->data & limit, limit);
    *out++ = '\n';
    *out = '\0';
    return (size_t)(out - line);
}
