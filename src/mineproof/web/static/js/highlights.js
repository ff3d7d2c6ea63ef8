/** Highlights on the board, in named layers: one for each module that highlights cells. */

const LISTS = /** @type {const} */ (['safe', 'mined', 'flags', 'clues', 'targets', 'asked', 'lit', 'conflict', 'best', 'played', 'numbers', 'links', 'dimmed']);

export class Highlights {
  /** @type {Map<HighlightLayer, Overlays>} */
  #layers = new Map();

  /** @param {(all: Overlays) => void} draw */
  constructor(draw) {
    this.draw = draw;
  }

  /**
   * Set or remove a layer.
   * @param {HighlightLayer} name
   * @param {Overlays | null} overlays
   */
  set(name, overlays) {
    if (overlays === null) this.#layers.delete(name);
    else this.#layers.set(name, overlays);
    this.draw(this.all());
  }

  /**
   * Return a layer; null if it is not set.
   * @param {HighlightLayer} name
   */
  layer(name) {
    return this.#layers.get(name) ?? null;
  }

  /**
   * Remove all layers except the given ones.
   * @param {HighlightLayer[]} kept
   */
  clear(kept = []) {
    for (const name of [...this.#layers.keys()]) if (!kept.includes(name)) this.#layers.delete(name);
    this.draw(this.all());
  }

  /**
   * Return all layers merged into one.
   * @returns {Overlays}
   */
  all() {
    /** @type {Record<string, any>} */
    const all = { risk: null };
    for (const layer of this.#layers.values()) {
      for (const name of LISTS) if (layer[name]) all[name] = [...(all[name] ?? []), ...layer[name]];
      if (layer.risk) all.risk = layer.risk;
    }
    return all;
  }
}
