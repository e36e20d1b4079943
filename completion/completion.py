#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write what a shell completes after `etm`: commands, options and their values,
as the command's own help has them.

    completion.py ETM bash|zsh|fish
"""
import re
import subprocess
import sys

# An option, and its value if there is one; none after a comma.
OPTION = re.compile(r'(?<![\w-])(--[a-z][a-z-]*|-o)(?: (?!-)(\S+?))?(?=[,)\s]|$)')
FILES = re.compile(r'^(FILE|DIR|DIRECTORY|PROGRAM)\b')


def help_of(etm, command):
    return subprocess.run([etm, command, '--help'], check=True, text=True,
                          capture_output=True).stdout.splitlines()


def commands(etm):
    """Name -> what it does."""
    found = {}
    for line in subprocess.run([etm, '--help'], check=True, text=True,
                               capture_output=True).stdout.splitlines():
        match = re.match(r'(?:usage:|      ) etm ([a-z]+) .*\s{2,}(\S.*)$', line)
        if match:
            found[match[1]] = match[2]
    return found


def clause(text):
    """The beginning of a description, up to where it goes into detail."""
    return re.split(r'(?<!\.)[;:.] | \(|[.;:]$', text)[0].strip()


# Options whose values have their names in the first column of a command.
LISTS = {'--core': "etm configure --core list 2>/dev/null",
         '--chip': "etm configure --chip list 2>/dev/null"}


class Option:
    def __init__(self, value, what):
        self.what = what
        self.listed = None # the command that lists its values
        self.takes = value is not None
        self.files = value is not None and FILES.match(value) is not None
        self.values = []
        if value is not None and not self.files:
            self.values = [v for v in value.split('|')
                           if re.fullmatch(r'[a-z0-9][a-z0-9-]*', v)]


def add(found, name, values):
    """More values of an option that has some."""
    if name in found and found[name].values:
        found[name].values += [v for v in values
                               if v not in found[name].values]


def options(lines):
    """Option -> Option, from the help of a command."""
    found, more_values = {}, []
    for i, line in enumerate(lines):
        usage = re.match(r'(usage:|      ) etm ', line)
        if not usage and not re.match(r'  -', line):
            continue
        text, what = line, ''
        match = re.match(r'  (\S.*?)\s{2,}(?![-(])(\S.*)$', line)
        if match and not usage:
            what = match[2]
            for more in lines[i + 1:]:
                if not re.match(r' {20}\s*\S', more):
                    break
                what += ' ' + more.strip()
        names = OPTION.findall(match[1] if match and not usage else text)
        for name, value in names:
            option = Option(value.rstrip(']') or None,
                            clause(what) if len(names) == 1 else '')
            if name not in found or (option.takes and not found[name].takes):
                found[name] = option
            elif option.values:
                add(found, name, option.values)
        more_values += OPTION.findall(what) # "also with --format lcov"
    for name, value in more_values:
        add(found, name, Option(value, '').values)
    for name, command in LISTS.items():
        if name in found:
            found[name].listed = command
    found['--help'] = Option(None, 'this help')
    return found


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"



def bash(all_of, names):
    print('''# etm(1): completion for bash
_etm() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local values=

  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then''')
    print(f"    COMPREPLY=($(compgen -W '{' '.join(names)} help --help --version'"
          ' -- "$word"))')
    print('''    return
  fi
  # --option=VALUE is three words
  if [ "$word" = = ]; then
    word=
  elif [ "$before" = = ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case "${COMP_WORDS[1]} $before" in''')
    for command, found in all_of.items():
        for name, option in found.items():
            if option.listed:
                print(f'  "{command} {name}") values="list $({option.listed} |'
                      " awk '{ print $1 }')\" ;;")
            elif option.values:
                print(f'  "{command} {name}") values=\''
                      f"{' '.join(option.values)}' ;;")
        files = [n for n, o in found.items() if o.files]
        other = [n for n, o in found.items()
                 if o.takes and not (o.files or o.values or o.listed)]
        if files:
            print('  ' + ' | '.join(f'"{command} {n}"' for n in files) + ')')
            print('    COMPREPLY=($(compgen -f -- "$word"))\n    return ;;')
        if other:
            print('  ' + ' | '.join(f'"{command} {n}"' for n in other)
                  + ') return ;;')
    print('''  "help "*)
    values=\'''' + ' '.join(names) + '''\' ;;
  *)
    case ${COMP_WORDS[1]} in''')
    for command, found in all_of.items():
        print(f"    {command}) values='{' '.join(found)}' ;;")
    print('''    esac
    case $word in
    -*) ;;
    *)
      COMPREPLY=($(compgen -f -- "$word"))
      return
      ;;
    esac
    ;;
  esac
  COMPREPLY=($(compgen -W "$values" -- "$word"))
}
complete -o filenames -F _etm etm''')


def zsh(all_of, names):
    print('#compdef etm\n# etm(1): completion for zsh\n')
    print('local curcontext=$curcontext state line\n')
    print("_arguments -C '1:command:->command' '*::argument:->argument'\n")
    print('case $state in\ncommand)\n  local -a commands=(')
    for name, what in names.items():
        print(f'    {quoted(name + ":" + what)}')
    print("    'help:the options of a command'\n  )")
    print("  _describe command commands\n  ;;\nargument)\n  case $words[1] in")
    print("  help) _values command " + ' '.join(names) + ' ;;')
    for command, found in all_of.items():
        print(f'  {command})\n    _arguments \\')
        for name, option in found.items():
            what = re.sub(r'[\[\]:]', '', option.what)
            spec = f"*{name}" + ('=' if option.takes and name[1] == '-' else '')
            spec += f'[{what}]'
            if option.listed:
                spec += (f':{name[2:]}:($({option.listed} |'
                         " awk '{ print $1 }'))")
            elif option.values:
                spec += f":value:({' '.join(option.values)})"
            elif option.files:
                spec += ':file:_files'
            elif option.takes:
                spec += ':value: '
            print(f'      {quoted(spec)} \\')
        print("      '*:file:_files'\n    ;;")
    print('  esac\n  ;;\nesac')


def fish(all_of, names):
    print('# etm(1): completion for fish')
    for name, what in names.items():
        print(f'complete -c etm -n __fish_use_subcommand -f -a {name}'
              f' -d {quoted(what)}')
    print("complete -c etm -n __fish_use_subcommand -f -a help"
          " -d 'the options of a command'")
    print("complete -c etm -n '__fish_seen_subcommand_from help' -f -a "
          + quoted(' '.join(names)))
    for command, found in all_of.items():
        seen = quoted('__fish_seen_subcommand_from ' + command)
        for name, option in found.items():
            line = f'complete -c etm -n {seen}'
            line += f' -l {name[2:]}' if name[1] == '-' else f' -s {name[1:]}'
            if option.files:
                line += ' -r -F'
            elif option.takes:
                line += ' -x'
            if option.listed:
                line += (f" -a \"({option.listed} |"
                         " awk '{ print \\$1 }')\"")
            elif option.values:
                line += ' -a ' + quoted(' '.join(option.values))
            if option.what:
                line += ' -d ' + quoted(option.what)
            print(line)


def main():
    etm, shell = sys.argv[1:]
    names = commands(etm)
    all_of = {name: options(help_of(etm, name)) for name in names}
    {'bash': bash, 'zsh': zsh, 'fish': fish}[shell](all_of, names)


main()
