/* SPDX-License-Identifier: Apache-2.0 */
/* The table of formats. */
#include "write/listing.h"

#include "base/receiver.h"
#include "base/size.h"

static const struct etm_format *const formats[] = {
    &etm_format_text,      &etm_format_jsonl, &etm_format_lcov,
    &etm_format_cobertura, &etm_format_gcovr, &etm_format_source,
    &etm_format_vcd,
};

#define FORMATS (sizeof formats / sizeof *formats)

const struct etm_listing_format *etm_listing_formats(size_t index)
{
    return index < FORMATS ? &formats[index]->about : NULL;
}

static const struct etm_format *find_format(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i]->about.name, name) == 0)
            return formats[i];
    return NULL;
}

int etm_listing_format_find(const char *name,
                            const struct etm_listing_format **format)
{
    const struct etm_format *found = name ? find_format(name) : NULL;

    *format = found ? &found->about : NULL;
    if (!name)
        return ETM_ERR_ARGUMENT;
    return found ? ETM_OK : ETM_ERR_NOT_FOUND;
}

int etm_listing_new(struct etm_listing **listing,
                    const struct etm_listing_config *config)
{
    const struct etm_format *format;
    struct etm_listing_config own;
    struct etm_allocator allocator;
    struct etm_listing *l;
    int status;

    if (!listing)
        return ETM_ERR_ARGUMENT;
    *listing = NULL;
    status = ETM_TAKE(etm_listing_config, &own, config, NULL);
    if (status != ETM_OK)
        return status;
    config = &own;
    if (!config->write || !config->format ||
        !etm_receiver_is_valid(config->sizeof_element))
        return ETM_ERR_ARGUMENT;
    format = find_format(config->format);
    if (!format)
        return ETM_ERR_NOT_FOUND;
    allocator = etm_allocator_or_default(config->allocator);
    l = etm_alloc_zero(&allocator, sizeof *l);
    if (!l)
        return ETM_ERR_MEMORY;
    l->config = *config;
    if (l->config.sizeof_element == 0)
        l->config.sizeof_element = ETM_FIRST_SIZE(etm_element);
    l->format = format;
    l->out.allocator = allocator;
    if (etm_out_init(&l->out, config->write, config->context,
                     config->allocator) != ETM_OK) {
        etm_listing_free(l);
        return ETM_ERR_MEMORY;
    }
    if (format->state_size > 0) {
        l->state = etm_alloc_zero(&l->out.allocator, format->state_size);
        if (!l->state) {
            etm_listing_free(l);
            return ETM_ERR_MEMORY;
        }
    }
    *listing = l;
    return ETM_OK;
}
