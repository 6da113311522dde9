"""Bytes with the offsets of their parts by name."""


class Marked:
    """A byte string with named positions inside it; `+` keeps the names of both sides."""

    def __init__(self, data=b"", marks=None):
        self.data, self.marks = bytes(data), dict(marks or {})

    def __add__(self, other):
        other = marked(other)
        moved = {name: place + len(self.data) for name, place in other.marks.items()}
        return Marked(self.data + other.data, {**self.marks, **moved})

    def __len__(self):
        return len(self.data)

    def named(self, prefix):
        """The same bytes with every name under `prefix.`, and `prefix` and `prefix.end` for begin and end."""
        marks = {f"{prefix}.{name}": place for name, place in self.marks.items()}
        return Marked(self.data, {**marks, prefix: 0, f"{prefix}.end": len(self.data)})


def marked(data):
    return data if isinstance(data, Marked) else Marked(data)


def replaced(data, place, new):
    """The bytes with `place` and the following ones replaced."""
    return data[:place] + new + data[place + len(new):]


def cut(data, mark, plus=0):
    """The bytes up to a mark, and some bytes more; all names are kept."""
    return Marked(data.data[:data.marks[mark] + plus], data.marks)
