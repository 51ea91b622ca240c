// Puts a site together: `node pack.mjs CLIENT WORKERS KERNEL STORE OUT`, folders of the built client, of the built
// workers, of the kernel as WebAssembly, and of what was compressed before. Pyodide's own Python compiles and chooses
// what of it and of the game is needed.
import { createHash } from "node:crypto";
import {
    appendFileSync,
    cpSync,
    existsSync,
    mkdirSync,
    readFileSync,
    renameSync,
    rmSync,
    statSync,
    writeFileSync,
} from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const [client, workers, kernel, store, out] = process.argv.slice(2);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const KERNEL = `${kernel}/emscripten-wasm32`;
const SITE_PACKAGES = "/lib/python3.14/site-packages";
const DEVICE = "device";
const POLICY =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'self'; form-action 'none'";

rmSync(out, { recursive: true, force: true });
cpSync(client, out, { recursive: true });
mkdirSync(`${out}/${DEVICE}`, { recursive: true });
const { version, license, repository } = JSON.parse(pyodide("package.json"));
appendFileSync(
    `${out}/licenses.md`,
    `\n## pyodide ${version} (${license}), with Python (PSF-2.0)\n\nSources: ${repository.url}\n`,
);
const { archive, library, kernelPage } = await python().catch((error) => {
    console.error(error.message); // without the sources around it, which are a million letters
    process.exit(1);
});
const list = {
    bots: worker("bots_worker"),
    loader: plain("pyodide", "js", pyodide("pyodide.mjs")),
    module: plain("pyodide.asm", "js", pyodide("pyodide.asm.mjs")),
    lock: { ...JSON.parse(pyodide("pyodide-lock.json")), packages: {} },
    interpreter: part("python", pyodide("pyodide.asm.wasm")),
    library: part("library", library),
    rooms: part("rooms", archive),
    kernel: part("kernel", readFileSync(`${KERNEL}.wasm`)),
    kernelPage: part("kernel-page", kernelPage),
};
const tables = worker("table_worker");
const parts = plain("parts", "json", JSON.stringify(list));
writeFileSync(`${out}/index.html`, page(readFileSync(`${client}/index.html`, "utf8"), `${DEVICE}/${tables}?${parts}`));
tell();
process.exit(); // on the stage the play would go on

function pyodide(name) {
    return readFileSync(here(`../node_modules/pyodide/${name}`));
}

/** The rooms, compiled; what is known of the kernel; what both need of Python's library, as a rehearsal shows. */
async function python() {
    const workshop = await loadPyodide();
    mount(workshop, "/src", here("../../src"));
    mount(workshop, "/site", here("."));
    workshop.runPython("import sys; sys.dont_write_bytecode = True; sys.path[:0] = ['/src', '/site']; import rooms");
    const archive = workshop.runPython("rooms.archive_of_rooms()").toJs();
    const stage = await loadPyodide({ stderr: () => undefined }); // what goes wrong is thrown
    stage.unpackArchive(archive, "zip", { extractDir: SITE_PACKAGES });
    const kernelPage = placeKernel(stage);
    mount(stage, "/site", here("."));
    const used = await stage.runPythonAsync(
        "import sys; sys.path.append('/site'); import rehearsal; await rehearsal.play(); rehearsal.imported()",
    );
    workshop.globals.set("used", used);
    return { archive, kernelPage, library: workshop.runPython("rooms.archive_of_library(used)").toJs() };
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

function write(name, bytes) {
    writeFileSync(`${out}/${DEVICE}/${name}`, bytes);
    return name;
}

function plain(name, ending, bytes) {
    return write(hashed(name, bytes, ending), bytes);
}

/** No host knows these endings: what a worker is to unpack comes to it as it is. */
function part(name, bytes) {
    const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    const brotli = hashed(name, bytes, "packed-br");
    const gzip = hashed(name, bytes, "packed-gz");
    const sizes = {
        brotli: packed(brotli, () => brotliCompressSync(bytes, { params })),
        gzip: packed(gzip, () => gzipSync(bytes, { level: 9 })),
    };
    return { brotli, gzip, sizes };
}

/** What was packed once is taken from there: it takes long, and Python itself never changes. */
function packed(name, pack) {
    const kept = `${store}/${name}`;
    if (!existsSync(kept)) {
        mkdirSync(store, { recursive: true });
        writeFileSync(`${kept}.new`, pack());
        renameSync(`${kept}.new`, kept);
    }
    return write(name, readFileSync(kept)) && statSync(kept).size;
}

function worker(name) {
    const built = JSON.parse(readFileSync(`${workers}/manifest.json`, "utf8"));
    for (const { file } of Object.values(built)) cpSync(`${workers}/${file}`, `${out}/${DEVICE}/${file}`);
    return built[`src/device/${name}.ts`].file;
}

/** The client's page for any folder of any host: no server, tables on this device, and nothing from elsewhere. */
function page(html, device) {
    const head =
        `<meta http-equiv="Content-Security-Policy" content="${POLICY}" />\n    <base href="./" />\n` +
        `    <meta name="sunglade-device" content="${device}" />`;
    const made = html.replace(/<base href="\/" \/>/, head).replace(/\s*<meta name="sunglade-server"[^>]*>/, "");
    if (!made.includes(head)) throw new Error("The client's page has no <base> to be replaced.");
    return made;
}

/** What comes before the first game, compressed by a host that can, and by ourselves for one that cannot. */
function tell() {
    const scripts = [list.loader, list.module, tables, list.bots, parts].map((name) =>
        readFileSync(`${out}/${DEVICE}/${name}`),
    );
    const compressed = scripts.reduce((sum, bytes) => sum + brotliCompressSync(bytes).length, 0);
    const packed = [list.interpreter, list.library, list.rooms, list.kernel, list.kernelPage];
    const sum = (way) => packed.reduce((all, { sizes }) => all + sizes[way], 0);
    for (const { brotli, sizes } of packed) console.log(`${brotli}: ${kB(sizes.brotli)}, with gzip ${kB(sizes.gzip)}`);
    console.log(
        `Tables on this device: ${kB(sum("brotli") + compressed)} with brotli, ${kB(sum("gzip") + compressed)} with gzip.`,
    );
}

function kB(bytes) {
    return `${Math.round(bytes / 1000)} kB`;
}
