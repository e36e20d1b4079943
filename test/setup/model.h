/* SPDX-License-Identifier: Apache-2.0 */
/* Setups in the model of the macrocell, and in its resources. */
#ifndef TEST_SETUP_MODEL_H
#define TEST_SETUP_MODEL_H

#include "model/dwt.h"
#include "model/macrocell.h"
#include "model/resources.h"

#include <etm/setup.h>

/* Every version that there is. */
static const char *const versions[] = {
    "v1.0", "v1.1", "v1.2", "v1.3", "v2.0", "v2.1",   "v3.0",
    "v3.1", "v3.2", "v3.3", "v3.4", "v3.5", "pft1.0", "pft1.1"};

/* Programs the model without a mistake, and runs its resources. ETM_ERR_FORMAT:
 * it was a mistake. */
static inline int model_program(const struct etm_setup *setup,
                                const struct etm_macrocell_config *cell,
                                struct etm_resources *resources,
                                struct etm_diag *diag)
{
    const struct etm_config *c = cell->config;
    bool old = c->protocol < ETM_PROTOCOL_ETMV3 ||
               (c->protocol == ETM_PROTOCOL_ETMV3 && c->minor < 2);
    bool memory = cell->interfaces == 0
                      ? !old
                      : (cell->interfaces & ETM_INTERFACE_MEMORY) != 0;
    struct etm_resources_config config;
    struct etm_macrocell *etm;
    int status = etm_macrocell_new(&etm, cell, diag);

    if (status != ETM_OK)
        return status;
    status = etm_setup_apply(
        setup, etm, memory ? ETM_ACCESS_SOFTWARE : ETM_ACCESS_JTAG, diag);
    if (status == ETM_OK && etm_macrocell_mistakes(etm) != 0)
        status = ETM_ERR_FORMAT;
    config = etm_resources_config_of(&etm->registers);
    etm_resources_init(resources, &config);
    etm_resources_program(resources, etm->registers.value);
    etm_resources_hold(resources, ETM_RESOURCES_RUN);
    etm_macrocell_free(etm);
    return status;
}

/* What the DWT of a setup, if it is in it, makes of an event. */
static inline void model_dwt(const struct etm_setup *setup,
                             const struct etm_event *event,
                             struct etm_resources *resources)
{
    struct etm_resource_pins pins = {0};
    struct etm_dwt dwt = {0};
    bool any = false;

    for (size_t i = 0; i < setup->n; i++) {
        uint32_t *at = etm_dwt_register(&dwt, 4, setup->values[i].number);

        if (at != NULL)
            *at = setup->values[i].value;
        any = any || at != NULL;
    }
    if (!any)
        return;
    pins.eice_sampled = etm_dwt_sample(&dwt, event, &pins.eice);
    etm_resources_pins(resources, &pins);
}

#endif
