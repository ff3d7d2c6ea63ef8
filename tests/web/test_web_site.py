"""Features of the static site: offline use, two tabs, workers that die, the security policy."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser_page import DESKTOP, FIRST, FIRST_SETTINGS, Board, new_page, open_page, until
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from site_server import StaticSite, served

from mineproof.web.site_build import write_service_worker

AGENT = Path(__file__).parents[2] / "examples" / "my_agent.py"
ENDLESS = b"""
class Endless:
    def start(self, rules, seed): pass
    def decide(self, observation):
        while True: pass
"""
HEADER = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"


@contextmanager
def own_context(browser: Browser) -> Iterator[BrowserContext]:
    """Return a new browser context, whose tabs share their stored data."""
    options: dict[str, Any] = {"viewport": DESKTOP}
    context = browser.new_context(accept_downloads=True, **options)
    yield context
    context.close()


def ready(page: Page) -> Board:
    """Wait until the page can be played, and end the demonstration of a first visit."""
    page.wait_for_selector("html[data-ready=yes]")
    page.evaluate("mineproof.app.remember({ visited: true })")
    return Board(page)


def wait_for_worker(page: Page) -> None:
    """Wait until the site works offline."""
    until(page, "() => navigator.serviceWorker.ready.then(found => found.active !== null)")


def test_a_board_at_once_and_early_clicks_count(browser: Browser, site: StaticSite) -> None:
    """The board is shown before Python has loaded. Early clicks take effect afterwards."""
    with own_context(browser) as context:
        page = new_page(context)
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/library.pack", hold)
        page.goto(site.address)
        page.wait_for_selector("html[data-ready=soon]")
        expect(page.locator("#loading")).to_be_visible()
        board = Board(page)
        assert board.letters() == "H" * 81
        board.click(FIRST, wait=False)
        page.keyboard.press("h")
        page.keyboard.press("m")
        until(page, "() => document.querySelector('#loading progress').value > 0.2")
        while not held:
            page.wait_for_timeout(50)
        for route in held:
            route.continue_()
        ready(page)
        board.steps(1)
        expect(page.locator("#loading")).to_be_hidden()
        expect(page.locator("#message")).not_to_contain_text("again")
        until(page, "mineproof.boards.main.overlays.risk !== null")
        assert page.evaluate("mineproof.app.settings['risks-play']")


EARLY = """
let open;
Object.defineProperty(globalThis, 'openSiteCarrier', {
  get: () => open,
  set: (real) => {
    open = (key) => {
      const carrier = real(key);
      const { loading, ...hello } = carrier.shown;
      carrier.send = () => {}; // the worker would end at a question, because it has no game yet
      carrier.worker.onmessage({ data: { text: JSON.stringify(hello) } });
      return carrier;
    };
  },
});
"""
"""Makes the worker send its first message as soon as the page can receive it."""


def test_a_worker_that_is_there_early_counts(browser: Browser, site: StaticSite) -> None:
    """A `hello` message never replaces a later `hello` message."""
    with own_context(browser) as context:
        page = new_page(context)
        page.route("**/library.pack", lambda _route: None)  # the real worker never starts
        page.add_init_script(EARLY)
        page.goto(site.address)
        ready(page)


def test_without_a_network(browser: Browser, site: StaticSite) -> None:
    """After one visit, the game, questions and races work offline."""
    with own_context(browser) as context:
        page = new_page(context)
        page.goto(site.address)
        ready(page).click(FIRST)
        wait_for_worker(page)
        context.set_offline(True)
        page.reload()
        board = ready(page)
        until(page, "mineproof.app.view.step === 1")
        page.keyboard.press("m")
        until(page, "mineproof.boards.main.overlays.risk !== null")
        board.agent_moves(1)
        page.click("#tab-race")
        page.fill("#race-speed", "21")
        page.click("#race-start")
        expect(page.locator("#race-play")).to_have_text("Replay")


KEPT = """
async () => {
  const cache = await caches.open('python of mineproof');
  const [key] = await cache.keys();
  const kept = key && await cache.match(key);
  return kept ? kept.headers.get('x-marked') ?? 'made here' : '';
}
"""
REPLACE = """
async (isGood) => {
  const cache = await caches.open('python of mineproof');
  const [key] = await cache.keys();
  const bytes = isGood ? await (await cache.match(key)).arrayBuffer() : new Uint8Array(4096);
  await cache.put(key, new Response(bytes, { headers: { 'x-marked': `${isGood}` } }));
}
"""


def test_later_visits_start_from_a_snapshot(browser: Browser, site: StaticSite) -> None:
    """The snapshot is made once and behaves like a fresh start. If damaged, it is replaced."""
    with own_context(browser) as context:
        page = new_page(context)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.goto(site.address)
        ready(page)
        until(page, f"() => ({KEPT})().then(kept => kept === 'made here')")
        for is_good, then in ((True, "true"), (False, "made here")):
            page.evaluate(REPLACE, is_good)
            page.reload()
            board = ready(page)
            board.new_game("beginner", 7)
            board.click(FIRST)
            answer = page.evaluate("mineproof.app.ask('risks', { at: '3x1x1\\n1HH\\n' })")
            assert answer["risks"]["exact"]
            board.agent_moves(3)
            until(page, f"() => ({KEPT})().then(kept => kept === '{then}')")
            assert any("could not use the snapshot" in text for text in said) is not is_good


def test_two_tabs(browser: Browser, site: StaticSite) -> None:
    """Each of two tabs has its own game. The results and settings of both tabs are stored."""
    with own_context(browser) as context:
        first, second = new_page(context), new_page(context)
        first.goto(site.address)
        board = ready(first)
        first.evaluate("values => mineproof.app.remember(values)", FIRST_SETTINGS)
        board.new_game("beginner", 7)
        board.click(FIRST)
        key, played = first.evaluate("mineproof.app.view.key"), board.letters()
        second.goto(site.address)
        other = ready(second)
        assert second.evaluate("mineproof.app.view.key") != key
        assert other.letters() == "H" * 81
        answer = second.evaluate("key => mineproof.app.ask('open_game', { key })", key)
        assert answer is None
        expect(second.locator("#message")).to_contain_text("open in another tab")
        for page, seed in ((first, 1), (second, 2)):
            Board(page).new_game("beginner", seed)
            page.evaluate("mineproof.app.command('open', { cell: [4, 4] })")
            page.evaluate("mineproof.app.command('stop')")
        first.evaluate("mineproof.app.remember({ sound: true })")
        second.evaluate("mineproof.app.remember({ theme: 'dark' })")
        count = "mineproof.app.ask('statistics').then(found => found.count === 2)"
        for page in (first, second):
            until(page, count)
        first.close()
        second.reload()
        ready(second)
        until(second, count)
        settings = second.evaluate("mineproof.app.settings")
        assert (settings["sound"], settings["theme"]) == (True, "dark")
        answer = second.evaluate("key => mineproof.app.ask('open_game', { key })", key)
        assert answer["view"]["step"] == 1
        assert played.count("H") < 81


def test_a_worker_that_dies_is_replaced(browser: Browser, site: StaticSite) -> None:
    """The page starts a new worker, and the game continues where it was."""
    with own_context(browser) as context:
        page = new_page(context)
        page.goto(site.address)
        board = ready(page)
        board.click(FIRST)
        played = board.letters()
        page.evaluate("mineproofCarrier.worker.terminate()")
        expect(page.locator("#message")).to_have_text("Reconnected.")
        ready(page)
        board.wait_for(lambda letters: letters == played)
        board.agent_moves(1)


def test_a_worker_that_stops_while_it_loads_is_replaced(
    browser: Browser, site: StaticSite, tmp_path: Path
) -> None:
    """The first visit goes on with a new worker, and a move that waits is not lost."""
    folder = shutil.copytree(site.folder, tmp_path / "site")
    script = folder / "site" / "games.js"
    script.write_text("postMessage({ progress: 0.06 }); for (;;);", "utf-8")
    with own_context(browser) as context, served(folder) as copy:
        page = new_page(context)
        page.goto(copy.address)
        expect(page.locator("#loading")).to_contain_text("Loading 6")
        shutil.copyfile(site.folder / "site" / "games.js", script)
        os.utime(script, (time.time() + 2,) * 2)  # so that the browser loads it again
        Board(page).click(FIRST, wait=False)
        expect(page.locator("#loading")).to_contain_text("your move is waiting")
        ready(page).steps(1)


def test_every_agent_plays(browser: Browser, site: StaticSite) -> None:
    """No agent needs a file that the site does not have."""
    with own_context(browser) as context:
        page = new_page(context)
        page.goto(site.address)
        ready(page)
        faults = page.evaluate(
            """async (at) => {
              const found = [];
              for (const { id } of mineproof.app.hello.agents) {
                await mineproof.app.connection.ask('decide', { at, agent: id })
                  .catch((error) => found.push(`${id}: ${error.message}`));
              }
              return found;
            }""",
            "3x1x1\n1HH\n",
        )
        assert faults == []


def test_a_question_without_end_is_ended(browser: Browser, site: StaticSite) -> None:
    """The worker of a cancelled question is replaced. Moves and other questions continue."""
    with own_context(browser) as context:
        page = new_page(context)
        page.goto(site.address)
        board = ready(page)
        own: Any = {"name": "endless.py", "mimeType": "text/plain", "buffer": ENDLESS}
        page.set_input_files("#own-agent", own)
        expect(page.locator("#share-note")).to_contain_text("endless.py:Endless")
        board.click(FIRST)
        page.evaluate(
            "agent => { asked = mineproof.app.connection.ask('decide', { agent }); }",
            "endless.py:Endless",
        )
        page.evaluate("() => new Promise(done => setTimeout(done, 500))")
        board.agent_moves(1)
        page.evaluate("mineproof.app.connection.cancel(asked.number)")
        said = page.evaluate("asked.then(() => 'answered', error => error.message)")
        assert said == "Cancelled"
        board.agent_moves(1)


@pytest.mark.parametrize("below", ["", "some/where/deep/"])
def test_the_policy_and_the_path(browser: Browser, site: StaticSite, below: str) -> None:
    """The site respects its content security policy, at any path of its host."""
    with served(site.folder, below) as place, own_context(browser) as context:
        page = new_page(context)
        said: list[str] = []
        seen: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        context.on("request", lambda request: seen.append(request.url))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', e => console.error(e.violatedDirective))"
        )
        page.goto(f"{place.address}index.html#p=x")
        board = ready(page)
        page.keyboard.press("m")
        board.agent_moves(2)
        wait_for_worker(page)
        assert not said
        assert all(url.startswith((place.address, "blob:")) for url in seen), seen
        policy = page.get_attribute("meta[http-equiv=Content-Security-Policy]", "content") or ""
        assert policy.startswith(HEADER)
        manifest = json.loads(page.request.get(f"{place.address}manifest.webmanifest").text())
        assert manifest["start_url"] == "."


def test_a_later_form_of_what_is_kept(browser: Browser, site: StaticSite) -> None:
    """A page with data from a later version reports this. It can be played and keeps the data."""
    with own_context(browser) as context:
        page = new_page(context)
        page.goto(f"{site.address}NOTICES.txt")
        raise_form = """() => new Promise((done) => {
          const request = indexedDB.open('mineproof', 99);
          request.onupgradeneeded = () => request.result.createObjectStore('later');
          request.onsuccess = () => { request.result.close(); done(); };
        })"""
        page.evaluate(raise_form)
        page.goto(site.address)
        board = ready(page)
        expect(page.locator("#message")).to_contain_text("a later version of this page")
        board.click(FIRST)
        names = """() => new Promise((done) => {
          const request = indexedDB.open('mineproof');
          request.onsuccess = () => {
            done([request.result.version, ...request.result.objectStoreNames]);
            request.result.close();
          };
        })"""
        assert page.evaluate(names) == [99, "later"]


def test_an_agent_from_a_file(browser: Browser, site: StaticSite) -> None:
    """An agent from a file plays like the others. Replays need the installed program."""
    with open_page(browser, site, viewport=DESKTOP) as page:
        board = Board(page)
        page.click("#open-games")
        page.click("#games-tab-share")
        page.set_input_files("#own-agent", AGENT)
        expect(page.locator("#share-note")).to_contain_text("You can now choose")
        page.set_input_files("#file", {"name": "x.avf", "mimeType": "", "buffer": b"avf"})
        expect(page.locator("#share-note")).to_contain_text("can't read replays")
        page.keyboard.press("Escape")
        option = page.locator("#agent-picker option", has_text="my_agent.py")
        page.select_option("#agent-picker select", option.get_attribute("value"))
        board.new_game("beginner", 7, start="opening")  # this one needs no guess so soon
        board.click(FIRST)
        board.agent_moves(2)


def test_an_update_waits_for_the_next_load(
    browser: Browser, site: StaticSite, tmp_path: Path
) -> None:
    """A new version is downloaded, and the open page stays unchanged."""
    folder = tmp_path / "site"
    shutil.copytree(site.folder, folder)
    with served(folder) as place, own_context(browser) as context:
        page = new_page(context)
        page.goto(place.address)
        board = ready(page)
        board.click(FIRST)
        wait_for_worker(page)
        page.reload()
        ready(page)
        change(folder)
        page.evaluate("navigator.serviceWorker.ready.then(found => found.update())")
        until(page, "navigator.serviceWorker.ready.then(found => found.waiting !== null)")
        assert page.title() == "Mineproof"
        board.agent_moves(1)
        page.reload()
        expect(page).to_have_title("Another")
        ready(page)
        board.steps(2)


def change(folder: Path) -> None:
    index = folder / "index.html"
    index.write_text(index.read_text().replace("<title>Mineproof<", "<title>Another<"))
    write_service_worker(folder)
