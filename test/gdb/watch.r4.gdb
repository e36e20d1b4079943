# With data trace: who wrote a variable last, and before. As in doc/gdb.md.
echo --- the value at the end\n
p/x word
echo --- the last writer\n
watch word.all
reverse-continue
bt
echo --- those before it\n
reverse-continue
reverse-continue
echo --- and forwards\n
continue
