/* SPDX-License-Identifier: Apache-2.0 */
/* struct etm_packet, field by field, in the words of test/README.md. */
#ifndef ETM_TEST_PACKET_WORDS_H
#define ETM_TEST_PACKET_WORDS_H

#include <etm/packet.h>

/* One packet. Returns NULL, or the word that says nothing. */
const char *packet_read(enum etm_protocol protocol, char *const *words,
                        size_t n, struct etm_packet *packet);

/* The words of a packet whose fields are not 0, cut at the end of `text`. */
void packet_print(const struct etm_packet *packet, char *text, size_t size);

#endif
