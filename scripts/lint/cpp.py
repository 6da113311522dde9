"""The definitions in C++ sources: classes with their data members, enumerations, functions with their lines. A tokenizer
and a reader of declarations for this project's style; expressions are skipped over. Both sides of `#if` are read."""
import dataclasses
import re

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.)*)
      | (?P<raw>(?:u8|[uUL])?R"(?P<fence>[^(\s]*)\(.*?\)(?P=fence)")
      | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
      | (?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
      | (?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign>::|->\*?|\.\.\.|<=>|[-+*/%^&|=!<>]=|&&|\|\||\+\+|--|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
PAIRS = {"(": ")", "[": "]", "{": "}"}
TYPE_KEYS = ("class", "struct", "union", "enum")
NO_MEMBER = ("using", "typedef", "friend", "static_assert", "static", "template", "concept", "extern")


@dataclasses.dataclass
class Token:
    text: str
    kind: str
    line: int


@dataclasses.dataclass
class Type:
    name: str  # qualified; "<line>" for a type without a name
    key: str
    file: str
    line: int
    members: list = dataclasses.field(default_factory=list)  # (name, line) of its own data members
    parts: list = dataclasses.field(default_factory=list)  # types declared inside
    unnamed_namespace: bool = False
    local: bool = False  # inside a function
    template: bool = False  # a specialisation shares the template's name

    @property
    def total(self):
        return len(self.members) + sum(part.total for part in self.parts)


@dataclasses.dataclass
class Function:
    name: str  # qualified by its scopes
    parameters: str
    file: str
    line: int
    end: int
    one_switch: bool  # it is a switch over an enumeration
    shared: bool  # inline, constexpr or a template: may be defined in several objects
    unnamed_namespace: bool

    @property
    def lines(self):
        return self.end - self.line + 1


@dataclasses.dataclass
class Scope:
    name: str = ""
    unnamed_namespace: bool = False
    type: Type | None = None
    local: bool = False

    def qualify(self, name):
        return f"{self.name}::{name}" if self.name else name


def tokens_of(text):
    tokens, line, at = [], 1, 0
    while at < len(text):
        match = TOKEN.match(text, at)
        kind = match.lastgroup if match.lastgroup != "fence" else "raw"
        if kind not in ("skip", "directive"):
            tokens.append(Token(match.group(), kind, line))
        line += match.group().count("\n")
        at = match.end()
    return tokens


class Reader:
    """Reads one file; afterwards `types` holds all its types, including nested ones, `functions` its functions."""

    def __init__(self, file, text):
        self.file = file
        self.lines = len(text.splitlines())
        self.tokens = tokens_of(text)
        self.partner = self.pairs()
        self.types = []
        self.functions = []
        self.scope(0, len(self.tokens), Scope())

    def pairs(self):
        """The index of each bracket's partner."""
        partner, open_ = {}, []
        for index, token in enumerate(self.tokens):
            if token.kind != "sign":
                continue
            if token.text in PAIRS:
                open_.append(index)
            elif token.text in PAIRS.values():
                if not open_ or PAIRS[self.tokens[open_[-1]].text] != token.text:
                    raise SystemExit(f"{self.file}:{token.line}: unmatched {token.text}")
                partner[open_[-1]] = index
                partner[index] = open_.pop()
        if open_:
            raise SystemExit(f"{self.file}:{self.tokens[open_[-1]].line}: never closed")
        return partner

    def text(self, index):
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def angle_end(self, at):
        """The index after the `>` that closes the `<` at `at`."""
        depth = 0
        while True:
            text = self.text(at)
            if text in PAIRS:
                at = self.partner[at]
            depth += (text == "<") - (text == ">")
            at += 1
            if depth == 0:
                return at

    def scope(self, at, end, scope):
        """Reads the declarations of a namespace or class."""
        while at < end:
            text = self.text(at)
            if text == ";":
                at += 1
            elif text in ("public", "protected", "private") and self.text(at + 1) == ":":
                at += 2
            elif text == "namespace" or (text == "inline" and self.text(at + 1) == "namespace"):
                at = self.namespace(at, scope)
            elif text == "extern" and self.text(at + 2) == "{":
                self.scope(at + 3, self.partner[at + 2], scope)
                at = self.partner[at + 2] + 1
            else:
                at = self.declaration(at, end, scope)

    def namespace(self, at, scope):
        names = []
        while self.text(at) not in ("{", ";", "="):
            if self.text(at) not in ("namespace", "inline", "::"):
                names.append(self.text(at))
            at += 1
        if self.text(at) != "{":
            while self.text(at) != ";":
                at += 1
            return at + 1
        inner = Scope(scope.qualify("::".join(names) or "(unnamed)"), scope.unnamed_namespace or not names)
        self.scope(at + 1, self.partner[at], inner)
        return self.partner[at] + 1

    def prefix(self, at):
        """(index after template headers, requirements and attributes, True if there was a template header)."""
        template = False
        while True:
            if self.text(at) == "template" and self.text(at + 1) == "<":
                at = self.angle_end(at + 1)
                template = True
            elif self.text(at) == "requires":
                at += 1
                if self.text(at) == "(":
                    at = self.partner[at] + 1
                else:
                    while self.text(at) == "::" or self.tokens[at].kind == "name":
                        at += 1
                        if self.text(at) == "<":
                            at = self.angle_end(at)
                        if self.text(at) not in ("::", "&&", "||"):
                            break
                        at += 1
            elif self.text(at) == "[" and self.text(at + 1) == "[":
                at = self.partner[at] + 1
            elif self.text(at) == "alignas":
                at = self.partner[at + 1] + 1
            else:
                return at, template

    def declaration(self, at, end, scope):
        """Reads one declaration that starts at `at`; returns where the next starts."""
        begin, template = self.prefix(at)
        if self.text(begin) in TYPE_KEYS:
            body = self.type_body(begin)
            if body is not None:
                return self.type(begin, body, end, scope, template)
        return self.declarators(begin, begin, end, scope, template)

    def type_body(self, at):
        """The `{` of a type that is defined at `at`; None if it is only named there."""
        while True:
            text = self.text(at)
            if text == "{":
                return at
            if text in (";", "", "=", ")", ",") or (text == "(" and self.text(at - 1) != "alignas"):
                return None
            if text == "<":
                at = self.angle_end(at)
            elif text in PAIRS:
                at = self.partner[at] + 1
            else:
                at += 1

    def type(self, begin, body, end, scope, template):
        key = self.text(begin)
        at = begin + 1
        if key == "enum" and self.text(at) in ("class", "struct"):
            at += 1
        at, _ = self.prefix(at)
        name = ""
        while at < body and self.text(at) not in (":", "final"):
            name += self.text(at)
            at += 1
        type_ = Type(scope.qualify(name or f"<{self.tokens[begin].line}>"), key, self.file, self.tokens[begin].line,
                     unnamed_namespace=scope.unnamed_namespace, local=scope.local, template=template)
        self.types.append(type_)
        if scope.type is not None:
            scope.type.parts.append(type_)
        if key != "enum":
            self.scope(body + 1, self.partner[body], Scope(type_.name, scope.unnamed_namespace, type_, scope.local))
        close = self.partner[body]
        if self.text(close + 1) == ";":
            return close + 2
        return self.declarators(begin, close + 1, end, scope, template)

    def declarators(self, begin, at, end, scope, template):
        """Reads a function or variables, from `at` on; the declaration starts at `begin`."""
        names, name, parameters, initialized, colon = [], None, None, False, False
        words = set()
        while at < end:
            token = self.tokens[at]
            text = token.text
            if text == ";":
                break
            if text == "operator" and parameters is None:
                name, at = self.operator_name(at)
                continue
            if text == "[" and self.text(at + 1) == "[":
                at = self.partner[at] + 1
            elif text == "<" and not initialized and (self.tokens[at - 1].kind == "name"):
                at = self.angle_end(at)
            elif text == "(":
                pointer = self.text(at + 1) in ("*", "&") and parameters is None and self.text(self.partner[at] + 1) in ("(", "[")
                if pointer and not initialized:
                    name = self.text(self.partner[at] - 1)
                    initialized = True  # the parameters of the pointed-to function follow
                elif not initialized and parameters is None and name not in ("decltype", "noexcept", "explicit", "alignas", "requires"):
                    parameters = (at, self.partner[at])
                at = self.partner[at] + 1
            elif text == "[":
                at = self.partner[at] + 1
                if initialized and self.lambda_body(at) is not None:
                    at = self.lambda_function(begin, at, name, scope)
            elif text == "{":
                if parameters is not None and not initialized and not (colon and self.initializes_member(at)):
                    self.function(begin, at, name, parameters, words, scope, template)
                    return self.partner[at] + 1
                at = self.partner[at] + 1
            elif text == "=":
                initialized = parameters is None or initialized
                at += 1
            elif text == ":" and parameters is not None:
                colon = True
                at += 1
            elif text == ",":
                if parameters is None:
                    names.append((name, token.line))
                    initialized = False
                at += 1
            else:
                if token.kind == "name":
                    words.add(text)
                    if parameters is None and not initialized:
                        scoped = self.text(at - 1) == "::" and name is not None
                        name = f"{name}::{text}" if scoped else ("~" if self.text(at - 1) == "~" else "") + text
                at += 1
        if parameters is None and name is not None and scope.type is not None and not template:
            names.append((name, self.tokens[min(at, end) - 1].line))
            if self.text(begin) not in NO_MEMBER and "static" not in words and (
                self.text(begin) not in TYPE_KEYS or len(words) > 0 and self.is_variable(begin, at)
            ):
                scope.type.members.extend(names)
        return at + 1

    def is_variable(self, begin, at):
        """Returns true for `struct X y;` and `struct {...} y;`, false for `struct X;`."""
        return at - begin > 2

    def operator_name(self, at):
        name = "operator"
        at += 1
        if self.text(at) == "(":
            return "operator()", at + 2
        while self.text(at) != "(":
            name += self.text(at)
            at += 1
        return name, at

    def initializes_member(self, at):
        """Returns true if the `{` at `at`, in a constructor's list, has the value of a member."""
        before = self.tokens[at - 1]
        return before.kind == "name" or before.text == ">"

    def lambda_body(self, at):
        """The `{` of a lambda whose `]` ends just before `at`; None if it is none."""
        if self.text(at) == "<":
            at = self.angle_end(at)
        if self.text(at) == "(":
            at = self.partner[at] + 1
        while self.tokens[at].kind == "name" or self.text(at) in ("->", "::", "*", "&", "<"):
            at = self.angle_end(at) if self.text(at) == "<" else at + 1
        return at if self.text(at) == "{" else None

    def lambda_function(self, begin, at, name, scope):
        body = self.lambda_body(at)
        self.function(begin, body, name, (at, at), set(), scope, False)
        return self.partner[body] + 1

    def function(self, begin, body, name, parameters, words, scope, template):
        close = self.partner[body]
        self.functions.append(Function(
            scope.qualify(name or "?"), " ".join(self.text(i) for i in range(parameters[0], parameters[1])), self.file,
            self.tokens[begin].line, self.tokens[close].line, self.is_one_switch(body, close),
            template or bool(words & {"inline", "constexpr", "consteval"}), scope.unnamed_namespace))
        # Nested types.
        inner = Scope(scope.qualify(name or "?"), scope.unnamed_namespace, None, True)
        at = body + 1
        while at < close:
            if self.text(at) in TYPE_KEYS and self.text(at - 1) in (";", "{", "}", ":", "]"):
                opened = self.type_body(at)
                if opened is not None and opened < close:
                    at = self.type(at, opened, close, inner, False)
                    continue
            at += 1

    def is_one_switch(self, body, close):
        """Returns true if it is `switch (x) { case Name: ... }`, with at most `using enum` or a guard before it and one
        statement after it."""
        at = body + 1
        for _ in range(2):
            if self.text(at) == "switch":
                break
            if self.text(at) not in ("using", "if"):
                return False
            while at < close and self.text(at) != ";":
                at = self.partner[at] + 1 if self.text(at) in PAIRS else at + 1
            at += 1
        if self.text(at) != "switch":
            return False
        opened = self.partner[at + 1] + 1
        end = self.partner[opened]
        if sum(self.text(i) == ";" for i in range(end, close)) > 1:
            return False
        labels = [self.tokens[i + 1] for i in range(opened, end) if self.text(i) == "case"]
        return all(label.kind == "name" for label in labels)


def sources(root, tops):
    """The sources below the folders `tops` of the checkout: paths relative to `root`, sorted."""
    return [path.relative_to(root).as_posix() for top in tops for path in sorted((root / top).rglob("*.[ch]pp"))]


def read(root, file):
    return Reader(file, (root / file).read_text())
