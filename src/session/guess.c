/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guessing the configuration of a source from its bytes. Every configuration
 * that changes the format of packets is tried on the beginning of the stream;
 * see judge.h for the cost of a trial. A field is known if the cheapest
 * configuration and all about as cheap ones agree in it.
 */
#include "input/other_trace.h"
#include "proto/i_sync.h"
#include "session/judge.h"
#include "session/session.h"

#define SAMPLE_BYTES ETM_OTHER_TRACE_BYTES

/* Bits by which a configuration must be cheaper to be preferred: one chance
 * in 65,536. */
#define MARGIN 16

/* What a trial may still regain (a context ID that does not change, see
 * judge.c). */
#define WIN_BACK 32

/* Percentage of the bytes that may stay unexplained. */
#define WEAK_PERCENT 3u
#define HOPELESS_PERCENT 50u

/*
 * What is tried: one row for each way to trace data. Coprocessor transfers
 * alone are data packets without address and value (7.4).
 */
static const struct data_mode {
    bool address, value, only, cprt;
} data_modes[] = {
    {false, false, false, false}, {true, false, false, false},
    {false, true, false, false},  {true, true, false, false},
    {false, false, false, true},  {true, false, true, false},
    {false, true, true, false},   {true, true, true, false},
    {false, false, true, true},
};

#define DATA_MODES ((unsigned)(sizeof data_modes / sizeof *data_modes))
#define OLDEST_MODES 5u /* version 3.0 has no data-only mode */

/* The bytes, and where the stretches of trace in them end, except the last. */
struct sample {
    struct etm_vec bytes;
    struct etm_vec cuts; /* size_t */
    uint64_t a_syncs;
};

/* All trials of a guess. */
struct trials {
    const struct etm_image *image;
    struct etm_vec all; /* struct etm_trial, those that were not hopeless */
    int64_t best;       /* the least cost of them */
};

/* Number of A-syncs: five or more zeros, then 80, on one side of each cut. */
static uint64_t find_a_syncs(const struct sample *sample)
{
    const uint8_t *bytes = sample->bytes.data;
    const size_t *cuts = sample->cuts.data;
    uint64_t found = 0;
    size_t zeros = 0;

    for (size_t i = 0, cut = 0; i < sample->bytes.n; i++) {
        for (; cut < sample->cuts.n && cuts[cut] <= i; cut++)
            zeros = 0;
        if (bytes[i] == 0x80 && zeros >= 5)
            found++;
        zeros = bytes[i] == 0 ? zeros + 1 : 0;
    }
    return found;
}

/* Can any decoder begin somewhere? At an A-sync, or at once with an I-sync
 * (proto/i_sync.h). */
static bool has_beginning(const struct sample *sample)
{
    const uint8_t *bytes = sample->bytes.data;

    return sample->a_syncs != 0 ||
           (sample->bytes.n != 0 && (bytes[0] == ETM_I_SYNC_HEADER ||
                                     bytes[0] == ETM_I_SYNC_CYCLES_HEADER));
}

/* Decode the whole sample with one decoder. ETM_ERR_STOPPED: hopeless. */
static int decode(struct etm_packet_decoder *decoder,
                  const struct sample *sample)
{
    const uint8_t *bytes = sample->bytes.data;
    const size_t *cuts = sample->cuts.data;
    size_t at = 0;
    int status = ETM_OK;

    for (size_t i = 0; i < sample->cuts.n && status == ETM_OK; i++) {
        if (at < cuts[i])
            status = etm_packet_decoder_push(decoder, bytes + at, cuts[i] - at);
        if (status == ETM_OK)
            status = etm_packet_decoder_gap(decoder);
        at = cuts[i];
    }
    if (status == ETM_OK && at < sample->bytes.n)
        status =
            etm_packet_decoder_push(decoder, bytes + at, sample->bytes.n - at);
    if (status == ETM_OK)
        status = etm_packet_decoder_finish(decoder);
    return status;
}

