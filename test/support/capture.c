/* SPDX-License-Identifier: Apache-2.0 */
#include "capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TC2                                                                    \
    "captures/tc2/cstrace.bin", "captures/tc2/kernel_dump.bin",                \
        "captures/tc2", 0xc0008000u
#define SNOWBALL                                                               \
    "captures/snowball/cstrace.bin", "captures/snowball/kernel_dump.bin",      \
        "captures/snowball", 0xc0008000u
#define STM32                                                                  \
    "captures/stm32f105/trace.tpiu", "captures/stm32f105/trace_example.elf",   \
        NULL, ETM_TEST_ELF

const struct etm_test_source etm_test_sources[] = {
    {"tc2/0x10", TC2, 0x10001860, 0x410cf250, 0x344008f2, ETM_PROFILE_A, 0x10},
    {"tc2/0x11", TC2, 0x10001860, 0x410cf250, 0x344008f2, ETM_PROFILE_A, 0x11},
    {"tc2/0x12", TC2, 0x10001860, 0x410cf250, 0x344008f2, ETM_PROFILE_A, 0x12},
    {"tc2/0x13", TC2, 0x10001000, 0x411cf312, 0x34c01ac2, ETM_PROFILE_A, 0x13},
    {"tc2/0x14", TC2, 0x10001000, 0x411cf312, 0x34c01ac2, ETM_PROFILE_A, 0x14},
    {"snowball/0x10", SNOWBALL, 0x10001000, 0x411cf301, 0x000008ea,
     ETM_PROFILE_A, 0x10},
    {"snowball/0x11", SNOWBALL, 0x10001000, 0x411cf301, 0x000008ea,
     ETM_PROFILE_A, 0x11},
    {"stm32f105/2", STM32, 0x00000180, 0x4114f241, 0, ETM_PROFILE_M, 2},
};
const size_t etm_test_n_sources =
    sizeof etm_test_sources / sizeof *etm_test_sources;

