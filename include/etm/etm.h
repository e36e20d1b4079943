/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All of libetm, the library that needs the C library alone. Which header has
 * what:
 *
 *   types.h      status codes, diagnostics, names of the specifications,
 *                callbacks: the rules that all other headers follow
 *   config.h     the configuration of a trace source, from its registers
 *   port.h       from captured bytes or samples to the stream of one source,
 *                and back
 *   packet.h     from the stream to packets, and back
 *   decode.h     from the stream to what the program did: elements, counts
 *   model.h      from what a program did to its trace: generators, logs
 *   macrocell.h  a macrocell with all its registers, for emulators
 *   setup.h      register values for what is to be traced; register values
 *                explained, and the mistakes in them
 *
 * <etm/capture.h> has the other library besides: captures in files.
 */
#ifndef ETM_ETM_H
#define ETM_ETM_H

#include <etm/config.h>
#include <etm/decode.h>
#include <etm/macrocell.h>
#include <etm/model.h>
#include <etm/packet.h>
#include <etm/port.h>
#include <etm/setup.h>
#include <etm/types.h>

#endif
