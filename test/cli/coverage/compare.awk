# SPDX-License-Identifier: Apache-2.0
# Compares a tracefile of lcov with what `gcov -b -c` wrote for the same file:
#
#     awk -v file=NAME -f compare.awk TRACEFILE GCOV
#
# Lines that only one of the two has are left out: gcov names a function where
# its name is, debug information where it begins. The ways of the branches of
# a line are compared as a set, because a compiler may turn a condition round;
# a switch has other branches here than there. Prints what differs, and then
# "LINES FUNCTIONS BRANCHES" that were compared.
function sorted(list, n,    i, j, t, text) {
    for (i = 1; i <= n; i++)
        for (j = i + 1; j <= n; j++)
            if (list[j] + 0 < list[i] + 0) {
                t = list[i]; list[i] = list[j]; list[j] = t
            }
    for (i = 1; i <= n; i++)
        text = text " " list[i] + 0
    return text
}
function branches_of(line,    n, i, ours, theirs, a, b) {
    n = split(ways[line], ours, " ")
    if (n == 0 || split(gcov_ways[line], theirs, " ") != n)
        return
    compared++
    a = sorted(ours, n)
    b = sorted(theirs, n)
    if (a != b)
        print "branches of line " line ": gcov" b ", etm" a
}
FNR == NR {
    if (/^SF:/)
        on = substr($0, length($0) - length(file)) == "/" file
    if (!on)
        next
    split(substr($0, index($0, ":") + 1), part, ",")
    if (/^DA:/)
        count[part[1]] = part[2]
    if (/^FNDA:/)
        calls[part[2]] = part[1]
    if (/^BRDA:/)
        ways[part[1]] = ways[part[1]] " " (part[4] == "-" ? 0 : part[4])
    next
}
/^function / {
    if ($2 in calls) {
        functions++
        if (calls[$2] != $4)
            print "calls of " $2 ": gcov " $4 ", etm " calls[$2]
    }
    next
}
/^branch / {
    gcov_ways[line] = gcov_ways[line] " " ($3 == "never" ? 0 : $4)
    next
}
/^(call|unconditional) / { next }
{
    split($0, part, ":")
    line = part[2] + 0
    gsub(/[ *]/, "", part[1])
    if (part[1] == "-" || !(line in count))
        next
    lines++
    if (part[1] == "#####")
        part[1] = 0
    if (part[1] != count[line])
        print "line " line ": gcov " part[1] ", etm " count[line]
}
END {
    for (line in ways)
        branches_of(line)
    print lines + 0, functions + 0, compared + 0
}