/* Tests cannot go on without memory, or with a misspelt name. */
static void *must(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

const struct etm_test_source *etm_test_source(const char *name)
{
    for (size_t i = 0; i < etm_test_n_sources; i++)
        if (strcmp(etm_test_sources[i].name, name) == 0)
            return &etm_test_sources[i];
    abort();
}

bool etm_test_shared_path(const char *name, char *path, size_t capacity)
{
    const char *shared = getenv("ETM_SHARED");
    int n;

    if (shared == NULL)
        return false;
    n = snprintf(path, capacity, "%s/%s", shared, name);
    return n > 0 && (size_t)n < capacity;
}

bool etm_test_shared(const char *name, struct etm_test_bytes *bytes)
{
    char path[1024];
    FILE *file = NULL;
    long size;

    *bytes = (struct etm_test_bytes){NULL, 0};
    if (etm_test_shared_path(name, path, sizeof path))
        file = fopen(path, "rb");
    if (file == NULL) {
        printf("no %s below ETM_SHARED: skipped\n", name);
        return false;
    }
    if (fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0 ||
        fseek(file, 0, SEEK_SET) != 0)
        abort();
    bytes->data = must(malloc((size_t)size + 1));
    bytes->n = fread(bytes->data, 1, (size_t)size, file);
    bytes->data[bytes->n] = 0; /* so that a text ends */
    fclose(file);
    return true;
}

/*
 * A byte at an even place is an ID if its bit 0 is set, else data whose bit 0
 * stands in the last byte. With an ID, the bit in the last byte tells that the
 * next data byte still belongs to the ID before.
 */
void etm_test_deframe(const uint8_t *file, size_t n, uint8_t id,
                      struct etm_test_stream *stream)
{
    unsigned now = 0, later = 0;
    bool late = false;

    stream->n = 0;
    stream->bytes = must(malloc(n + 1));
    stream->at = must(malloc((n + 1) * sizeof *stream->at));
    for (size_t frame = 0; frame + 16 <= n; frame += 16) {
        for (unsigned i = 0; i < 15; i++) {
            uint8_t byte = file[frame + i];
            if (i % 2 == 0) {
                unsigned bit = file[frame + 15] >> (i / 2) & 1u;
                if (byte & 1) {
                    if (bit == 0 || i == 14)
                        now = byte >> 1;
                    late = bit != 0 && i != 14;
                    later = byte >> 1;
                    continue;
                }
                byte |= (uint8_t)bit;
            }
            if (now == id) {
                stream->at[stream->n] = (uint32_t)(frame + i);
                stream->bytes[stream->n++] = byte;
            }
            if (late)
                now = later;
            late = false;
        }
    }
}

void etm_test_stream_free(struct etm_test_stream *stream)
{
    free(stream->bytes);
    free(stream->at);
    *stream = (struct etm_test_stream){NULL, NULL, 0};
}

static uint32_t u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

/* Executable PT_LOAD segments of a little-endian ELF32 file. */
static void add_elf(struct etm_image *image, const struct etm_test_bytes *elf)
{
    uint32_t table = u32(elf->data + 28);
    unsigned n = elf->data[44];

    for (unsigned i = 0; i < n; i++) {
        const uint8_t *segment = elf->data + table + 32 * i;
        if (u32(segment) != 1 || (u32(segment + 24) & 1) == 0)
            continue;
        if (etm_image_add(image, u32(segment + 8), elf->data + u32(segment + 4),
                          u32(segment + 16), NULL) != ETM_OK)
            abort();
    }
}

bool etm_test_open(const struct etm_test_source *source,
                   struct etm_test_capture *capture)
{
    struct etm_register registers[3] = {
        {"ETMCR", 0x00, source->etmcr},
        {"ETMIDR", 0x79, source->etmidr},
        {"ETMCCER", 0x7a, source->etmccer},
    };

    memset(capture, 0, sizeof *capture);
    if (!etm_test_shared(source->capture, &capture->file) ||
        !etm_test_shared(source->program, &capture->program)) {
        etm_test_close(capture);
        return false;
    }
    if (etm_config_from_registers(&capture->config, ETM_PROTOCOL_NONE,
                                  registers, 3, NULL) != ETM_OK ||
        etm_image_new(&capture->image, NULL) != ETM_OK)
        abort();
    capture->config.profile = source->profile;
    capture->config.trace_id = source->id;
    if (source->address == ETM_TEST_ELF)
        add_elf(capture->image, &capture->program);
    else if (etm_image_add(capture->image, source->address,
                           capture->program.data, capture->program.n,
                           NULL) != ETM_OK)
        abort();
    etm_test_deframe(capture->file.data, capture->file.n, source->id,
                     &capture->stream);
    return true;
}

void etm_test_close(struct etm_test_capture *capture)
{
    etm_image_free(capture->image);
    etm_test_stream_free(&capture->stream);
    free(capture->file.data);
    free(capture->program.data);
    memset(capture, 0, sizeof *capture);
}

int etm_test_collect(void *context, const struct etm_element *elements,
                     size_t n)
{
    struct etm_test_elements *out = context;

    if (out->capacity - out->n < n) {
        out->capacity = 2 * out->capacity + n;
        out->all = must(realloc(out->all, out->capacity * sizeof *out->all));
    }
    memcpy(out->all + out->n, elements, n * sizeof *elements);
    out->n += n;
    return ETM_OK;
}

struct etm_decoder_config etm_test_collecting(const struct etm_config *config,
                                              const struct etm_image *image,
                                              enum etm_level level,
                                              struct etm_test_elements *out)
{
    out->n = 0;
    return (struct etm_decoder_config){.size =
                                           sizeof(struct etm_decoder_config),
                                       .config = config,
                                       .image = image,
                                       .level = level,
                                       .elements = etm_test_collect,
                                       .context = out};
}

int etm_test_decode(const struct etm_config *config,
                    const struct etm_image *image, enum etm_level level,
                    const uint8_t *bytes, size_t n,
                    struct etm_test_elements *out)
{
    struct etm_decoder *decoder;
    struct etm_decoder_config how =
        etm_test_collecting(config, image, level, out);
    int status = etm_decoder_new(&decoder, &how);

    if (status == ETM_OK)
        status = etm_decoder_push(decoder, bytes, n);
    if (status == ETM_OK)
        status = etm_decoder_finish(decoder);
    etm_decoder_free(decoder);
    return status;
}

/* A new element is zeroed before it is filled (flow/walk/walk.h), so that bytes
 * can be compared. */
bool etm_test_same(const struct etm_element *a, const struct etm_element *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

bool etm_test_same_all(const struct etm_test_elements *a,
                       const struct etm_test_elements *b)
{
    size_t i = 0;

    while (i < a->n && i < b->n && etm_test_same(&a->all[i], &b->all[i]))
        i++;
    return i == a->n && i == b->n;
}

uint32_t etm_test_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}
