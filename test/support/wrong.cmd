# SPDX-License-Identifier: Apache-2.0
# Files of commands that are wrong, each begun by the reason: commands.py --wrong.
%% wrong.cmd:7: of $ echo yes
# another line, and files have lines of their own
== a
  $ echo yes
  no
%% + more
== a
  $ echo yes; echo more
  yes
%% - more
== a
  $ echo yes
  ...
  more
%% of $ echo first
== a
  $ echo first; echo second >&2
  first
  second
%% + [3]
== a
  $ echo yes; exit_with() { return $1; }; exit_with 3
  yes
%% wrong.cmd:29: of $ sh -c 'exit 3'
== a
  $ sh -c 'exit 3'
  [4]
%% + [2] !! ls:
== a
  $ ls nosuch => [2]
%% + !! yes
== standard_error_is_not_what_the_others_print
  $ echo yes >&2 => yes
%% + [1] nosuch:
== a
  $ etm decode nosuch => [2] frob: no such command (see 'etm --help')
%% not ok 1 - messages
== messages
  $ etm decode -x; etm decode $M3 >out => [2] -x: no such option (see 'etm packets --help')
%% + yes (no-eol)
== a
  $ printf yes => yes
%% - yes (4 times)
== a
  $ echo yes; echo yes; echo yes => yes (4 times)
%% the shell ended here
== a_command_that_the_shell_does_not_understand
  $ echo "yes => yes
%% the shell ended here
== a_command_that_ends_it
  $ echo yes => yes
  $ exit
  $ echo no => no
%% not ok 1 - what stands before the first case
  $ false

== a
  $ echo yes => yes
%% b expects nothing
== a
  $ echo yes => yes
== b
  $ echo yes
%% no cases
# nothing
%% neither a case, a command nor what it prints
== a
 $ echo yes
%% neither a case, a command nor what it prints
== a
  output of no command
%% neither a case, a command nor what it prints
== a
  $ echo yes; echo more => yes
  more
%% not ok 2 - cases
== a
  $ echo one >file; echo two => two
== cases_know_nothing_of_each_other
  $ cat file => one
