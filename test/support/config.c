/* SPDX-License-Identifier: Apache-2.0 */
/* Random configurations for program flow. */
#include "program.h"

#include <stdio.h>
#include <string.h>

static void common(struct etm_config *c, struct random *r)
{
    static const uint8_t sizes[4] = {0, 1, 2, 4};
    static const uint16_t periods[4] = {24, 64, 300, 1024};

    c->size = sizeof *c;
    c->cycle_accurate = random_chance(r, 50);
    c->context_id_bytes = sizes[random_below(r, 4)];
    c->branch_broadcast = random_chance(r, 25);
    c->sync_period = periods[random_below(r, 4)];
    c->trace_id = (uint8_t)(1 + random_below(r, 0x6f));
}

static void make_pft(struct etm_config *c, struct random *r)
{
    c->profile = random_chance(r, 50) ? ETM_PROFILE_A : ETM_PROFILE_R;
    c->minor = (uint8_t)random_below(r, 2);
    c->security = random_chance(r, 60);
    c->timestamps = random_chance(r, 60);
    c->return_stack_implemented = random_chance(r, 70);
    c->return_stack = c->return_stack_implemented && random_chance(r, 70);
    c->barriers_are_waypoints = random_chance(r, 50);
    if (c->minor >= 1) {
        c->virtualization = c->security && random_chance(r, 60);
        c->vmid = c->virtualization && random_chance(r, 60);
        c->timestamp_binary = random_chance(r, 50);
        c->timestamp_64bit = random_chance(r, 50);
    }
}

static void make_etmv3(struct etm_config *c, struct random *r)
{
    c->profile = random_chance(r, 50) ? ETM_PROFILE_A : ETM_PROFILE_R;
    c->minor = (uint8_t)random_below(r, 6);
    if (c->minor >= 4 && random_chance(r, 30))
        c->profile = ETM_PROFILE_M;
    c->alternative_branches =
        c->minor >= 4 && (c->profile == ETM_PROFILE_M || random_chance(r, 50));
    /* from v3.2 on a 32-bit Thumb instruction may be one */
    c->thumb32_split =
        c->minor < 2 || (c->profile != ETM_PROFILE_M && random_chance(r, 30));
    if (c->profile != ETM_PROFILE_M) {
        c->security = c->minor >= 2 && random_chance(r, 60);
        c->virtualization =
            c->minor >= 5 && c->security && random_chance(r, 60);
        c->vmid = c->virtualization && random_chance(r, 60);
    }
    if (c->minor >= 5) {
        c->timestamps = random_chance(r, 60);
        c->timestamp_binary = random_chance(r, 50);
        c->timestamp_64bit = random_chance(r, 50);
    }
}

void config_make(struct etm_config *config, enum etm_protocol protocol,
                 struct random *r)
{
    memset(config, 0, sizeof *config);
    config->protocol = protocol;
    common(config, r);
    if (protocol == ETM_PROTOCOL_PFT)
        make_pft(config, r);
    else
        make_etmv3(config, r);
}

void config_print(const struct etm_config *c)
{
    printf("%s minor %d profile %d cycles %d context %d broadcast %d "
           "timestamps %d (binary %d, 64 bit %d) return_stack %d security %d "
           "virtualization %d vmid %d barriers %d alternative %d split %d "
           "period %u\n",
           etm_protocol_name(c->protocol), c->minor, (int)c->profile,
           c->cycle_accurate, c->context_id_bytes, c->branch_broadcast,
           c->timestamps, c->timestamp_binary, c->timestamp_64bit,
           c->return_stack, c->security, c->virtualization, c->vmid,
           c->barriers_are_waypoints, c->alternative_branches, c->thumb32_split,
           c->sync_period);
}
