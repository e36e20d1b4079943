/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the bytes of a trace buffer to what ran.
 *
 *     cc decode_buffer.c $(pkg-config --cflags --libs libetm)
 */
#include <etm/etm.h>

#include <inttypes.h>
#include <stdio.h>

/* 8000: movs r0, #3   8002: subs r0, #1   8004: bne 8002   8006: bx lr */
static const uint8_t code[] = {0x03, 0x20, 0x01, 0x38, 0xfd, 0xd1, 0x70, 0x47};

/* PFT: A-sync, I-sync at 0x8000 (Thumb), atoms E E N, a branch to 0x9000 */
static const uint8_t trace[] = {0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x08, 0x01,
                                0x80, 0x00, 0x00, 0x21, 0x92, 0x81, 0x20};

static int print(void *context, const struct etm_element *elements, size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++)
        if (elements[i].kind == ETM_ELEMENT_RANGE)
            printf("%08" PRIx32 " to %08" PRIx32 ": %" PRIu32 " instructions\n",
                   elements[i].u.range.start, elements[i].u.range.end,
                   elements[i].u.range.n);
    return 0;
}

int main(void)
{
    struct etm_config config = {0};
    struct etm_decoder_config options = {0};
    struct etm_decoder *decoder = NULL;
    struct etm_image *image = NULL;
    int status = etm_image_new(&image, NULL);

    config.size = sizeof config;
    config.protocol = ETM_PROTOCOL_PFT;
    options.size = sizeof options;
    options.config = &config;
    options.image = image;
    options.elements = print;
    if (status == ETM_OK)
        status = etm_image_add(image, 0x8000, code, sizeof code, NULL);
    if (status == ETM_OK)
        status = etm_decoder_new(&decoder, &options);
    if (status == ETM_OK)
        status = etm_decoder_push(decoder, trace, sizeof trace);
    if (status == ETM_OK)
        status = etm_decoder_finish(decoder);
    if (status != ETM_OK)
        fprintf(stderr, "%s\n", etm_status_text(status));
    etm_decoder_free(decoder);
    etm_image_free(image);
    return status != ETM_OK;
}
