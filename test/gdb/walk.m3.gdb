# The bug of doc/gdb.md, found backwards. The receiver shows 0, 0, 0 and 35 of
# the first telegram; the sensor is not that fast.
echo --- the first telegram\n
break telegram_send
ignore 1 2
reverse-continue
bt
echo --- its last value\n
delete
tbreak formula_run
reverse-continue
echo --- who put it into the queue?\n
tbreak ring_put
reverse-continue
bt
echo --- how was it cleaned?\n
tbreak without_spikes
reverse-continue
next
next
next
echo --- without a median: was there ever one?\n
break median
reverse-continue
continue
monitor where
