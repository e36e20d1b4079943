/* SPDX-License-Identifier: Apache-2.0 */
/* What elements become calls: exceptions and tasks. */
#include "rig.h"

static void exceptions_are_frames_with_a_return_address(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, NEXT);
    exception(&b, ETM_EXCEPTION_IRQ, 0x110);
    range(&b, 0x400, NEXT);
    exception(&b, ETM_EXCEPTION_FIQ, 0x410);
    range(&b, 0x500, EXCEPTION_RETURN);
    range(&b, 0x410, EXCEPTION_RETURN);
    range(&b, 0x110, NEXT);
    expect(&b, "+a? +irq +d +fiq +e -e -fiq -d -irq -a?c ");
}

static void an_exception_at_a_call_comes_behind_it(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, CALL);
    exception(&b, ETM_EXCEPTION_IRQ, 0x200);
    range(&b, 0x400, EXCEPTION_RETURN);
    range(&b, 0x200, RETURN);
    range(&b, 0x110, NEXT);
    expect(&b, "+a? +b +irq +d -d -irq -b -a?c ");
}

static void chained_exceptions_follow_each_other(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, NEXT);
    exception(&b, ETM_EXCEPTION_SYS_TICK, 0x110);
    range(&b, 0x400, RETURN);
    element(&b, ETM_ELEMENT_EXCEPTION_RETURN);
    exception(&b, ETM_EXCEPTION_PEND_SV, 0);
    range(&b, 0x500, RETURN);
    element(&b, ETM_ELEMENT_EXCEPTION_RETURN);
    range(&b, 0x110, NEXT);
    expect(&b, "+a? +sys_tick +d -d -sys_tick +pend_sv +e -e -pend_sv -a?c ");
}

static void a_late_arrival_takes_the_place_of_the_first(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, NEXT);
    exception(&b, ETM_EXCEPTION_IRQ_N, 0x110);
    exception(&b, ETM_EXCEPTION_NMI, 0x110);
    range(&b, 0x400, RETURN);
    element(&b, ETM_ELEMENT_EXCEPTION_RETURN);
    range(&b, 0x110, NEXT);
    expect(&b, "+a? +irqN -irqN +nmi +d -d -nmi -a?c ");
}

static void a_handler_may_go_on_behind_a_fault(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, NEXT);
    exception(&b, ETM_EXCEPTION_UNDEFINED, 0x110);
    range(&b, 0x400, EXCEPTION_RETURN);
    range(&b, 0x114, NEXT);
    expect(&b, "+a? +undefined +d -d -undefined -a?c ");
}

static void an_exception_that_returns_elsewhere_switches_tasks(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, NEXT);
    exception(&b, ETM_EXCEPTION_PEND_SV, 0x110);
    range(&b, 0x400, EXCEPTION_RETURN);
    range(&b, 0x200, NEXT); /* a new task */
    exception(&b, ETM_EXCEPTION_PEND_SV, 0x210);
    range(&b, 0x400, EXCEPTION_RETURN);
    range(&b, 0x110, NEXT); /* the first one */
    exception(&b, ETM_EXCEPTION_PEND_SV, 0x120);
    range(&b, 0x400, EXCEPTION_RETURN);
    range(&b, 0x210, NEXT);
    expect(&b, "+a? +pend_sv +d -d -pend_sv =1 +b? +pend_sv +d -d -pend_sv =0 "
               "+pend_sv +d -d -pend_sv =1 -b?c -a?c ");
}

/* Both wait at 0x310; the one that waited longest is taken first, and it is the
 * other one whose caller is returned to. */
static void a_return_tells_which_of_two_tasks_goes_on(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, CALL);
    range(&b, 0x300, NEXT);
    exception(&b, ETM_EXCEPTION_SVC, 0x310);
    range(&b, 0x400, EXCEPTION_RETURN);
    range(&b, 0x200, CALL);
    range(&b, 0x300, NEXT);
    exception(&b, ETM_EXCEPTION_SVC, 0x310);
    range(&b, 0x400, EXCEPTION_RETURN);
    range(&b, 0x500, NEXT);
    exception(&b, ETM_EXCEPTION_SVC, 0x510);
    range(&b, 0x400, EXCEPTION_RETURN);
    range(&b, 0x310, RETURN);
    range(&b, 0x210, NEXT);
    expect(&b, "+a? +c +svc +d -d -svc =1 +b? +c +svc +d -d -svc =2 +e? +svc "
               "+d -d -svc =0 =1 -c -b?c -cc -a?c -e?c ");
}

static void the_task_variable_tells_the_task(void **state)
{
    struct etm_calls_config config = plain;
    struct rig b;

    (void)state;
    config.has_task_variable = true;
    config.task_variable = 0x8000;
    start(&b, &config);
    store(&b, 0x8000, 1); /* not by an exception: nobody switches */
    for (uint32_t task = 1; task <= 2; task++) {
        range(&b, 0x100, NEXT);
        exception(&b, ETM_EXCEPTION_IRQ, 0x110);
        range(&b, 0x400, NEXT);
        store(&b, 0x8000, task);
        range(&b, 0x410, EXCEPTION_RETURN);
        range(&b, task == 1 ? 0x300 : 0x110, NEXT);
        exception(&b, ETM_EXCEPTION_IRQ, task == 1 ? 0x310 : 0x120);
        range(&b, 0x400, NEXT);
        store(&b, 0x8000, 3);
        range(&b, 0x410, EXCEPTION_RETURN);
    }
    assert_int_equal(etm_calls_task(b.calls, 1)->value, 1);
    assert_true(etm_calls_task(b.calls, 1)->value_known);
    assert_false(etm_calls_task(b.calls, 0)->value_known &&
                 etm_calls_task(b.calls, 0)->value == 1);
    assert_null(etm_calls_task(b.calls, etm_calls_tasks(b.calls)));
    etm_calls_free(b.calls);
}

static void context_ids_are_tasks(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    context(&b, 7);
    range(&b, 0x100, CALL);
    range(&b, 0x200, NEXT);
    context(&b, 8);
    range(&b, 0x210, CALL);
    range(&b, 0x300, NEXT);
    context(&b, 7);
    range(&b, 0x220, RETURN);
    range(&b, 0x110, NEXT);
    assert_int_equal(etm_calls_task(b.calls, 1)->context_id, 8);
    expect(&b, "+a? +b =1 +b? +c =0 -b -a?c -cc -b?c ");
}

static void a_reset_cuts_everything(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, CALL);
    range(&b, 0x200, NEXT);
    exception(&b, ETM_EXCEPTION_RESET, 0);
    range(&b, 0x400, NEXT);
    expect(&b, "+a? +b -bc -a?c +reset -reset +d? -d?c ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exceptions_are_frames_with_a_return_address),
        cmocka_unit_test(an_exception_at_a_call_comes_behind_it),
        cmocka_unit_test(chained_exceptions_follow_each_other),
        cmocka_unit_test(a_late_arrival_takes_the_place_of_the_first),
        cmocka_unit_test(a_handler_may_go_on_behind_a_fault),
        cmocka_unit_test(an_exception_that_returns_elsewhere_switches_tasks),
        cmocka_unit_test(a_return_tells_which_of_two_tasks_goes_on),
        cmocka_unit_test(the_task_variable_tells_the_task),
        cmocka_unit_test(context_ids_are_tasks),
        cmocka_unit_test(a_reset_cuts_everything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
