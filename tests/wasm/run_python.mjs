// Runs a Python file below ROOT in Pyodide with the WebAssembly core: run_python.mjs FILE ARGS...
// PYODIDE, CORE, SITE_PACKAGES and ROOT are paths. The output of Python goes to stdout.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";

const { PYODIDE = "", CORE = "", SITE_PACKAGES = "", ROOT = "" } = process.env;
const { MINEPROOF_FUZZ_SEED = "20" } = process.env; // Python sees no other variable
const { loadPyodide } = await import(pathToFileURL(`${PYODIDE}/pyodide.mjs`).href);
const site = pathToFileURL(`${ROOT}/src/mineproof/web/site/core.js`).href;
const { Border, installCore, loadCore } = await import(site);

const python = await loadPyodide({ indexURL: `${PYODIDE}/` });
python.setStdout({ batched: (/** @type {string} */ line) => console.log(line) });
python.setStderr({ batched: (/** @type {string} */ line) => console.error(line) });
installCore(python, new Border(await loadCore(readFileSync(CORE))));
python.mountNodeFS("/root_folder", ROOT);
python.mountNodeFS("/site_packages", SITE_PACKAGES);

const [file = "", ...args] = process.argv.slice(2);
const place = `/root_folder/${relative(ROOT, file)}`;
python.globals.set("arguments", python.toPy([place, ...args]));
python.globals.set("fuzz_seed", MINEPROOF_FUZZ_SEED);
process.exitCode = python.runPython(`
import os, runpy, sys, traceback
sys.dont_write_bytecode = True  # the folders are the tests' own
sys.path[:0] = ["/root_folder/src", "/root_folder/tests"]
sys.path.append("/site_packages")
sys.argv = list(arguments)
os.environ["MINEPROOF_FUZZ_SEED"] = fuzz_seed
os.chdir("/root_folder")
status = 0
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as end:
    status = end.code if isinstance(end.code, int) else int(end.code is not None)
except BaseException:
    traceback.print_exc()
    status = 1
status
`);
