/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs and executions, through a generator and a decoder and back:
 * the same execution has to come out, as far as the protocol can tell it, in
 * every configuration. ETM_TEST_ROUNDS=N runs N (default 10000),
 * ETM_TEST_SEED=N begins with another one.
 */
#ifndef TEST_SUPPORT_ROUNDTRIP_H
#define TEST_SUPPORT_ROUNDTRIP_H

#include <etm/config.h>

/* `data`: with data trace, which only ETMv3 has. Fails the test. */
void roundtrip(enum etm_protocol protocol, bool data);

#endif
