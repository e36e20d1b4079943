# The demo of a Cortex-M3: from the end of its trace back to its beginning.
echo --- the end\n
bt
monitor where
x/2i $pc
echo --- one instruction back\n
reverse-stepi
p/x $pc
p $r0
p $sp == 0
echo --- back to a breakpoint, and out of the function\n
break ring_get
reverse-continue
bt
reverse-finish
p/x $pc
echo --- its first call, and what it returns\n
delete
monitor goto start
stepi
break ring_get
continue
finish
echo --- a function whose value the trace does not tell\n
delete
break formula_run
continue
python
try:
    gdb.execute("finish")
except gdb.error as error:
    print(error)
end
p $r0
p/x $pc
echo --- a handler and what it interrupts\n
delete
break SVC_Handler
continue
bt
up 2
p/x $pc
echo --- both ends\n
delete
continue
reverse-continue
p/x $pc
echo --- memory: code, and what is not known\n
p/x *(unsigned short *)0x27a
monitor gaps
monitor find SVC_Handler
stepi
p $r5
echo --- what interrupts main is not known, until it is told\n
p $lr
monitor backtrace
monitor exc-return 0xfffffff9
monitor exc-return
stepi
p/x $lr
bt
monitor exc-return unknown
echo --- calls, by GDB's own recording of branches\n
delete
break median
reverse-continue
continue
record btrace bts
info record
record function-call-history /ilc
record stop
