// Packs what a device needs to keep tables: `node pack.mjs WORKERS KERNEL STORE OUT`, folders of the built workers, of
// the kernel as WebAssembly, of what was compressed before, and for the parts. Pyodide's own Python compiles and
// chooses what of it and of the game is needed.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";
import { trimmed } from "./trim.mjs";

const [workers, kernel, store, out] = process.argv.slice(2);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const KERNEL = `${kernel}/emscripten-wasm32`;
const SITE_PACKAGES = "/lib/python3.14/site-packages";
const BROTLI = "brotli-dec-wasm";

rmSync(out, { recursive: true, force: true });
for (const folder of [out, store]) mkdirSync(folder, { recursive: true });
const script = Buffer.from(
    trimmed(
        pyodide("pyodide.asm.mjs").toString(),
        [pyodide("pyodide.mjs").toString()],
        [new WebAssembly.Module(pyodide("pyodide.asm.wasm")), new WebAssembly.Module(readFileSync(`${KERNEL}.wasm`))],
    ),
);
const { archive, library, kernelPage, network, sources } = await python().catch((error) => {
    console.error(error.message); // without the sources around it, which are a million letters
    process.exit(1);
});
const list = {
    bots: worker("bots_worker"),
    loader: plain("pyodide", "js", pyodide("pyodide.mjs")),
    module: plain("pyodide.asm", "js", script),
    lock: { ...JSON.parse(pyodide("pyodide-lock.json")), packages: {} },
    decoder: gzipped("brotli", npm(BROTLI, "pkg/brotli_dec_wasm_bg.wasm")),
    interpreter: part("python", pyodide("pyodide.asm.wasm")),
    library: part("library", library),
    rooms: part("rooms", archive),
    kernel: part("kernel", readFileSync(`${KERNEL}.wasm`)),
    kernelPage: part("kernel-page", kernelPage),
    network: part("network", network),
};
const tables = worker("table_worker");
const parts = plain("parts", "json", JSON.stringify(list));
writeFileSync(`${out}/licenses.md`, licences());
writeFileSync(`${out}/made.json`, JSON.stringify({ worker: `${tables}?${parts}`, sources: sources.split(" ") }));
tell();
process.exit(); // on the stage the play would go on

function npm(name, file) {
    return readFileSync(here(`../node_modules/${name}/${file}`));
}

function pyodide(file) {
    return npm("pyodide", file);
}

/** The rooms, compiled; what is known of the kernel; what both need of Python's library, as a rehearsal shows. */
async function python() {
    const workshop = await loadPyodide();
    mount(workshop, "/src", here("../../src"));
    mount(workshop, "/site", here("."));
    workshop.runPython("import sys; sys.dont_write_bytecode = True; sys.path[:0] = ['/src', '/site']; import rooms");
    const archive = workshop.runPython("rooms.archive_of_rooms()").toJs();
    const stage = await loadPyodide({
        createPyodideModule: await asModule(script),
        stderr: () => undefined, // what goes wrong is thrown
    });
    stage.unpackArchive(archive, "zip", { extractDir: SITE_PACKAGES });
    const kernelPage = placeKernel(stage);
    mount(stage, "/site", here("."));
    const network = workshop.runPython("rooms.archive_of_network()").toJs();
    stage.FS.writeFile("/network", network);
    const used = await stage.runPythonAsync(
        "import sys; sys.path.append('/site'); import rehearsal; await rehearsal.play(); rehearsal.imported()",
    );
    workshop.globals.set("used", used);
    const library = workshop.runPython("rooms.archive_of_library(used)").toJs();
    return { archive, kernelPage, library, network, sources: workshop.runPython("' '.join(rooms.sources())") };
}

/** The script as a page will have it, for this process. */
async function asModule(code) {
    const file = `${store}/${hashed("pyodide.asm", code, "mjs")}`;
    writeFileSync(file, code);
    return (await import(pathToFileURL(file))).default;
}

