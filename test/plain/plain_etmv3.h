/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the plain ETMv3 share: plain_etmv3_branch.c knows where the
 * program goes. */
#ifndef TEST_PLAIN_PLAIN_ETMV3_H
#define TEST_PLAIN_PLAIN_ETMV3_H

#include "plain_walk.h"

/* NS came with v3.2, Hyp with v3.5. */
void v3_state(struct plain_walk *f, bool ns, bool hyp);

/* AltISA that was said of ARM or Jazelle state is reserved (table 7-11). */
void v3_drop_reserved(struct plain_walk *f);

/* To the address and state that the packets have said. */
void v3_go_said(struct plain_walk *f);

/* Tracing began with a data instruction in progress, and nothing else
 * executes: the data are its own (7.7.3), whether its atom comes or not: E-31.
 */
void v3_own_alone(struct plain_walk *f);

/* The packet at hand is a branch packet. */
void v3_branch_packet(struct plain_walk *f);

#endif
