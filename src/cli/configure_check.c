/* SPDX-License-Identifier: Apache-2.0 */
/* etm configure: options that apply to others, need them, or exclude them. */
#include "cli/args.h"
#include "cli/configure.h"

#include <inttypes.h>

/* Of two that exclude each other: `now` was given, and that before it. */
static int conflict(const char *now, const char *before)
{
    return etm_cli_usage("configure", "%s cannot be combined with %s", now,
                         before);
}

int etm_cli_configure_security(struct etm_request *r, bool secure)
{
    if (r->security == (secure ? ETM_REQUEST_NON_SECURE : ETM_REQUEST_SECURE))
        return secure ? conflict("--secure", "--non-secure")
                      : conflict("--non-secure", "--secure");
    r->security = secure ? ETM_REQUEST_SECURE : ETM_REQUEST_NON_SECURE;
    return -1;
}

int etm_cli_configure_mode(struct etm_request *r, bool user)
{
    if (r->mode == (user ? ETM_REQUEST_PRIVILEGED : ETM_REQUEST_USER))
        return user ? conflict("--user", "--privileged")
                    : conflict("--privileged", "--user");
    r->mode = user ? ETM_REQUEST_USER : ETM_REQUEST_PRIVILEGED;
    return -1;
}

/* Only loads or only stores, at any address: a match of all addresses. */
static int all_data(struct etm_cli_configure *c)
{
    struct etm_cli_matches *list = &c->data_include;

    if (list->n != 0)
        return -1;
    if (c->data_size != 0 && c->data_exclude.n == 0)
        return etm_cli_usage(
            "configure",
            "--data-size needs --data-range, --data-variable or --data-value");
    if (c->data_look != ETM_LOOK_TRANSFER)
        list->match[list->n++] = (struct etm_request_match){
            .look = c->data_look, .range = true, .to = UINT32_MAX};
    return -1;
}

/* --data-value without an address, which stands for all of them. */
static bool any_address(const struct etm_request_match *m)
{
    return m->has_value && m->range;
}

/* Values without an address are those of the ranges and variables, if there are
 * any: each of these with each value. */
static int join_values(struct etm_cli_configure *c)
{
    struct etm_cli_matches *list = &c->data_include;
    const struct etm_cli_matches all = *list;
    struct etm_cli_matches joined = {.n = 0};

    for (size_t i = 0; i < all.n; i++) {
        struct etm_request_match m = all.match[i];
        bool place = !m.has_value;

        for (size_t k = 0; k < all.n && place; k++) {
            const struct etm_request_match *value = &all.match[k];

            if (!any_address(value))
                continue;
            if (joined.n == ETM_CLI_MATCHES) {
                etm_cli_error("more values than any macrocell has comparators "
                              "for");
                return ETM_EXIT_UNREADABLE;
            }
            m.has_value = true;
            m.value = value->value;
            m.mask = value->mask;
            joined.match[joined.n++] = m;
        }
    }
    if (joined.n == 0)
        return -1;
    for (size_t i = 0; i < all.n; i++)
        if (all.match[i].has_value && !any_address(&all.match[i]) &&
            joined.n < ETM_CLI_MATCHES)
            joined.match[joined.n++] = all.match[i];
    *list = joined;
    return -1;
}

/* Set the byte order of a value to compare. */
static bool order_value(const struct etm_cli_configure *c,
                        struct etm_request_match *m)
{
    m->big_endian = c->big_endian;
    return m->has_value;
}

/* --big-endian may come before or after the values that it applies to. */
static int order_values(struct etm_cli_configure *c)
{
    struct etm_cli_matches *lists[] = {&c->data_include, &c->data_exclude,
                                       &c->start, &c->stop};
    struct etm_request *r = &c->request;
    struct etm_request_condition *alone[] = {&r->when, &r->data_when,
                                             &r->trigger, &r->timestamp};
    bool any = false;

    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        any = order_value(c, &alone[i]->match) || any;
    for (size_t i = 0; i < sizeof r->external / sizeof *r->external; i++)
        any = order_value(c, &r->external[i].match) || any;
    for (size_t i = 0; i < r->n_chain; i++)
        any = order_value(c, &c->chain[i].match) || any;
    for (size_t i = 0; i < c->n_joined; i++)
        any = order_value(c, &c->joined[i].match) || any;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t k = 0; k < lists[i]->n; k++)
            any = order_value(c, &lists[i]->match[k]) || any;
    if (c->big_endian && !any)
        return etm_cli_usage(
            "configure",
            "--big-endian needs a value, of --data-value or of a condition");
    return -1;
}

int etm_cli_configure_check(struct etm_cli_configure *c)
{
    struct etm_cli_matches *lists[] = {&c->data_include, &c->data_exclude};
    struct etm_request *r = &c->request;
    int status = etm_cli_configure_chip_check(c);

    if (status < 0)
        status = all_data(c);
    if (status >= 0)
        return status;
    status = join_values(c);
    if (status >= 0)
        return status;
    status = order_values(c);
    if (status >= 0)
        return status;
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < lists[i]->n; k++) {
            struct etm_request_match *m = &lists[i]->match[k];

            if (c->data_size != 0)
                m->size = c->data_size;
            m->look = c->data_look;
        }
    }
    if (c->from)
        return etm_cli_usage("configure", "--from needs --to after it");
    if ((c->core != NULL) == (c->dump != NULL))
        return etm_cli_usage(
            "configure",
            c->core != NULL
                ? "--core cannot be combined with --dump"
                : "configure: for which macrocell? Give --chip, --core or "
                  "--dump");
    if (c->dump && c->version)
        return etm_cli_usage("configure", "--etm needs --core");
    if (c->after_count != 0 && r->trigger.what == ETM_CONDITION_NONE)
        return etm_cli_usage("configure", "--after-count needs --trigger-at");
    if (c->after_count != 0 && r->trigger.times != 0)
        return etm_cli_usage("configure",
                             "--after-count %" PRIu32 " and *%" PRIu32
                             " in --trigger-at are two counts: give one",
                             c->after_count, r->trigger.times);
    r->cprt = r->cprt || r->cprt_filter;
    if (c->after_count != 0)
        r->trigger.times = c->after_count;
    r->include = c->include.match;
    r->n_include = c->include.n;
    r->exclude = c->exclude.match;
    r->n_exclude = c->exclude.n;
    r->start = c->start.match;
    r->n_start = c->start.n;
    r->stop = c->stop.match;
    r->n_stop = c->stop.n;
    r->data_include = c->data_include.match;
    r->n_data_include = c->data_include.n;
    r->data_exclude = c->data_exclude.match;
    r->n_data_exclude = c->data_exclude.n;
    r->chain = c->chain;
    return -1;
}
