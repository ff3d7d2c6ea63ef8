/** A board on a canvas: draws the cells that can be seen, moves, zooms, and says what is hit. */

import * as camera from './camera.js';
import { Gestures } from './gesture.js';
import { Layer } from './layer.js';
import { Grid } from './model.js';
import { drawOverlays } from './overlays.js';
import { readPalette, Sprites } from './paint.js';

/**
 * @typedef {import('./types.js').Cell} Cell
 * @typedef {import('./overlays.js').Overlays} Overlays
 * @typedef {{tap?: (cell: Cell) => void, mark?: (cell: Cell) => void,
 *   chord?: (cell: Cell) => void, hover?: (cell: Cell | null, x: number, y: number) => void}} Handlers
 */

export class BoardView {
  grid = new Grid([]);
  /** @type {camera.Camera} */
  camera = { x: 0, y: 0, size: 24 };
  /** @type {Overlays} */
  overlays = {};
  /** @type {Cell} */
  cursor = [0, 0];
  #window = { width: 0, height: 0 };
  #ratio = 1;
  #palette = readPalette();
  #sprites = new Sprites(this.#palette, 1);
  #drawn = 0;
  #layer = new Layer();
  #wholeBoard = true;
  #least = camera.SMALLEST;
  /** The side of a cell before it is rounded to device pixels: small zooms add up. */
  #size = 24;
  /** Frames drawn so far, for measurements. */
  frames = 0;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Handlers} handlers
   */
  constructor(canvas, handlers) {
    this.canvas = canvas;
    this.handlers = handlers;
    const context = canvas.getContext('2d', { alpha: false });
    if (context === null) throw new Error('expected a canvas to draw on');
    this.context = context;
    new ResizeObserver(() => this.#resize()).observe(canvas);
    this.#listen();
    canvas.addEventListener('focus', () => this.refresh());
    canvas.addEventListener('blur', () => this.refresh());
  }

  /**
   * Show a board; where its size is another one, it is fitted into the window.
   * @param {Grid} grid
   */
  show(grid) {
    const same = grid.rows === this.grid.rows && grid.columns === this.grid.columns;
    this.grid = grid;
    if (!same) {
      this.cursor = [Math.floor((grid.rows - 1) / 2), Math.floor((grid.columns - 1) / 2)];
      this.#fit(this.#playable());
    }
    this.refresh();
  }

  /** Fit the board into the window. */
  fit() {
    this.#fit(camera.SMALLEST);
  }

  /** @param {number} least the smallest cell */
  #fit(least) {
    if (this.#window.width === 0) return;
    const fitted = camera.fit(this.grid, this.#window, least);
    this.#size = fitted.size;
    this.camera = { ...fitted, size: camera.snap(fitted.size, this.#ratio, Math.floor) };
    this.camera = camera.centre(this.camera, this.cursor, this.grid, this.#window);
    this.#wholeBoard = true;
    this.#least = least;
    this.#moved();
  }

  /** Give the smallest cell that can be hit well; a board that is only shown has none. */
  #playable() {
    if (!('tap' in this.handlers)) return camera.SMALLEST;
    return matchMedia('(pointer: coarse)').matches ? 30 : 17;
  }

  /**
   * Change the size around the middle.
   * @param {number} factor
   */
  zoom(factor) {
    this.#zoomAt(factor, this.#window.width / 2, this.#window.height / 2);
  }

  /**
   * Put the cursor on a cell and make sure that it can be seen.
   * @param {Cell} cell
   */
  moveCursor(cell) {
    this.cursor = cell;
    this.camera = camera.reveal(this.camera, cell, this.grid, this.#window);
    this.#moved();
  }

  /**
   * Make sure that a cell can be seen.
   * @param {Cell} cell
   */
  reveal(cell) {
    this.camera = camera.reveal(this.camera, cell, this.grid, this.#window);
    this.#moved();
  }

  /**
   * Give the middle of a cell in the window's coordinates.
   * @param {Cell} cell
   */
  place(cell) {
    const { x, y, size } = this.camera;
    return { x: x + (cell[1] + 0.5) * size, y: y + (cell[0] + 0.5) * size };
  }

  /** Draw again with the next frame. */
  refresh() {
    if (this.#drawn === 0) {
      this.#drawn = requestAnimationFrame(() => {
        this.#drawn = 0;
        this.#draw();
      });
    }
  }

  /** Take the colours anew. */
  recolour() {
    this.#palette = readPalette();
    this.#sprites = new Sprites(this.#palette, this.#sprites.size);
    this.refresh();
  }

  /**
   * Draw the whole board into a picture of its own.
   * @param {number} size a cell's side in pixels
   */
  picture(size) {
    const canvas = document.createElement('canvas');
    canvas.width = this.grid.columns * size;
    canvas.height = this.grid.rows * size;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('expected a canvas to draw on');
    const range = { top: 0, left: 0, bottom: this.grid.rows - 1, right: this.grid.columns - 1 };
    this.#drawCells(context, new Sprites(this.#palette, size), { x: 0, y: 0, size }, range);
    return canvas;
  }

  // ---- drawing

  #draw() {
    const { context } = this;
    this.frames += 1;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = 'tap' in this.handlers ? this.#palette.page : this.#palette.panel;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.grid.letters.length === 0) return;
    const size = Math.max(1, Math.round(this.camera.size * this.#ratio));
    if (size !== this.#sprites.size) this.#sprites = new Sprites(this.#palette, size);
    const at = { x: Math.round(this.camera.x * this.#ratio), y: Math.round(this.camera.y * this.#ratio), size };
    const real = { width: this.canvas.width, height: this.canvas.height };
    this.#drawPlate(at);
    if (this.#layer.update(this.grid, this.overlays.risk ?? null, this.#sprites)) {
      context.drawImage(this.#layer.canvas, at.x, at.y);
    } else {
      this.#drawCells(context, this.#sprites, at, camera.visible(at, this.grid, real));
    }
    const focused = document.activeElement === this.canvas;
    drawOverlays(context, this, this.#palette, at, this.#ratio, focused ? this.cursor : null);
  }

  /** @param {camera.Camera} at */
  #drawPlate(at) {
    if (!('tap' in this.handlers)) return;
    const { context } = this;
    const rim = camera.MARGIN * this.#ratio * 0.75;
    context.fillStyle = this.#palette.panel;
    context.beginPath();
    context.roundRect(at.x - rim, at.y - rim, this.grid.columns * at.size + 2 * rim, this.grid.rows * at.size + 2 * rim, rim);
    context.fill();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Sprites} sprites
   * @param {camera.Camera} at
   * @param {{top: number, bottom: number, left: number, right: number}} range
   */
  #drawCells(context, sprites, at, range) {
    const { letters, columns } = this.grid;
    const risk = this.overlays.risk ?? null;
    for (let row = range.top; row <= range.bottom; row += 1) {
      for (let column = range.left; column <= range.right; column += 1) {
        const index = row * columns + column;
        const sprite = sprites.cell(letters[index], risk === null ? null : risk[index]);
        context.drawImage(sprite, at.x + column * at.size, at.y + row * at.size);
      }
    }
  }

  // ---- the window

  #resize() {
    const box = this.canvas.getBoundingClientRect();
    if (box.width === 0) return;
    this.#window = { width: box.width, height: box.height };
    this.#ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(box.width * this.#ratio);
    this.canvas.height = Math.round(box.height * this.#ratio);
    if (this.#wholeBoard) this.#fit(this.#least);
    else this.camera = camera.clamp(this.camera, this.grid, this.#window);
    this.#moved();
    if (this.#drawn !== 0) cancelAnimationFrame(this.#drawn);
    this.#drawn = 0;
    this.#draw(); // at once: an emptied canvas would flicker
  }

  #moved() {
    const all = camera.showsAll(this.camera, this.grid, this.#window);
    this.canvas.style.touchAction = all ? 'pan-y' : 'none';
    this.refresh();
  }

  /**
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   */
  #zoomAt(factor, x, y) {
    this.#size = Math.min(camera.LARGEST, Math.max(camera.SMALLEST, this.#size * factor));
    const real = camera.snap(this.#size, this.#ratio) / this.camera.size;
    this.camera = camera.zoom(this.camera, real, x, y, this.grid, this.#window);
    this.#wholeBoard = false;
    this.#moved();
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  #pan(dx, dy) {
    this.camera = camera.pan(this.camera, dx, dy, this.grid, this.#window);
    this.#wholeBoard = this.#wholeBoard && camera.showsAll(this.camera, this.grid, this.#window);
    this.#moved();
  }

  // ---- pointers

  #listen() {
    const at = (/** @type {((cell: Cell) => void) | undefined} */ act) =>
      (/** @type {number} */ x, /** @type {number} */ y) => {
        const cell = camera.cellAt(this.camera, x, y, this.grid);
        if (cell === null || act === undefined) return;
        this.cursor = cell;
        act(cell);
        this.refresh();
      };
    const gestures = new Gestures(
      {
        tap: at((cell) => this.handlers.tap?.(cell)),
        mark: at((cell) => this.handlers.mark?.(cell)),
        chord: at((cell) => this.handlers.chord?.(cell)),
        drag: (dx, dy) => this.#pan(dx, dy),
        pinch: (factor, x, y, dx, dy) => {
          this.#pan(dx, dy);
          this.#zoomAt(factor, x, y);
        },
      },
      { set: (act, time) => window.setTimeout(act, time), clear: (timer) => clearTimeout(timer) },
    );
    this.#listenPointers(gestures);
  }

  /** @param {Gestures} gestures */
  #listenPointers(gestures) {
    const { canvas } = this;
    const read = (/** @type {PointerEvent} */ event) => ({
      id: event.pointerId, x: event.offsetX, y: event.offsetY, button: event.button, kind: event.pointerType,
    });
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button === 0) canvas.setPointerCapture(event.pointerId);
      if (event.button === 1) event.preventDefault();
      gestures.down(read(event));
    });
    canvas.addEventListener('pointermove', (event) => {
      gestures.move(read(event));
      const cell = camera.cellAt(this.camera, event.offsetX, event.offsetY, this.grid);
      this.handlers.hover?.(event.pointerType === 'mouse' ? cell : null, event.offsetX, event.offsetY);
    });
    canvas.addEventListener('pointerup', (event) => gestures.up(read(event)));
    canvas.addEventListener('pointercancel', (event) => gestures.cancel(event.pointerId));
    canvas.addEventListener('pointerleave', () => this.handlers.hover?.(null, 0, 0));
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.#zoomAt(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    }, { passive: false });
  }
}
