/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of files that are read (test/README.md). */
#ifndef ETM_TEST_INPUT_SCENARIO_H
#define ETM_TEST_INPUT_SCENARIO_H

#include "capture_support.h"

#include <etm/session.h>

#include "../support/case_words.h"
#include "../support/scarce.h"

/* The file that was written last. */
struct content {
    uint8_t bytes[1 << 21];
    size_t n;
};

extern struct content content;

extern const struct named framings[6], forms[8], profiles[4], endians[4];

#define IMAGES 4u
#define REGISTERS 8u

/* What cases are about: a capture, or a session of one, in whose place
 * `capture` is. */
struct subject {
    bool open, skipped, is_session;
    bool told;    /* there are options: else NULL is given */
    char raw[64]; /* the name of a raw file; empty: a snapshot */
    int status;
    struct etm_diag diag;
    struct etm_session_options options;
    struct etm_session_fallback fallback;
    char paths[IMAGES][1024], signals[200];
    const char *images[IMAGES];
    struct etm_register registers[REGISTERS], fallback_registers[REGISTERS];
    struct etm_session *session;
};

extern struct subject subject;

/* scenario_open.c: folders and files that are opened. */
void capture_reset(void); /* nothing was said of how to open it */
void capture_begin(void); /* nothing is open */
bool good_snapshot(struct words *w);
bool open_options(struct words *w);
bool session_options(struct words *w);
bool need_elf_files(struct words *w);
bool need_file(struct words *w);
bool stopped(void);
bool capture_refused(struct words *w);
bool capture_without(struct words *w);
bool capture_scarce(void);
const char *subject_path(const char *name);
bool subject_is_open(void);
int subject_open(const struct etm_allocator *allocator, struct etm_diag *diag);

/* `FILE[:LINE] "TEXT"` is what *diag says. */
bool says(const struct etm_diag *diag, char *place, const char *text);

/* scenario_capture.c: what is expected of it. */
bool capture_expect(struct words *w);
void tell_config(struct scenario_text *t, const struct etm_config *c);
void tell_registers(struct scenario_text *t, const struct etm_register *r,
                    size_t n);
bool has_words(const struct scenario_text *is, const struct words *w,
               unsigned from);

/* ../session/scenario_session.c: what is expected of a session alone. */
int session_open(const struct etm_allocator *allocator, struct etm_diag *diag);
void session_close(void);
int session_run(struct etm_diag *diag); /* all elements of its first source */
extern const struct verb session_expected[];
bool session_tell(const char *what, size_t i, struct scenario_text *t);

/* A part of a source by so many threads, after what there is. */
struct etm_test_elements;
bool add_part(size_t source, uint64_t begin, uint64_t end,
              enum etm_session_start start, unsigned jobs,
              struct etm_test_elements *to);

/* TEXT; TEXT ... from the fourth word on are the texts of `n` things; without
 * `offsets` their first words may differ. */
typedef void text_fn(const void *all, size_t i, struct scenario_text *t);
bool these_texts(const struct words *w, const void *all, size_t n, text_fn *add,
                 bool offsets);

/* ../session/scenario_points.c */
bool expect_points(struct words *w);

/* ../session/scenario_names.c: names of its addresses. */
extern const struct verb names_expected[];

/* ../session/scenario_files.c: files that are made. */
bool frames_file(struct words *w);
bool samples_file(struct words *w);
bool pins_file(struct words *w);

/* The text of a file of the good snapshot, or of a part of one: "CPU"; NULL:
 * there is none. */
const char *good_file(const char *name);
const char *good_part(const char *name, size_t n);

/* scenario_perf.c: files of perf, which are perf.data of the folder; its last
 * lines. */
bool perf_verb(struct words *w);
extern const struct verb perf_ends[];
bool perf_symbol(struct words *w);
void tell_mapping(struct scenario_text *t, size_t i);

/* scenario_port.c: samples of a port. */
bool is_port(void);
void port_begin(void);
bool port_line(struct words *w);
bool port_signals(const char *text);
bool port_expect(struct words *w);
bool port_refused(struct words *w);
bool port_scarce(void);

#endif
