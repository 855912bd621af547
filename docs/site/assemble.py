"""Gathers the pages of the site in build/docs, where `make docs` finds them.

    README.md, CONTRIBUTING.md, CHANGELOG.md, docs/**   the pages that are written: links are turned to match,
                                                        and names of the package lead to the reference
    docs/README.md                                      the order of the pages; every page has to be named there
    examples/*.py                                       shown as pages
    src/zermelo/**                                      the reference: the public ring, then a page for each room and
                                                        each folder inside it, made from the docstrings by mkdocstrings

For the reference the package is read, not imported. Only the drawings of the games run their rules, interpreted.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "zermelo"
SITE = ROOT / "docs" / "site"
TARGET = ROOT / "build" / "docs"
NAVIGATION = "SUMMARY.md"  # where the literate-nav plugin looks for the order of the pages

NAME = re.compile(r"(?<!`)`(zermelo(?:\.\w+)+)`(?!`)")  # of something in the package: a link to the reference
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")


def main() -> None:
    pages = site()
    shutil.rmtree(TARGET, ignore_errors=True)
    for place, content in pages.items():
        path = TARGET / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def site() -> dict[str, str | bytes]:
    """Every file that the site is built from, by its place."""
    places = written_pages()
    pages = {place: turned(source, place, places) for source, place in places.items()}
    pages |= {f"examples/{path.stem}.md": example(path) for path in examples()}
    pages["reference/index.md"] = public_ring()
    pages |= {package.page: package.text() for package in rooms()}
    add_drawings(pages)
    pages[NAVIGATION] = navigation(str(pages[NAVIGATION]), list(places.values()))
    return pages


# --- pages that are written ---


def written_pages() -> dict[Path, str]:
    """Where each written page (and picture) of the repository stands in the site."""
    places = {
        ROOT / "README.md": "index.md",
        ROOT / "CONTRIBUTING.md": "contributing.md",
        ROOT / "CHANGELOG.md": "changelog.md",
        ROOT / "docs" / "README.md": NAVIGATION,
    }
    for path in sorted((ROOT / "docs").rglob("*")):
        inside = path.relative_to(ROOT / "docs")
        if path.is_file() and inside.parts[0] != "site" and path not in places:
            places[path] = str(inside.parent / "index.md" if path.name == "README.md" else inside)
    for path in (*SITE.glob("*.css"), *SITE.glob("*.js")):
        places[path] = f"assets/{path.name}"
    return places


def turned(source: Path, place: str, places: dict[Path, str]) -> str | bytes:
    """A page with its links turned to where the other pages now are; any other file as it is."""
    if source.suffix != ".md":
        return source.read_bytes()

    def link(found: re.Match[str]) -> str:
        before, target, after = found.groups()
        path, hash_, anchor = target.partition("#")
        if "://" in target or not path:
            return found[0]
        page = where((source.parent / path).resolve(), places, source)
        return before + relative(place, page) + hash_ + anchor + after

    def name(found: re.Match[str]) -> str:
        place = public_names().get(found[1].removeprefix("zermelo."), found[1])
        return f'<autoref optional identifier="{place}"><code>{found[1]}</code></autoref>'

    return NAME.sub(name, LINK.sub(link, source.read_text()))


def where(path: Path, places: dict[Path, str], source: Path) -> str:
    """The page in the site that shows the file at `path`."""
    if path in places:
        return places[path]
    if path.is_dir() and path / "README.md" in places:
        return places[path / "README.md"]
    if path.parent == ROOT / "examples" and path.is_file():
        return f"examples/{path.stem}.md"
    if path.is_relative_to(PACKAGE) and path.exists():
        return Package(path if path.is_dir() else path.parent).page
    sys.exit(f"{source.relative_to(ROOT)} links to {path}, which the site does not show")


def relative(place: str, other: str) -> str:
    steps = len(Path(place).parts) - 1
    return "../" * steps + other


def examples() -> list[Path]:
    return sorted((ROOT / "examples").glob("*.py"))


def example(path: Path) -> str:
    source = path.read_text()
    summary = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")[0]
    return f"# {path.name}\n\n{summary}\n\n    python examples/{path.name}\n\n```python\n{source}```\n"


def add_drawings(pages: dict[str, str | bytes]) -> None:
    """How each game begins, drawn on its page, and all of them on the page of the games."""
    names = sorted(Path(place).stem for place in pages if re.fullmatch(r"games/(?!index)[\w-]+\.md", place))
    shown = {name: drawing for name in names if (drawing := start_of(name))}
    for name, drawing in shown.items():
        pages[f"pictures/games/{name}.svg"] = drawing
        picture = f"![{name}: the start](../pictures/games/{name}.svg){{ .start }}"
        pages[f"games/{name}.md"] = str(pages[f"games/{name}.md"]).replace("\n\n", f"\n\n{picture}\n\n", 1)
    gallery = "\n".join(f"[![{name}](../pictures/games/{name}.svg)<br>{name}]({name}.md)" for name in shown)
    gallery = f'<div class="gallery" markdown>\n{gallery}\n</div>'
    pages["games/index.md"] = str(pages["games/index.md"]).replace("\n\n|", f"\n\n{gallery}\n\n|", 1)


def start_of(name: str) -> str:
    """The drawing of a game's first position; nothing where it is too wide to be seen on a page."""
    import zermelo

    try:
        game = zermelo.load(name, compiled=False)
    except zermelo.GameError:  # a plain game, never compiled
        game = zermelo.load(name)
    svg = game.svg(game.start())
    width = re.search(r'width="([\d.]+)"', svg)
    return svg if width and float(width[1]) <= 1000 else ""


