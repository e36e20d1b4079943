/* SPDX-License-Identifier: Apache-2.0 */
/* What is known after packets: addresses, state and timestamps; the full
 * addresses of ETMv1. */
#include "encoding.h"

#include "../support/fields.h"
#include "proto/etmv1_full.h"
#include "session/protocols.h"

#include <stdlib.h>
#include <string.h>

/* A field; base 0: a flag. */
struct known {
    int base;
    struct field field;
};

#define TOLD(name, base)                                                       \
    {                                                                          \
        base, FIELD(etm_broadcast, name)                                       \
    }
#define FULL(name, base)                                                       \
    {                                                                          \
        base, FIELD(etm_full_address, name)                                    \
    }

static const struct known told[] = {TOLD(ns, 0),
                                    TOLD(alt_isa, 0),
                                    TOLD(hyp, 0),
                                    TOLD(valid, 0),
                                    TOLD(address_valid, 0),
                                    TOLD(data_valid, 0),
                                    TOLD(be, 0),
                                    TOLD(vmid_valid, 0),
                                    TOLD(context_id_valid, 0),
                                    TOLD(address, 16),
                                    TOLD(data_address, 16),
                                    TOLD(timestamp, 16),
                                    TOLD(timestamp_bits, 10),
                                    TOLD(context_id, 16),
                                    TOLD(vmid, 16),
                                    {0, NO_FIELD}};

static const struct known full[] = {FULL(context_id_known, 0),
                                    FULL(offset, 10),
                                    FULL(stream, 10),
                                    FULL(address, 16),
                                    FULL(context_id, 16),
                                    FULL(reason, 10),
                                    {0, NO_FIELD}};

/* "ns", "!ns", "address=8000", or the name of an instruction set. */
static bool check(const void *all, const struct known *k, unsigned isa,
                  const char *word)
{
    const char *name = word + (*word == '!');
    size_t n = strcspn(name, "=");
    bool is = strcmp(word, etm_isa_name((enum etm_isa)isa)) == 0;

    for (int i = 0; i <= ETM_ISA_JAZELLE; i++)
        if (strcmp(word, etm_isa_name((enum etm_isa)i)) == 0)
            return is || wrong("it is otherwise: %s", word);
    while (k->field.name != NULL &&
           (strncmp(k->field.name, name, n) != 0 || k->field.name[n]))
        k++;
    if (k->field.name == NULL || (k->base == 0) != (name[n] == 0))
        return wrong("not known: %s", word);
    is = k->base == 0 ? field_value(&k->field, all) == (*word != '!')
                      : field_value(&k->field, all) ==
                            strtoull(name + n + 1, NULL, k->base);
    return is || wrong("it is otherwise: %s", word);
}

bool broadcast_check(const struct etm_config *config, struct etm_broadcast *b,
                     char **words, size_t n)
{
    const struct etm_broadcast before = *b;
    struct etm_packet packet;
    const char *strange;
    bool good = true;
    size_t i = 1;

    while (i < n && strcmp(words[i], ">") != 0)
        i++;
    strange = packet_read(config->protocol, words + 1, i - 1, &packet);
    if (strange != NULL)
        return wrong("not known: %s", strange);
    etm_broadcast_apply(b, config, &packet);
    for (i++; i < n && good; i++)
        if (strcmp(words[i], "same") == 0)
            good = memcmp(b, &before, sizeof before) == 0 ||
                   wrong("it is otherwise: same");
        else if (strncmp(words[i], "time=", 5) == 0)
            good = etm_timestamp_time(config, b->timestamp) ==
                       strtoull(words[i] + 5, NULL, 16) ||
                   wrong("it is otherwise: %s", words[i]);
        else
            good = check(b, told, b->isa, words[i]);
    return good;
}

bool full_check(const struct row *row, char **words, size_t n)
{
    static struct etm_etmv1_decoder d;
    struct etm_full_address state = {.n = 0}, last = {.n = 0};
    struct etm_vec all;
    unsigned long count = 0;
    bool good;

    etm_vec_init(&all, sizeof(struct etm_packet), NULL);
    etm_etmv1_decoder_init(&d, row->config);
    good = etm_etmv1_decoder_push(&d, row->bytes, row->n, &all) == ETM_OK &&
           etm_etmv1_decoder_finish(&d, &all) == ETM_OK;
    for (size_t i = 0; i < all.n; i++)
        if (etm_full_address_apply(&state, row->config,
                                   (const struct etm_packet *)all.data + i)) {
            last = state;
            count++;
        }
    etm_vec_fini(&all);
    if (!good || n == 0 || count != strtoul(words[0], NULL, 10))
        return wrong("it has %lu full addresses", count);
    for (size_t i = 1; i < n && good; i++)
        good = check(&last, full, last.isa, words[i]);
    return good;
}
