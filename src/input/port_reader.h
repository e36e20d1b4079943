/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files with samples of a trace port, a piece at a time.
 *
 *     text ─────────────────────────── port/pins_text.c ─┐
 *     fixed units of bytes ─────────── port_units.c ─────┤
 *     value changes ─ vcd.c ─ edges ─ port/pins_clock.c ─┴► samples
 *     tables ─ csv.c ─► value changes
 */
#ifndef ETM_INPUT_PORT_READER_H
#define ETM_INPUT_PORT_READER_H

#include "input/csv.h"
#include "input/vcd.h"
#include "port/pins.h"

/* port_units.c */

/* Bytes of the longest unit: a record of OpenOCD. */
#define ETM_PORT_UNIT_MAX 12u

/*
 * Forms whose samples are in units of a fixed size:
 *
 *     records   one sample, see proto/sample.h
 *     etb       a 32-bit word; the earliest sample is the lowest. Each sample
 *               has PIPESTAT[2:0], TRACEPKT and, highest, TRACESYNC or
 *               PIPESTAT[3]; a port of 4 pins has one every 8 bits, of 8 pins
 *               every 12 bits, of 16 pins one a word
 *     bytes     as etb with 4 pins, but one sample a byte
 *     openocd   after a header of three words (status of the capture, ETMCR,
 *               number of samples) three words a sample, the highest byte
 *               first: PIPESTAT, TRACEPKT, flags. Flag 0 is TRACESYNC. Flag 1
 *               is a trigger: PIPESTAT is then that of the instruction, not
 *               what was on the pins
 */
struct etm_port_units {
    struct etm_port_config config;
    enum etm_port_form form;
    uint8_t size; /* bytes of a unit */
    uint8_t fill; /* bytes that wait for the rest of theirs */
    uint8_t unit[ETM_PORT_UNIT_MAX];
    uint64_t offset; /* of the unit in the file */
    uint64_t left;   /* openocd: samples that the header promises */
    bool headed;     /* openocd: the header was read */
    int status;      /* sticky */
};

/* Read ETMCR from the header of a file of OpenOCD; false if `bytes` is no such
 * file. `n` is the size of the file. */
bool etm_port_openocd_header(const uint8_t *bytes, size_t n, uint32_t *etmcr);

/* Whether two of three samples of such a file have only bit 0 of PIPESTAT:
 * OpenOCD extracts them so from the words of an ETB with 4 pins. */
bool etm_port_openocd_is_cut(const uint8_t *bytes, size_t n);

/* ETM_OK, ETM_ERR_CONFIG: such a port has no such file. */
int etm_port_units_init(struct etm_port_units *units,
                        const struct etm_port_config *config,
                        enum etm_port_form form, struct etm_diag *diag);
int etm_port_units_push(struct etm_port_units *units, const uint8_t *bytes,
                        size_t n, struct etm_vec *samples,
                        struct etm_diag *diag);
int etm_port_units_finish(struct etm_port_units *units, struct etm_vec *samples,
                          struct etm_diag *diag);

/* port_reader.c */

struct etm_port_reader_config {
    struct etm_port_config port;
    enum etm_port_form form; /* not AUTO */
    const char *signals;     /* VCD: see vcd.h; NULL: the usual names */
    bool formatted;          /* VCD: also a port without TRACECTL */
};

struct etm_port_reader {
    const struct etm_port_form_row *row; /* NULL: no fini is due */
    enum etm_port_form form;
    bool started; /* the text itself, after its byte order mark */
    uint8_t mark; /* bytes of that mark so far */
    struct etm_port_text text;
    struct etm_port_units units;
    struct etm_vcd vcd;
    struct etm_csv csv;
};

/* The form of a file, by its first bytes and its size. */
enum etm_port_form etm_port_form_of(const uint8_t *bytes, size_t n);

/* Whether these bytes are enough to tell text from a table: a line that is
 * neither blank nor a comment is complete. */
bool etm_port_form_is_clear(const uint8_t *bytes, size_t n);

/* Whether text may be samples of our own form, by its first line with
 * anything on it. */
bool etm_port_form_is_samples(const uint8_t *bytes, size_t n);

/* swo.c: is it a value change dump with a pin that is called SWO, or with no
 * other variable than one of one bit; or a table of bytes (serial.h)?
 * ETM_ERR_MEMORY. */
int etm_swo_is_named(const uint8_t *bytes, size_t n,
                     const struct etm_allocator *allocator, bool *is);

/* Does the form have signals with names? */
bool etm_port_form_is_named(enum etm_port_form form);

/*
 * The number of pins of TRACEPKT or TRACEDATA that such a file declares, which
 * is the width of its port; 0 if it does not say. `config` needs no width.
 * ETM_ERR_MEMORY.
 */
int etm_port_form_width(enum etm_port_form form,
                        const struct etm_port_config *config,
                        const char *signals, const uint8_t *bytes, size_t n,
                        unsigned *width);

/*
 * fini is due afterwards, also after a failure. ETM_ERR_ARGUMENT,
 * ETM_ERR_CONFIG: there is no such port, or it has no such file; `signals` is
 * not understood. ETM_ERR_UNSUPPORTED: as etm_port_clock_init().
 */
int etm_port_reader_init(struct etm_port_reader *reader,
                         const struct etm_port_reader_config *config,
                         struct etm_diag *diag);
void etm_port_reader_fini(struct etm_port_reader *reader);

/* Number of bytes of a file to push at a time, at most `most`: few if a line
 * may give a million samples (a dump that is sampled with a period). */
size_t etm_port_reader_piece(const struct etm_port_reader *reader, size_t most);

/*
 * Convert `n` bytes, borrowed for the call, to samples (struct
 * etm_port_sample), which are appended. The samples do not depend on how the
 * file is divided into calls. Damaged records are ETM_PORT_LOST.
 * ETM_ERR_FORMAT: *diag has the line of a text, or the offset in other files;
 * ETM_ERR_MEMORY.
 */
int etm_port_reader_push(struct etm_port_reader *reader, const uint8_t *bytes,
                         size_t n, struct etm_vec *samples,
                         struct etm_diag *diag);

/* The end of the file. Errors as for etm_port_reader_push(). */
int etm_port_reader_finish(struct etm_port_reader *reader,
                           struct etm_vec *samples, struct etm_diag *diag);

#endif
