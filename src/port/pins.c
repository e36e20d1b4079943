/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace port of ETMv3: samples to bytes and back (ETM architecture, 4.4
 * and 7.8). The byte order is fixed by 7.8.1: bit 0 of a header that is on
 * TRACEDATA[7:0] is on TRACEDATA[0], and comes first on narrower ports.
 *
 * A sample that was dropped because trace was disabled leaves no gap in the
 * stream: the port waited for the FIFO (7.8.3), possibly in the middle of a
 * byte or a packet.
 */
#include "port/pins.h"

#include "base/diag.h"
#include "base/size.h"

#define TRIGGER 0x0cu /* packet headers, 7.8.1 and 7.8.2 */
#define IGNORE 0x66u
#define PIPESTAT_TR 6u /* trigger; 4.4.1 */
#define PIPESTAT_TD 7u /* trace disabled; 4.4.2 */

/* Samples taken together: bounds what is reserved ahead. */
#define SAMPLES_AT_ONCE 4096u

static uint64_t low_bits(uint64_t value, unsigned n)
{
    return n >= 64 ? value : value & ((UINT64_C(1) << n) - 1);
}

/* What is wrong with the argument; NULL: nothing. */
static const char *misuse(const struct etm_port_config *config)
{
    if (config->protocol == ETM_PROTOCOL_NONE ||
        (unsigned)config->protocol > ETM_PROTOCOL_PFT)
        return "no protocol is given";
    if ((unsigned)config->mode > ETM_PORT_DEMULTIPLEXED)
        return "no such mode of a port";
    return NULL;
}

static int wrong_width(const struct etm_port_config *config, const char *widths,
                       struct etm_diag *diag)
{
    int status = etm_diag_begin(diag, ETM_ERR_CONFIG, NULL);

    etm_diag_text(diag, "a port of ");
    etm_diag_dec(diag, config->width);
    etm_diag_text(diag, widths);
    return status;
}

static int check(const struct etm_port_config *config, struct etm_diag *diag)
{
    const char *wrong = misuse(config);

    if (wrong != NULL)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, NULL, wrong);
    if (etm_port_is_stream(config)) {
        /* 4.3.1: TRACEDATA can be any size; 64 is the largest in table 3-6. */
        if (config->width < 1 || config->width > 64)
            return wrong_width(config, " bits; ETMv3 has 1 to 64", diag);
        /* 2.10.2 and 4.3.2: the protocol does not depend on the clock. */
        if (config->mode != ETM_PORT_NORMAL)
            return etm_diag_say(diag, ETM_ERR_CONFIG, NULL,
                                "multiplexed and demultiplexed ports are for "
                                "ETMv1 and ETMv2 only");
        return ETM_OK;
    }
    if (config->width != 4 && config->width != 8 && config->width != 16)
        return wrong_width(config, " bits; ETMv1 and ETMv2 have 4, 8 or 16",
                           diag);
    /* Table 2-17 has no such row: both edges are in use already. */
    if (config->mode == ETM_PORT_MULTIPLEXED && config->half_rate)
        return etm_diag_say(diag, ETM_ERR_CONFIG, NULL,
                            "a multiplexed port cannot be clocked at half "
                            "rate");
    return ETM_OK;
}

int etm_port_config_take(struct etm_port_config *own,
                         const struct etm_port_config *given,
                         struct etm_diag *diag)
{
    int status = ETM_TAKE(etm_port_config, own, given, diag);

    return status == ETM_OK ? check(own, diag) : status;
}

int etm_port_check(const struct etm_port_config *config, struct etm_diag *diag)
{
    struct etm_port_config own;

    return etm_port_config_take(&own, config, diag);
}

unsigned etm_port_pins(unsigned code)
{
    static const uint8_t pins[16] = {4, 8, 16, 24, 32, 48, 64, 0, 1, 2};

    return code < 16 ? pins[code] : 0;
}

int etm_port_from_etmcr(struct etm_port_config *config, uint32_t etmcr,
                        struct etm_diag *diag)
{
    static const enum etm_port_mode modes[4] = {
        ETM_PORT_NORMAL, ETM_PORT_MULTIPLEXED, ETM_PORT_DEMULTIPLEXED};
    unsigned code = etmcr >> 4 & 7, mode = etmcr >> 16 & 3;
    bool stream, told;
    int status;

