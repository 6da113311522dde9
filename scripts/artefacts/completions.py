"""Completions for bash, zsh and fish, from the help."""


def _words(page):
    return [name for option in page.options for name in option.names]


def bash(top, pages):
    """`complete -F`: subcommands, the options of the subcommand, and files."""
    names = " ".join([page.name for page in pages] + [name for one, _ in top.subcommands for name in one.split(", ")[1:]])
    cases = ""
    for page in pages:
        aliases = next(one for one, _ in top.subcommands if one.split(",")[0] == page.name).replace(", ", " | ")
        cases += f"    {aliases}) options=\"{' '.join(_words(page))}\" ;;\n"
    return f"""# bash completion of parqproof; made of its help.
_parqproof() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} options=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "{names} --help --version" -- "$current")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}  esac
  if [[ $current == -* ]]; then
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


def zsh(top, pages):
    """`#compdef`: subcommands and options with what they do."""
    described = "\n".join(f"    {_quoted(page.name + ':' + _zsh_about(page.about))}" for page in pages)
    cases = ""
    for page in pages:
        lines = []
        for option in page.options:
            value = f":{option.value.split('=')[0].strip('[]').lower() or 'value'}:_files" if option.value else ""
            lines += [f"        {_quoted(f'*{name}[{_zsh_about(option.about)}]{value}')}" for name in option.names]
        cases += f"      {page.name})\n        _arguments \\\n" + " \\\n".join(lines) + " \\\n        '*:file:_files'\n        ;;\n"
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


def fish(top, pages):
    """`complete`: subcommands and options with what they do."""
    names = " ".join(page.name for page in pages)
    lines = ["# fish completion of parqproof; made of its help."]
    for page in pages:
        lines.append(f"complete -c parqproof -n 'not __fish_seen_subcommand_from {names}' -f -a {page.name} -d {_quoted(page.about)}")
        for option in page.options:
            flags = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = " -r" if option.value and not option.value.startswith("[") else ""
            lines.append(f"complete -c parqproof -n '__fish_seen_subcommand_from {page.name}' {flags}{value} -d {_quoted(option.about.split(';')[0])}")
    return "\n".join(lines) + "\n"
