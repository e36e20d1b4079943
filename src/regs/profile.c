/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profile of the traced processor. No register of the macrocell gives it
 * directly, but it determines the meaning of exception numbers.
 */
#include "regs/regs.h"

/*
 * Macrocells whose ETMIDR is known (table 3-47; technical reference manuals
 * of the later ones), without the revision in bits [3:0].
 */
static const struct {
    uint32_t idr;
    enum etm_profile profile;
} macrocells[] = {
    {0x4114f240, ETM_PROFILE_M}, /* ETM-M3 */
    {0x4114f250, ETM_PROFILE_M}, /* ETM-M4 */
    {0x4104f230, ETM_PROFILE_R}, /* ETM-R4 */
    {0x410cf230, ETM_PROFILE_A}, /* ETM-A8 */
    {0x410cf250, ETM_PROFILE_A}, /* ETM-A5, ETM-A7 */
    {0x411cf300, ETM_PROFILE_A}, /* PTM-A9 */
    {0x411cf310, ETM_PROFILE_A}, /* PTM-A15 */
};

/*
 * Beginnings of core names, in upper case and without separators; the first
 * matching row counts.
 */
static const struct {
    const char *prefix;
    enum etm_profile profile;
} cores[] = {
    {"CORTEXM", ETM_PROFILE_M},
    {"CORTEXR", ETM_PROFILE_R},
    {"CORTEXA", ETM_PROFILE_A},
    {"CORTEXX", ETM_PROFILE_A},
    {"NEOVERSE", ETM_PROFILE_A},
    {"SC000", ETM_PROFILE_M},
    {"SC300", ETM_PROFILE_M},
    {"ARMV6M", ETM_PROFILE_M},
    {"ARMV7M", ETM_PROFILE_M},
    {"ARMV7EM", ETM_PROFILE_M},
    {"ARMV8M", ETM_PROFILE_M},
    {"ARMV7R", ETM_PROFILE_R},
    {"ARMV8R", ETM_PROFILE_R},
    {"ARMV7A", ETM_PROFILE_A},
    {"ARMV8A", ETM_PROFILE_A},
    {"ARMV9A", ETM_PROFILE_A},
    {"ARMAA64", ETM_PROFILE_A},
    {"SCORPION", ETM_PROFILE_A},
    {"KRAIT", ETM_PROFILE_A},
    /* Older than profiles; their exceptions are those of the A profile. */
    {"ARM7", ETM_PROFILE_A},
    {"ARM9", ETM_PROFILE_A},
    {"ARM10", ETM_PROFILE_A},
    {"ARM11", ETM_PROFILE_A},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum etm_profile etm_profile_of_idr(uint32_t idr)
{
    for (size_t i = 0; i < COUNT(macrocells); i++) {
        if (macrocells[i].idr == (idr & ~UINT32_C(0xf)))
            return macrocells[i].profile;
    }
    return ETM_PROFILE_UNKNOWN;
}

static bool begins_with(const char *name, const char *prefix)
{
    for (; *prefix != '\0'; name++) {
        int c = *name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name;

        if (c == '-' || c == '_' || c == ' ')
            continue;
        if (c != *prefix++)
            return false;
    }
    return true;
}

enum etm_profile etm_profile_of_core(const char *type)
{
    for (size_t i = 0; i < COUNT(cores); i++) {
        if (begins_with(type, cores[i].prefix))
            return cores[i].profile;
    }
    return ETM_PROFILE_UNKNOWN;
}
