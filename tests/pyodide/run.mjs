// Runs Python code in Pyodide: `node run.mjs PYODIDE LIBRARIES < code`, folders of the npm package and of what was prebuilt.
// The game and its tests are read where they lie; Pyodide is Python as a page in a browser has it, and nothing else.
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const [pyodide, libraries] = process.argv.slice(2);
const root = fileURLToPath(new URL("../..", import.meta.url));
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ env: { SUNGLADE_PREBUILT: "/prebuilt" } });
for (const [there, here] of [
  ["/src", `${root}/src`],
  ["/tests", `${root}/tests`],
  ["/prebuilt", libraries],
]) {
  python.FS.mkdirTree(there);
  python.mountNodeFS(there, here);
}
python.runPython("import sys; sys.dont_write_bytecode = True; sys.path[:0] = ['/src', '/tests']");
try {
  python.runPython(readFileSync(0, "utf8"));
} catch (error) {
  console.error(error.message); // without the sources around it, which are a million letters
  process.exitCode = 1;
}
