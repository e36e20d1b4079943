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

#define WORD(word, name, value)                                                \
    {                                                                          \
        word, FIELD(etm_config, name), value                                   \
    }
static const struct {
    const char *word;
    struct field field;
    unsigned value;
} known[] = {
    WORD("profile=m", profile, ETM_PROFILE_M),
    WORD("profile=r", profile, ETM_PROFILE_R),
    WORD("profile=a", profile, ETM_PROFILE_A),
    WORD("pft", protocol, ETM_PROTOCOL_PFT),
    WORD("etmv3", protocol, ETM_PROTOCOL_ETMV3),
    WORD("etmv1", protocol, ETM_PROTOCOL_ETMV1),
    WORD("etmv2", protocol, ETM_PROTOCOL_ETMV2),
    WORD("itm", protocol, ETM_PROTOCOL_ITM),
    WORD("mtb", protocol, ETM_PROTOCOL_MTB),
    WORD("endian=little", endian, ETM_ENDIAN_LITTLE),
    WORD("endian=be8", endian, ETM_ENDIAN_BE8),
    WORD("endian=be32", endian, ETM_ENDIAN_BE32),
};

bool etm_scenario_config(struct etm_config *config, const char *word)
{
    if (field_set(config_fields, config, word, 10))
        return true;
    if (strncmp(word, "coprocessor_words=", 18) == 0)
        return coprocessor_words(config, word + 18);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(word, known[i].word) == 0) {
            field_put(&known[i].field, config, known[i].value);
            return true;
        }
    return false;
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
