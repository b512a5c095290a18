/**
 * WebAssembly of packages as compressed files: ONNX Runtime's in a quarter of its 27 MB, and h5wasm's, which is text within
 * a script. Hosts send these files, and packages hold them, as they are; modules that are loaded on first use unpack them.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { root } from "./environment.mjs";

const ORT = path.join(root, "node_modules/onnxruntime-web/dist");
const ORT_SCRIPT = path.join(ORT, "ort.webgpu.bundle.min.mjs");
const ORT_WASM = "ort-wasm-simd-threaded.asyncify.wasm";
/** How the script names the file, and has bundlers copy it. */
const ORT_ADDRESS = `new URL("${ORT_WASM}",import.meta.url).href`;
const ORT_ENV = /(\w+) as env\b/;

const H5WASM_SCRIPT = path.join(root, "node_modules/h5wasm/dist/esm/hdf5_util.js");
const H5WASM_DECODER = /function binaryDecode\(bin\)\{.*?return o\}/;
const H5WASM_TEXT = /binaryDecode\(('(?:[^'\\]|\\[\s\S])*')\)/;

/**
 * The match of a pattern that a package's script must have.
 *
 * @param {string} code @param {RegExp} pattern @param {string} file
 */
function found(code, pattern, file) {
  const match = pattern.exec(code);
  if (match === null) throw new Error(`${file} holds its WebAssembly in another way; see packedWasm.mjs.`);
  return match;
}

/**
 * What becomes of a script: its name for the unpacked bytes is `unpacked`.
 *
 * @type {Readonly<Record<string, (code: string) => { name: string, wasm: Uint8Array, code: string }>>}
 */
const packings = {
  [ORT_SCRIPT]: (code) => {
    const [, env] = found(code, ORT_ENV, ORT_SCRIPT);
    return {
      name: "onnxruntime.bin",
      wasm: readFileSync(path.join(ORT, ORT_WASM)),
      code: `${code.replaceAll(ORT_ADDRESS, '""')}\n${env}.wasm.wasmBinary = unpacked;\n`,
    };
  },
  [H5WASM_SCRIPT]: (code) => {
    const [decoder] = found(code, H5WASM_DECODER, H5WASM_SCRIPT);
    const [call] = found(code, H5WASM_TEXT, H5WASM_SCRIPT);
    const wasm = runInNewContext(`${decoder}; ${call}`);
    return { name: "h5wasm.bin", wasm, code: code.replace(H5WASM_TEXT, () => "new Uint8Array(unpacked)") };
  },
};

/** @type {Map<string, Buffer>} */
const packed = new Map();

/**
 * A plugin for each bundle of a build.
 *
 * @returns {import("vite").Plugin}
 */
export const packedWasm = () => ({
  name: "rlkit:packed-wasm",
  apply: "build",
  enforce: "pre",
  transform(source, id) {
    const pack = packings[path.normalize(id)];
    if (pack === undefined) return null;
    const { name, wasm, code } = pack(source);
    const bytes = packed.get(name) ?? gzipSync(wasm, { level: 9 });
    packed.set(name, bytes);
    // Not named .gz: servers send such files with headers by which some browsers unpack them.
    const file = this.emitFile({ type: "asset", name, source: bytes });
    const unpacking = `const response = await fetch(import.meta.ROLLUP_FILE_URL_${file});
if (!response.ok) throw new Error(\`\${response.url}: \${response.status} \${response.statusText}\`);
const unpacked = await new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
`;
    return { code: unpacking + code, map: null };
  },
});
