// The C++ core as WebAssembly, and its bridge to Python. See native/wasm/border.cpp.

/** @typedef {{memory: WebAssembly.Memory, [name: string]: any}} Exports */

const BAD_FILE = 8; // WASI's error code
const MONOTONIC = 1;
const NO_MEMORY = 3; // the core's error code

/**
 * Return the functions that the core needs from its host: a clock, and an output for abort messages.
 * @param {() => Exports} exports
 */
function hostFunctions(exports) {
  const view = () => new DataView(exports().memory.buffer);
  return {
    /** @param {number} clock @param {bigint} _precision @param {number} address */
    clock_time_get(clock, _precision, address) {
      const now = clock === MONOTONIC ? performance.now() : Date.now();
      view().setBigUint64(address, BigInt(Math.round(now * 1e6)), true);
      return 0;
    },
    /** @param {number} _file @param {number} pieces @param {number} count @param {number} address */
    fd_write(_file, pieces, count, address) {
      let written = 0;
      for (let piece = 0; piece < count; piece++)
        written += view().getUint32(pieces + 8 * piece + 4, true);
      view().setUint32(address, written, true);
      return 0;
    },
    fd_close: () => BAD_FILE,
    fd_seek: () => BAD_FILE,
  };
}

/** One instance of the core. Questions and answers are flat bytes. */
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
   * @returns {number} 0 if it succeeded; `answer` returns the answer, or otherwise an error message
   */
  ask(name, question) {
    const address = this.exports.room(question.length) >>> 0;
    if (address === 0) return NO_MEMORY;
    this.#bytes().set(question, address);
    return this.exports[name](question.length);
  }

  /** Return the answer to the last question. It is valid until the next one. */
  answer() {
    const address = this.exports.answer() >>> 0;
    return this.#bytes().subarray(address, address + (this.exports.answer_size() >>> 0));
  }

  /** Return the core's memory. The view is renewed when the memory has grown. */
  #bytes() {
    if (this.#memory.length === 0) this.#memory = new Uint8Array(this.exports.memory.buffer);
    return this.#memory;
  }

  /**
   * Delete an object that the core keeps.
   * @param {number} number
   */
  drop(number) {
    this.exports.drop(number);
  }
}

/**
 * The core as Python sees it. Passing an object between Python and JavaScript takes longer than
 * most answers. So questions and answers are in shared bytes, and only numbers are passed.
 */
export class Border {
  /** @type {Map<object, string>} the functions that ask questions, with their names */
  #questions = new Map();
  /** @type {any} Python's bytearray */
  #shared = null;
  /** @type {any} its bytes, valid until Python's memory grows */
  #seen = null;
  #core;

  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
  }

  /** @param {any} bytes a bytearray, which does not move while it is shared */
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
   * Return the function that asks a question. It takes the size of the question and the number of
   * an object to delete, or 0, and returns the same as `again`.
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
   * Return the name of an object of this bridge, for a snapshot of Python's memory.
   * @param {object} thing
   */
  nameOf(thing) {
    return thing === this ? "" : this.#questions.get(thing);
  }

  /**
   * Return the object with a name from a snapshot.
   * @param {string} name
   */
  find(name) {
    return name === "" ? this : this.question(name);
  }

  /** Copy the last answer into the shared bytes again, after they were enlarged. */
  again() {
    return this.#give(0);
  }

  /**
   * @param {number} outcome
   * @returns {number} eight times the size of the answer, plus the outcome
   */
  #give(outcome) {
    const answer = this.#core.answer();
    const bytes = this.#bytes();
    if (answer.length <= bytes.length) bytes.set(answer);
    return 8 * answer.length + outcome;
  }

  /**
   * Ask a question that takes a while.
   * @param {() => boolean} goesOn called regularly; false stops the work
   * @param {(size: number, dropped: number) => number} ask
   * @param {number} size
   */
  askWhile(goesOn, ask, size) {
    const before = this.#core.goesOn; // questions may be nested
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
 * Make the core available to Python. Call this before importing the package, whose backend looks
 * for this module.
 * @param {{registerJsModule: (name: string, module: object) => void}} pyodide
 * @param {Border} border
 */
export function installCore(pyodide, border) {
  pyodide.registerJsModule("mineproof_core", border);
}
