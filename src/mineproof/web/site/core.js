// The C++ core as WebAssembly, and its place in Python: see native/wasm/border.cpp.

/** @typedef {{memory: WebAssembly.Memory, [name: string]: any}} Exports */

const BAD_FILE = 8; // the number that WASI gives for it
const MONOTONIC = 1;
const NO_MEMORY = 3; // as the core says it

/**
 * All that the core asks of its host: the time, and somewhere to complain when it aborts.
 * @param {() => Exports} exports
 */
function hostFunctions(exports) {
  const view = () => new DataView(exports().memory.buffer);
  return {
    /** @param {number} clock @param {bigint} _precision @param {number} place */
    clock_time_get(clock, _precision, place) {
      const now = clock === MONOTONIC ? performance.now() : Date.now();
      view().setBigUint64(place, BigInt(Math.round(now * 1e6)), true);
      return 0;
    },
    /** @param {number} _file @param {number} pieces @param {number} count @param {number} place */
    fd_write(_file, pieces, count, place) {
      let written = 0;
      for (let piece = 0; piece < count; piece++)
        written += view().getUint32(pieces + 8 * piece + 4, true);
      view().setUint32(place, written, true);
      return 0;
    },
    fd_close: () => BAD_FILE,
    fd_seek: () => BAD_FILE,
  };
}

/** One instance of the core: questions and answers as flat bytes. */
export class Core {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    /** @type {() => boolean} */
    this.goesOn = () => true;
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: hostFunctions(() => this.exports),
      mineproof: { goes_on: () => (this.goesOn() ? 1 : 0) },
    });
    /** @type {Exports} */
    this.exports = /** @type {any} */ (instance.exports);
    this.exports._initialize();
  }

  /**
   * Ask a question. The answer begins with a byte that says how it went: 0 is well; otherwise
   * a message follows.
   * @param {string} name
   * @param {Uint8Array} question
   * @param {() => boolean} [goesOn] is asked now and then while layouts are played
   * @returns {Uint8Array}
   */
  ask(name, question, goesOn = () => true) {
    const before = this.goesOn; // this may be asked while another question is answered
    this.goesOn = goesOn;
    try {
      return this.#answer(name, question);
    } finally {
      this.goesOn = before;
    }
  }

  /**
   * @param {string} name
   * @param {Uint8Array} question
   */
  #answer(name, question) {
    const { room, answer, answer_size: answerSize, memory } = this.exports;
    const place = room(question.length) >>> 0;
    if (place === 0) return Uint8Array.of(NO_MEMORY);
    new Uint8Array(memory.buffer, place, question.length).set(question);
    const outcome = this.exports[name](question.length);
    const size = answerSize() >>> 0;
    const bytes = new Uint8Array(size + 1);
    bytes[0] = outcome;
    bytes.set(new Uint8Array(memory.buffer, answer() >>> 0, size), 1);
    return bytes;
  }

  /**
   * Forget something that was kept.
   * @param {"position" | "evaluation"} kind
   * @param {number} number
   */
  drop(kind, number) {
    this.exports[`drop_${kind}`](number);
  }
}

/**
 * Compile the core.
 * @param {BufferSource} bytes of core.wasm
 */
export async function loadCore(bytes) {
  return new Core(await WebAssembly.compile(bytes));
}

/**
 * Give the core to Python, before anything of the package is imported there: its backend
 * looks for this module.
 * @param {{registerJsModule: (name: string, module: object) => void}} pyodide
 * @param {Core} core
 */
export function installCore(pyodide, core) {
  pyodide.registerJsModule("mineproof_core", core);
}
