/** A board on a canvas: draws the visible cells, pans, zooms, and finds the cell at a point. */

import { AriaGrid } from './ariagrid.js';
import * as camera from './camera.js';
import { Grid } from './grid.js';
import { Layer } from './layer.js';
import { drawOverlays, drawRulers } from './overlays.js';
import { readPalette, Sprites } from './paint.js';
import { Pointers } from './pointers.js';

/** The room for the numbers of rows and columns. */
const STRIP = matchMedia('(max-width: 46rem)').matches ? { left: 19, top: 18 } : { left: 26, top: 20 };

export class BoardView {
  grid = new Grid([]);
  /** @type {Camera} relative to the area to the right of and below the rulers */
  camera = { x: 0, y: 0, size: 24 };
  /** @type {Overlays} */
  overlays = {};
  /** @type {Cell} */
  cursor = [0, 0];
  /** @type {Cell | null} */
  hover = null;
  /** Whether the mouse moved after the cursor, so that keys act on the cell under the mouse. */
  pointed = false;
  /** Whether the focus came by a click, so that the left and right arrows step through the game. */
  clicked = false;
  /** @type {Cell[]} */
  pressed = [];
  /** @type {Handlers} */
  handlers = {};
  #window = { width: 0, height: 0, top: false };
  #ratio = 1;
  #palette;
  #sprites;
  #drawn = 0;
  #layer = new Layer();
  #fitted = true;
  /** The height at the bottom that something covers, such as the sheet on a phone. */
  #covered = 0;
  /** @type {CellSize | null} */
  #wanted = null;
  /** The side of a cell before rounding to device pixels, so that small zooms add up. */
  #size = 24;
  /** Number of frames drawn so far, for measurements. */
  frames = 0;

