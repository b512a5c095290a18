/**
 * WebAssembly of packages as compressed files: ONNX Runtime's in a quarter of its 27 MB, MuJoCo's in an eighth of its 10 MB,
 * and h5wasm's, which is text within a script. Hosts send these files, and packages hold them, as they are; modules that are loaded on first use unpack them.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { root } from "./environment.mjs";
import { MUJOCO_SCRIPT, scriptForPages, strippedWasm } from "./mujocoPackage.mjs";

const ORT = path.join(root, "node_modules/onnxruntime-web/dist");
const ORT_SCRIPT = path.join(ORT, "ort.webgpu.bundle.min.mjs");
const ORT_WASM = "ort-wasm-simd-threaded.asyncify.wasm";
/** How the script names the file, and has bundlers copy it. */
const ORT_ADDRESS = `new URL("${ORT_WASM}",import.meta.url).href`;
const ORT_LOADER = path.join(root, "src/kernels/onnx/included.ts");
const ORT_IMPORT = 'import("onnxruntime-web/webgpu")';

const H5WASM_SCRIPT = path.join(root, "node_modules/h5wasm/dist/esm/hdf5_util.js");
const H5WASM_DECODER = /function binaryDecode\(bin\)\{.*?return o\}/;
/** Its caller awaits what it returns. */
const H5WASM_TEXT = /binaryDecode\(('(?:[^'\\]|\\[\s\S])*')\)/;

const MUJOCO_LOADER = path.join(root, "src/rl/environments/mujoco/engine/loadMujoco.ts");
const MUJOCO_IMPORT = /importOptional\([^)]*\)/;

/**
 * The match of a pattern that a script must have.
 *
 * @param {string} code @param {string | RegExp} pattern @param {string} file
 */
function found(code, pattern, file) {
  const match = code.match(pattern);
  if (match === null) throw new Error(`${file} names its WebAssembly in another way; see packedWasm.mjs.`);
  return match[0];
}

/**
 * What becomes of a script. `unpacked` is an expression for a promise of the bytes of `wasm`. No script awaits them before
 * it ends: the bundler would put more of the modules into files of their own.
 *
 * @typedef {{ name: string, wasm: () => Uint8Array, code: (unpacked: string) => string }} Packing
 * @type {Readonly<Record<string, (code: string) => string | Packing>>}
 */
const packings = {
  [ORT_SCRIPT]: (code) => {
    const address = found(code, ORT_ADDRESS.replaceAll(/[.()]/g, "\\$&"), ORT_SCRIPT);
    return code.replaceAll(address, '""');
  },
  [ORT_LOADER]: (code) => {
    const load = found(code, ORT_IMPORT.replaceAll(/[()]/g, "\\$&"), ORT_LOADER);
    const whole = (
      /** @type {string} */ unpacked,
    ) => `Promise.all([${load}, ${unpacked}]).then(([ort, wasm]) => {
  ort.env.wasm.wasmBinary = wasm;
  return ort;
})`;
    return {
      name: "onnxruntime.bin",
      wasm: () => readFileSync(path.join(ORT, ORT_WASM)),
      code: (unpacked) => code.replace(load, () => whole(unpacked)),
    };
  },
  [MUJOCO_SCRIPT]: scriptForPages,
  [MUJOCO_LOADER]: (code) => {
    const load = found(code, MUJOCO_IMPORT, MUJOCO_LOADER);
    const whole = (
      /** @type {string} */ unpacked,
    ) => `Promise.all([import("@mujoco/mujoco"), ${unpacked}]).then(([{ default: load }, wasmBinary]) => ({
  default: (options) => load({ ...options, wasmBinary }),
}))`;
    return {
      name: "mujoco.bin",
      wasm: strippedWasm,
      code: (unpacked) => code.replace(load, () => whole(unpacked)),
    };
  },
  [H5WASM_SCRIPT]: (code) => {
    const decoder = found(code, H5WASM_DECODER, H5WASM_SCRIPT);
    const call = found(code, H5WASM_TEXT, H5WASM_SCRIPT);
    return {
      name: "h5wasm.bin",
      wasm: () => runInNewContext(`${decoder}; ${call}`),
      code: (unpacked) => code.replace(call, () => unpacked),
    };
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
    const packing = packings[path.normalize(id)]?.(source);
    if (packing === undefined) return null;
    if (typeof packing === "string") return { code: packing, map: null };
    const { name, wasm, code } = packing;
    const bytes = packed.get(name) ?? gzipSync(wasm(), { level: 9 });
    packed.set(name, bytes);
    // Not named .gz: servers send such files with headers by which some browsers unpack them.
    const file = this.emitFile({ type: "asset", name, source: bytes });
    const unpacked = `fetch(import.meta.ROLLUP_FILE_URL_${file}).then((response) => {
  if (!response.ok) throw new Error(\`\${response.url}: \${response.status} \${response.statusText}\`);
  return new Response(response.body?.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
})`;
    return { code: code(unpacked), map: null };
  },
});

/**
 * The development server's page includes MuJoCo, too, as the package has it.
 *
 * @returns {import("vite").Plugin}
 */
export const mujocoInDevelopment = () => ({
  name: "rlkit:mujoco-in-development",
  apply: "serve",
  enforce: "pre",
  // Bundled before, its script would look for the WebAssembly in another folder.
  config: () => ({ optimizeDeps: { exclude: ["@mujoco/mujoco"] } }),
  transform: (source, id) =>
    path.normalize(id) === MUJOCO_LOADER
      ? { code: source.replace(MUJOCO_IMPORT, 'import("@mujoco/mujoco")'), map: null }
      : null,
});
