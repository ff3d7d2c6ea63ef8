"""`mineproof site`: build the page as a static site."""

from __future__ import annotations

from pathlib import Path

import click

from mineproof.cli.commands import flag, new_command, option

FOLDER = click.Path(path_type=Path, file_okay=False)


@new_command("site")
def command(
    *,
    out: Path = option("--out DIR", "Write the site to this folder.", FOLDER, required=True),
    pyodide: Path | None = option(
        "--pyodide DIR", "Use Pyodide's npm package in DIR.", FOLDER, show_default="downloaded"
    ),
    no_core: bool = flag("--no-core", "Leave out the C++ core, which makes agents slower."),
) -> None:
    """Build the page as a static site, which runs entirely in the browser.

    Example:
      mineproof site --out public
    """
    from mineproof.web.site_build import build_site, find_node

    find_node()
    click.echo("building the site, which takes a minute, or several the first time...", err=True)
    size = build_site(out, pyodide, with_core=not no_core)
    for note in size.notes:
        click.echo(note, err=True)
    click.echo(f"{out}: {size.raw / 1e6:.2f} MB, {size.gzipped / 1e6:.2f} MB gzipped")
    click.echo(f"try it: python3 -m http.server -d {out}")