  /**
   * @param {HTMLElement} host the element that the board fills
   * @param {boolean} plays whether cells must be large enough to click or tap
   */
  constructor(host, plays) {
    this.host = host;
    this.plays = plays;
    this.#palette = readPalette(host);
    this.#sprites = new Sprites(this.#palette, 1);
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('aria-hidden', 'true');
    host.append(this.canvas);
    const context = this.canvas.getContext('2d', { alpha: false });
    if (context === null) throw new Error('this browser cannot draw on a canvas');
    this.context = context;
    this.aria = plays ? new AriaGrid(host) : null;
    new ResizeObserver(() => this.#resize()).observe(this.canvas);
    new Pointers(this);
    host.addEventListener('focus', () => this.refresh());
    host.addEventListener('blur', () => {
      this.clicked = false;
      this.refresh();
    });
  }

  /**
   * Show a board. If its size has changed, fit it into the window.
   * @param {Grid} grid
   */
  show(grid) {
    const same = grid.rows === this.grid.rows && grid.columns === this.grid.columns;
    this.grid = grid;
    if (!same) {
      this.cursor = [Math.floor((grid.rows - 1) / 2), Math.floor((grid.columns - 1) / 2)];
      this.hover = null;
      this.pressed = [];
      this.#fit();
    }
    this.refresh();
  }

  /** Show the whole board, even if its cells become very small. */
  fit() {
    this.#fit({ least: camera.SMALLEST, most: null });
  }

  /**
   * Set the size of cells; null for the size that fits.
   * @param {CellSize | null} wanted
   */
  resizeCells(wanted) {
    this.#wanted = wanted;
    this.#fit();
  }

  /** @param {CellSize} wanted */
  #fit(wanted = this.#wanted ?? this.#playable()) {
    if (this.#window.width === 0 || this.grid.rows === 0) return;
    const whole = { ...this.#window, height: this.#window.height + this.#covered }; // a sheet does not change the cell size
    const most = document.documentElement.hasAttribute('data-large') ? camera.LARGEST : undefined; // for a projector
    const fitted = camera.fit(this.grid, whole, wanted.least, wanted.most ?? most);
    this.#size = fitted.size;
    this.camera = { ...fitted, size: camera.snap(fitted.size, this.#ratio, Math.floor) };
    this.camera = camera.centre(this.camera, this.cursor, this.grid, this.#window);
    this.#fitted = true;
    this.#moved();
  }

  /** Return the smallest comfortable cell size. A board that is only for viewing may have smaller cells. */
  #playable() {
    const [finger, tablet] = ['(pointer: coarse)', '(min-width: 46.01rem) and (min-height: 40rem)'].map((query) => matchMedia(query).matches);
    const least = finger ? tablet ? 20 : 30 : 16; // a tablet has room for a whole expert board
    return { least: this.plays ? least : camera.SMALLEST, most: null };
  }

  /** Whether the whole board is visible. */
  get whole() {
    return camera.showsAll(this.camera, this.grid, this.#window);
  }

  /**
   * Zoom around a point, by default the middle.
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   */
  zoom(factor, x = this.#window.width / 2, y = this.#window.height / 2) {
    this.#size = Math.min(camera.LARGEST, Math.max(camera.SMALLEST, this.#size * factor));
    const real = camera.snap(this.#size, this.#ratio) / this.camera.size;
    this.camera = camera.zoom(this.camera, real, x, y, this.grid, this.#window);
    this.#fitted = false;
    this.#moved();
  }

  /**
   * Zoom around a point of the canvas.
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   */
  zoomAt(factor, x, y) {
    this.zoom(factor, x - STRIP.left, y - STRIP.top);
  }

  /**
   * Move the board.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.camera = camera.pan(this.camera, dx, dy, this.grid, this.#window);
    this.#fitted = this.#fitted && this.whole;
    this.#moved();
  }

  /**
   * Move the cursor to a cell, and scroll it into view.
   * @param {Cell} cell
   */
  moveCursor(cell) {
    this.cursor = cell;
    this.pointed = false;
    this.clicked = false;
    this.reveal(cell);
  }

  /** The cell that keys act on: the one under the mouse or the cursor, whichever moved last. */
  get target() {
    return (this.pointed ? this.hover : null) ?? this.cursor;
  }

  /**
   * Scroll a cell into view.
   * @param {Cell} cell
   */
  reveal(cell) {
    this.camera = camera.reveal(this.camera, cell, this.grid, this.#window);
    this.#moved();
  }

  /**
   * Scroll cells into view, each with half a cell around it. If there is no room for all, the last ones are in view.
   * @param {Cell[]} cells
   */
  revealAll(cells) {
    for (const [row, column] of cells) for (const by of [-0.5, 0.5]) this.reveal([row + by, column + by]);
  }

  /**
   * Keep what is in view above the part that something covers.
   * @param {number} height the height of that part
   */
  cover(height) {
    this.#window.height += this.#covered - height;
    this.#covered = height;
    this.camera = camera.clamp(this.camera, this.grid, this.#window);
    this.#moved();
  }

  /**
   * Return the middle of a cell, relative to the canvas.
   * @param {Cell} cell
   */
  point(cell) {
    const { x, y, size } = this.camera;
    return { x: STRIP.left + x + (cell[1] + 0.5) * size, y: STRIP.top + y + (cell[0] + 0.5) * size };
  }

  /**
   * Return the cell at a point of the canvas; null outside the board.
   * @param {number} x
   * @param {number} y
   */
  cellAt(x, y) {
    if (x < STRIP.left || y < STRIP.top) return null;
    return camera.cellAt(this.camera, x - STRIP.left, y - STRIP.top, this.grid);
  }

  /** Redraw in the next frame. */
  refresh() {
    if (this.#drawn !== 0) return;
    this.#drawn = requestAnimationFrame(() => {
      this.#drawn = 0;
      this.#draw();
    });
  }

  /** Draw immediately, so that the change is in the very next frame. */
  drawNow() {
    if (this.#drawn !== 0) cancelAnimationFrame(this.#drawn);
    this.#drawn = 0;
    if (this.#window.width > 0) this.#draw();
  }

  /** Read the colours of the page again and redraw. */
  recolour() {
    this.#palette = readPalette(this.host);
    this.#sprites = new Sprites(this.#palette, this.#sprites.size);
    this.refresh();
  }

  /**
   * Return a picture of the whole board, with rulers and overlays.
   * @param {number} size a cell's side in pixels
   */
  picture(size) {
    const canvas = document.createElement('canvas');
    canvas.width = this.grid.columns * size + STRIP.left + 8;
    canvas.height = this.grid.rows * size + STRIP.top + 8;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('this browser cannot draw on a canvas');
    context.fillStyle = this.#palette.page;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const range = { top: 0, left: 0, bottom: this.grid.rows - 1, right: this.grid.columns - 1 };
    const ground = { context, palette: this.#palette, at: { x: STRIP.left, y: STRIP.top, size }, ratio: 1 };
    this.#drawCells(ground, new Sprites(this.#palette, size), range);
    drawOverlays(ground, this.overlays, { cursor: null, hover: null, pressed: [] });
    drawRulers(ground, range, STRIP, null);
    return canvas;
  }

  // ---- drawing

  #draw() {
    this.frames += 1;
    const { context } = this;
    context.fillStyle = this.#palette.page;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.grid.letters.length === 0) return;
    const ground = this.#ground();
    if (ground.at.size !== this.#sprites.size) this.#sprites = new Sprites(this.#palette, ground.at.size);
    const range = camera.visible(ground.at, this.grid, { width: this.canvas.width, height: this.canvas.height });
    if (this.#layer.update(this.grid, this.overlays.risk ?? null, this.#sprites)) {
      context.drawImage(this.#layer.canvas, ground.at.x, ground.at.y);
    } else {
      this.#drawCells(ground, this.#sprites, range);
    }
    const focused = document.activeElement === this.host && this.host.matches(':focus-visible');
    drawOverlays(ground, this.overlays, { cursor: focused ? this.cursor : null, hover: this.hover, pressed: this.pressed });
    const strip = { left: STRIP.left * this.#ratio, top: STRIP.top * this.#ratio };
    drawRulers(ground, range, strip, focused ? this.cursor : this.hover);
    this.aria?.show(this.grid, this.cursor, this.overlays.risk ?? null);
  }

  #ground() {
    const ratio = this.#ratio;
    const at = {
      x: Math.round((this.camera.x + STRIP.left) * ratio),
      y: Math.round((this.camera.y + STRIP.top) * ratio),
      size: Math.max(1, Math.round(this.camera.size * ratio)),
    };
    return { context: this.context, palette: this.#palette, at, ratio };
  }

  /**
   * @param {Ground} ground
   * @param {Sprites} sprites
   * @param {{top: number, bottom: number, left: number, right: number}} range
   */
  #drawCells({ context, at }, sprites, range) {
    const { grid } = this;
    const risk = this.overlays.risk ?? null;
    for (let row = range.top; row <= range.bottom; row += 1) {
      for (let column = range.left; column <= range.right; column += 1) {
        const index = row * grid.columns + column;
        const sprite = sprites.cell(grid.drawn(index), risk === null ? null : risk[index]);
        context.drawImage(sprite, at.x + column * at.size, at.y + row * at.size);
      }
    }
  }

  #resize() {
    const box = this.canvas.getBoundingClientRect();
    if (box.width === 0) return;
    const narrow = this.plays && matchMedia('(max-width: 46rem)').matches; // the side panel is a sheet at the bottom
    this.#window = { width: box.width - STRIP.left, height: box.height - STRIP.top - this.#covered, top: narrow };
    this.#ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(box.width * this.#ratio);
    this.canvas.height = Math.round(box.height * this.#ratio);
    if (this.#fitted && this.#covered === 0) this.#fit();
    else this.camera = camera.clamp(this.camera, this.grid, this.#window);
    this.#moved();
    this.drawNow(); // resizing clears the canvas, which would flicker
  }

  #moved() {
    const paints = this.handlers.paints?.() ?? false;
    this.canvas.style.touchAction = this.whole && !paints ? 'pan-y' : 'none';
    this.refresh();
  }
}
