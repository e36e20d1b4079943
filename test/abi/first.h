/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program of the first version sees of the library: public structs and
 * functions as they were then (doc/abi.md). It stays as it is.
 */
#ifndef TEST_ABI_FIRST_H
#define TEST_ABI_FIRST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct etm_allocator;
struct etm_count;
struct etm_decoder;
struct etm_image;
struct etm_listing;
struct etm_packet;
struct etm_session;

struct etm_diag {
    int status;
    char what[256];
    char source[256];
    uint64_t line;
    uint64_t offset;
    uint64_t address;
    uint64_t reserve[4];
};

enum etm_isa {
    ETM_ISA_UNKNOWN,
    ETM_ISA_ARM,
    ETM_ISA_THUMB,
    ETM_ISA_THUMBEE,
    ETM_ISA_JAZELLE,
};

enum etm_protocol {
    ETM_PROTOCOL_NONE,
    ETM_PROTOCOL_ETMV1,
    ETM_PROTOCOL_ETMV2,
    ETM_PROTOCOL_ETMV3,
    ETM_PROTOCOL_PFT,
};

enum etm_framing {
    ETM_FRAMING_NONE,
    ETM_FRAMING_CORESIGHT,
    ETM_FRAMING_DSTREAM,
    ETM_FRAMING_TPIU,
    ETM_FRAMING_PORT,
    ETM_FRAMING_TPIU_PORT,
};

enum etm_port_form {
    ETM_PORT_FORM_AUTO,
    ETM_PORT_FORM_TEXT,
    ETM_PORT_FORM_VCD,
    ETM_PORT_FORM_OPENOCD,
    ETM_PORT_FORM_RECORDS,
    ETM_PORT_FORM_ETB,
    ETM_PORT_FORM_BYTES,
    ETM_PORT_FORM_CSV,
};

enum etm_profile {
    ETM_PROFILE_UNKNOWN = 0,
    ETM_PROFILE_A,
    ETM_PROFILE_R,
    ETM_PROFILE_M,
};

enum etm_endian {
    ETM_ENDIAN_UNKNOWN = 0,
    ETM_ENDIAN_LITTLE,
    ETM_ENDIAN_BE8,
    ETM_ENDIAN_BE32
};

struct etm_config {
    size_t size;
    enum etm_protocol protocol;
    enum etm_profile profile;
    uint8_t minor;
    uint8_t trace_id;
    _Bool cycle_accurate;
    uint8_t context_id_bytes;
    _Bool data_value;
    _Bool data_address;
    _Bool cprt;
    _Bool cprt_filter;
    _Bool data_only;
    _Bool branch_broadcast;
    _Bool timestamps;
    _Bool return_stack;
    _Bool vmid;
    _Bool pc_first;
    _Bool thumb32_split;
    _Bool security;
    _Bool alternative_branches;
    _Bool return_stack_implemented;
    _Bool barriers_are_waypoints;
    _Bool virtualization;
    _Bool timestamp_binary;
    _Bool timestamp_64bit;
    uint32_t sync_period;
    uint8_t port_width;
    _Bool high_vectors;
    enum etm_endian endian;
    uint8_t coprocessor_words[16][2];
    uint64_t reserve[8];
};

struct etm_register {
    char name[24];
    uint32_t number;
    uint64_t value;
};

typedef int etm_count_fn(void *context, const struct etm_count *count);

enum etm_element_kind {
    ETM_ELEMENT_TRACE_ON,
    ETM_ELEMENT_LOST,
    ETM_ELEMENT_CONTEXT,
    ETM_ELEMENT_RANGE,
    ETM_ELEMENT_INSN,
    ETM_ELEMENT_NO_IMAGE,
    ETM_ELEMENT_EXCEPTION,
    ETM_ELEMENT_EXCEPTION_RETURN,
    ETM_ELEMENT_DATA,
    ETM_ELEMENT_CYCLES,
    ETM_ELEMENT_TIMESTAMP,
    ETM_ELEMENT_TRIGGER,
    ETM_ELEMENT_END,
};

