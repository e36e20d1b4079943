/* SPDX-License-Identifier: Apache-2.0 */
/* Random executions of random programs, as events for a generator. */
#ifndef TEST_SUPPORT_WALK_H
#define TEST_SUPPORT_WALK_H

#include "program.h"

#include <etm/model.h>

#define WALK_EVENTS 4000u

struct walk {
    size_t n;
    struct etm_event events[WALK_EVENTS];
};

/* About `steps` instructions, with exceptions, gaps, context changes and so
 * on, all of which the configuration's protocol and version can trace. */
void walk_make(struct walk *walk, const struct program *program,
               struct random *r, unsigned steps);

/* Make one in which long nothing happens but what the instructions do. */
void walk_make_calm(struct walk *walk, const struct program *program,
                    struct random *r, unsigned steps);

/* One line per event, for messages. */
void walk_print(const struct walk *walk);

#endif
