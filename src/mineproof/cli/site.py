"""`mineproof site`: the page as files for any host, with nothing to install."""

from __future__ import annotations

from pathlib import Path

import click

from mineproof.cli.commands import new_command


@new_command("site", "site --out public")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="The folder."
)
@click.option(
    "--pyodide",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder of Pyodide's npm package. [default: looked for in node_modules]",
)
@click.option("--no-core", is_flag=True, help="Without the C++ core: the agents are slower.")
def command(*, out: Path, pyodide: Path | None, no_core: bool) -> None:
    """Write the page as a static site, which runs in the browser alone."""
    from mineproof.web.site_build import build_site

    size = build_site(out, pyodide, with_core=not no_core)
    click.echo(f"{out}: {size.raw / 1e6:.2f} MB, {size.gzipped / 1e6:.2f} MB gzipped")
    click.echo(f"try it: python3 -m http.server -d {out}")
