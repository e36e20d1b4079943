/* SPDX-License-Identifier: Apache-2.0 */
/* Values of scalars: from their bytes to numbers and text. */
#ifndef ETM_CLI_VALUE_H
#define ETM_CLI_VALUE_H

#include "cli/programs.h"
#include "cli/view.h"

struct etm_cli_value {
    bool is_float, is_signed;
    uint64_t bits; /* a signed one is extended to 64 */
    double number; /* is_float */
};

/* The bytes of a scalar, from the lowest address on, as a number: and the other
 * way round. */
uint64_t etm_cli_join_bytes(const uint8_t *bytes, unsigned n, bool big);
void etm_cli_split_bytes(uint64_t value, uint8_t *bytes, unsigned n, bool big);

/* `raw`: its bytes as a number. */
struct etm_cli_value etm_cli_value_of(const struct etm_scalar *scalar,
                                      uint64_t raw);

/* As near as a double can be. */
static inline double etm_cli_value_double(const struct etm_cli_value *value)
{
    return value->is_float    ? value->number
           : value->is_signed ? (double)(int64_t)value->bits
                              : (double)value->bits;
}

/* Is it read as a hexadecimal number? */
static inline bool etm_cli_value_is_hex(const struct etm_scalar *scalar)
{
    return scalar->kind == ETM_SCALAR_RAW || scalar->kind == ETM_SCALAR_POINTER;
}

/* Is a less than b? */
bool etm_cli_value_less(const struct etm_cli_value *a,
                        const struct etm_cli_value *b);

/* A decimal number, as JSON and CSV have it, or what a float is instead. */
#define ETM_CLI_VALUE 256u
const char *etm_cli_value_number(const struct etm_scalar *scalar,
                                 const struct etm_cli_value *value,
                                 char text[ETM_CLI_VALUE]);

/* What the number stands for: an enumerator, a function or a variable that is
 * pointed to. NULL: nothing. */
const char *etm_cli_value_name(const struct etm_cli_replay *replay,
                               struct etm_cli_programs *programs,
                               const struct etm_scalar *scalar,
                               const struct etm_cli_value *value,
                               char text[ETM_CLI_VALUE]);

/* For people, with that name. */
const char *etm_cli_value_text(const struct etm_scalar *scalar,
                               const struct etm_cli_value *value,
                               const char *name, char text[ETM_CLI_VALUE]);

#endif
