/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes in the values of registers: all rules. */
#include "setup/explain.h"

#include "base/diag.h"
#include "base/name.h"
#include "setup/lint_rules.h"

#define ID(rule, id, section) ETM_NAME_CASE(rule, id)
#define IDS(X) ETM_LINT_LIST(ID)

const char *etm_lint_id(enum etm_lint_rule rule)
{
    ETM_RETURN_NAME(IDS, rule);
}

/* In the order of rules; few enough for insertion. */
static void sort(struct etm_lint *lints, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct etm_lint lint = lints[i];
        size_t k = i;

        for (; k > 0 && lints[k - 1].rule > lint.rule; k--)
            lints[k] = lints[k - 1];
        lints[k] = lint;
    }
}

int etm_lint_room(const struct etm_lint *lints, size_t capacity,
                  struct etm_diag *diag)
{
    if (lints != NULL || capacity == 0)
        return ETM_OK;
    return etm_diag_say(diag, ETM_ERR_ARGUMENT, "lints",
                        "there is no place for the mistakes");
}

int etm_lint_values(const struct etm_explain_config *config,
                    struct etm_lint *lints, size_t capacity,
                    struct etm_diag *diag)
{
    struct etm_view view;
    struct etm_lints l = {.view = &view, .lints = lints, .capacity = capacity};
    int status = etm_view_init(&view, config, diag);

    if (status == ETM_OK)
        status = etm_lint_room(lints, capacity, diag);
    if (status != ETM_OK)
        return status;
    etm_lint_comparators(&l);
    etm_lint_selections(&l);
    etm_lint_dwt(&l);
    etm_lint_events(&l);
    etm_lint_control(&l);
    etm_lint_registers(&l);
    sort(lints, l.n < capacity ? l.n : capacity);
    return (int)l.n;
}
