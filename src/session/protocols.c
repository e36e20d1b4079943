/* SPDX-License-Identifier: Apache-2.0 */
#include "session/protocols.h"

#include "flow/etmv3/flow.h"
#include "flow/walk/imprint.h"

#include <assert.h>

/*
 * Functions of one protocol with the common signatures: they differ only in the
 * type of their first argument.
 */
#define GLUE(kind, name)                                                       \
    static void name##_init(union etm_proto_any *d,                            \
                            const struct etm_config *config)                   \
    {                                                                          \
        etm_##name##_decoder_init(&d->name, config);                           \
    }                                                                          \
    static int name##_push(union etm_proto_any *d, const uint8_t *bytes,       \
                           size_t n, struct etm_vec *packets)                  \
    {                                                                          \
        return etm_##name##_decoder_push(&d->name, bytes, n, packets);         \
    }                                                                          \
    static int name##_gap(union etm_proto_any *d, struct etm_vec *packets)     \
    {                                                                          \
        return etm_##name##_decoder_gap(&d->name, packets);                    \
    }                                                                          \
    static int name##_finish(union etm_proto_any *d, struct etm_vec *packets)  \
    {                                                                          \
        return etm_##name##_decoder_finish(&d->name, packets);                 \
    }                                                                          \
    static int name##_flow_init(                                               \
        union etm_flow_any *f, const struct etm_config *config,                \
        const struct etm_image *image, enum etm_level level,                   \
        const struct etm_allocator *allocator)                                 \
    {                                                                          \
        return etm_##name##_flow_init(&f->name, config, image, level,          \
                                      allocator);                              \
    }                                                                          \
    static void name##_flow_fini(union etm_flow_any *f)                        \
    {                                                                          \
        etm_##name##_flow_fini(&f->name);                                      \
    }                                                                          \
    static int name##_flow_push(union etm_flow_any *f,                         \
                                const struct etm_packet *packets, size_t n,    \
                                struct etm_vec *elements)                      \
    {                                                                          \
        return etm_##name##_flow_push(&f->name, packets, n, elements);         \
    }                                                                          \
    static int name##_flow_gap(union etm_flow_any *f, uint64_t offset,         \
                               uint64_t bytes, struct etm_vec *elements)       \
    {                                                                          \
        return etm_##name##_flow_gap(&f->name, offset, bytes, elements);       \
    }                                                                          \
    static int name##_flow_finish(union etm_flow_any *f, uint64_t offset,      \
                                  struct etm_vec *elements)                    \
    {                                                                          \
        return etm_##name##_flow_finish(&f->name, offset, elements);           \
    }                                                                          \
    static struct etm_walk *name##_walk(union etm_flow_any *f)                 \
    {                                                                          \
        return &f->name.walk;                                                  \
    }                                                                          \
    static void name##_enter(union etm_proto_any *d, uint64_t offset)          \
    {                                                                          \
        etm_##name##_decoder_enter(&d->name, offset);                          \
    }

/* Of those that have a fast path, and that several threads may decode. */
#define FAST(kind, name)                                                       \
    static size_t name##_fast(union etm_proto_any *d, union etm_flow_any *f,   \
                              const uint8_t *bytes, size_t n,                  \
                              struct etm_vec *elements)                        \
    {                                                                          \
        return etm_##name##_flow_fast(&f->name, &d->name, bytes, n, elements); \
    }                                                                          \
    static size_t name##_one(union etm_proto_any *d, const uint8_t *bytes,     \
                             size_t n, struct etm_vec *packets)                \
    {                                                                          \
        return etm_##name##_decoder_one(&d->name, bytes, n, packets);          \
    }                                                                          \
    static void name##_imprint(const union etm_proto_any *d,                   \
                               const union etm_flow_any *f,                    \
                               struct etm_imprint *imprint)                    \
    {                                                                          \
        etm_##name##_imprint(&d->name, &f->name, imprint);                     \
    }

#define ROW(kind, name)                                                        \
    .protocol = ETM_PROTOCOL_##kind, .init = name##_init, .push = name##_push, \
    .gap = name##_gap, .finish = name##_finish, .encode = etm_##name##_encode, \
    .flow_size = sizeof(struct etm_##name##_flow),                             \
    .flow_init = name##_flow_init, .flow_fini = name##_flow_fini,              \
    .flow_push = name##_flow_push, .flow_gap = name##_flow_gap,                \
    .flow_finish = name##_flow_finish, .walk = name##_walk,                    \
    .enter = name##_enter

#define PATH(name) .path = {name##_fast, name##_one}, .imprint = name##_imprint

ETM_PROTOCOLS(GLUE)
FAST(PFT, pft)
FAST(ETMV3, etmv3)
FAST(ETMV1, etmv1)
FAST(ETMV2, etmv2)

/* What only some have. */

static struct etm_broadcast *pft_broadcast(union etm_flow_any *f)
{
    return &f->pft.last;
}

static struct etm_broadcast *etmv3_broadcast(union etm_flow_any *f)
{
    return &f->etmv3.base;
}

static void etmv3_mark(union etm_flow_any *f)
{
    etm_etmv3_mark(&f->etmv3);
}

static struct etm_carried_sets etmv3_carried(const union etm_flow_any *f)
{
    return etm_etmv3_carried(&f->etmv3);
}

static void etmv3_carry(union etm_flow_any *f, unsigned kinds,
                        const struct etm_imprint *imprint)
{
    etm_etmv3_carry(&f->etmv3, kinds, imprint);
}

static const struct etm_protocol_row rows[] = {
    {ROW(PFT, pft), PATH(pft), .broadcast = pft_broadcast},
    {ROW(ETMV3, etmv3), PATH(etmv3), .has_path = etm_etmv3_has_fast_path,
     .broadcast = etmv3_broadcast, .mark = etmv3_mark, .carried = etmv3_carried,
     .carry = etmv3_carry},
    {ROW(ETMV1, etmv1), PATH(etmv1)},
    {ROW(ETMV2, etmv2), PATH(etmv2)},
    {ROW(ITM, itm)},
    {ROW(MTB, mtb)}};

#define ONE(kind, name) +1
static_assert(sizeof rows / sizeof *rows == 0 ETM_PROTOCOLS(ONE),
              "each protocol has a row");

const struct etm_protocol_row *etm_protocol_row(enum etm_protocol protocol)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].protocol == protocol)
            return &rows[i];
    return NULL;
}

const struct etm_fast_path *etm_protocol_fast_path(const struct etm_config *c)
{
    const struct etm_protocol_row *row = etm_protocol_row(c->protocol);

    if (row == NULL || row->path.fast == NULL ||
        (row->has_path != NULL && !row->has_path(c)))
        return NULL;
    return &row->path;
}
