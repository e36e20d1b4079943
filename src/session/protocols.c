/* SPDX-License-Identifier: Apache-2.0 */
#include "session/protocols.h"

/* pft */

static void pft_init(union etm_proto_any *d, const struct etm_config *config)
{
    etm_pft_decoder_init(&d->pft, config);
}

static int pft_push(union etm_proto_any *d, const uint8_t *bytes, size_t n,
                    struct etm_vec *packets)
{
    return etm_pft_decoder_push(&d->pft, bytes, n, packets);
}

static int pft_gap(union etm_proto_any *d, struct etm_vec *packets)
{
    return etm_pft_decoder_gap(&d->pft, packets);
}

static int pft_finish(union etm_proto_any *d, struct etm_vec *packets)
{
    return etm_pft_decoder_finish(&d->pft, packets);
}

static int pft_flow_init(union etm_flow_any *f, const struct etm_config *config,
                         const struct etm_image *image, enum etm_level level,
                         const struct etm_allocator *allocator)
{
    return etm_pft_flow_init(&f->pft, config, image, level, allocator);
}

static void pft_flow_fini(union etm_flow_any *f)
{
    etm_pft_flow_fini(&f->pft);
}

static int pft_flow_push(union etm_flow_any *f,
                         const struct etm_packet *packets, size_t n,
                         struct etm_vec *elements)
{
    return etm_pft_flow_push(&f->pft, packets, n, elements);
}

static int pft_flow_gap(union etm_flow_any *f, uint64_t offset, uint64_t bytes,
                        struct etm_vec *elements)
{
    return etm_pft_flow_gap(&f->pft, offset, bytes, elements);
}

static int pft_flow_finish(union etm_flow_any *f, uint64_t offset,
                           struct etm_vec *elements)
{
    return etm_pft_flow_finish(&f->pft, offset, elements);
}

static struct etm_follow *pft_follow(union etm_flow_any *f)
{
    return &f->pft.follow;
}

/* etmv3 */

static void etmv3_init(union etm_proto_any *d, const struct etm_config *config)
{
    etm_etmv3_decoder_init(&d->etmv3, config);
}

static int etmv3_push(union etm_proto_any *d, const uint8_t *bytes, size_t n,
                      struct etm_vec *packets)
{
    return etm_etmv3_decoder_push(&d->etmv3, bytes, n, packets);
}

static int etmv3_gap(union etm_proto_any *d, struct etm_vec *packets)
{
    return etm_etmv3_decoder_gap(&d->etmv3, packets);
}

static int etmv3_finish(union etm_proto_any *d, struct etm_vec *packets)
{
    return etm_etmv3_decoder_finish(&d->etmv3, packets);
}

static int etmv3_flow_init(union etm_flow_any *f,
                           const struct etm_config *config,
                           const struct etm_image *image, enum etm_level level,
                           const struct etm_allocator *allocator)
{
    return etm_etmv3_flow_init(&f->etmv3, config, image, level, allocator);
}

static void etmv3_flow_fini(union etm_flow_any *f)
{
    etm_etmv3_flow_fini(&f->etmv3);
}

static int etmv3_flow_push(union etm_flow_any *f,
                           const struct etm_packet *packets, size_t n,
                           struct etm_vec *elements)
{
    return etm_etmv3_flow_push(&f->etmv3, packets, n, elements);
}

static int etmv3_flow_gap(union etm_flow_any *f, uint64_t offset,
                          uint64_t bytes, struct etm_vec *elements)
{
    return etm_etmv3_flow_gap(&f->etmv3, offset, bytes, elements);
}

static int etmv3_flow_finish(union etm_flow_any *f, uint64_t offset,
                             struct etm_vec *elements)
{
    return etm_etmv3_flow_finish(&f->etmv3, offset, elements);
}

static struct etm_follow *etmv3_follow(union etm_flow_any *f)
{
    return &f->etmv3.follow;
}

#define ROW(kind, name)                                                        \
    {                                                                          \
        kind, name##_init, name##_push, name##_gap, name##_finish,             \
            etm_##name##_encode, name##_flow_init, name##_flow_fini,           \
            name##_flow_push, name##_flow_gap, name##_flow_finish,             \
            name##_follow                                                      \
    }

static const struct etm_protocol_row rows[] = {
    ROW(ETM_PROTOCOL_PFT, pft),
    ROW(ETM_PROTOCOL_ETMV3, etmv3),
};

const struct etm_protocol_row *etm_protocol_row(enum etm_protocol protocol)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].protocol == protocol)
            return &rows[i];
    return NULL;
}
