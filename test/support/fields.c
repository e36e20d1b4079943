/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of structs by their names. */
#include "fields.h"

#include <etm/config.h>

#include <stdlib.h>
#include <string.h>

bool field_set(const struct field *fields, void *of, const char *word, int base)
{
    size_t n = strcspn(word, "=");
    unsigned long long value = 1;
    char *end = "";

    while (fields->name != NULL &&
           (strncmp(fields->name, word, n) != 0 || fields->name[n] != 0))
        fields++;
    if (word[n] != 0 && strcmp(word + n, "=no") == 0)
        value = 0;
    else if (word[n] != 0 && strcmp(word + n, "=yes") != 0)
        value = strtoull(word + n + 1, &end, base);
    if (fields->name == NULL || *end != 0 || end == word + n + 1)
        return false;
    field_put(fields, of, value);
    return true;
}

void field_put(const struct field *field, void *of, unsigned long long value)
{
    char *at = (char *)of + field->at;

    if (field->size == 1)
        *(uint8_t *)at = (uint8_t)value;
    else if (field->size == 2)
        *(uint16_t *)at = (uint16_t)value;
    else if (field->size == 4)
        *(uint32_t *)at = (uint32_t)value;
    else
        *(uint64_t *)at = value;
}

unsigned long long field_value(const struct field *field, const void *of)
{
    const char *at = (const char *)of + field->at;

    return field->size == 1   ? *(const uint8_t *)at
           : field->size == 2 ? *(const uint16_t *)at
           : field->size == 4 ? *(const uint32_t *)at
                              : *(const uint64_t *)at;
}

#define F(name) FIELD(etm_config, name)
const struct field config_fields[] = {
    F(minor),
    F(trace_id),
    F(cycle_accurate),
    F(context_id_bytes),
    F(data_value),
    F(data_address),
    F(cprt),
    F(cprt_filter),
    F(data_only),
    F(branch_broadcast),
    F(timestamps),
    F(return_stack),
    F(vmid),
    F(pc_first),
    F(thumb32_split),
    F(security),
    F(alternative_branches),
    F(return_stack_implemented),
    F(barriers_are_waypoints),
    F(virtualization),
    F(timestamp_binary),
    F(timestamp_64bit),
    F(sync_period),
    F(port_width),
    F(high_vectors),
    NO_FIELD,
};
