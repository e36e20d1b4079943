/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a text with registers: what is written of them is read again;
 * and as a ROM table. */
#include "fuzz.h"

#include <etm/setup.h>

static void write_and_read(const struct etm_setup *setup,
                           enum etm_setup_format format)
{
    static char text[1 << 16];
    struct etm_setup back;
    int n = etm_setup_write(setup, format, NULL, text, sizeof text, NULL);

    if (n > (int)sizeof text - 1)
        abort();
    if (n > 0 && etm_setup_read(&back, text, (size_t)n, NULL) != ETM_OK)
        abort();
    if (n > 0 && format == ETM_SETUP_FORMAT_TABLE &&
        (back.n != setup->n || memcmp(back.values, setup->values,
                                      setup->n * sizeof *setup->values) != 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct etm_setup setup;
    struct etm_setup_listing listing;
    struct etm_rom_table table;

    (void)etm_rom_table_read(&table, (const char *)data, size, NULL);
    if (etm_setup_read_listing(&setup, &listing, (const char *)data, size,
                               NULL) != ETM_OK)
        return 0;
    for (int f = 0; f <= ETM_SETUP_FORMAT_PYOCD; f++)
        write_and_read(&setup, (enum etm_setup_format)f);
    return 0;
}
