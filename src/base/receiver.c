/* SPDX-License-Identifier: Apache-2.0 */
#include "base/receiver.h"

#include "base/size.h"

bool etm_receiver_is_valid(size_t size)
{
    return size == 0 || (size >= offsetof(struct etm_element, u) &&
                         size <= ETM_SIZEOF_ELEMENT_MAX &&
                         size % _Alignof(struct etm_element) == 0);
}

/* A few at a time, on the stack. */
static int give_resized(const struct etm_receiver *receiver,
                        const struct etm_element *elements, size_t n,
                        size_t size)
{
    uint64_t room[4 * ETM_SIZEOF_ELEMENT_MAX / sizeof(uint64_t)];
    const void *resized = room;
    int status = ETM_OK;

    while (n > 0 && status == ETM_OK) {
        size_t piece = sizeof room / size < n ? sizeof room / size : n;

        etm_size_convert(room, size, elements, sizeof *elements, piece);
        status = receiver->elements(receiver->context, resized, piece);
        elements += piece;
        n -= piece;
    }
    return status;
}

int etm_receiver_give(const struct etm_receiver *receiver,
                      const struct etm_element *elements, size_t n)
{
    size_t size =
        receiver->size != 0 ? receiver->size : ETM_FIRST_SIZE(etm_element);

    if (size == sizeof *elements)
        return receiver->elements(receiver->context, elements, n);
    return give_resized(receiver, elements, n, size);
}