/* Try a configuration, and keep the trial unless it is hopeless. */
static int try_one(struct trials *trials, const struct etm_config *config,
                   const struct sample *sample)
{
    struct etm_trial t = {
        .config = *config, .image = trials->image, .limit = INT64_MAX};
    const struct etm_packet_decoder_config options = {
        .size = sizeof options,
        .config = &t.config,
        .packets = etm_trial_judge,
        .context = &t,
        .allocator = &sample->bytes.allocator,
    };
    struct etm_packet_decoder *decoder;
    int status = etm_packet_decoder_new(&decoder, &options);

    if (trials->all.n > 0)
        t.limit = trials->best + MARGIN + WIN_BACK;
    if (status == ETM_OK)
        status = decode(decoder, sample);
    etm_packet_decoder_free(decoder);
    /* hopeless, or nothing was decoded, which costs nothing */
    if (status == ETM_ERR_STOPPED || (status == ETM_OK && !t.synchronized))
        return ETM_OK;
    if (status != ETM_OK)
        return status;
    etm_trial_finish(&t, sample->bytes.n, sample->a_syncs);
    if (trials->all.n == 0 || t.cost < trials->best)
        trials->best = t.cost;
    return etm_vec_append(&trials->all, &t, 1);
}

/*
 * The n-th configuration of PFT; false after the last. Version 1.1 has all
 * packets of 1.0.
 */
static bool make_pft(struct etm_config *c, unsigned n)
{
    static const uint8_t context_id_bytes[] = {0, 1, 2, 4};

    if (n >= 16)
        return false;
    *c = (struct etm_config){
        .size = sizeof *c,
        .protocol = ETM_PROTOCOL_PFT,
        .minor = 1,
        .timestamps = true,
        .vmid = true,
        .security = true,
        .virtualization = true,
        .cycle_accurate = (n & 1u) != 0,
        .context_id_bytes = context_id_bytes[n >> 1 & 3u],
        .timestamp_64bit = (n >> 3 & 1u) != 0,
    };
    return true;
}

/*
 * Configuration `n` of ETMv3. Version 3.5 has all packets of those before,
 * except for one of 3.0: header 80 of cycle-accurate trace (table 7-3). In
 * data-only mode (7.4.10) there are neither cycles nor branches.
 */
static bool make_etmv3(struct etm_config *c, unsigned n)
{
    static const uint8_t context_id_bytes[] = {0, 1, 2, 4};
    const struct data_mode *data;
    bool oldest = n >= 32 * DATA_MODES;
    unsigned rest = oldest ? n - 32 * DATA_MODES : n;

    /* of each data mode all the rest; of 3.0 one form of branches and stamps */
    if (oldest && rest >= 4 * OLDEST_MODES)
        return false;
    data = &data_modes[oldest ? rest / 4 : rest / 32];
    *c = (struct etm_config){
        .size = sizeof *c,
        .protocol = ETM_PROTOCOL_ETMV3,
        .minor = oldest ? 0 : 5,
        .timestamps = !oldest,
        .vmid = !oldest,
        .security = !oldest,
        .virtualization = !oldest,
        .thumb32_split = oldest,
        .context_id_bytes = context_id_bytes[rest & 3u],
        .cycle_accurate = oldest || (rest >> 2 & 1u) != 0,
        .alternative_branches = !oldest && (rest >> 3 & 1u) != 0,
        .timestamp_64bit = !oldest && (rest >> 4 & 1u) != 0,
        .data_address = data->address,
        .data_value = data->value,
        .data_only = data->only,
        .cprt = data->cprt,
    };
    return true;
}

static int try_protocol(struct trials *trials, enum etm_protocol protocol,
                        const struct sample *sample)
{
    struct etm_config config = {.size = sizeof config};
    int status = ETM_OK;

    for (unsigned n = 0; status == ETM_OK; n++) {
        if (!(protocol == ETM_PROTOCOL_PFT ? make_pft(&config, n)
                                           : make_etmv3(&config, n)))
            break;
        /* the same as an earlier configuration */
        if (config.data_only &&
            (config.cycle_accurate || config.alternative_branches))
            continue;
        status = try_one(trials, &config, sample);
    }
    return status;
}

static enum etm_tri tri(bool value)
{
    return value ? ETM_TRUE : ETM_FALSE;
}

/* Gray code or binary, if time runs forward in one of them only. */
static enum etm_tri binary(const struct etm_trial *t)
{
    bool gray_fits = (t->seen & ETM_SEEN_GRAY_BACK) == 0;
    bool binary_fits = (t->seen & ETM_SEEN_BINARY_BACK) == 0;

    return gray_fits == binary_fits ? ETM_UNKNOWN : tri(binary_fits);
}

