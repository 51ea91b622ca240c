// Pyodide's script without what no page of ours calls. It is made to load any library there is, so it hands out every
// function of Python by name and can draw with OpenGL; a host that compresses nothing would send all of that.

import { minifySync } from "rolldown/experimental";

/** `name = Module["name"] = wasmExports["key"];`: a function of the interpreter, handed out. */
const HANDED_OUT = /\b(\w+)=Module\["\1"\]=(wasmExports\["\w+"\]);/g;
/** `Module["name"] = name;`: a function of the script, handed out. */
const OFFERED = /\bModule\["(\w+)"\]=\1;/g;
/** `name.sig = "iii";`: what a function takes and gives. */
const SIGNATURE = /\b(\w+)\.sig="\w*";/g;
const IMPORTS = /\bvar wasmImports=\{([^{}]*)\};?/;

/**
 * The script for these modules of WebAssembly, which must find everything that they import. `users` are scripts that
 * ask for what it hands out.
 */
export function trimmed(script, users, modules) {
    const mentions = counted([script, ...users].join("\n"));
    const wanted = new Set(modules.flatMap((module) => WebAssembly.Module.imports(module).map(({ name }) => name)));
    const own = script
        .replace(/\beval\(/g, "globalThis.eval(") // nobody may call it here, and its own scope stays out of the way
        .replace(HANDED_OUT, (_, name, value) => (mentions.get(name) > 3 ? `${name}=Module["${name}"]=${value};` : ""))
        .replace(OFFERED, (whole, name) => (isAskedFor(name, script, users) ? whole : ""))
        .replace(IMPORTS, (_, entries) => `var wasmImports={${entries.split(",").filter(isWanted(wanted)).join()}};`);
    const left = counted(own);
    const used = own.replace(SIGNATURE, (whole, name) => (left.get(name) > 2 ? whole : ""));
    const { code, errors } = minifySync("pyodide.asm.mjs", used, {
        compress: { target: "es2022", unused: true },
        mangle: { toplevel: false },
    });
    if (errors.length > 0) throw new Error(errors[0].message);
    return code;
}

/** How often each word stands there; a function that is only handed out is declared, set, and named. */
function counted(text) {
    const counts = new Map();
    for (const [word] of text.matchAll(/[\w$]+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
    return counts;
}

/** By the script itself, or by others, who may call the module anything. */
function isAskedFor(name, script, users) {
    const inside = new RegExp(`\\bModule\\.${name}\\b|\\bModule\\["${name}"\\](?!=${name};)|[{,]${name}[,}]`);
    return inside.test(script) || users.some((user) => new RegExp(`\\.${name}\\b`).test(user));
}

function isWanted(wanted) {
    return (entry) => wanted.has(entry.split(":")[0].replaceAll('"', ""));
}
