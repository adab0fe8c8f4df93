#!/usr/bin/env python3
"""completions.py FOLDER TOOL...: completions for bash, zsh and fish from the tools' options tables.

Writes FOLDER/bash/TOOL, FOLDER/zsh/_TOOL and FOLDER/fish/TOOL.fish for each tool, from what it says
to --help=json, so that the shell offers what the parser takes. A tool with verbs has a table for
each; where a verb passes its options to another tool, that tool's table is taken.
"""

import json
import pathlib
import subprocess
import sys

FOLDERS = {"DIR"}
PAIRS = {"OLD=NEW"}
FILES = {"FILE", "FORMAT:FILE"}


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def words(option):
    """--name, or --name= where a value follows; and the letter."""
    letter = [f"-{option['letter']}"] if option["letter"] else []
    return letter + [f"--{option['name']}" + ("=" if option["argument"] else "")]


HELP = "what a verb does"


def verb_names(table):
    return [verb["verb"] for verb in table["verbs"]] + ["help"]


# ---- bash ----

BASH_HEAD = "# bash completion of {name}, made from its options table\n"
BASH = """_{id}() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} option= i
  COMPREPLY=()
{operands}  # bash breaks words at = and :, what stands before them is a word of its own
  local line=${{COMP_LINE:0:COMP_POINT}}
  local last=${{line##*[[:space:]]}}
  case $last in
    --*=*) option=${{last%%=*}} cur=${{last#*=}}
           [[ $COMP_WORDBREAKS == *=* ]] && cur=${{cur##*=}} ;;
    -*) ;;
    *) case ${{COMP_WORDS[COMP_CWORD-1]}} in
{letters}         *) ;;
       esac ;;
  esac
  case $option in
{values}    '') case $cur in
          -*) COMPREPLY=($(compgen -W {options} -- "$cur"))
              [[ ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace 2>/dev/null ;;
          *) {operand} ;;
        esac ;;
  esac
  # The shell replaces what follows the last : or =, so only that may be given back.
  if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
    local before=${{cur%"${{cur##*:}}"}}
    COMPREPLY=("${{COMPREPLY[@]#"$before"}}")
  fi
}}
"""
BASH_END = "complete -F _{id} {name}\n"
BASH_VERBS = """_{id}() {{
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W {verbs} -- "${{COMP_WORDS[COMP_CWORD]}}"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}  esac
}}
"""
BASH_COMMAND = """  # After the program's own options another command begins, with completions of its own.
  for ((i = %d; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      -*|=) ;;
      *) [[ ${COMP_WORDS[i-1]} == [=] || " %s " == *" ${COMP_WORDS[i-1]} "* ]] && continue
         if declare -F _command_offset >/dev/null; then _command_offset $i
         else compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); fi
         return ;;
    esac
  done
"""
BASH_FILES = "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$cur\"))"
BASH_BEHIND = ("compopt -o filenames 2>/dev/null; "
               "COMPREPLY=($(compgen -P \"${cur%%:*}:\" -f -- \"${cur#*:}\"))")
BASH_FOLDERS = "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$cur\"))"


def bash_value(option):
    kind = option["argument"]
    if option["choices"]:
        choose = f"COMPREPLY=($(compgen -W {quoted(option['choices'])} -- \"$cur\"))"
        if ":" in option["choices"]:
            choose += "; [[ ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null"
        return choose if kind not in FILES else \
            f"if [[ $cur == *:* ]]; then {BASH_BEHIND}; else {choose}; fi"
    if kind in FILES:
        return BASH_FILES
    return BASH_FOLDERS if kind in FOLDERS | PAIRS else ":"


def identifier(name):
    return name.replace("-", "_").replace(" ", "_")


def bash_function(table, first=1):
    """`first`: where the options begin."""
    names = " ".join(word for option in table["options"] for word in words(option))
    valued = [option for option in table["options"] if option["argument"]]
    letters = "".join(f"         -{o['letter']}|--{o['name']}) option=--{o['name']} ;;\n" if o["letter"]
                      else f"         --{o['name']}) option=--{o['name']} ;;\n" for o in valued)
    values = "".join(f"    --{o['name']}) {bash_value(o)} ;;\n" for o in valued)
    taking = " ".join(word.rstrip("=") for o in valued for word in words(o))
    command = table["operand"] == "command"
    operand = "COMPREPLY=($(compgen -c -- \"$cur\"))" if command else \
        BASH_FOLDERS if table["operand"] == "directory" else BASH_FILES
    return BASH.format(id=identifier(table["name"]),
                       operands=BASH_COMMAND % (first, taking) if command else "", letters=letters,
                       values=values, options=quoted(names), operand=operand)


def bash(table):
    name = {"name": table["name"], "id": identifier(table["name"])}
    if "verbs" not in table:
        body = bash_function(table)
    else:
        body = "".join(bash_function(verb["command"], 2) for verb in table["verbs"])
        cases = "".join(f"    {verb['verb']}) _{identifier(verb['command']['name'])} ;;\n"
                        for verb in table["verbs"])
        body += BASH_VERBS.format(verbs=quoted(" ".join(verb_names(table))), cases=cases, **name)
    return BASH_HEAD.format(**name) + body + BASH_END.format(**name)


# ---- zsh ----

