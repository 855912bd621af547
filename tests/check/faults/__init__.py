"""Faults as people make them, seeded into right rules: what share of them does `check` find, and how shortly?

A file a game: which one, and under `[faults]` the name of each fault with the text it replaces and what it is replaced
by. Every one breaks the contract somewhere (docs/contract.md): merely different rules are no fault, and not here.
"""

import shutil
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import zermelo
from zermelo import Game

HERE = Path(__file__).parent
PACKAGE = Path(zermelo.__file__).parent


@dataclass(frozen=True)
class Seeded:
    """One fault: in the file `source` of the package, the text `old` replaced by `new`."""

    name: str
    source: Path
    game: str
    old: str
    new: str

    def text(self) -> str:
        """The file with the fault in it."""
        right = (PACKAGE / self.source).read_text()
        assert right.count(self.old) >= 1, f"{self.name}: {self.source} does not hold {self.old!r}"
        wrong = right.replace(self.old, self.new, 1)
        assert wrong != right, self.name
        return wrong.replace("__NAME__", "faulty").replace("__CLASS__", "Faulty")

    def make(self, folder: Path, compiled: bool = False) -> Game:
        """The game with the fault in it, its files in `folder`."""
        package = f"faulty_{self.name.replace('/', '_').replace('-', '_')}"
        if self.source.name == "rules.py":  # a game of several files, which import one another by name
            shutil.copytree(PACKAGE / self.source.parent, folder / package)
            (folder / package / "rules.py").write_text(self.text())
            for file in (folder / package).glob("*.py"):
                file.write_text(file.read_text().replace(f"zermelo.games.{self.source.parent.name}", package))
            target = folder / package / "rules.py"
        else:
            target = folder / f"{package}.py"
            target.write_text(self.text())
        sys.path.insert(0, str(folder))
        try:
            return zermelo.load(f"{target}:{self.game}", compiled=compiled)
        finally:
            sys.path.remove(str(folder))


def catalogue() -> list[Seeded]:
    """All of them, in the order of their files."""
    found = []
    for path in sorted(HERE.glob("*.toml")):
        page = tomllib.loads(path.read_text())
        for name, (old, new) in page["faults"].items():
            found.append(Seeded(f"{path.stem}/{name}", Path(page["source"]), page["game"], old, new))
    return found
