/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets of GDB's remote serial protocol: $DATA#CHECKSUM, where the checksum
 * is the sum of all characters of DATA in two hexadecimal digits, and "}" comes
 * before a character that was changed by 0x20 (GDB manual, "Overview" of the
 * protocol).
 */
#ifndef ETM_GDB_PACKET_H
#define ETM_GDB_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest packet, in either direction. */
#define ETM_GDB_PACKET_MOST 0x4000u

enum etm_gdb_input_kind {
    ETM_GDB_NOTHING, /* so far */
    ETM_GDB_PACKET,
    ETM_GDB_BROKEN,   /* a wrong checksum, or too long: send it again */
    ETM_GDB_INTERRUPT /* Ctrl-C */
};

/* What comes in. Zero-initialise it. */
struct etm_gdb_input {
    enum {
        ETM_GDB_OUTSIDE,
        ETM_GDB_INSIDE,
        ETM_GDB_SUM_HIGH,
        ETM_GDB_SUM_LOW
    } state;
    bool escaped, too_long;
    uint8_t sum, told; /* counted, and as sent */
    size_t n;
    char text[ETM_GDB_PACKET_MOST + 1]; /* of a PACKET; with a 0 behind it */
};

/* Take a character. After a packet, text and n are valid up to the next call.
 */
enum etm_gdb_input_kind etm_gdb_input_take(struct etm_gdb_input *input,
                                           uint8_t character);

/* What goes out. What does not fit is left out. */
struct etm_gdb_reply {
    size_t n;
    char text[ETM_GDB_PACKET_MOST];
};

void etm_gdb_put_char(struct etm_gdb_reply *reply, char character);
void etm_gdb_put(struct etm_gdb_reply *reply, const char *text);
void etm_gdb_put_bytes(struct etm_gdb_reply *reply, const uint8_t *bytes,
                       size_t n); /* each in two hexadecimal digits */
void etm_gdb_put_word(struct etm_gdb_reply *reply, uint32_t value);   /* in the
                                                    byte order of the target */
void etm_gdb_put_number(struct etm_gdb_reply *reply, uint64_t value); /* in
                                                  hexadecimal */
void etm_gdb_put_error(struct etm_gdb_reply *reply);                  /* E01 */

/* The packet for it, at most ETM_GDB_FRAMED_MOST characters; returns their
 * number. */
#define ETM_GDB_FRAMED_MOST (2u * ETM_GDB_PACKET_MOST + 4u)
size_t etm_gdb_reply_frame(const struct etm_gdb_reply *reply, char *to);

/* Reading a packet's text: what remains of it. All return false, and leave it
 * as it is, if it goes on in another way. */
struct etm_gdb_text {
    const char *at, *end;
};

bool etm_gdb_take_char(struct etm_gdb_text *text, char character);
bool etm_gdb_take_word(struct etm_gdb_text *text, const char *word);
bool etm_gdb_take_hex(struct etm_gdb_text *text, uint64_t *value);
/* Up to `most` bytes, each of two hexadecimal digits: how many there were. */
size_t etm_gdb_take_bytes(struct etm_gdb_text *text, char *bytes, size_t most);
/* A thread: -1 is all of them, 0 any. */
bool etm_gdb_take_thread(struct etm_gdb_text *text, int64_t *thread);
static inline bool etm_gdb_is_end(const struct etm_gdb_text *text)
{
    return text->at == text->end;
}

#endif
