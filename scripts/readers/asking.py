"""Asking readers one after the other, for whatever: which are skipped or fail, and what differs from what was expected."""

from toolchains import Failed, Missing, run

from . import catalogue, drive


class Wanted:
    """A reader to ask: its name, the driver that runs it, and its version and row of the catalogue if it has one."""

    def __init__(self, name, driver, version=None, reader=None):
        self.name, self.driver, self.version, self.reader = name, driver, version, reader

    @property
    def lacks(self):
        return self.reader.lacks if self.reader else ()


def of_catalogue(name, limits):
    reader = catalogue.READERS[name]
    command = reader.command()
    return Wanted(name, drive.Batch(command, limits), run([*command, "--version"], env=limits.environment).strip(), reader)


class Asking:
    """A run over readers; `is_red` once one has failed, or differs."""

    is_red = False

    def answers(self, wanted, ask):
        """Yields (reader, its results) for each (name, function that makes the reader); `ask(reader)` returns its results."""
        for name, make in wanted:
            try:
                one = make()
                results = ask(one)
            except Missing as reason:
                print(f"{name}: skipped, {reason}")
            except (Failed, drive.Broken) as reason:
                print(f"{name}: failed, {reason}")
                self.is_red = True
            else:
                yield one, results

    def of_catalogue(self, names, limits, ask):
        """The same for readers by their names."""
        yield from self.answers([(name, lambda name=name: of_catalogue(name, limits)) for name in names], ask)

    def differs(self, lines):
        """Prints each difference."""
        for line in lines:
            print(f"  {line}", flush=True)
            self.is_red = True

    @property
    def code(self):
        return 1 if self.is_red else 0