static void take(struct etm_guess *guess, const struct etm_trial *t)
{
    const struct etm_config *c = &t->config;
    bool v3 = c->protocol == ETM_PROTOCOL_ETMV3;
    bool stamps = (t->seen & ETM_SEEN_TIMESTAMP) != 0;

    guess->protocol = c->protocol;
    guess->cycle_accurate = c->data_only ? ETM_UNKNOWN : tri(c->cycle_accurate);
    guess->context_id_bytes = c->context_id_bytes;
    guess->alternative_branches =
        v3 && !c->data_only ? tri(c->alternative_branches) : ETM_UNKNOWN;
    guess->data_address = v3 ? tri(c->data_address) : ETM_UNKNOWN;
    guess->data_value = v3 ? tri(c->data_value) : ETM_UNKNOWN;
    guess->data_only = v3 ? tri(c->data_only) : ETM_UNKNOWN;
    guess->timestamps = tri(stamps);
    guess->timestamp_bits = stamps ? (int)etm_timestamp_bits(c) : 0;
    guess->timestamp_binary = stamps ? binary(t) : ETM_UNKNOWN;
    guess->a_syncs = t->a_syncs;
    guess->i_syncs = t->i_syncs;
    guess->bad_bytes = t->bad_bytes;
}

static void keep_same(enum etm_tri *have, enum etm_tri value)
{
    if (*have != value)
        *have = ETM_UNKNOWN;
}

static bool no_data(const struct etm_config *c)
{
    return !c->data_address && !c->data_value && !c->cprt;
}

/* Another configuration of the protocol explains the bytes as well. */
static void doubt(struct etm_guess *guess, const struct etm_trial *t)
{
    struct etm_guess other;

    take(&other, t);
    keep_same(&guess->cycle_accurate, other.cycle_accurate);
    if (guess->context_id_bytes != other.context_id_bytes)
        guess->context_id_bytes = -1;
    keep_same(&guess->alternative_branches, other.alternative_branches);
    keep_same(&guess->timestamps, other.timestamps);
    if (guess->timestamp_bits != other.timestamp_bits)
        guess->timestamp_bits = 0;
    keep_same(&guess->timestamp_binary, other.timestamp_binary);
    /* Without data packets all data modes look the same: no data is assumed. */
    if (t->data == 0 && no_data(&guess->config))
        return;
    keep_same(&guess->data_address, other.data_address);
    keep_same(&guess->data_value, other.data_value);
    keep_same(&guess->data_only, other.data_only);
}

/*
 * The configuration to decode with: the best one, without features that were
 * not seen. The return stack of PFT cannot be seen, and is taken to be on: if
 * it was off, no E atom follows an indirect branch, and nothing is ever taken
 * from it. A macrocell with the alternative encoding belongs to an M-profile
 * processor, without Security Extensions, unless the trace shows these or ARM
 * state.
 */
static struct etm_config settle(const struct etm_trial *t)
{
    struct etm_config c = t->config;
    bool v3 = c.protocol == ETM_PROTOCOL_ETMV3;
    unsigned late = ETM_SEEN_VMID | ETM_SEEN_HYP;

    if (v3)
        late |= ETM_SEEN_TIMESTAMP;
    c.timestamps = (t->seen & ETM_SEEN_TIMESTAMP) != 0;
    c.timestamp_64bit = (t->seen & ETM_SEEN_LONG_STAMP) != 0;
    c.timestamp_binary = c.timestamps && binary(t) == ETM_TRUE;
    c.vmid = (t->seen & ETM_SEEN_VMID) != 0;
    c.virtualization = (t->seen & (ETM_SEEN_VMID | ETM_SEEN_HYP)) != 0 &&
                       (!v3 || c.minor == 5);
    c.return_stack = !v3;
    if (v3 && c.alternative_branches) {
        c.security = (t->seen & (ETM_SEEN_NS | ETM_SEEN_ARM | ETM_SEEN_HYP |
                                 ETM_SEEN_VMID)) != 0;
        c.minor = (t->seen & late) != 0 ? 5 : 4;
    }
    return c;
}

/* Conclude what all good trials agree in. */
static void conclude(struct etm_guess *guess, const struct trials *trials,
                     size_t n_bytes)
{
    const struct etm_trial *all = trials->all.data;
    const struct etm_trial *best = NULL;
    uint64_t behind;

    for (size_t i = 0; i < trials->all.n && !best; i++)
        if (all[i].cost == trials->best)
            best = &all[i];
    /* Nothing can be said where decoding does not begin, or where a first
     * I-sync without an A-sync does not explain what follows. */
    if (!best || best->i_syncs == 0 ||
        (best->a_syncs == 0 && best->bad_bytes != 0))
        return;
    behind = n_bytes - best->first;
    if (best->bad_bytes * 100 > behind * HOPELESS_PERCENT)
        return;
    for (size_t i = 0; i < trials->all.n; i++)
        if (all[i].cost <= best->cost + MARGIN &&
            all[i].config.protocol != best->config.protocol)
            return;
    take(guess, best);
    guess->weak = best->bad_bytes * 100 > behind * WEAK_PERCENT;
    guess->config = settle(best);
    for (size_t i = 0; i < trials->all.n; i++)
        if (all[i].cost <= best->cost + MARGIN)
            doubt(guess, &all[i]);
}

