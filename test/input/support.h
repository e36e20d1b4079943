/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of src/input share: files in a directory of their own. */
#ifndef ETM_TEST_INPUT_SUPPORT_H
#define ETM_TEST_INPUT_SUPPORT_H

#include "../support/status.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* For a group's setup and teardown: make a directory, remove it. */
int make_directory(void **state);
int remove_directory(void **state);

/* Remove all files in it; a test's setup. */
int empty_directory(void **state);

/* The path of a file in the directory; valid until the fourth next call. */
const char *in_directory(const char *name);

/* The path of a file of test/data; valid until the next call. */
const char *data_path(const char *name);

/* Skip a test in a build that reads no ELF files. */
void need_elfutils(void);

void write_file(const char *name, const void *bytes, size_t n);

/* A process that writes these bytes into a new pipe, so many at a time and
 * slowly if they are not all of them; and the end of it and the pipe. */
pid_t write_pipe(const char *name, const uint8_t *bytes, size_t n,
                 size_t piece);
void end_pipe(pid_t child, const char *name);

/* A file of test/data, in the test's directory under its own name. */
void copy_data(const char *name);
void write_text(const char *name, const char *text);

/* The sentence of *diag must hold `part`; its source must end with `source`;
   the line must be `line` unless that is 0. */
void expect_diag(const struct etm_diag *diag, int status, const char *source,
                 unsigned line, const char *part);

#endif
