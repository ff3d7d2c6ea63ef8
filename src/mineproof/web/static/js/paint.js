/** How a cell looks. Each kind is drawn once for a size and colours, and copied from then on. */

import { drawPattern, heatColour, levelOf } from './heat.js';

const NAMES = ['closed', 'closed-top', 'closed-edge', 'open', 'grid', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8',
  'flag', 'pole', 'mine', 'boom', 'wrong', 'cursor', 'clue', 'target', 'conflict', 'last', 'heat-safe', 'heat0', 'heat1', 'heat2',
  'heat-ink', 'safe-ink', 'mined-ink', 'page', 'panel'];
const BUCKETS = 40;
const PATTERN_FROM = 10;

/** @typedef {Record<string, string>} Palette */

/**
 * Read the colours of the page as they are now.
 * @returns {Palette}
 */
export function readPalette() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

export class Sprites {
  /** @type {Map<string, HTMLCanvasElement>} */
  #made = new Map();

  /**
   * @param {Palette} palette
   * @param {number} size a cell's side in device pixels
   */
  constructor(palette, size) {
    this.palette = palette;
    this.size = size;
  }

  /**
   * Give the picture of a cell.
   * @param {string} letter
   * @param {number | null} risk
   */
  cell(letter, risk) {
    if (risk === null || (letter !== 'H' && letter !== 'F')) {
      return this.#get(letter, (context) => this.#drawLetter(context, letter));
    }
    const level = levelOf(risk);
    const bucket = level === 0 ? 0 : Math.max(1, Math.round(risk * BUCKETS));
    return this.#get(`${letter}/${bucket}/${level}`, (context) => {
      this.#drawHeat(context, bucket / BUCKETS, level);
      if (letter === 'F') this.#drawFlag(context);
    });
  }

  /**
   * @param {string} name
   * @param {(context: CanvasRenderingContext2D) => void} draw
   */
  #get(name, draw) {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const canvas = document.createElement('canvas');
    canvas.width = this.size;
    canvas.height = this.size;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('expected a canvas to draw on');
    draw(context);
    this.#made.set(name, canvas);
    return canvas;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {string} letter
   */
  #drawLetter(context, letter) {
    if (letter === 'H' || letter === 'F') this.#drawClosed(context);
    else this.#drawOpen(context, letter === 'M' ? this.palette.boom : this.palette.open);
    if (letter >= '1' && letter <= '8') this.#drawText(context, letter, this.palette[`n${letter}`]);
    if (letter === '-') this.#drawText(context, '·', this.palette.n8);
    if (letter === 'F' || letter === 'x') this.#drawFlag(context);
    if (letter === 'M' || letter === 'm') this.#drawMine(context);
    if (letter === 'x') this.#drawCross(context, this.palette.wrong);
  }

  /** @param {CanvasRenderingContext2D} context */
  #drawClosed(context) {
    const { size, palette } = this;
    const gap = Math.max(1, Math.round(size / 24));
    this.#blank(context);
    const fill = context.createLinearGradient(0, 0, 0, size);
    fill.addColorStop(0, palette['closed-top']);
    fill.addColorStop(1, palette.closed);
    context.fillStyle = palette['closed-edge'];
    this.#round(context, gap, gap, size - gap * 2);
    context.fillStyle = fill;
    this.#round(context, gap, gap, size - gap * 2, Math.max(1, gap));
  }

  /** @param {CanvasRenderingContext2D} context */
  #blank(context) {
    context.fillStyle = this.palette.panel;
    context.fillRect(0, 0, this.size, this.size);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} x
   * @param {number} y
   * @param {number} side
   * @param {number} shorter
   */
  #round(context, x, y, side, shorter = 0) {
    context.beginPath();
    context.roundRect(x, y, side, side - shorter, side > 10 ? side * 0.16 : 0);
    context.fill();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {string} colour
   */
  #drawOpen(context, colour) {
    const { size, palette } = this;
    context.fillStyle = palette.grid;
    context.fillRect(0, 0, size, size);
    context.fillStyle = colour;
    context.fillRect(0, 0, size - 1, size - 1);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {string} text
   * @param {string} colour
   */
  #drawText(context, text, colour) {
    const { size } = this;
    context.fillStyle = colour;
    context.font = `700 ${Math.round(size * 0.6)}px system-ui, "Segoe UI", Roboto, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(text, size / 2, size * 0.54);
  }

  /** @param {CanvasRenderingContext2D} context */
  #drawFlag(context) {
    const { size, palette } = this;
    context.strokeStyle = palette.pole;
    context.lineWidth = Math.max(1, size * 0.07);
    context.beginPath();
    context.moveTo(size * 0.4, size * 0.22);
    context.lineTo(size * 0.4, size * 0.78);
    context.moveTo(size * 0.28, size * 0.78);
    context.lineTo(size * 0.56, size * 0.78);
    context.stroke();
    context.fillStyle = palette.flag;
    context.beginPath();
    context.moveTo(size * 0.4, size * 0.2);
    context.lineTo(size * 0.76, size * 0.36);
    context.lineTo(size * 0.4, size * 0.52);
    context.fill();
  }

  /** @param {CanvasRenderingContext2D} context */
  #drawMine(context) {
    const { size, palette } = this;
    const middle = size / 2;
    context.strokeStyle = palette.mine;
    context.fillStyle = palette.mine;
    context.lineWidth = Math.max(1, size * 0.08);
    context.beginPath();
    for (let i = 0; i < 4; i += 1) {
      const angle = (Math.PI * i) / 4;
      const x = Math.cos(angle) * size * 0.36;
      const y = Math.sin(angle) * size * 0.36;
      context.moveTo(middle - x, middle - y);
      context.lineTo(middle + x, middle + y);
    }
    context.stroke();
    context.beginPath();
    context.arc(middle, middle, size * 0.25, 0, 7);
    context.fill();
    context.fillStyle = palette.open;
    context.beginPath();
    context.arc(middle - size * 0.08, middle - size * 0.08, size * 0.06, 0, 7);
    context.fill();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {string} colour
   */
  #drawCross(context, colour) {
    const { size } = this;
    context.strokeStyle = colour;
    context.lineWidth = Math.max(1, size * 0.1);
    context.beginPath();
    context.moveTo(size * 0.2, size * 0.2);
    context.lineTo(size * 0.8, size * 0.8);
    context.moveTo(size * 0.8, size * 0.2);
    context.lineTo(size * 0.2, size * 0.8);
    context.stroke();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} risk
   * @param {number} level
   */
  #drawHeat(context, risk, level) {
    const { size, palette } = this;
    const gap = Math.max(1, Math.round(size / 24));
    this.#blank(context);
    context.fillStyle = heatColour(risk, [palette['heat-safe'], palette.heat0, palette.heat1, palette.heat2]);
    this.#round(context, gap, gap, size - gap * 2);
    context.save();
    context.clip();
    context.globalAlpha = 0.28;
    context.strokeStyle = palette['heat-ink'];
    context.lineWidth = Math.max(1, size * 0.06);
    if (size >= PATTERN_FROM) drawPattern(context, level, gap, gap, size - gap * 2);
    context.restore();
    context.strokeStyle = palette['heat-ink'];
    context.lineWidth = Math.max(1, size * 0.05);
    if (level === 0) this.#ring(context);
    if (level === 6) this.#drawCross(context, palette['heat-ink']);
  }

  /** @param {CanvasRenderingContext2D} context */
  #ring(context) {
    context.beginPath();
    context.arc(this.size / 2, this.size / 2, this.size * 0.38, 0, 7);
    context.stroke();
  }
}
