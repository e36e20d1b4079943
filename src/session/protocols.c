/* SPDX-License-Identifier: Apache-2.0 */
#include "session/protocols.h"

#include "flow/etmv1_fast.h"
#include "flow/etmv2_fast.h"
#include "flow/etmv3_fast.h"

#include "flow/imprint.h"

/*
 * Functions of one protocol under the common signatures: they differ in
 * nothing but the type of their first argument.
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
    static struct etm_follow *name##_follow(union etm_flow_any *f)             \
    {                                                                          \
        return &f->name.follow;                                                \
    }                                                                          \
    static void name##_at(union etm_proto_any *d, uint64_t offset)             \
    {                                                                          \
        d->name.offset = offset;                                               \
    }                                                                          \
    static void name##_imprint(const union etm_proto_any *d,                   \
                               const union etm_flow_any *f,                    \
                               struct etm_imprint *imprint)                    \
    {                                                                          \
        etm_##name##_imprint(&d->name, &f->name, imprint);                     \
    }

#define ROW(kind, name)                                                        \
    {ETM_PROTOCOL_##kind, name##_init,        name##_push,                     \
     name##_gap,          name##_finish,      etm_##name##_encode,             \
     name##_flow_init,    name##_flow_fini,   name##_flow_push,                \
     name##_flow_gap,     name##_flow_finish, name##_follow,                   \
     name##_at,           name##_imprint},

ETM_PROTOCOLS(GLUE)

static const struct etm_protocol_row rows[] = {ETM_PROTOCOLS(ROW)};

const struct etm_protocol_row *etm_protocol_row(enum etm_protocol protocol)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].protocol == protocol)
            return &rows[i];
    return NULL;
}

static size_t pft_fast(union etm_proto_any *d, union etm_flow_any *f,
                       const uint8_t *bytes, size_t n, struct etm_vec *elements)
{
    return etm_pft_flow_fast(&f->pft, &d->pft, bytes, n, elements);
}

static size_t pft_one(union etm_proto_any *d, const uint8_t *bytes, size_t n,
                      struct etm_vec *packets)
{
    return etm_pft_decoder_one(&d->pft, bytes, n, packets);
}

static size_t etmv3_fast(union etm_proto_any *d, union etm_flow_any *f,
                         const uint8_t *bytes, size_t n,
                         struct etm_vec *elements)
{
    return etm_etmv3_flow_fast(&f->etmv3, &d->etmv3, bytes, n, elements);
}

static size_t etmv3_one(union etm_proto_any *d, const uint8_t *bytes, size_t n,
                        struct etm_vec *packets)
{
    return etm_etmv3_decoder_one(&d->etmv3, bytes, n, packets);
}

static size_t etmv1_fast(union etm_proto_any *d, union etm_flow_any *f,
                         const uint8_t *bytes, size_t n,
                         struct etm_vec *elements)
{
    return etm_etmv1_flow_fast(&f->etmv1, &d->etmv1, bytes, n, elements);
}

static size_t etmv1_one(union etm_proto_any *d, const uint8_t *bytes, size_t n,
                        struct etm_vec *packets)
{
    return etm_etmv1_decoder_one(&d->etmv1, bytes, n, packets);
}

static size_t etmv2_fast(union etm_proto_any *d, union etm_flow_any *f,
                         const uint8_t *bytes, size_t n,
                         struct etm_vec *elements)
{
    return etm_etmv2_flow_fast(&f->etmv2, &d->etmv2, bytes, n, elements);
}

static size_t etmv2_one(union etm_proto_any *d, const uint8_t *bytes, size_t n,
                        struct etm_vec *packets)
{
    return etm_etmv2_decoder_one(&d->etmv2, bytes, n, packets);
}

const struct etm_fast_way *etm_protocol_fast_way(const struct etm_config *c)
{
    static const struct etm_fast_way etmv2 = {etmv2_fast, etmv2_one};
    static const struct etm_fast_way etmv1 = {etmv1_fast, etmv1_one};
    static const struct etm_fast_way pft = {pft_fast, pft_one};
    static const struct etm_fast_way etmv3 = {etmv3_fast, etmv3_one};

    if (c->protocol == ETM_PROTOCOL_ETMV1)
        return &etmv1;
    if (c->protocol == ETM_PROTOCOL_ETMV2)
        return &etmv2;
    if (c->protocol == ETM_PROTOCOL_PFT)
        return &pft;
    if (c->protocol == ETM_PROTOCOL_ETMV3 && etm_etmv3_has_fast_way(c))
        return &etmv3;
    return NULL;
}
