/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a protocol as the specifications write it. */
#include <etm/config.h>

#include <string.h>

const char *etm_config_title(const struct etm_config *config, char *text,
                             size_t capacity)
{
    static const char *const names[] = {
        [ETM_PROTOCOL_NONE] = "unknown", [ETM_PROTOCOL_ETMV1] = "ETMv1.",
        [ETM_PROTOCOL_ETMV2] = "ETMv2.", [ETM_PROTOCOL_ETMV3] = "ETMv3.",
        [ETM_PROTOCOL_PFT] = "PFT 1.",   [ETM_PROTOCOL_ITM] = "ITM",
        [ETM_PROTOCOL_MTB] = "MTB",
    };
    size_t protocol = (size_t)config->protocol;
    char whole[16];
    size_t n;

    if (protocol >= sizeof names / sizeof *names)
        protocol = ETM_PROTOCOL_NONE;
    n = strlen(names[protocol]);
    memcpy(whole, names[protocol], n);
    if (etm_protocol_is_macrocell((enum etm_protocol)protocol))
        whole[n++] = (char)('0' + config->minor % 10);
    if (capacity == 0)
        return text;
    if (n >= capacity)
        n = capacity - 1;
    memcpy(text, whole, n);
    text[n] = '\0';
    return text;
}
