/* SPDX-License-Identifier: Apache-2.0 */
/* Times and synchronization points: why a source has no times, and the points
 * of an index that was written before. */
#include "cli/part.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct times {
    bool stamped; /* there was a complete timestamp, with a time or not */
    bool traced;  /* there was something other than damage */
};

static int look_for_time(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct times *t = context;

    for (size_t i = 0; i < n; i++) {
        if (etm_cli_tells_time(&elements[i]))
            return ETM_ERR_STOPPED;
        t->traced = t->traced || (elements[i].kind != ETM_ELEMENT_LOST &&
                                  elements[i].kind != ETM_ELEMENT_END);
        t->stamped = t->stamped || elements[i].kind == ETM_ELEMENT_TIMESTAMP;
    }
    return ETM_OK;
}

const char *etm_cli_never_has_times(const struct etm_config *config)
{
    if (etm_protocol_is_port(config->protocol))
        return "ETMv1 and ETMv2 trace no timestamps";
    if (config->protocol == ETM_PROTOCOL_ETMV3 && config->minor < 5)
        return "ETMv3 before version 3.5 traces no timestamps";
    return NULL;
}

/* In its first `limit` bytes; 0: in all. */
static int look(const struct etm_session *session, size_t source,
                uint64_t limit, struct times *t, struct etm_diag *diag)
{
    const struct etm_session_run run = {.size = sizeof run,
                                        .elements = look_for_time,
                                        .context = t,
                                        .end = limit};

    return etm_session_run_source(session, source, &run, diag);
}

int etm_cli_has_times(const struct etm_session *session, size_t source,
                      bool *has, struct etm_diag *diag)
{
    const uint64_t enough = UINT64_C(16) << 20;
    uint64_t bytes = etm_session_bytes(session, source);
    const struct etm_config *config =
        &etm_session_source(session, source)->config;
    struct times t = {.stamped = false};
    int status = ETM_OK;

    *has = config->timestamps && !etm_cli_never_has_times(config);
    if (bytes == 0 || etm_cli_never_has_times(config)) /* a pipe cannot be
                                                            read twice */
        return ETM_OK;
    status = look(session, source, bytes > enough ? enough : 0, &t, diag);
    *has = status == ETM_ERR_STOPPED;
    /* what cannot be read is reported when it is decoded */
    return *has || etm_cli_is_unread(status) ? ETM_OK : status;
}

int etm_cli_why_no_times(const struct etm_session *session, size_t source,
                         const char **why, struct etm_diag *diag)
{
    struct times t = {.stamped = false};
    int status;

    *why = NULL;
    status = look(session, source, 0, &t, diag);
    if (status == ETM_ERR_STOPPED)
        return ETM_OK;
    if (status == ETM_OK && !t.traced) /* it may have had times (E-358) */
        return ETM_OK;
    *why =
        etm_cli_never_has_times(&etm_session_source(session, source)->config);
    if (!*why)
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
