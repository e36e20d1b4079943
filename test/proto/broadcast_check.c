/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of addresses, state and timestamps after a packet. */
#include "encoding.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t at;
} flags[] = {
#define FLAG(name)                                                             \
    {                                                                          \
#name, offsetof(struct etm_broadcast, name)                            \
    }
    FLAG(ns),    FLAG(alt_isa),       FLAG(hyp),
    FLAG(valid), FLAG(address_valid), FLAG(data_valid),
    FLAG(be),    FLAG(vmid_valid),    FLAG(context_id_valid),
};

/* "ns", "!ns"; false: there is none of this name. */
static bool flag(const struct etm_broadcast *b, const char *word, bool *is)
{
    const char *name = word + (*word == '!');

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(flags[i].name, name) == 0) {
            *is = *(const bool *)((const char *)b + flags[i].at) ==
                  (*word != '!');
            return true;
        }
    return false;
}

/* "address=8000", or the name of an instruction set. */
static bool number(const struct etm_broadcast *b, const char *word, bool *is)
{
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {
        {"address=", b->address},       {"data_address=", b->data_address},
        {"timestamp=", b->timestamp},   {"timestamp_bits=", b->timestamp_bits},
        {"context_id=", b->context_id}, {"vmid=", b->vmid}};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        size_t n = strlen(numbers[i].name);

        if (strncmp(numbers[i].name, word, n) == 0) {
            int base = strcmp(numbers[i].name, "timestamp_bits=") ? 16 : 10;

            *is = strtoull(word + n, NULL, base) == numbers[i].value;
            return true;
        }
    }
    *is = strcmp(word, etm_isa_name((enum etm_isa)b->isa)) == 0;
    for (int isa = 0; isa <= ETM_ISA_JAZELLE; isa++)
        if (strcmp(word, etm_isa_name((enum etm_isa)isa)) == 0)
            return true;
    return false;
}

bool broadcast_check(const struct etm_config *config, struct etm_broadcast *b,
                     char **words, size_t n)
{
    struct etm_packet packet;
    const char *strange;
    size_t i = 1;
    bool is;

    while (i < n && strcmp(words[i], ">") != 0)
        i++;
    strange = packet_read(config->protocol, words + 1, i - 1, &packet);
    if (strange != NULL)
        return wrong("not known: %s", strange);
    etm_broadcast_apply(b, config, &packet);
    for (i++; i < n; i++) {
        if (!flag(b, words[i], &is) && !number(b, words[i], &is))
            return wrong("not known: %s", words[i]);
        if (!is)
            return wrong("it is otherwise: %s", words[i]);
    }
    return true;
}
