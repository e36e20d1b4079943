/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"

bool etm_number_read(const char *text, size_t n, unsigned base, uint64_t most,
                     uint64_t *number)
{
    uint64_t sum = 0;

    if (n > 2 && etm_is_0x(text)) {
        text += 2;
        n -= 2;
        base = 16;
    }
    for (size_t i = 0; i < n; i++) {
        unsigned digit = etm_digit(text[i]);

        if (digit >= base || sum > (UINT64_MAX - digit) / base)
            return false;
        sum = sum * base + digit;
    }
    if (n == 0 || sum > most)
        return false;
    *number = sum;
    return true;
}