    if (config == NULL)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, NULL,
                            "the port configuration is NULL");
    stream = etm_port_is_stream(config);
    told = config->protocol != ETM_PROTOCOL_PFT;
    if (stream)
        code |= etmcr >> 18 & 8;
    /* the port is that of a TPIU: doc/errata.md, E-331 */
    if (told)
        config->width = stream || code < 3 ? (uint8_t)etm_port_pins(code) : 0;
    else if (config->width == 0)
        config->width = 8;
    config->mode = stream ? ETM_PORT_NORMAL : modes[mode];
    config->half_rate = !stream && (etmcr >> 13 & 1) != 0;
    if (config->width != 0 && (stream || mode != 3))
        return etm_port_check(config, diag);
    status = etm_diag_begin(diag, ETM_ERR_CONFIG, "ETMCR");
    etm_diag_text(diag, "ETMCR does not give the size or mode of the port: ");
    etm_diag_hex(diag, etmcr);
    return status;
}

/* 4.4.1, 4.4.2, table 4-1. */
enum etm_port_action
etm_port_sample_action(const struct etm_port_config *config,
                       const struct etm_port_sample *sample)
{
    unsigned status = sample->status;

    if (!etm_port_is_stream(config)) {
        if (config->protocol == ETM_PROTOCOL_ETMV1)
            status &= 7;
        if (status == PIPESTAT_TR)
            return ETM_PORT_TRIGGER;
        return status == PIPESTAT_TD && (sample->data & 1) == 0
                   ? ETM_PORT_DISABLED
                   : ETM_PORT_CAPTURE;
    }
    if (sample->control == 0)
        return ETM_PORT_CAPTURE;
    if ((sample->data & 1) != 0)
        return ETM_PORT_DISABLED;
    /* A 1-bit port has no TRACEDATA[1] to distinguish them by. */
    if (config->width > 1 && (sample->data & 2) != 0)
        return ETM_PORT_TRIGGER_ALONE;
    return ETM_PORT_TRIGGER;
}

/* Samples to bytes. */

int etm_unpacker_init(struct etm_unpacker *u,
                      const struct etm_port_config *config)
{
    struct etm_port_config own;
    int status = etm_port_config_take(&own, config, NULL);

    if (status == ETM_OK && !etm_port_is_stream(&own))
        status = ETM_ERR_CONFIG;
    if (status != ETM_OK)
        return status;
    *u = (struct etm_unpacker){
        .allocator = etm_allocator_or_default(own.allocator),
        .config = own,
    };
    etm_vec_init(&u->stream, sizeof(uint8_t), &u->allocator);
    etm_vec_init(&u->runs, sizeof(struct etm_port_run), &u->allocator);
    etm_vec_init(&u->triggers, sizeof(struct etm_port_trigger), &u->allocator);
    return ETM_OK;
}

void etm_unpacker_fini(struct etm_unpacker *u)
{
    etm_vec_fini(&u->stream);
    etm_vec_fini(&u->runs);
    etm_vec_fini(&u->triggers);
}

/* Append the bits of a sample to the stream, which has room for them. */
static void add_bits(struct etm_unpacker *u, uint64_t data)
{
    unsigned left = u->config.width;
    uint8_t *out = (uint8_t *)u->stream.data + u->stream.n;

    u->bits += left;
    data = low_bits(data, left);
    while (u->fill + left >= 8) {
        unsigned n = 8u - u->fill;

        *out++ = (uint8_t)(u->byte | data << u->fill);
        u->stream.n++;
        data >>= n;
        left -= n;
        u->byte = u->fill = 0;
    }
    u->byte |= (uint8_t)(data << u->fill);
    u->fill = (uint8_t)(u->fill + left);
}

