/* SPDX-License-Identifier: Apache-2.0 */
/* What calls return, in tests of cmocka. */
#ifndef TEST_SUPPORT_STATUS_H
#define TEST_SUPPORT_STATUS_H

#include <etm/types.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define OK(call) assert_int_equal(call, ETM_OK)
#define MISUSE(call) assert_int_equal(call, ETM_ERR_ARGUMENT)

#endif
