/* SPDX-License-Identifier: Apache-2.0 */
#include "base/size.h"

#include <string.h>

#include "base/diag.h"

/* More than any struct of any version: a size beyond it was never set. */
#define SIZE_MOST 4096u

/* The size at the beginning of a struct. */
static size_t size_of(const void *given)
{
    size_t size;

    memcpy(&size, given, sizeof size);
    return size;
}

static int refuse(const struct etm_sized *sized, int status, const char *why,
                  struct etm_diag *diag)
{
    (void)etm_diag_begin(diag, status, "size");
    etm_diag_text(diag, sized->name);
    etm_diag_text(diag, why);
    return status;
}

int etm_size_take(void *own, const void *given, const struct etm_sized *sized,
                  struct etm_diag *diag)
{
    const unsigned char *from = given;
    size_t size;

    memset(own, 0, sized->size);
    if (given == NULL)
        return refuse(sized, ETM_ERR_ARGUMENT, " is NULL", diag);
    size = size_of(given);
    if (size == 0)
        size = sized->first;
    if (size < sizeof size || size > SIZE_MOST)
        return refuse(sized, ETM_ERR_ARGUMENT, " never had that size", diag);
    for (size_t i = sized->size; i < size; i++)
        if (from[i] != 0)
            return refuse(sized, ETM_ERR_UNSUPPORTED,
                          " has a member that is not known here: it is of a "
                          "later version",
                          diag);
    memcpy(own, given, size < sized->size ? size : sized->size);
    memcpy(own, &sized->size, sizeof sized->size);
    return ETM_OK;
}

void etm_size_give(void *given, const void *own, const struct etm_sized *sized)
{
    size_t size = size_of(given);

    if (size < sized->first)
        size = sized->first;
    if (size > sized->size)
        size = sized->size;
    memcpy(given, own, size);
    memcpy(given, &size, sizeof size);
}

void etm_size_convert(void *to, size_t to_size, const void *from,
                      size_t from_size, size_t n)
{
    size_t both = to_size < from_size ? to_size : from_size;
    const unsigned char *in = from;
    unsigned char *out = to;

    memset(to, 0, n * to_size);
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * to_size, in + i * from_size, both);
}
