/**
 * Run `pack.py` inside Pyodide and write OUT/library.zip and OUT/mineproof.zip.
 * Usage: node pack.mjs PYODIDE PACKAGE OUT LEFT-OUT...
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [pyodidePath, packagePath, out, ...leaveOut] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodidePath}/pyodide.mjs`).href);
// Compile without column numbers: tracebacks lose their carets, but the packs become a fifth smaller.
const env = { HOME: '/', PYTHONNODEBUGRANGES: '1' };
const python = await loadPyodide({ indexURL: pyodidePath, env });
python.FS.mkdirTree('/package');
python.FS.mount(python.FS.filesystems.NODEFS, { root: packagePath }, '/package');
python.FS.writeFile('/standard.zip', readFileSync(`${pyodidePath}/python_stdlib.zip`));
python.runPython(readFileSync(`${packagePath}/web/pack.py`, 'utf-8'));
python.globals.set('left_out', python.toPy(leaveOut));
for (const [name, files] of [
  ['library', 'library(Path("/standard.zip"))'],
  ['mineproof', 'folder(Path("/package"), "mineproof", left_out)'],
]) {
  const packed = python.runPython(`pack(${files})`);
  writeFileSync(`${out}/${name}.zip`, packed.toJs());
}