def zsh_text(text):
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh_action(option):
    choices, kind = option["choices"].split(), option["argument"]
    if choices:
        ended = [choice for choice in choices if not choice.endswith(":")]
        begun = [choice.rstrip(":") for choice in choices if choice.endswith(":")]
        return f"->{option['name']}" if begun else f"({' '.join(ended)})"
    if kind in FILES:
        return "_files"
    return "_files -/" if kind in FOLDERS | PAIRS else " "


def zsh_option(option):
    text = f"[{zsh_text(option['help'])}]"
    value = f":{zsh_text(option['argument'])}:{zsh_action(option)}" if option["argument"] else ""
    long, letter = f"--{option['name']}", f"-{option['letter']}"
    equals = "=" if option["argument"] else ""
    joined = "+" if option["argument"] else ""
    if not option["letter"]:
        return [quoted(f"*{long}{equals}{text}{value}" if value else f"{long}{text}")]
    return [quoted(f"{letter}{joined}{text}{value}"), quoted(f"{long}{equals}{text}{value}")]


def zsh_states(table):
    """Choices that go on: the first word is offered, then what stands behind the colon."""
    lines = []
    for option in table["options"]:
        choices = option["choices"].split()
        if not any(choice.endswith(":") for choice in choices):
            continue
        ended = " ".join(choice for choice in choices if not choice.endswith(":"))
        begun = " ".join(choice.rstrip(":") for choice in choices if choice.endswith(":"))
        more = "_files" if option["argument"] in FILES else "_message number"
        lines += [f"  {option['name']})",
                  f"    if compset -P '*:'; then {more}",
                  f"    else compadd -S : -- {begun}" + (f"; compadd -- {ended}" if ended else ""),
                  "    fi ;;"]
    return lines


def zsh_arguments(table):
    operand = {"command": "'*:::command:_normal'", "directory": "'*:run directory:_files -/'"}.get(
        table["operand"], "'*:file:_files'")
    lines = ["local curcontext=\"$curcontext\" state line", "typeset -A opt_args",
             "_arguments -s -S -C \\"]
    lines += [f"  {spec} \\" for option in table["options"] for spec in zsh_option(option)]
    return lines + [f"  {operand} && return 0", "case $state in", *zsh_states(table), "esac"]


def zsh_verbs(table):
    lines = ["local -a verbs=("]
    lines += [f"  {quoted(verb['verb'] + ':' + zsh_text(verb['help']))}" for verb in table["verbs"]]
    lines += [f"  {quoted('help:' + HELP)}", ")", "if (( CURRENT == 2 )); then", "  _describe verb verbs", "  return", "fi",
              "shift words; (( CURRENT-- ))", "case $words[1] in"]
    for verb in table["verbs"]:
        lines += [f"{verb['verb']})", *zsh_arguments(verb["command"]), ";;"]
    return lines + ["esac"]


def zsh(table):
    lines = [f"#compdef {table['name']}", f"# zsh completion of {table['name']}, made from its options table"]
    lines += zsh_verbs(table) if "verbs" in table else zsh_arguments(table)
    return "\n".join(lines) + "\n"


# ---- fish ----

def fish_value(option):
    choices = option["choices"].split()
    if choices:
        return f" -x -a {quoted(' '.join(choices))}"
    if option["argument"] in FILES:
        return " -r -F"
    return " -x -a '(__fish_complete_directories)'" if option["argument"] in FOLDERS | PAIRS else " -x"


def fish_lines(tool, table, when="", skip=""):
    lines = []
    if table["operand"] == "command":
        lines.append(f"complete -c {tool}{when} -x -a '(__fish_complete_subcommand{skip})'")
    elif table["operand"] == "directory":
        lines.append(f"complete -c {tool}{when} -f -a '(__fish_complete_directories)'")
    elif when:
        lines.append(f"complete -c {tool}{when} -F")
    for option in table["options"]:
        letter = f" -s {option['letter']}" if option["letter"] else ""
        value = fish_value(option) if option["argument"] else ""
        lines.append(f"complete -c {tool}{when} -l {option['name']}{letter}{value} "
                     f"-d {quoted(option['help'])}")
    return lines


def fish(table):
    tool = table["name"]
    lines = [f"# fish completion of {tool}, made from its options table"]
    if "verbs" not in table:
        lines += fish_lines(tool, table)
    else:
        lines.append(f"complete -c {tool} -n __fish_use_subcommand -x -a help -d {quoted(HELP)}")
    for verb in table.get("verbs", []):
        lines.append(f"complete -c {tool} -n __fish_use_subcommand -x -a {verb['verb']} "
                     f"-d {quoted(verb['help'])}")
        lines += fish_lines(tool, verb["command"],
                            f" -n '__fish_seen_subcommand_from {verb['verb']}'", " --fcs-skip=2")
    return "\n".join(lines) + "\n"


def passed_on(table, tables):
    """A verb that passes its options on has those of the other tool, and its own operand."""
    for verb in table.get("verbs", []):
        if verb["passes_to"] in tables:
            verb["command"]["options"] = tables[verb["passes_to"]]["options"]


def table_of(tool):
    said = subprocess.run([tool, "--help=json"], capture_output=True, text=True, check=True)
    return json.loads(said.stdout)


def main():
    folder = pathlib.Path(sys.argv[1])
    tables = {table["name"]: table for table in map(table_of, sys.argv[2:])}
    for table in tables.values():
        passed_on(table, tables)
        for name, make in ((f"bash/{table['name']}", bash), (f"zsh/_{table['name']}", zsh),
                           (f"fish/{table['name']}.fish", fish)):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(make(table), encoding="utf-8")


if __name__ == "__main__":
    main()
