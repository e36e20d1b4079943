/* SPDX-License-Identifier: Apache-2.0 */
/* Times and synchronization points: why a source has no times, and the points
 * of an index that was written before. */
#include "cli/part.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct times {
    const struct etm_config *config;
    struct etm_broadcast said;
    bool stamped; /* there was a complete timestamp, with a time or not */
    bool traced;  /* there was a packet that is no damage */
};

static bool is_damage(const struct etm_packet *p)
{
    return p->kind == ETM_PACKET_UNSYNCHRONIZED || p->kind == ETM_PACKET_BAD ||
           p->kind == ETM_PACKET_RESERVED;
}

static int look_for_time(void *context, const struct etm_packet *packets,
                         size_t n, const uint8_t *bytes)
{
    struct times *t = context;
    unsigned all = etm_timestamp_bits(t->config);

    (void)bytes;
    for (size_t i = 0; i < n; i++) {
        t->traced = t->traced || !is_damage(&packets[i]);
        if (packets[i].kind != ETM_PACKET_TIMESTAMP)
            continue;
        etm_broadcast_apply(&t->said, t->config, &packets[i]);
        if (t->said.timestamp_bits < all)
            continue;
        t->stamped = true;
        if (etm_timestamp_time(t->config, t->said.timestamp) !=
            ETM_TIMESTAMP_UNKNOWN)
            return ETM_ERR_STOPPED;
    }
    return ETM_OK;
}

int etm_cli_why_no_times(const struct etm_session *session, size_t source,
                         const char **why, struct etm_diag *diag)
{
    struct times t = {.config = &etm_session_source(session, source)->config};
    const struct etm_session_run run = {
        .size = sizeof run, .packets = look_for_time, .context = &t};
    int status = etm_session_run_source(session, source, &run, diag);

    *why = NULL;
    if (status == ETM_ERR_STOPPED)
        return ETM_OK;
    if (status == ETM_OK && !t.traced) /* it may have had times (E-358) */
        return ETM_OK;
    *why = t.stamped ? "its timestamps are all 0: the time is not known"
                     : "there is no timestamp in its trace";
    return status;
}

/* The number after `"key":` in a line, in quotes or not; false if there is
 * none, or null. */
static bool number(const char *line, const char *key, uint64_t *value)
{
    const char *at = strstr(line, key);
    char *end;

    if (!at)
        return false;
    at += strlen(key);
    at += *at == '"';
    *value = strtoull(at, &end, 0);
    return end != at;
}

static int read_line(const char *line, unsigned id, etm_point_fn *take,
                     void *context)
{
    struct etm_point point = {.position_known = true};
    uint64_t source;

    if (strncmp(line, "{\"k\":\"sync\",", 12) != 0 ||
        !number(line, "\"src\":", &source))
        return ETM_ERR_FORMAT;
    if (source != id)
        return ETM_OK;
    if (!number(line, "\"pos\":", &point.position))
        return ETM_ERR_FORMAT;
    point.time_known = number(line, "\"time\":", &point.time);
    point.cycles_known = number(line, "\"cycles\":", &point.cycles);
    return take(context, &point);
}

int etm_cli_points_read(const char *path, unsigned id, etm_point_fn *take,
                        void *context)
{
    FILE *file = fopen(path, "r");
    char line[512];
    int status = ETM_OK, why = 0;

    if (!file)
        return ETM_ERR_IO;
    while (status == ETM_OK && fgets(line, sizeof line, file))
        status = read_line(line, id, take, context);
    if (ferror(file)) {
        status = ETM_ERR_IO;
        why = errno;
    }
    (void)fclose(file);
    if (status == ETM_ERR_IO)
        errno = why;
    return status;
}