# --- the reference ---


@dataclass(frozen=True)
class Package:
    """A folder of the package: a room, or a folder inside a room."""

    path: Path

    @property
    def name(self) -> str:
        return ".".join(("zermelo", *self.path.relative_to(PACKAGE).parts))

    @property
    def page(self) -> str:
        inside = "/".join(self.path.relative_to(PACKAGE).parts)
        return f"reference/{inside}/index.md" if self.folders() else f"reference/{inside}.md"

    @property
    def sentence(self) -> str:
        """What its docstring says it is, in one sentence."""
        first = docstring(self.path / "__init__.py").partition("\n\n")[0].replace("\n", " ")
        return re.split(r"(?<=[.?!…]) (?=[A-Z])", first)[0]

    def folders(self) -> list[Package]:
        inside = sorted(p.parent for p in self.path.glob("*/__init__.py"))
        return [Package(path) for path in inside if not path.name.startswith("_")]

    def modules(self) -> list[str]:
        files = sorted(p.stem for p in self.path.glob("*.py"))
        return [f"{self.name}.{stem}" for stem in files if not stem.startswith("_")]

    def summary(self) -> str:
        """Its docstring and what its own file defines; the page's title stands for its name."""
        options = {"show_root_heading": False, "show_root_toc_entry": False, "members": own_members(self.path)}
        return described(self.name, **options)

    def text(self) -> str:
        parts = [f"# {self.name}", self.summary()]
        if self.folders():
            parts.append(table("folder", self.folders(), self.page))
        parts += [described(name) for name in self.modules()]
        return "\n\n".join(parts) + "\n"


def described(name: str, **options: object) -> str:
    """What mkdocstrings is to write about an object."""
    lines = [f"      {option}: {json.dumps(value)}" for option, value in options.items()]
    return "\n".join([f"::: {name}", *(["    options:"] if lines else []), *lines])


def table(title: str, packages: list[Package], place: str) -> str:
    rows = [f"| [{p.name}]({relative(place, p.page)}) | {p.sentence} |" for p in packages]
    return "\n".join([f"| {title} | what is in it |", "|---|---|", *rows])


def docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text())) or ""


def own_members(package: Path) -> list[str]:
    """The public functions and classes a package's own file defines (those it only imports are told where they are)."""
    body = ast.parse((package / "__init__.py").read_text()).body
    names = [node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return [name for name in names if not name.startswith("_")]


def rooms() -> list[Package]:
    """Every folder of the package, each before those inside it."""

    def below(package: Package) -> list[Package]:
        return [package, *(deeper for inside in package.folders() for deeper in below(inside))]

    return [package for room in in_order_of_the_layers() for package in below(room)]


def in_order_of_the_layers() -> list[Package]:
    """The rooms as pyproject.toml orders them, the lowest layer first."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    layers = [name for layer in reversed(contracts[0]["layers"]) for name in layer.split(" | ")]
    order = [name.removeprefix("zermelo.") for name in layers]
    found = {package.path.name: package for package in Package(PACKAGE).folders()}
    return [found[name] for name in order if name in found] + [p for name, p in found.items() if name not in order]


@cache
def public_names() -> dict[str, str]:
    """What a script needs and where it is defined: the imports by which zermelo/__init__.py tells type checkers."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    imports = [node for block in tree.body if isinstance(block, ast.If) for node in block.body]
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in imports
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def public_ring() -> str:
    """What a script needs: functions, then classes, then constants; and a table of the rooms."""
    names = sorted(public_names().items(), key=lambda item: (item[0].isupper(), item[0][0].isupper(), item[0]))
    parts = [
        "# Reference",
        "What a script needs is in `zermelo` itself, typed, and imported when it is first used. The rooms behind it:",
        table("room", in_order_of_the_layers(), "reference/index.md"),
        *(described(place, heading=f"zermelo.{name}", toc_label=name) for name, place in names),
    ]
    return "\n\n".join(parts) + "\n"


# --- the order of the pages ---


def navigation(written: str, places: list[str]) -> str:
    """The list of docs/README.md, with the games below their page, and then the examples and the reference."""
    games = sorted(Path(place).stem for place in places if place.startswith("games/") and place != "games/index.md")
    lines = []
    for line in written.splitlines():
        lines.append(line)
        if line.endswith("(games/index.md)"):
            lines += [f"    - [{game}](games/{game}.md)" for game in games]
    named = set(re.findall(r"\]\(([^)]+)\)", "\n".join(lines)))
    missing = [place for place in places if place.endswith(".md") and place not in {*named, NAVIGATION}]
    if missing:
        sys.exit(f"docs/README.md does not name {', '.join(missing)}: every page has its place there")
    return "\n".join([*lines, *examples_and_reference()]) + "\n"


def examples_and_reference() -> list[str]:
    lines = ["- Examples"]
    lines += [f"    - [{path.name}](examples/{path.stem}.md)" for path in examples()]
    lines += ["- [Reference](reference/index.md)"]
    for package in rooms():
        lines.append("    " * package.name.count(".") + f"- [{package.path.name}]({package.page})")
    return lines


if __name__ == "__main__":
    main()
