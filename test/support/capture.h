/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures of real chips for tests: where they are, how their sources are
 * configured, and the plainest possible way to their bytes, which shares
 * nothing with src/port and src/input.
 *
 * The captures are not part of the project; without them tests skip. They are
 * looked for in the directory named by the environment variable ETM_SHARED.
 */
#ifndef ETM_TEST_SUPPORT_CAPTURE_H
#define ETM_TEST_SUPPORT_CAPTURE_H

#include <etm/decode.h>

struct etm_test_source {
    const char *name;     /* "tc2/0x10" */
    const char *capture;  /* file of formatted trace */
    const char *program;  /* file of code: ELF, or a binary at `address` */
    const char *snapshot; /* directory with a snapshot.ini; NULL: none */
    uint32_t address;     /* ETM_TEST_ELF: it is an ELF file */
    uint32_t etmcr, etmidr, etmccer;
    enum etm_profile profile;
    uint8_t id;
};
#define ETM_TEST_ELF UINT32_MAX

extern const struct etm_test_source etm_test_sources[];
extern const size_t etm_test_n_sources;

/* The source of that name; fails the program if there is none. */
const struct etm_test_source *etm_test_source(const char *name);

struct etm_test_bytes {
    uint8_t *data;
    size_t n;
};

/* The path of a file below ETM_SHARED; false when that is not given. */
bool etm_test_shared_path(const char *name, char *path, size_t capacity);

/* Read such a file. False, with a printed message, when it is missing. */
bool etm_test_shared(const char *name, struct etm_test_bytes *bytes);

/*
 * The bytes of one trace ID in 16-byte formatter frames (CoreSight formatter
 * protocol), one frame after the other from the first byte on; at[i] is the
 * place in the file of byte i. Not fast, and knows nothing of damage.
 */
struct etm_test_stream {
    uint8_t *bytes;
    uint32_t *at;
    size_t n;
};

void etm_test_deframe(const uint8_t *file, size_t n, uint8_t id,
                      struct etm_test_stream *stream);
void etm_test_stream_free(struct etm_test_stream *stream);

/* A source with its trace, configuration and code. */
struct etm_test_capture {
    struct etm_test_bytes file;
    struct etm_test_bytes program;
    struct etm_test_stream stream;
    struct etm_config config;
    struct etm_image *image;
};

/* False when its files are missing. */
bool etm_test_open(const struct etm_test_source *source,
                   struct etm_test_capture *capture);
void etm_test_close(struct etm_test_capture *capture);

/* A growing array of elements. */
struct etm_test_elements {
    struct etm_element *all;
    size_t n, capacity;
};

/* An etm_element_fn; `context` is a struct etm_test_elements. */
int etm_test_collect(void *context, const struct etm_element *elements,
                     size_t n);

/* The configuration of a decoder that gives elements to *out, which has none
 * any more. */
struct etm_decoder_config etm_test_collecting(const struct etm_config *config,
                                              const struct etm_image *image,
                                              enum etm_level level,
                                              struct etm_test_elements *out);

/* Decode a whole stream; what came before in *out is dropped. */
int etm_test_decode(const struct etm_config *config,
                    const struct etm_image *image, enum etm_level level,
                    const uint8_t *bytes, size_t n,
                    struct etm_test_elements *out);

/* Two elements say the same. */
bool etm_test_same(const struct etm_element *a, const struct etm_element *b);

/* Two lists have as many elements, which say the same. */
bool etm_test_same_all(const struct etm_test_elements *a,
                       const struct etm_test_elements *b);

/* xorshift: the same numbers on every machine. */
uint32_t etm_test_random(uint32_t *state);

#endif
