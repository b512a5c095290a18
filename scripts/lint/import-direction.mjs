/** The rule of the one direction of imports between the folders of src (docs/architecture.md). */
import path from "node:path";

/** @import { Expression, Rule } from "./types.ts" */

const mathematics = ["specs", "kernels"];
const learners = [...mathematics, "evolution", "rl", "llm"];
const training = [...learners, "storage", "tracking", "training"];

/**
 * The folders that each folder may import beside itself; what is not listed is refused.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const allowedImports = {
  specs: [],
  kernels: [],
  evolution: mathematics,
  rl: [...mathematics, "evolution"],
  llm: [...mathematics, "evolution"],
  storage: [],
  tracking: [...mathematics, "evolution"],
  training: [...learners, "storage", "tracking"],
  workers: training,
  cli: [...training, "workers"],
  platform: [...training, "workers"],
  ui: [...training, "workers"],
  index: [...training, "workers"],
};

/**
 * The layer of a project path: a folder of src, "index" for src/index.ts, "platform" for the root folder of that
 * name, or undefined for files that may import everything (tests, benchmarks, scripts).
 *
 * @param {string} file
 */
function layerOf(file) {
  const [top, folder, ...rest] = file.split("/");
  if (top === "platform") return top;
  if (top !== "src" || folder === undefined) return undefined;
  return rest.length === 0 ? folder.replace(/\.[cm]?tsx?$/, "") : folder;
}

/**
 * Why a file of `layer` must not import `target`, or undefined where it may.
 *
 * @param {string} layer
 * @param {string} target
 */
function objection(layer, target) {
  const targetLayer = layerOf(target);
  if (targetLayer === undefined) return `src/${layer} imports ${target}, which is no part of src.`;
  if (targetLayer === layer) return undefined;
  const allowed = allowedImports[layer];
  if (allowed === undefined) {
    return `The folder src/${layer} has no place in the order of imports; add it to scripts/lint/import-direction.mjs.`;
  }
  if (allowed.includes(targetLayer)) return undefined;
  const list = allowed.length === 0 ? "no other folder" : allowed.join(", ");
  return `src/${layer} must not import src/${targetLayer}; it may import ${list}.`;
}

/** @type {Rule} */
export const importDirection = {
  meta: { type: "problem" },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join("/");
    const layer = layerOf(file);
    if (layer === undefined) return {};

    /** @param {Expression | null} source */
    const check = (source) => {
      if (source?.type !== "Literal" || typeof source.value !== "string") return;
      if (!source.value.startsWith(".")) return;
      const message = objection(layer, path.posix.join(path.posix.dirname(file), source.value));
      if (message !== undefined) context.report({ node: source, message });
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      TSImportType: (node) => check(node.source),
    };
  },
};
