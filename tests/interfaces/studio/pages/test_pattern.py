"""All pages follow one pattern, and a page is one folder and one row: see zermelo.interfaces.studio.pages."""

from __future__ import annotations

import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interfaces.studio.conftest import IN_TESTS
from zermelo.interfaces.studio import pages
from zermelo.interfaces.studio.pages import PAGES, Page
from zermelo.interfaces.studio.tasks import TASKS, Job

FOLDER = Path(pages.__file__).parent
LONGEST = 300  # lines of a file
EACH = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def module_of(page: Page, name: str):
    return importlib.import_module(f"zermelo.interfaces.studio.pages.{page.name}.{name}")


def test_every_folder_is_a_row_and_every_row_a_folder():
    folders = {path.name for path in FOLDER.iterdir() if (path / "__init__.py").exists()}
    assert folders == {page.name for page in PAGES}
    assert len({page.path for page in PAGES}) == len(PAGES)
    assert len(TASKS) == sum(len(page.tasks) for page in PAGES)  # no two pages have a task of the same name


@EACH
def test_a_page_has_the_same_files_with_the_same_roles(page):
    assert (FOLDER / page.name / "task.py").exists() == bool(page.tasks)
    first, *_ = inspect.signature(module_of(page, "page").page).parameters
    assert first == "visit"
    controller, view = module_of(page, "controller"), module_of(page, "view").View
    assert list(inspect.signature(view).parameters) == ["controller"]
    needed = {name for name, method in vars(controller.Shown).items() if inspect.isfunction(method) and name[0] != "_"}
    assert needed <= set(vars(view)), "the controller asks its view for what it has not"
    for task in page.tasks:
        (parameter,) = inspect.signature(getattr(module_of(page, "task"), task), eval_str=True).parameters.values()
        assert parameter.annotation is Job
    for file in (FOLDER / page.name).rglob("*.py"):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= LONGEST, file


@EACH
def test_state_actions_and_tasks_know_no_nicegui(page):
    names = ["controller", *(["task"] if page.tasks else [])]
    modules = ", ".join(f"zermelo.interfaces.studio.pages.{page.name}.{name}" for name in names)
    script = f"import sys, {modules}; sys.exit('nicegui' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@EACH
def test_a_page_keeps_no_state_in_its_modules(page):
    for file in (FOLDER / page.name).rglob("*.py"):
        name = ".".join(file.relative_to(FOLDER).with_suffix("").parts)
        module = importlib.import_module(f"zermelo.interfaces.studio.pages.{name}".removesuffix(".__init__"))
        for key, value in vars(module).items():
            if isinstance(value, (list, dict, set)) and not key.startswith("__"):
                assert key.lstrip("_").isupper(), f"{name}.{key} is no constant"


ADDED = """
import sys
from pathlib import Path
from tests.interfaces.studio.conftest import IN_TESTS
from zermelo.interfaces.studio import pages

pages.__path__.append(sys.argv[1])  # the folder
row = pages.Page("twice", "/twice", "Twice", "add", "Twice as much", ("double",))
pages.PAGES = (*pages.PAGES, row)  # the row

from nicegui import app
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.shell import mount
from zermelo.interfaces.studio.site import Site
from zermelo.interfaces.studio.tasks import perform

assert perform({"task": "double", "number": 21}) == {"number": 42}
mount(Site(Catalogue(), Bounds()), row)
(route,) = [route for route in app.routes if route.path == "/twice"]
assert [parameter.name for parameter in route.dependant.query_params] == ["number"]
"""


def test_adding_a_page_is_one_folder_and_one_row(tmp_path):
    folder = tmp_path / "twice"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "task.py").write_text('def double(job):\n    return {"number": 2 * job.message["number"]}\n')
    (folder / "page.py").write_text("async def page(visit, number: int = 0) -> None:\n    pass\n")
    run = subprocess.run(
        [sys.executable, "-c", ADDED, str(tmp_path)], check=False, stderr=subprocess.PIPE, text=True, env=clean()
    )
    assert run.returncode == 0, run.stderr


def clean() -> dict[str, str]:
    """The environment without that by which NiceGUI would know that it is tested."""
    return {name: value for name, value in os.environ.items() if name not in IN_TESTS}