static int take_sample(void *context, const uint8_t *bytes, size_t n)
{
    struct sample *sample = context;
    size_t room = SAMPLE_BYTES - sample->bytes.n;
    int status = etm_vec_append(&sample->bytes, bytes, n < room ? n : room);

    if (status == ETM_OK && sample->bytes.n == SAMPLE_BYTES)
        status = ETM_ERR_STOPPED;
    return status;
}

/* What follows does not go on where the last buffer ended. */
static int take_buffer(void *context, size_t buffer)
{
    struct sample *sample = context;

    (void)buffer;
    if (sample->bytes.n == 0)
        return ETM_OK;
    return etm_vec_append(&sample->cuts, &sample->bytes.n, 1);
}

/* A protocol alone, or both. */
static int make_guess(struct sample *sample, const struct etm_image *image,
                      enum etm_protocol protocol, struct etm_guess *guess)
{
    static const enum etm_protocol protocols[] = {ETM_PROTOCOL_PFT,
                                                  ETM_PROTOCOL_ETMV3};
    struct trials trials = {.image = image};
    int status = ETM_OK;

    guess->other = etm_other_trace_name(sample->bytes.data, sample->bytes.n);
    guess->sample_bytes = sample->bytes.n;
    if (guess->other != NULL)
        return ETM_OK;
    etm_vec_init(&trials.all, sizeof(struct etm_trial),
                 &sample->bytes.allocator);
    sample->a_syncs = find_a_syncs(sample);
    for (size_t i = 0; status == ETM_OK && i < 2 && has_beginning(sample); i++)
        if (protocol == ETM_PROTOCOL_NONE || protocol == protocols[i])
            status = try_protocol(&trials, protocols[i], sample);
    if (status == ETM_OK)
        conclude(guess, &trials, sample->bytes.n);
    if (guess->protocol == ETM_PROTOCOL_NONE)
        guess->a_syncs = sample->a_syncs;
    etm_vec_fini(&trials.all);
    return status;
}

int etm_guess_stream(const uint8_t *bytes, size_t n,
                     const struct etm_allocator *allocator,
                     struct etm_guess *guess)
{
    struct sample sample = {.a_syncs = 0};
    int status;

    *guess = (struct etm_guess){.context_id_bytes = -1};
    etm_vec_init(&sample.bytes, 1, allocator);
    etm_vec_init(&sample.cuts, sizeof(size_t), allocator);
    status = etm_vec_append(&sample.bytes, bytes, n);
    if (status == ETM_OK)
        status = make_guess(&sample, NULL, ETM_PROTOCOL_NONE, guess);
    etm_vec_fini(&sample.bytes);
    return status;
}

int etm_session_guess(const struct etm_session *session, size_t source,
                      enum etm_protocol protocol, struct etm_guess *guess)
{
    const struct etm_source_info *info;
    struct sample sample = {.a_syncs = 0};
    struct etm_session_run run = {.size = sizeof run,
                                  .bytes = take_sample,
                                  .buffer = take_buffer,
                                  .context = &sample};
    int status;

    info = session ? etm_session_source(session, source) : NULL;
    if (!info || !guess || (unsigned)protocol > ETM_PROTOCOL_MTB)
        return ETM_ERR_ARGUMENT;
    *guess = (struct etm_guess){.context_id_bytes = -1};
    etm_vec_init(&sample.bytes, 1, &session->allocator);
    etm_vec_init(&sample.cuts, sizeof(size_t), &session->allocator);
    status = etm_session_run_source(session, source, &run, NULL);
    /* what precedes the unreadable part is enough for a guess */
    if (status == ETM_ERR_STOPPED || status == ETM_ERR_FORMAT ||
        status == ETM_ERR_IO)
        status = ETM_OK;
    if (status == ETM_OK)
        status = make_guess(&sample, info->image, protocol, guess);
    etm_vec_fini(&sample.cuts);
    etm_vec_fini(&sample.bytes);
    return status;
}
