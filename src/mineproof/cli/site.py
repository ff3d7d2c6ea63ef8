"""`mineproof site`: the page as files for any host, with nothing to install."""

from __future__ import annotations

from pathlib import Path

import click

from mineproof.cli.commands import Command, examples


@click.command("site", cls=Command, epilog=examples("site --out public"))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="The folder."
)
@click.option(
    "--pyodide",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder of Pyodide's npm package. [default: looked for in node_modules]",
)
def command(*, out: Path, pyodide: Path | None) -> None:
    """Write the page as a static site, which runs in the browser alone."""
    from mineproof.web.site_build import build_site

    size = build_site(out, pyodide)
    click.echo(f"{out}: {size.raw / 1e6:.2f} MB, {size.gzipped / 1e6:.2f} MB gzipped")
    click.echo(f"try it: python3 -m http.server -d {out}")
