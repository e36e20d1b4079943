/* SPDX-License-Identifier: Apache-2.0 */
/* etm configure: options without a value. */
#include "cli/configure.h"

#include <string.h>

/* Of two that exclude each other: `now` was given, and that before it. */
static int conflict(const char *now, const char *before)
{
    etm_cli_error("%s cannot be combined with %s (see 'etm configure --help')",
                  now, before);
    return ETM_EXIT_USAGE;
}

/* In which processor states. */
static int take_state(struct etm_request *r, const char *name)
{
    bool secure = strcmp(name, "--secure") == 0;
    bool user = strcmp(name, "--user") == 0;

    if (secure || strcmp(name, "--non-secure") == 0) {
        if (r->security ==
            (secure ? ETM_REQUEST_NON_SECURE : ETM_REQUEST_SECURE))
            return conflict(name, secure ? "--non-secure" : "--secure");
        r->security = secure ? ETM_REQUEST_SECURE : ETM_REQUEST_NON_SECURE;
    } else {
        if (r->mode == (user ? ETM_REQUEST_PRIVILEGED : ETM_REQUEST_USER))
            return conflict(name, user ? "--privileged" : "--user");
        r->mode = user ? ETM_REQUEST_USER : ETM_REQUEST_PRIVILEGED;
    }
    return -1;
}

int etm_cli_configure_flag(struct etm_cli_configure *c, const char *argument)
{
    struct etm_request *r = &c->request;
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {
        {"--cycle-accurate", &r->cycle_accurate},
        {"--timestamps", &r->timestamps},
        {"--return-stack", &r->return_stack},
        {"--branch-broadcast", &r->branch_broadcast},
        {"--vmid", &r->vmid},
        {"--cprt", &r->cprt},
        {"--cprt-filter", &r->cprt_filter},
        {"--data-only", &r->data_only},
        {"--stall", &r->stall},
        {"--suppress", &r->suppress},
        {"--half-rate", &r->half_rate},
        {"--debug-on-trigger", &r->debug_on_trigger},
        {"--big-endian", &c->big_endian},
    };
    static const char *const states[] = {"--secure", "--non-secure", "--user",
                                         "--privileged"};
    const char *name = NULL;
    size_t n = strcspn(argument, "=");
    bool *flag = NULL;

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strlen(flags[i].name) == n &&
            strncmp(argument, flags[i].name, n) == 0) {
            name = flags[i].name;
            flag = flags[i].flag;
        }
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strlen(states[i]) == n && strncmp(argument, states[i], n) == 0)
            name = states[i];
    if (!name)
        return ETM_CLI_NO_FLAG;
    if (argument[n] != '\0') {
        etm_cli_error("%s takes no value (see 'etm configure --help')", name);
        return ETM_EXIT_USAGE;
    }
    if (!flag)
        return take_state(r, name);
    *flag = true;
    return -1;
}
