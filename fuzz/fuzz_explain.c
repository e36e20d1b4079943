/* SPDX-License-Identifier: Apache-2.0 */
/* Any values of any registers, or a text with some, in words; and the mistakes
 * in them, and in any sequence of accesses. */
#include "fuzz.h"

#include <etm/setup.h>

static int line(void *context, const struct etm_explain_line *line)
{
    (void)context;
    must(line->text != NULL && strchr(line->text, '\n') == NULL);
    return 0;
}

static void explain(const struct etm_setup *setup, const uint8_t *data,
                    size_t size)
{
    static struct etm_register registers[ETM_SETUP_CAPACITY];
    struct etm_explain_config config = {.size = sizeof config,
                                        .registers = registers};
    struct etm_lint lints[64];
    struct etm_lint_access accesses[64];
    size_t n = 0;

    for (size_t i = 0; i < setup->n; i++)
        registers[config.n_registers++] = (struct etm_register){
            "", setup->values[i].number, setup->values[i].value};
    for (; n < 64 && size >= 6; n++, data += 6, size -= 6) {
        memcpy(&accesses[n].value, data, 4);
        accesses[n].number = (uint32_t)data[4] | (data[5] & 3u) << 8;
        accesses[n].write = (data[5] & 0x80) != 0;
    }
    (void)etm_explain(&config, line, NULL, NULL);
    (void)etm_lint_values(&config, lints, 64, NULL);
    (void)etm_lint_accesses(&config, accesses, n, lints, 64, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct etm_setup setup = {0};

    if (take(&data, &size) & 1) {
        if (etm_setup_read(&setup, (const char *)data, size, NULL) != ETM_OK)
            return 0;
    } else {
        static const uint32_t ids[] = {0x4100f200, 0x4100f210, 0x4100f220,
                                       0x4100f230, 0x4114f240, 0x4100f250,
                                       0x4100f300, 0x4100f310};

        (void)etm_setup_set(&setup, 0x79, ids[take(&data, &size) & 7]);
        for (; size >= 5; data += 5, size -= 5) {
            uint32_t value;

            memcpy(&value, data + 1, sizeof value);
            (void)etm_setup_set(&setup, data[0], value);
        }
    }
    explain(&setup, data, size);
    return 0;
}
