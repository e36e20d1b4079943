/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a `config` line. */
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset;
} switches[] = {
#define SWITCH(name)                                                           \
    {                                                                          \
#name, offsetof(struct etm_config, name)                               \
    }
    SWITCH(cycle_accurate),
    SWITCH(data_value),
    SWITCH(data_address),
    SWITCH(cprt),
    SWITCH(data_only),
    SWITCH(branch_broadcast),
    SWITCH(timestamps),
    SWITCH(return_stack),
    SWITCH(vmid),
    SWITCH(pc_first),
    SWITCH(thumb32_split),
    SWITCH(security),
    SWITCH(alternative_branches),
    SWITCH(return_stack_implemented),
    SWITCH(barriers_are_waypoints),
    SWITCH(virtualization),
    SWITCH(timestamp_binary),
    SWITCH(timestamp_64bit),
    SWITCH(high_vectors),
#undef SWITCH
};

/* "COPROCESSOR/SHORT/LONG", decimal. */
static bool coprocessor_words(struct etm_config *config, const char *text)
{
    unsigned long of, words[2];
    char *end;

    of = strtoul(text, &end, 10);
    if (of > 15 || *end != '/')
        return false;
    words[0] = strtoul(end + 1, &end, 10);
    if (*end != '/')
        return false;
    words[1] = strtoul(end + 1, &end, 10);
    config->coprocessor_words[of][0] = (uint8_t)words[0];
    config->coprocessor_words[of][1] = (uint8_t)words[1];
    return *end == 0;
}

static bool endian(struct etm_config *config, const char *name)
{
    static const struct {
        const char *name;
        enum etm_endian endian;
    } names[] = {{"little", ETM_ENDIAN_LITTLE},
                 {"be8", ETM_ENDIAN_BE8},
                 {"be32", ETM_ENDIAN_BE32}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i].name) == 0) {
            config->endian = names[i].endian;
            return true;
        }
    return false;
}

bool etm_scenario_config(struct etm_config *config, const char *word)
{
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (strcmp(word, switches[i].name) == 0) {
            *(bool *)((char *)config + switches[i].offset) = true;
            return true;
        }
    if (strncmp(word, "minor=", 6) == 0)
        config->minor = (uint8_t)strtoul(word + 6, NULL, 10);
    else if (strncmp(word, "context_id_bytes=", 17) == 0)
        config->context_id_bytes = (uint8_t)strtoul(word + 17, NULL, 10);
    else if (strcmp(word, "profile=m") == 0)
        config->profile = ETM_PROFILE_M;
    else if (strcmp(word, "profile=r") == 0)
        config->profile = ETM_PROFILE_R;
    else if (strcmp(word, "profile=a") == 0)
        config->profile = ETM_PROFILE_A;
    else if (strcmp(word, "pft") == 0)
        config->protocol = ETM_PROTOCOL_PFT;
    else if (strcmp(word, "etmv3") == 0)
        config->protocol = ETM_PROTOCOL_ETMV3;
    else if (strcmp(word, "etmv1") == 0)
        config->protocol = ETM_PROTOCOL_ETMV1;
    else if (strcmp(word, "etmv2") == 0)
        config->protocol = ETM_PROTOCOL_ETMV2;
    else if (strncmp(word, "coprocessor_words=", 18) == 0)
        return coprocessor_words(config, word + 18);
    else if (strncmp(word, "endian=", 7) == 0)
        return endian(config, word + 7);
    else if (strncmp(word, "port_width=", 11) == 0)
        config->port_width = (uint8_t)strtoul(word + 11, NULL, 10);
    else if (strcmp(word, "itm") == 0)
        config->protocol = ETM_PROTOCOL_ITM;
    else if (strcmp(word, "mtb") == 0)
        config->protocol = ETM_PROTOCOL_MTB;
    else
        return false;
    return true;
}

bool etm_scenario_config_of(struct etm_config *config, const char *words)
{
    char word[64];
    bool good = true;

    *config = (struct etm_config){.size = sizeof *config};
    for (int n; good && sscanf(words, "%63s%n", word, &n) == 1; words += n)
        good = etm_scenario_config(config, word);
    return good;
}
