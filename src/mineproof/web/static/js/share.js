/** Copying, links, saving to files, and opening games and positions. */

import { area, button, byId, download, element, input, press } from './dom.js';
import { closeDialog, openDialog } from './dialogs.js';
import { fromBase64, makeLink, MOST_LINK, readLink, toBase64 } from './link.js';
import { ServiceError } from './connection.js';

const SECRET = 'You can share this game once it is over. Until then, the board is kept secret, so that your own agent can’t read it.';
const PICTURE_CELL = 32;

export class Share {
  /**
   * @param {App} app
   * @param {Analyse} analyse
   * @param {() => BoardView} board the board that is in view
   */
  constructor(app, analyse, board) {
    this.app = app;
    this.analyse = analyse;
    this.board = board;
    this.#listen();
    let opened = false;
    app.on('hello', () => {
      element('game-id').textContent = app.hello?.view.id ?? '';
      if (opened) return;
      opened = true;
      setTimeout(() => this.#first());
    });
    app.on('view', () => {
      button('give-up').disabled = app.view?.end != null;
      element('game-id').textContent = app.view?.id ?? 'The game gets its id when you open the first cell.';
    });
    window.addEventListener('hashchange', () => this.#first());
  }

  #listen() {
    for (const [what, text] of [['id', 'id'], ['game', 'record'], ['position', 'position']]) {
      press(`copy-${what}`, async () => this.copy((await this.texts())?.[text], `The ${what}`));
    }
    press('save-record', async () => this.#save('mineproof-game.json', (await this.texts())?.record));
    press('save-position', async () => this.#save('position.mine', (await this.texts())?.position));
    press('save-board', () => this.#saveBoard());
    press('save-picture', () => this.#savePicture());
    press('give-up', () => this.app.command('stop').then(() => closeDialog('games')));
    press('open-paste', () => this.open(area('paste').value));
    press('open-any', () => {
      openDialog('games');
      element('games-tab-share').click();
      area('paste').focus();
    });
    input('file').addEventListener('change', () => this.#openFile());
    element('games').addEventListener('close', () => { element('share-note').textContent = ''; });
  }

  /**
   * Show a message in the dialog and in the status line.
   * @param {string} text
   */
  #note(text) {
    if (byId('games', HTMLDialogElement).open) element('share-note').textContent = text;
    this.app.say(text);
  }

  /** Return the game in several formats. */
  texts() {
    return this.app.ask('share');
  }

  /**
   * Copy a text, and say so.
   * @param {string | null | undefined} text
   * @param {string} what
   * @param {string} more - a sentence to add if it was copied
   */
  async copy(text, what, more = '') {
    if (text === null) this.#note(SECRET);
    if (!text) return;
    try {
      await navigator.clipboard.writeText(text);
      this.#note(`${what} has been copied.${more}`);
    } catch {
      area('paste').value = text;
      this.#note(`Your browser doesn’t allow copying. ${what} is in the text field under Games, Share.`);
    }
  }

  /**
   * Copy a link as a full address. On a local server, it leaves out the token: the server's first page adds it in this browser.
   * @param {'position' | 'game' | 'tab'} kind
   * @param {string | null | undefined} text
   * @param {URLSearchParams} fields
   */
  async copyLink(kind, text, fields) {
    if (text === null) this.#note(SECRET);
    if (kind !== 'tab' && !text) return;
    const link = kind === 'tab' ? '#' : await makeLink(kind, text ?? '');
    if (link === null) {
      this.#note(`This is too long for a link (at most ${MOST_LINK.toLocaleString('en')} characters). Save it as a file instead.`);
      return;
    }
    const local = this.app.hello?.transport === 'server';
    const more = kind === 'tab' || fields.size === 0 ? '' : '&';
    const address = `${local ? `${location.origin}/` : location.href.split('#')[0]}${link}${more}${fields}`;
    await this.copy(address, 'The link', local ? ' It works in this browser; elsewhere, paste it under Games, Share.' : '');
  }

  // ---- saving

  /**
   * @param {string} name
   * @param {string | null | undefined} text
   */
  #save(name, text) {
    if (text === null) this.#note(SECRET);
    if (text) this.#download(name, new Blob([text], { type: 'text/plain' }));
  }

  /**
   * @param {string} name
   * @param {Blob} blob
   */
  #download(name, blob) {
    download(name, blob);
    this.#note(`Saved as ${name}.`);
  }

  async #saveBoard() {
    const texts = await this.texts();
    if (texts === null) return;
    if (texts.board === null) this.#note('You can save the board once the game is over.');
    else this.#download('board.mbf', new Blob([fromBase64(texts.board)]));
  }

  #savePicture() {
    this.board().picture(PICTURE_CELL).toBlob((blob) => {
      if (blob !== null) this.#download('mineproof.png', blob);
    });
  }

  // ---- opening

  /** Open the game or position from the address or the command line. */
  async #first() {
    const linked = location.hash === '' ? null : await readLink(location.hash);
    if (linked !== null) {
      history.replaceState(null, '', location.pathname + location.search);
      await this.#follow(linked);
    } else if (this.app.hello?.position) {
      this.analyse.open(this.app.hello.position);
    }
  }

  /**
   * Open an id, a game, a position or a link. Return whether that succeeded; always true for links.
   * @param {string} text
   */
  async open(text) {
    const linked = await readLink(text);
    if (linked === null) return this.#load({ text });
    await this.#follow(linked);
    return true;
  }

  /**
   * Restores the agent, the step and the tab of a link. `setUpLecture` replaces this function.
   * @type {(linked: Linked) => Promise<void>}
   */
  restore = async () => {};

  /** @param {Linked} linked */
  async #follow(linked) {
    if (linked.kind === 'tab') closeDialog('games');
    if (linked.kind === 'tab' || await this.#load({ text: linked.text })) await this.restore(linked);
  }

  async #openFile() {
    const file = input('file').files?.[0];
    input('file').value = '';
    if (file === undefined) return;
    const data = await fileData(file, this.app);
    if (data === null) this.#note('This file is too large for the page. Run `mineproof web FILE` instead.');
    else await this.#load({ name: file.name, data });
  }

  /**
   * Open a game or a position, and return whether that succeeded. A finished game stays in the list.
   * @param {Record<string, string>} fields
   */
  async #load(fields) {
    const { app } = this;
    try {
      const replay = /\.(avf|mvf|rmv|evf)$/i.test(fields.name ?? '') ? await app.connection.ask('coach', fields) : null;
      if (!isPosition(fields) && !(await this.#makeRoom())) return false;
      const answer = await app.connection.ask('load', replay === null ? fields : { text: replay.coach[0].record });
      closeDialog('games');
      if (answer.position !== undefined) {
        this.analyse.open(answer.position);
        return true;
      }
      app.goTo('play');
      app.show(answer.view);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#note(error.message);
      return false;
    }
  }

  /** Make room for another game: one that is in progress or finished stays in the list. */
  async #makeRoom() {
    const { app } = this;
    return !app.inProgress && app.view?.end == null ? true : app.command('another');
  }
}

/**
 * Return the bytes of a file as base64; null if they do not fit into one message.
 * @param {File} file
 * @param {App} app
 */
export async function fileData(file, app) {
  if (file.size > (app.hello?.limits.message ?? 0) * 0.7) return null;
  return toBase64(new Uint8Array(await file.arrayBuffer()));
}

/**
 * Return whether the content is a position. Opening a position replaces no game.
 * @param {Record<string, string>} fields
 */
function isPosition(fields) {
  return /^\s*\d+x\d+x(\d+|\?)\s*\n/.test(fields.text ?? atob(fields.data));
}