function mount(python, there, folder) {
    python.FS.mkdirTree(there);
    python.mountNodeFS(there, folder);
}

/** The kernel fits these sources (`hatch_build.py` sees to it), of which a page has the compiled form. */
function placeKernel(stage) {
    const sources = stage.runPython(
        "from sunglade.prebuilt.sources import LIBRARY_ROOMS, fingerprint; fingerprint(LIBRARY_ROOMS)",
    );
    const told = JSON.stringify({ ...JSON.parse(readFileSync(`${KERNEL}.json`)), sources });
    const there = `${SITE_PACKAGES}/sunglade/prebuilt/emscripten-wasm32`;
    stage.FS.writeFile(`${there}.json`, told);
    stage.FS.writeFile(`${there}.wasm`, readFileSync(`${KERNEL}.wasm`));
    return Buffer.from(told);
}

function hashed(name, bytes, ending) {
    const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 8);
    return `${name}-${hash}.${ending}`;
}

function plain(name, ending, bytes) {
    const file = hashed(name, bytes, ending);
    writeFileSync(`${out}/${file}`, bytes);
    return file;
}

/** No host knows these endings: what a worker is to unpack comes to it as it is. */
function part(name, bytes) {
    const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    return packed(hashed(name, bytes, "packed-br"), () => brotliCompressSync(bytes, { params }));
}

/** What every browser can unpack. */
function gzipped(name, bytes) {
    return packed(hashed(name, bytes, "packed-gz"), () => gzipSync(bytes, { level: 9 }));
}

/** What was packed once is taken from there: it takes long, and Python itself never changes. */
function packed(file, pack) {
    const kept = `${store}/${file}`;
    if (!existsSync(kept)) {
        writeFileSync(`${kept}.new`, pack());
        renameSync(`${kept}.new`, kept);
    }
    const bytes = readFileSync(kept);
    writeFileSync(`${out}/${file}`, bytes);
    return { file, size: bytes.length };
}

function worker(name) {
    const built = JSON.parse(readFileSync(`${workers}/manifest.json`, "utf8"));
    for (const { file } of Object.values(built)) {
        if (file.endsWith(".js")) cpSync(`${workers}/${file}`, `${out}/${file}`);
    }
    return built[`src/device/${name}.ts`].file;
}

function licences() {
    const { version, license, repository } = JSON.parse(pyodide("package.json"));
    const decoder = JSON.parse(npm(BROTLI, "package.json"));
    return (
        `\n## pyodide ${version} (${license}), with Python (PSF-2.0)\n\nSources: ${repository.url}\n` +
        `\n## ${BROTLI} ${decoder.version} (${decoder.license})\n\n${npm(BROTLI, "LICENSE-MIT.txt")}`
    );
}

/** What comes before the first game, and what a host sends that compresses nothing. */
function tell() {
    const scripts = [list.loader, list.module, tables, list.bots, parts].map((name) => readFileSync(`${out}/${name}`));
    const packed = [list.interpreter, list.library, list.rooms, list.kernel, list.kernelPage];
    for (const { file, size } of [...packed, list.network, list.decoder]) console.log(`${file}: ${kB(size)}`);
    const sum = (sizes) => sizes.reduce((all, size) => all + size, 0);
    const always = sum(packed.map(({ size }) => size));
    const compressed = always + sum(scripts.map((bytes) => brotliCompressSync(bytes).length));
    const uncompressed = always + sum(scripts.map((bytes) => bytes.length));
    console.log(`Tables on this device: ${kB(compressed)}, with the network ${kB(compressed + list.network.size)};`);
    console.log(
        `${kB(uncompressed)} from a host that compresses nothing, with brotli's decoder ${kB(
            uncompressed + list.decoder.size,
        )}.`,
    );
}

function kB(bytes) {
    return `${Math.round(bytes / 1000)} kB`;
}
