/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a program: symbols, variables, lines, code. */
#include "fuzz.h"

#include <etm/decode.h>
#include <etm/program.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct etm_symbols *symbols;
    struct etm_symbol symbol;
    const struct etm_scalar *scalar;
    struct etm_image *image;
    struct etm_diag diag = {0};
    const char *name;
    uint32_t at, bytes;

    write_file("program", data, size);
    if (etm_symbols_open(&symbols, in_directory("program"), NULL, &diag) !=
        ETM_OK) {
        must(diag.what[0] != '\0');
        return 0;
    }
    for (uint32_t address = 0; address < 0x20000; address += 0x10f1) {
        (void)etm_symbols_at(symbols, address, &symbol);
        if (etm_symbols_scalar(symbols, address, 4, &scalar) == ETM_OK)
            (void)etm_symbols_enumerator(symbols, scalar, 1, &name);
        (void)etm_symbols_at(symbols, 0x20000000 + address, &symbol);
    }
    (void)etm_symbols_count(symbols, "main");
    (void)etm_symbols_variable(symbols, "main::count", &at, &bytes);
    (void)etm_symbols_variable(symbols, "a.b[3]", &at, &bytes);
    must(etm_image_new(&image, NULL) == ETM_OK);
    (void)etm_symbols_code(symbols, image);
    etm_image_free(image);
    etm_symbols_free(symbols);
    return 0;
}