/* The sample whose number is counts.samples is captured: add it to a run. */
static void add_sample_to_run(struct etm_unpacker *u)
{
    struct etm_port_run run = {u->bits, u->counts.samples, 1, u->config.width};

    if (u->joined && u->runs.n != 0) {
        struct etm_port_run *last = u->runs.data;

        last[u->runs.n - 1].n++;
        return;
    }
    u->joined = true;
    if (etm_vec_append(&u->runs, &run, 1) != ETM_OK)
        u->status = ETM_ERR_MEMORY;
}

static void add_trigger(struct etm_unpacker *u, bool captured)
{
    struct etm_port_trigger trigger = {u->counts.samples, u->bits, captured};

    u->counts.triggers++;
    if (!captured)
        u->counts.dropped_triggers++;
    if (etm_vec_append(&u->triggers, &trigger, 1) != ETM_OK)
        u->status = ETM_ERR_MEMORY;
}

static void add_sample(struct etm_unpacker *u,
                       const struct etm_port_sample *sample)
{
    switch (etm_port_sample_action(&u->config, sample)) {
    case ETM_PORT_DISABLED:
        u->counts.disabled++;
        u->joined = false;
        return;
    case ETM_PORT_TRIGGER_ALONE:
        add_trigger(u, false);
        u->joined = false;
        return;
    case ETM_PORT_TRIGGER:
        add_trigger(u, true);
        break;
    case ETM_PORT_CAPTURE:
        break;
    }
    add_sample_to_run(u);
    add_bits(u, sample->data);
}

/* Forget what the caller has taken, except for runs of the incomplete byte. */
static void forget_taken(struct etm_unpacker *u)
{
    const struct etm_port_run *runs = u->runs.data;
    size_t done = 0;

    if (!u->taken)
        return;
    u->taken = false;
    u->stream.n = u->triggers.n = 0;
    while (done < u->runs.n &&
           runs[done].bit + runs[done].n * runs[done].width <=
               u->bits - u->fill)
        done++;
    etm_vec_drop(&u->runs, done);
}

int etm_unpacker_push(struct etm_unpacker *u,
                      const struct etm_port_sample *samples, size_t n)
{
    size_t room;

    if (u == NULL || (samples == NULL && n != 0))
        return ETM_ERR_ARGUMENT;
    room = SAMPLES_AT_ONCE * u->config.width / 8u + 1;
    forget_taken(u);
    for (size_t i = 0; i < n && u->status == ETM_OK; i++) {
        if (i % SAMPLES_AT_ONCE == 0 &&
            etm_vec_reserve(&u->stream, room) != ETM_OK) {
            u->status = ETM_ERR_MEMORY;
            break;
        }
        add_sample(u, &samples[i]);
        u->counts.samples++;
    }
    return u->status;
}

void etm_unpacker_take(struct etm_unpacker *u, struct etm_unpacked *made)
{
    forget_taken(u);
    u->taken = true;
    *made = (struct etm_unpacked){
        .bytes = u->stream.data,
        .n_bytes = u->stream.n,
        .runs = u->runs.data,
        .n_runs = u->runs.n,
        .triggers = u->triggers.data,
        .n_triggers = u->triggers.n,
    };
}

const struct etm_port_counts *etm_unpacker_counts(const struct etm_unpacker *u)
{
    return &u->counts;
}

int etm_unpacker_new(struct etm_unpacker **unpacker,
                     const struct etm_port_config *config)
{
    struct etm_unpacker u;
    int status;

    if (unpacker == NULL)
        return ETM_ERR_ARGUMENT;
    *unpacker = NULL;
    status = etm_unpacker_init(&u, config);
    if (status != ETM_OK)
        return status;
    *unpacker = etm_alloc_zero(&u.allocator, sizeof u);
    if (*unpacker == NULL)
        return ETM_ERR_MEMORY;
    **unpacker = u;
    return ETM_OK;
}

void etm_unpacker_free(struct etm_unpacker *u)
{
    struct etm_allocator allocator;

    if (u == NULL)
        return;
    allocator = u->allocator;
    etm_unpacker_fini(u);
    etm_alloc_free(&allocator, u);
}

/* Bytes to samples. */

