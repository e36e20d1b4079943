/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All of libetm-capture, and of libetm, on which it is built (<etm/etm.h>).
 * Which header has what:
 *
 *   session.h  from a capture in files to the packets and elements of its
 *              sources
 *   program.h  the traced program: its symbols, and which function runs and who
 *              called it
 *   write.h    packets, elements and counts as text or for other programs; port
 *              samples for waveform viewers; captures as snapshots
 */
#ifndef ETM_CAPTURE_H
#define ETM_CAPTURE_H

#include <etm/etm.h>
#include <etm/program.h>
#include <etm/session.h>
#include <etm/write.h>

#endif
