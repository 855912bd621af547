"""`zermelo tables`: endings worked out once and for all. One module for each of its commands."""

from __future__ import annotations

import typer

from zermelo.interfaces.cli.tables.build import build
from zermelo.interfaces.cli.tables.counts import counts
from zermelo.interfaces.cli.tables.listing import list_tables
from zermelo.interfaces.cli.tables.probe import probe
from zermelo.interfaces.cli.tables.review import review
from zermelo.interfaces.cli.tables.sample import sample
from zermelo.interfaces.cli.tables.verify import verify

tables = typer.Typer(
    help="Work out a game's endings once and for all, and look them up.",
    no_args_is_help=True,
)
tables.command("list")(list_tables)
for command in (build, verify, probe, counts, sample, review):
    tables.command()(command)
