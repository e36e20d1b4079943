/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a `config` line. */
#include "scenario.h"

#include "fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (field_set(config_fields, config, word, 10))
        return true;
    if (strcmp(word, "profile=m") == 0)
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
