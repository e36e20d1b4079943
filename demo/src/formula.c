/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

int32_t formula_run(const int8_t *code, int32_t input)
{
    int32_t stack[8];
    int32_t *top = stack; /* one past the topmost value */

    for (;;) {
        switch ((enum op) * code++) {
        case OP_PUSH:
            *top++ = *code++;
            break;
        case OP_INPUT:
            *top++ = input;
            break;
        case OP_ADD:
            top--;
            top[-1] += *top;
            break;
        case OP_SUB:
            top--;
            top[-1] -= *top;
            break;
        case OP_MUL:
            top--;
            top[-1] *= *top;
            break;
        case OP_SHIFT:
            top--;
            top[-1] >>= *top;
            break;
        case OP_MAX:
            top--;
            if (top[-1] < *top)
                top[-1] = *top;
            break;
        case OP_END:
            return top[-1];
        }
    }
}