int etm_packer_init(struct etm_packer *p, const struct etm_port_config *config)
{
    struct etm_port_config own;
    int status = etm_port_config_take(&own, config, NULL);

    if (status == ETM_OK && !etm_port_is_stream(&own))
        status = ETM_ERR_CONFIG;
    if (status != ETM_OK)
        return status;
    *p = (struct etm_packer){
        .allocator = etm_allocator_or_default(own.allocator),
        .config = own,
    };
    etm_vec_init(&p->samples, sizeof(struct etm_port_sample), &p->allocator);
    return ETM_OK;
}

void etm_packer_fini(struct etm_packer *p)
{
    etm_vec_fini(&p->samples);
}

static void begin_call(struct etm_packer *p)
{
    if (p->taken)
        p->samples.n = 0;
    p->taken = false;
}

static void put_sample(struct etm_packer *p,
                       const struct etm_port_sample *sample)
{
    if (etm_vec_append(&p->samples, sample, 1) != ETM_OK)
        p->status = ETM_ERR_MEMORY;
}

static void put_byte(struct etm_packer *p, uint8_t byte)
{
    unsigned left = 8;

    while (left != 0) {
        unsigned room = (unsigned)p->config.width - p->fill;
        unsigned n = left < room ? left : room;

        p->sample.data |= low_bits(byte, n) << p->fill;
        p->fill = (uint8_t)(p->fill + n);
        byte = (uint8_t)(byte >> n);
        left -= n;
        if (p->fill < p->config.width)
            return;
        put_sample(p, &p->sample);
        p->sample = (struct etm_port_sample){0};
        p->fill = 0;
    }
}

int etm_packer_push(struct etm_packer *p, const uint8_t *bytes, size_t n)
{
    if (p == NULL || (bytes == NULL && n != 0))
        return ETM_ERR_ARGUMENT;
    begin_call(p);
    for (size_t i = 0; i < n && p->status == ETM_OK; i++)
        put_byte(p, bytes[i]);
    return p->status;
}

int etm_packer_drain(struct etm_packer *p)
{
    if (p == NULL)
        return ETM_ERR_ARGUMENT;
    begin_call(p);
    while (p->fill != 0 && p->status == ETM_OK)
        put_byte(p, IGNORE);
    return p->status;
}

int etm_packer_trigger(struct etm_packer *p)
{
    if (p == NULL)
        return ETM_ERR_ARGUMENT;
    etm_packer_drain(p);
    /* Only in the first cycle of the header: the rest of it must be captured
     * whatever its bits are. */
    p->sample.control = 1;
    put_byte(p, TRIGGER);
    return p->status;
}

int etm_packer_idle(struct etm_packer *p, uint64_t cycles)
{
    struct etm_port_sample idle = {.control = 1};

    if (p == NULL)
        return ETM_ERR_ARGUMENT;
    idle.data = low_bits(3, p->config.width);
    begin_call(p);
    /* all at once: what there is no room for takes no memory first */
    if (p->status == ETM_OK &&
        (cycles > SIZE_MAX ||
         etm_vec_reserve(&p->samples, (size_t)cycles) != ETM_OK))
        p->status = ETM_ERR_MEMORY;
    for (; cycles != 0 && p->status == ETM_OK; cycles--)
        put_sample(p, &idle);
    return p->status;
}

void etm_packer_take(struct etm_packer *p,
                     const struct etm_port_sample **samples, size_t *n)
{
    begin_call(p);
    p->taken = true;
    *samples = p->samples.data;
    *n = p->samples.n;
}

int etm_packer_new(struct etm_packer **packer,
                   const struct etm_port_config *config)
{
    struct etm_packer p;
    int status;

    if (packer == NULL)
        return ETM_ERR_ARGUMENT;
    *packer = NULL;
    status = etm_packer_init(&p, config);
    if (status != ETM_OK)
        return status;
    *packer = etm_alloc_zero(&p.allocator, sizeof p);
    if (*packer == NULL)
        return ETM_ERR_MEMORY;
    **packer = p;
    return ETM_OK;
}

void etm_packer_free(struct etm_packer *p)
{
    struct etm_allocator allocator;

    if (p == NULL)
        return;
    allocator = p->allocator;
    etm_packer_fini(p);
    etm_alloc_free(&allocator, p);
}