struct etm_element {
    uint64_t offset;
    uint8_t kind;
    uint8_t source;
    _Bool since_known;
    uint32_t since;
    union {
        struct {
            uint8_t reason;
        } trace_on;
        struct {
            uint8_t reason;
            uint64_t bytes;
        } lost;
        struct {
            uint8_t isa;
            uint8_t secure;
            uint8_t hyp;
            _Bool context_id_known, vmid_known;
            uint8_t vmid;
            uint32_t context_id;
        } context;
        struct {
            uint8_t isa;
            uint8_t last_type;
            uint8_t last_exec;
            uint8_t last_flags;
            uint32_t start;
            uint32_t end;
            uint32_t n;
            uint32_t last_address;
            uint64_t cycles;
        } range;
        struct {
            uint8_t isa;
            uint8_t type;
            uint8_t exec;
            uint8_t flags;
            uint8_t size;
            uint32_t address;
            uint32_t opcode;
            uint64_t cycles;
        } insn;
        struct {
            uint32_t address;
        } no_image;
        struct {
            uint16_t number;
            uint16_t irq;
            uint8_t type;
            uint8_t resume;
            _Bool return_known, cancels_known;
            uint32_t return_address;
            uint32_t cancels;
        } exception;
        struct {
            _Bool insn_known, address_known, value_known;
            uint8_t size;
            uint8_t store;
            uint8_t index;
            uint8_t status;
            uint8_t be8;
            uint8_t reg_kind;
            uint8_t reg;
            uint32_t insn;
            uint32_t address;
            uint32_t padding; /* also where 64-bit numbers need none */
            uint64_t value;
        } data;
        struct {
            uint64_t n;
        } cycles;
        struct {
            uint64_t value;
        } timestamp;
    } u;
};

enum etm_level {
    ETM_LEVEL_RANGES = 0,
    ETM_LEVEL_INSTRUCTIONS,
    ETM_LEVEL_COUNTS,
    ETM_LEVEL_COVERAGE
};

typedef int etm_element_fn(void *context, const struct etm_element *elements,
                           size_t n);

struct etm_decoder_config {
    size_t size;
    const struct etm_config *config;
    const struct etm_image *image;
    enum etm_level level;
    etm_element_fn *elements;
    void *context;
    const struct etm_allocator *allocator;
};

int etm_decoder_new(struct etm_decoder **decoder,
                    const struct etm_decoder_config *config);

int etm_decoder_push(struct etm_decoder *decoder, const uint8_t *bytes,
                     size_t n);

int etm_decoder_finish(struct etm_decoder *decoder);

void etm_decoder_free(struct etm_decoder *decoder);

struct etm_symbol {
    const char *name;
    uint32_t offset;
    uint32_t size;
    uint64_t reserve[2];
};

struct etm_source_line {
    const char *file;
    const char *text;
    uint32_t line;
    uint64_t reserve[2];
};

struct etm_line_range;
struct etm_function;
typedef int etm_line_fn(void *context, const struct etm_line_range *line);
typedef int etm_function_fn(void *context, const struct etm_function *function);

struct etm_names {
    int (*symbol)(void *context, uint32_t address, struct etm_symbol *symbol);
    int (*line)(void *context, uint32_t address,
                  struct etm_source_line *line);
    void *context;
    int (*lines)(void *context, etm_line_fn *fn, void *fn_context);
    int (*functions)(void *context, etm_function_fn *fn, void *fn_context);
};

struct etm_session_options {
    size_t size;
    enum etm_protocol protocol;
    enum etm_profile profile;
    enum etm_framing framing;
    const struct etm_register *registers;
    size_t n_registers;
    const char *const *images;
    size_t n_images;
    const struct etm_allocator *allocator;
    enum etm_port_form form;
    const char *signals;
    uint8_t port_width;
    _Bool high_vectors;
    enum etm_endian endian;
    uint8_t coprocessor_words[16][2];
    _Bool once;
    const char *sysroot;
    _Bool framing_told;
    _Bool guess;
    uint8_t reverse_bytes;
    const struct etm_session_fallback *fallback;
    _Bool protocol_sure;
};

struct etm_session_fallback {
    size_t size;
    const struct etm_register *registers;
    size_t n_registers;
    enum etm_profile profile;
};

int etm_session_open(struct etm_session **session, const char *path,
                     const struct etm_session_options *options,
                     struct etm_diag *diag);

void etm_session_free(struct etm_session *session);

struct etm_source_info {
    const char *name;
    const char *type;
    const char *why_not;
    const char *core;
    const char *core_type;
    struct etm_config config;
    const struct etm_register *registers;
    size_t n_registers;
    const struct etm_image *image;
    size_t n_buffers;
    uint8_t id;
    const char *code_missing;
    _Bool guessed;
    size_t n_guessed;
};

