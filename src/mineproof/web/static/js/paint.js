/** The look of cells. Each kind is drawn once for every size and palette, and then copied. */

import { drawPips, heatColour, levelOf, riskDigits } from './heat.js';

const NAMES = ['closed', 'closed-top', 'open', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'flag', 'pole', 'mine', 'boom',
  'wrong', 'cursor', 'accent', 'safe', 'danger', 'guess', 'conflict', 'heat0', 'heat1', 'heat2', 'heat-ink', 'page', 'panel', 'past',
  'dim', 'ink', 'tint'];
/** The smallest cells, in device pixels, that show the digits of a risk, and its dashes. */
const DIGITS_FROM = 15;
const PIPS_FROM = 22;
export const FONT = 'system-ui, "Segoe UI", Roboto, sans-serif';

/**
 * Return the current colours of the page, or of a part of it.
 * @param {Element} part
 * @returns {Palette}
 */
export function readPalette(part = document.documentElement) {
  const style = getComputedStyle(part.isConnected ? part : document.documentElement); // detached parts have no colours
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

/**
 * Draw a flag on a cell.
 * @param {CanvasRenderingContext2D} context
 * @param {Palette} palette
 * @param {Camera} at the corner and the side of the cell
 */
export function drawFlag(context, palette, { x, y, size }) {
  context.strokeStyle = palette.pole;
  context.lineWidth = Math.max(1, size * 0.07);
  context.lineCap = 'round';
  context.beginPath();
  context.moveTo(x + size * 0.38, y + size * 0.24);
  context.lineTo(x + size * 0.38, y + size * 0.77);
  context.stroke();
  context.fillStyle = palette.flag;
  context.beginPath();
  context.moveTo(x + size * 0.38, y + size * 0.22);
  context.lineTo(x + size * 0.74, y + size * 0.37);
  context.lineTo(x + size * 0.38, y + size * 0.53);
  context.fill();
}

/**
 * Draw a mine on a cell.
 * @param {CanvasRenderingContext2D} context
 * @param {Palette} palette
 * @param {Camera} at the corner and the side of the cell
 */
export function drawMine(context, palette, { x, y, size }) {
  context.save();
  context.translate(x + size / 2, y + size / 2);
  context.strokeStyle = palette.mine;
  context.fillStyle = palette.mine;
  context.lineWidth = Math.max(1, size * 0.07);
  context.lineCap = 'round';
  context.beginPath();
  for (let i = 0; i < 4; i += 1) {
    const angle = (Math.PI * i) / 4;
    const [dx, dy] = [Math.cos(angle) * size * 0.31, Math.sin(angle) * size * 0.31];
    context.moveTo(-dx, -dy);
    context.lineTo(dx, dy);
  }
  context.stroke();
  context.beginPath();
  context.arc(0, 0, size * 0.22, 0, 7);
  context.fill();
  context.restore();
}

export class Sprites {
  /** @type {Map<string, HTMLCanvasElement>} */
  #made = new Map();

  /** @param {Palette} palette @param {number} size a cell's side in device pixels */
  constructor(palette, size) {
    this.palette = palette;
    this.size = size;
    this.gap = size >= 12 ? Math.max(1, Math.round(size / 32)) : 0.5;
    this.radius = size > 10 ? (size - 2 * this.gap) * 0.15 : 0;
  }

  /**
   * Return the picture of a cell.
   * @param {string} letter
   * @param {number | null} risk
   */
  cell(letter, risk) {
    if (risk === null || !'HF?'.includes(letter) || risk === 0 || risk === 1) {
      return this.#get(letter, (context) => this.#drawLetter(context, letter));
    }
    const digits = riskDigits(risk);
    return this.#get(`${letter}/${digits}/${levelOf(risk)}`, (context) => {
      this.#drawHeat(context, parseInt(digits.replace(/\D/, ''), 10) / 100, letter === 'H' ? digits : '');
      if (letter === 'F') drawFlag(context, this.palette, { x: 0, y: 0, size: this.size });
      if (letter === '?') this.#drawText(context, letter, this.palette['heat-ink'], 0.58);
    });
  }

  /** @param {string} name @param {(context: CanvasRenderingContext2D) => void} draw */
  #get(name, draw) {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const canvas = document.createElement('canvas');
    canvas.width = this.size;
    canvas.height = this.size;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('this browser cannot draw on a canvas');
    context.fillStyle = this.palette.page;
    context.fillRect(0, 0, this.size, this.size);
    draw(context);
    this.#made.set(name, canvas);
    return canvas;
  }

  /** @param {CanvasRenderingContext2D} context @param {string} letter */
  #drawLetter(context, letter) {
    if ('HF?'.includes(letter)) this.#drawClosed(context);
    else this.#box(context, letter === 'M' ? this.palette.boom : this.palette.open);
    if (letter >= '1' && letter <= '8') this.#drawText(context, letter, this.palette[`n${letter}`], 0.58);
    if (letter === '?') this.#drawText(context, letter, this.palette.ink, 0.58);
    if (letter === '-') this.#drawText(context, '·', this.palette.n8, 0.58);
    if (letter === 'F' || letter === 'x') drawFlag(context, this.palette, { x: 0, y: 0, size: this.size });
    if (letter === 'M' || letter === 'm') drawMine(context, this.palette, { x: 0, y: 0, size: this.size });
    if (letter === 'x') this.#drawCross(context, this.palette.wrong);
  }

  /** @param {CanvasRenderingContext2D} context */
  #drawClosed(context) {
    const fill = context.createLinearGradient(0, 0, 0, this.size);
    fill.addColorStop(0, this.palette['closed-top']);
    fill.addColorStop(1, this.palette.closed);
    this.#box(context, fill);
  }

  /** @param {CanvasRenderingContext2D} context @param {string | CanvasGradient} fill @param {number} edge */
  #box(context, fill, edge = 0) {
    const [gap, { size }] = [this.gap + edge, this];
    context.fillStyle = fill;
    context.beginPath();
    context.roundRect(gap, gap, size - 2 * gap, size - 2 * gap, this.radius);
    context.fill();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {string} text
   * @param {string} colour
   * @param {number} share of the cell's side
   */
  #drawText(context, text, colour, share) {
    const { size } = this;
    context.fillStyle = colour;
    context.font = `700 ${Math.round(size * share)}px ${FONT}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(text, size / 2, size * 0.535);
  }

  /** @param {CanvasRenderingContext2D} context @param {string} colour */
  #drawCross(context, colour) {
    const { size } = this;
    context.strokeStyle = colour;
    context.lineWidth = Math.max(1, size * 0.09);
    context.beginPath();
    context.moveTo(size * 0.22, size * 0.22);
    context.lineTo(size * 0.78, size * 0.78);
    context.moveTo(size * 0.78, size * 0.22);
    context.lineTo(size * 0.22, size * 0.78);
    context.stroke();
  }

  /** @param {CanvasRenderingContext2D} context @param {number} risk @param {string} digits */
  #drawHeat(context, risk, digits) {
    const { size, palette } = this;
    this.#drawClosed(context);
    this.#box(context, heatColour(risk, [palette.heat0, palette.heat1, palette.heat2]), Math.round(size * 0.06));
    if (size >= DIGITS_FROM && digits !== '') this.#drawText(context, digits, palette['heat-ink'], size >= PIPS_FROM ? 0.4 : digits.length > 2 ? 0.4 : 0.5);
    context.fillStyle = palette['heat-ink'];
    if (size >= PIPS_FROM) drawPips(context, levelOf(risk), size);
  }
}
