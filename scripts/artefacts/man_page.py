"""The man page, from the help."""

import textwrap


def _text(line):
    """Text for roff: a backslash, and a dot or an apostrophe that would begin a request, are escaped."""
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line.startswith((".", "'")) else line


def _option(option):
    names = ", ".join(f"\\fB{_text(name)}\\fR" for name in option.names)
    return f".TP\n{names}{f' {_text(option.value)}' if option.value else ''}\n{_text(option.about)}\n"


def _rest(lines):
    text, examples = "", False
    for line in lines:
        if line == "Examples:":
            text, examples = text + ".PP\nExamples:\n.PP\n.nf\n", True
        elif line.strip():
            text += _text(line.strip() if not examples else line) + "\n"
        elif not examples:
            text += ".PP\n"
    return text + (".fi\n" if examples else "")


def man_page(top, pages, version, date):
    """The page as roff source. `date` is the date of the release."""
    name, _, about = top.about.partition(": ")
    text = f'.TH PARQPROOF 1 "{date}" "parqproof {version}" "User Commands"\n'
    text += f".SH NAME\n{name} \\- {_text(about)}\n.SH SYNOPSIS\n.B parqproof\n.I SUBCOMMAND\n[\\fIOPTIONS\\fR] ...\n"
    text += ".SH DESCRIPTION\n" + "".join(f".TP\n\\fB{_text(names)}\\fR\n{_text(does)}\n" for names, does in top.subcommands)
    text += ".PP\n" + _rest(top.rest) + ".SH OPTIONS\n" + "".join(map(_option, top.options))
    for page in pages:
        text += f".SH {page.name.upper()}\n{_text(page.about)}.\n.PP\n\\fB{_text(page.usage)}\\fR\n"
        text += "".join(f".TP\n{_text(name)}\n{_text(does)}\n" for name, does in page.positionals)
        text += "".join(map(_option, page.options[1:])) + ".PP\n" + _rest(page.rest)  # without --help
    text += ".SH EXIT STATUS\n" + textwrap.dedent("""\
        .TP
        0
        Fine.
        .TP
        1
        The input breaks a rule.
        .TP
        2
        It could not run or finish: usage, input or output, an unsupported feature, a missing key, a limit.
        """)
    return text