size_t etm_session_sources(const struct etm_session *session);

const struct etm_source_info *
etm_session_source(const struct etm_session *session, size_t index);

struct etm_buffer_info {
    const char *name;
    const char *path;
    uint64_t bytes;
    enum etm_framing framing;
    enum etm_port_form form;
    uint8_t first_frame;
    _Bool doubt;
    uint8_t swapped;
    _Bool bare;
    _Bool blocks;
    _Bool guessed;
    _Bool reversed;
};

size_t etm_session_buffers(const struct etm_session *session);

const struct etm_buffer_info *
etm_session_buffer(const struct etm_session *session, size_t index);

typedef int etm_session_packet_fn(void *context,
                                  const struct etm_packet *packets, size_t n,
                                  const uint8_t *bytes);

typedef int etm_session_gap_fn(void *context, uint64_t lost);

typedef int etm_session_bytes_fn(void *context, const uint8_t *bytes, size_t n);

typedef int etm_session_buffer_fn(void *context, size_t buffer);

typedef int etm_session_progress_fn(void *context, uint64_t done,
                                     uint64_t total);

typedef int etm_session_idle_fn(void *context);

enum etm_session_start { ETM_START_SYNC = 0, ETM_START_JOIN };

struct etm_portions {
    size_t size;
    int (*begin)(void *context, unsigned thread, void **portion);
    int (*elements)(void *portion, const struct etm_element *elements,
                    size_t n);
    int (*end)(void *portion);
    int (*take)(void *context, void *portion);
    void (*free)(void *context, void *portion);
    void *context;
    size_t element_size;
};

struct etm_session_run {
    size_t size;
    enum etm_level level;
    etm_element_fn *elements;
    etm_session_packet_fn *packets;
    etm_session_bytes_fn *bytes;
    etm_session_buffer_fn *buffer;
    etm_session_progress_fn *progress;
    void *context;
    unsigned jobs;
    uint64_t begin, end;
    enum etm_session_start start;
    const struct etm_portions *portions;
    etm_count_fn *counts;
    etm_session_idle_fn *idle;
    uint64_t *cycles;
    etm_session_gap_fn *gap;
};

int etm_session_run_source(const struct etm_session *session, size_t source,
                           const struct etm_session_run *run,
                           struct etm_diag *diag);

struct etm_point {
    size_t size;
    uint64_t offset;
    uint64_t position;
    uint64_t stream;
    uint64_t time;
    uint64_t cycles;
    uint32_t address;
    uint32_t context_id;
    uint8_t isa;
    uint8_t reason;
    _Bool position_known;
    _Bool time_known;
    _Bool cycles_known;
    _Bool address_known;
    _Bool has_reason;
    _Bool context_id_known;
};

typedef int etm_point_fn(void *context, const struct etm_point *point);

struct etm_session_points {
    size_t size;
    etm_point_fn *point;
    etm_session_progress_fn *progress;
    etm_session_idle_fn *idle;
    void *context;
    const struct etm_point *from;
    struct etm_point *end;
    etm_session_packet_fn *packets;
};

int etm_session_find_points(const struct etm_session *session, size_t source,
                            const struct etm_session_points *how,
                            struct etm_diag *diag);

int etm_session_symbol(const struct etm_session *session, size_t source,
                       uint32_t address, struct etm_symbol *symbol);

int etm_session_line(const struct etm_session *session, size_t source,
                     uint32_t address, struct etm_source_line *line);

typedef int etm_write_fn(void *context, const char *text, size_t n);

struct etm_listing_config {
    size_t size;
    const char *format;
    etm_write_fn *write;
    void *context;
    _Bool colour;
    _Bool cycles;
    _Bool lines;
    unsigned threads;
    const struct etm_allocator *allocator;
};

int etm_listing_new(struct etm_listing **listing,
                    const struct etm_listing_config *config);

struct etm_listing_source {
    size_t size;
    const char *title;
    const struct etm_config *config;
    struct etm_names names;
    uint8_t id;
    const char *name;
};

int etm_listing_begin(struct etm_listing *listing,
                      const struct etm_listing_source *source);

int etm_listing_elements(struct etm_listing *listing,
                         const struct etm_element *elements, size_t n);

int etm_listing_flush(struct etm_listing *listing);

void etm_listing_free(struct etm_listing *listing);

#endif
