/* SPDX-License-Identifier: Apache-2.0 */
#include "input/other_trace.h"

/*
 * ETMv4 and ETE (Embedded Trace Macrocell Architecture ETMv4.0 to ETMv4.6, IHI
 * 0064, 6.4: alignment synchronization, trace info): eleven zeros, 80, and a
 * trace info packet, 01. ETMv3 and PFT have their A-syncs, of five zeros,
 * before an I-sync.
 */
#define ETMV4_ZEROS 11u
#define ETMV3_ZEROS 5u
#define A_SYNC_END 0x80u
#define TRACE_INFO 0x01u

static bool is_etmv4(const uint8_t *bytes, size_t n)
{
    size_t zeros = 0, found = 0, others = 0;

    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == A_SYNC_END && zeros >= ETMV3_ZEROS) {
            bool info = n - i > 1 && bytes[i + 1] == TRACE_INFO;

            if (zeros >= ETMV4_ZEROS && info)
                found++;
            else
                others++;
        }
        zeros = bytes[i] == 0 ? zeros + 1 : 0;
    }
    return found > others;
}

/*
 * STM (MIPI System Trace Protocol 2): nibbles, the low one of each byte first.
 * ASYNC is 21 of them f, and a 0; it is followed by VERSION, f 0 0.
 */
#define ASYNC_NIBBLES 21u

static unsigned nibble(const uint8_t *bytes, size_t at)
{
    return bytes[at / 2] >> at % 2 * 4 & 15u;
}

static bool is_stm(const uint8_t *bytes, size_t n)
{
    size_t ones = 0;

    for (size_t i = 0; i + 3 < 2 * n; i++) {
        unsigned x = nibble(bytes, i);

        if (x == 0 && ones >= ASYNC_NIBBLES && nibble(bytes, i + 1) == 15 &&
            nibble(bytes, i + 2) == 0 && nibble(bytes, i + 3) == 0)
            return true;
        ones = x == 15 ? ones + 1 : 0;
    }
    return false;
}

/* ITM and DWT (ARMv7-M Architecture Reference Manual, DDI 0403, appendix D4).
 */

/* Fewest packets that show an ITM, with its synchronization among them and
 * without; how many may be invalid; and different headers, for so many packets
 * one more. */
#define SYNCED_PACKETS 8u
#define ITM_PACKETS 24u
#define INVALID_SHARE 32u
#define ITM_HEADERS 8u

struct itm {
    size_t packets, syncs, invalid, headers;
    bool seen[256];
    bool etm; /* an I-sync follows a synchronization */
};

/* Size of what follows a header, at most `most` bytes, each of which says
 * whether there is another one. */
static size_t continued(const uint8_t *bytes, size_t n, size_t most)
{
    size_t i = 0;

    while (i < n && i < most && (bytes[i++] & 0x80) != 0)
        ;
    return i;
}

/* Hardware source packets: events, exceptions, PC samples, PMU overflows and
 * data trace have their sizes. */
static bool is_dwt(const uint8_t *bytes, size_t n, size_t size)
{
    unsigned discriminator = bytes[0] >> 3;

    if (n <= size) /* cut off */
        return true;
    switch (discriminator) {
    case 0:
        return size == 1 && (bytes[1] & 0xc0) == 0;
    case 1:
        return size == 2 && (bytes[2] & 0xce) == 0 && bytes[2] >> 4 != 0;
    case 2:
        return size == 4 || (size == 1 && (bytes[1] == 0 || bytes[1] == 0xff));
    case 3:
        return size == 1;
    default:
        if (discriminator < 8 || discriminator > 23)
            return false;
        if (discriminator >= 16)
            return true;
        return discriminator % 2 == 0 ? size == 4 : size == 2;
    }
}

/* Size of the packet; 0: it is not valid. */
static size_t itm_packet(struct itm *t, const uint8_t *bytes, size_t n)
{
    uint8_t header = bytes[0];
    size_t size = 0;

    if (header == 0) {
        while (size < n && bytes[size] == 0)
            size++;
        if (size == n)
            return n;
        if (size < ETMV3_ZEROS || bytes[size] != A_SYNC_END)
            return 0;
        if (n - size > 1) {
            /* an ETM's A-sync has an I-sync after it; 70 is an overflow, too */
            t->etm = t->etm || bytes[size + 1] == 0x08;
            t->syncs += bytes[size + 1] != 0x70;
        }
        return size + 1;
    }
    if ((header & 3) != 0) {
        size = (size_t)1 << ((header & 3) - 1);
        return (header & 4) == 0 || is_dwt(bytes, n, size) ? 1 + size : 0;
    }
    if (header == 0x94) /* global timestamps */
        return 1 + continued(bytes + 1, n - 1, 4);
    if (header == 0xb4)
        return 1 + continued(bytes + 1, n - 1, 6);
    if ((header & 0x0f) == 0) /* overflow, local timestamps */
        return header < 0x80    ? 1
               : header >= 0xc0 ? 1 + continued(bytes + 1, n - 1, 4)
                                : 0;
    if ((header & 0x0b) == 0x08) /* extension */
        return header < 0x80 ? 1 : 1 + continued(bytes + 1, n - 1, 4);
    return 0;
}

bool etm_bytes_are_one(const uint8_t *bytes, size_t n)
{
    size_t i = 1;

    while (i < n && bytes[i] == bytes[0])
        i++;
    return n > 1 && i == n;
}

static bool is_itm(const uint8_t *bytes, size_t n)
{
    struct itm t = {0};

    for (size_t i = 0; i < n;) {
        size_t size = itm_packet(&t, bytes + i, n - i);

        t.packets += size != 0;
        t.invalid += size == 0;
        t.headers += !t.seen[bytes[i]];
        t.seen[bytes[i]] = true;
        i += size != 0 ? size : 1;
    }
    return !t.etm && !etm_bytes_are_one(bytes, n) &&
           t.invalid * INVALID_SHARE <= t.packets &&
           t.packets >= (t.syncs != 0 ? SYNCED_PACKETS : ITM_PACKETS) &&
           t.headers <= ITM_HEADERS + t.packets / ITM_HEADERS;
}

const char *etm_other_trace_name(const uint8_t *bytes, size_t n)
{
    static const struct {
        bool (*is)(const uint8_t *bytes, size_t n);
        const char *name;
    } others[] = {
        {is_etmv4, "ETMv4 or ETE"}, {is_stm, "STM"}, {is_itm, ETM_OTHER_ITM}};

    n = n < ETM_OTHER_TRACE_BYTES ? n : ETM_OTHER_TRACE_BYTES;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].is(bytes, n))
            return others[i].name;
    return NULL;
}
