"""Completions for bash, zsh and fish, from the help."""


def _words(page):
    return [name for option in page.options for name in option.names]


def bash(pages):
    """`complete -F`: subcommands, the options of the subcommand, their values, and files."""
    names = " ".join(name for page in pages for name in page.names)
    cases = ""
    for page in pages:
        cases += f"    {' | '.join(page.names)})\n      options=\"{' '.join(_words(page))}\"\n      case $previous in\n"
        cases += "".join(f"        {' | '.join(option.names)}) values=\"{' '.join(option.words)}\" ;;\n" for option in page.options if option.words)
        cases += "      esac\n      ;;\n"
    return f"""# bash completion of parqproof; made of its help.
_parqproof() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} options= values=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "{names} --help --version" -- "$current")
    return
  fi
  # --option=value is three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  case ${{COMP_WORDS[1]}} in
{cases}  esac
  if [[ $values ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -o filenames -F _parqproof parqproof
"""


def _quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def _zsh_about(text):
    return text.replace("[", "(").replace("]", ")").replace(":", "\\:").split(";")[0]


def zsh(pages):
    """`#compdef`: subcommands and options with what they do, and the values of options."""
    described = "\n".join(f"    {_quoted(name + ':' + _zsh_about(page.about))}" for page in pages for name in page.names)
    cases = ""
    for page in pages:
        lines = []
        for option in page.options:
            values = f"({' '.join(option.words)})" if option.words else "_files"
            value = f":{option.value.split('=')[0].strip('[]').lower() or 'value'}:{values}" if option.value else ""
            lines += [f"        {_quoted(f'*{name}[{_zsh_about(option.about)}]{value}')}" for name in option.names]
        cases += f"      {' | '.join(page.names)})\n        _arguments \\\n" + " \\\n".join(lines) + " \\\n        '*:file:_files'\n        ;;\n"
    return f"""#compdef parqproof
# zsh completion of parqproof; made of its help.
_parqproof() {{
  local -a subcommands=(
{described}
  )
  if ((CURRENT == 2)); then
    _describe subcommand subcommands
  else
    local subcommand=$words[2]
    shift words
    ((CURRENT--))
    case $subcommand in
{cases}    esac
  fi
}}
_parqproof "$@"
"""


def fish(pages):
    """`complete`: subcommands and options with what they do, and the values of options."""
    names = " ".join(name for page in pages for name in page.names)
    lines = ["# fish completion of parqproof; made of its help."]
    for page in pages:
        lines.append(f"complete -c parqproof -n 'not __fish_seen_subcommand_from {names}' -f -a '{' '.join(page.names)}' -d {_quoted(page.about)}")
        for option in page.options:
            flags = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = f" -x -a '{' '.join(option.words)}'" if option.words else " -r" if option.value and not option.value.startswith("[") else ""
            lines.append(f"complete -c parqproof -n '__fish_seen_subcommand_from {' '.join(page.names)}' {flags}{value} -d {_quoted(option.about.split(';')[0])}")
    return "\n".join(lines) + "\n"
