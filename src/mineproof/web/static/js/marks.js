/** Highlights on the board, in named layers: one for each module that highlights cells. */

const LISTS = /** @type {const} */ (['safe', 'mined', 'clues', 'targets', 'lit', 'conflict', 'best']);

export class Marks {
  /** @type {Map<Sheet, Overlays>} */
  #sheets = new Map();

  /** @param {(all: Overlays) => void} draw */
  constructor(draw) {
    this.draw = draw;
  }

  /**
   * Set or remove a layer.
   * @param {Sheet} name
   * @param {Overlays | null} overlays
   */
  set(name, overlays) {
    if (overlays === null) this.#sheets.delete(name);
    else this.#sheets.set(name, overlays);
    this.draw(this.all());
  }

  /**
   * Remove all layers except some.
   * @param {Sheet[]} kept
   */
  clear(kept = []) {
    for (const name of [...this.#sheets.keys()]) if (!kept.includes(name)) this.#sheets.delete(name);
    this.draw(this.all());
  }

  /**
   * Return all layers merged into one.
   * @returns {Overlays}
   */
  all() {
    /** @type {Record<string, any>} */
    const all = { risk: null };
    for (const sheet of this.#sheets.values()) {
      for (const name of LISTS) if (sheet[name]) all[name] = [...(all[name] ?? []), ...sheet[name]];
      if (sheet.risk) all.risk = sheet.risk;
    }
    return all;
  }
}
