/**
 * A picture of all cells of a board. Panning copies this one picture, and a move of the game
 * redraws only the cells that changed.
 */

/** Larger boards are drawn cell by cell, to save memory. */
const MOST_PIXELS = 6_000_000;

export class Layer {
  canvas = document.createElement('canvas');
  /** @type {string[]} */
  #letters = [];
  /** @type {Risk} */
  #risk = null;
  /** @type {Sprites | null} */
  #sprites = null;
  #columns = 0;
  /** Number of cells drawn so far, for measurements. */
  drawn = 0;

  /**
   * Update the picture.
   * @param {Grid} grid
   * @param {Risk} risk
   * @param {Sprites} sprites
   * @returns {boolean} false if the board is too large for one picture
   */
  update(grid, risk, sprites) {
    const width = grid.columns * sprites.size;
    const height = grid.rows * sprites.size;
    if (width * height > MOST_PIXELS) return false;
    const context = this.canvas.getContext('2d');
    if (context === null) return false;
    if (sprites !== this.#sprites || grid.columns !== this.#columns || grid.letters.length !== this.#letters.length) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.#letters = new Array(grid.letters.length);
    }
    const before = this.#risk;
    for (let index = 0; index < grid.letters.length; index += 1) {
      const letter = grid.drawn(index);
      const value = risk === null ? null : risk[index];
      if (letter === this.#letters[index] && value === (before === null ? null : before[index])) continue;
      const row = Math.floor(index / grid.columns);
      const column = index - row * grid.columns;
      context.drawImage(sprites.cell(letter, value), column * sprites.size, row * sprites.size);
      this.#letters[index] = letter;
      this.drawn += 1;
    }
    this.#risk = risk;
    this.#sprites = sprites;
    this.#columns = grid.columns;
    return true;
  }
}
