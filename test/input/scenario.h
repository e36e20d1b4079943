/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of files that are read (test/README.md). */
#ifndef ETM_TEST_INPUT_SCENARIO_H
#define ETM_TEST_INPUT_SCENARIO_H

#include "capture_support.h"

#include "../support/cases.h"
#include "../support/scarce.h"

/* The file that was written last. */
struct content {
    uint8_t bytes[1 << 17];
    size_t n;
};

extern struct content content;

/* Words that have a number. */
struct named {
    const char *name;
    int value;
};

#define NAMED(list, word, value)                                               \
    named(list, sizeof(list) / sizeof *(list), word, value)

/* False: it is wrong. */
bool named(const struct named *list, size_t n, const char *word, int *value);
bool number(const char *text, int base, uint64_t *value);

extern const struct named protocols[6], statuses[6];

/* `WORD=VALUE`: its value; NULL: it is another word. */
char *value_of(char *word, const char *name);

/* scenario_capture.c: folders and files that are opened as captures. */
void capture_reset(void); /* nothing was said of how to open it */
void capture_begin(void); /* nothing is open */
bool good_snapshot(struct words *w);
bool open_options(struct words *w);
bool need_elf_files(struct words *w);
bool stopped(void);
bool capture_expect(struct words *w);
bool capture_refused(struct words *w);
bool capture_without(struct words *w);
bool capture_scarce(void);

/* The text of a file of the good snapshot, or of a part of one: "CPU"; NULL:
 * there is none. */
const char *good_file(const char *name);
const char *good_part(const char *name, size_t n);

/* scenario_port.c: samples of a port. */
bool is_port(void);
void port_begin(void);
bool port_line(struct words *w);
bool port_signals(const char *text);
bool port_expect(struct words *w);
bool port_refused(struct words *w);
bool port_scarce(void);

#endif
