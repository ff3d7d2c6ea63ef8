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
  #memory = new Uint8Array(0);

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
   * Ask a question.
   * @param {string} name
   * @param {Uint8Array} question
   * @returns {number} how it went: 0 is well, and `answer` has the answer, else a message
   */
  ask(name, question) {
    const place = this.exports.room(question.length) >>> 0;
    if (place === 0) return NO_MEMORY;
    this.#bytes().set(question, place);
    return this.exports[name](question.length);
  }

  /** What the last question left, until the next one. */
  answer() {
    const place = this.exports.answer() >>> 0;
    return this.#bytes().subarray(place, place + (this.exports.answer_size() >>> 0));
  }

  /** The core's memory, seen anew when it has grown. */
  #bytes() {
    if (this.#memory.length === 0) this.#memory = new Uint8Array(this.exports.memory.buffer);
    return this.#memory;
  }

  /**
   * Forget something that was kept.
   * @param {number} number
   */
  drop(number) {
    this.exports.drop(number);
  }
}

/**
 * The core as Python sees it. Objects that cross between Python and JavaScript cost more than
 * most answers: so questions and answers lie in bytes that both see, and only numbers cross.
 */
export class Border {
  /** @type {Map<object, string>} the functions that ask, with their names */
  #questions = new Map();
  /** @type {any} Python's bytearray */
  #shared = null;
  /** @type {any} its bytes, until Python's memory grows */
  #seen = null;
  #core;

  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
  }

  /** @param {any} bytes a bytearray, which is not moved as long as it is shared */
  share(bytes) {
    this.#seen?.release();
    this.#shared?.destroy();
    this.#shared = bytes.copy();
    this.#seen = this.#shared.getBuffer("u8");
  }

  #bytes() {
    if (this.#seen.data.length === 0) {
      this.#seen.release();
      this.#seen = this.#shared.getBuffer("u8");
    }
    return this.#seen.data;
  }

  /**
   * Give the function that asks a question: with its size, and the number of something to forget,
   * or 0. It gives what `again` gives.
   * @param {string} name
   */
  question(name) {
    const ask = (/** @type {number} */ size, /** @type {number} */ dropped) => {
      if (dropped !== 0) this.#core.drop(dropped);
      return this.#give(this.#core.ask(name, this.#bytes().subarray(0, size)));
    };
    this.#questions.set(ask, name);
    return ask;
  }

  /**
   * Name what Python has of the border, for a snapshot of Python's memory.
   * @param {object} thing
   */
  nameOf(thing) {
    return thing === this ? "" : this.#questions.get(thing);
  }

  /**
   * Give what a snapshot names.
   * @param {string} name
   */
  find(name) {
    return name === "" ? this : this.question(name);
  }

  /** Put the last answer into the bytes once more, when there were too few. */
  again() {
    return this.#give(0);
  }

  /**
   * @param {number} outcome
   * @returns {number} eight times the size of the answer, and the outcome
   */
  #give(outcome) {
    const answer = this.#core.answer();
    const bytes = this.#bytes();
    if (answer.length <= bytes.length) bytes.set(answer);
    return 8 * answer.length + outcome;
  }

  /**
   * Ask a question that takes a while.
   * @param {() => boolean} goesOn is asked now and then
   * @param {(size: number, dropped: number) => number} ask
   * @param {number} size
   */
  askWhile(goesOn, ask, size) {
    const before = this.#core.goesOn; // this may be asked while another question is answered
    this.#core.goesOn = goesOn;
    try {
      return ask(size, 0);
    } finally {
      this.#core.goesOn = before;
    }
  }

  /** @param {number} number */
  drop(number) {
    this.#core.drop(number);
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
 * @param {Border} border
 */
export function installCore(pyodide, border) {
  pyodide.registerJsModule("mineproof_core", border);
}
