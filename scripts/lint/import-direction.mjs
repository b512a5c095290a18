/** The rule of the one direction of imports between the folders of src (docs/architecture/README.md). */
import path from "node:path";

/** @import { Expression, Rule } from "./types.ts" */

const mathematics = ["specs", "kernels"];
const learners = [...mathematics, "evolution", "rl", "llm", "manifests", "agents"];
const training = [...learners, "http", "hub", "storage", "tracking", "datasets", "sandbox", "training"];

/**
 * The floors of src/rl, from the lowest: each may import those below it.
 *
 * @type {readonly (readonly string[])[]}
 */
const floorsOfRl = [
  ["spaces"],
  ["modules", "environments"],
  // A door of environments.
  ["faces"],
  ["sections"],
  ["networks"],
  ["contract"],
  ["algorithms", "programs"],
  ["extending"],
];

/**
 * The floors of src/agents, from the lowest.
 *
 * @type {readonly (readonly string[])[]}
 */
const floorsOfAgents = [["member"], ["buffers"], ["runtime"], ["classes"], ["host"], ["extending"]];

/**
 * The rooms of src/training: the loop knows no reinforcement learning.
 *
 * @type {readonly (readonly string[])[]}
 */
const roomsOfTraining = [
  ["loop"],
  ["executors"],
  ["files"],
  ["rl", "llm"],
  ["gpu"],
  ["options"],
  ["plan"],
  ["workloads"],
  ["session"],
  ["trainers"],
  ["extending"],
];

/**
 * The rooms of src/workers: what crosses threads, threads that compute, what is stored, runs and who answers for them.
 *
 * @type {readonly (readonly string[])[]}
 */
const roomsOfWorkers = [["protocol"], ["compute", "files"], ["runs"], ["coordinator", "remote"], ["tabs"]];

/** @param {string} folder @param {readonly (readonly string[])[]} floors @param {readonly string[]} outside */
const roomsOf = (folder, floors, outside) =>
  Object.fromEntries(
    floors.flatMap((floor, i) =>
      floor.map((room) => {
        const below = floors.slice(0, i).flat();
        return [`${folder}/${room}`, [...outside, ...below.map((other) => `${folder}/${other}`)]];
      }),
    ),
  );

/**
 * The rooms that environments share, from the lowest. Those of single environments stand above all of them, and have no
 * place of their own.
 *
 * @type {readonly (readonly string[])[]}
 */
const floorsOfEnvironments = [["dynamics"], ["drawing"], ["face"], ["definition"], ["compiled", "vector"]];

const belowRl = [...mathematics, "evolution"];
const rl = roomsOf("rl", floorsOfRl, belowRl);
const belowAgents = [...belowRl, "rl", "llm", "manifests"];
const agents = roomsOf("agents", floorsOfAgents, belowAgents);
const belowTraining = [...learners, "http", "hub", "storage", "tracking", "datasets", "sandbox"];
const belowLoop = ["specs", "manifests", "kernels", "evolution", "storage", "tracking"];
const environments = roomsOf("rl/environments", floorsOfEnvironments, rl["rl/environments"] ?? []);

/**
 * What each folder may import beside itself: other folders, with all rooms in them. What is not listed is refused. The
 * doors of a folder with rooms, which lie directly in it, may import all of them.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const allowedImports = {
  specs: [],
  kernels: [],
  evolution: mathematics,
  rl: belowRl,
  ...rl,
  ...environments,
  "rl/environments": [...(rl["rl/environments"] ?? []), ...Object.keys(environments)],
  agents: belowAgents,
  ...agents,
  "agents/runtime/wasm": [...(agents["agents/runtime"] ?? []), "agents/runtime"],
  "agents/runtime/webgpu": [...(agents["agents/runtime"] ?? []), "agents/runtime"],
  llm: [...belowRl, "hub", "storage"],
  manifests: [...mathematics, "evolution", "rl", "llm"],
  http: ["specs"],
  hub: ["http", "storage"],
  storage: [],
  datasets: [...belowRl, "manifests", "rl", "agents", "http", "hub", "storage"],
  sandbox: [...belowRl, "manifests", "rl", "agents", "llm", "storage"],
  tracking: [...belowRl, "manifests", "http", "storage"],
  training: belowTraining,
  ...roomsOf("training", roomsOfTraining, belowTraining),
  "training/loop": belowLoop,
  remote: training,
  workers: [...training, "remote"],
  ...roomsOf("workers", roomsOfWorkers, [...training, "remote"]),
  stage: [...training, "workers"],
  cli: [...training, "remote", "workers"],
  hosting: [...training, "remote", "workers", "cli"],
  ui: [...training, "remote", "workers", "stage"],
  index: [...training, "remote", "workers"],
};

/** @param {string} folder */
const hasRooms = (folder) => Object.keys(allowedImports).some((other) => other.startsWith(`${folder}/`));

/**
 * The layer of a project path: the innermost folder of src that has a place in the table, "index" for src/index.ts,
 * or undefined for files that this rule leaves alone (tests, benchmarks, scripts, and the platform, whose imports the rule of
 * doors holds). A new room beside others has no place yet.
 *
 * @param {string} file
 */
function layerOf(file) {
  const [top, ...rest] = file.split("/");
  if (top !== "src" || rest.length === 0) return undefined;
  if (rest.length === 1) return rest[0]?.replace(/\.[cm]?tsx?$/, "");
  let layer = rest[0] ?? "";
  for (const room of rest.slice(1, -1)) {
    if (
      allowedImports[`${layer}/${room}`] === undefined &&
      !(layer.split("/").length === 1 && hasRooms(layer))
    )
      break;
    layer = `${layer}/${room}`;
  }
  return layer;
}

/**
 * Why a file of `layer` must not import `target`, or undefined where it may.
 *
 * @param {string} layer
 * @param {string} target
 * @param {boolean} isDoor
 */
function objection(layer, target, isDoor) {
  // A door beside the folder whose name it has, such as rl/spaces.ts, has that folder's place.
  const folder = target.replace(/^src\/|\.ts$/g, "");
  const targetLayer = allowedImports[folder] === undefined ? layerOf(target) : folder;
  if (targetLayer === undefined) return `src/${layer} imports ${target}, which is no part of src.`;
  if (targetLayer === layer || (isDoor && targetLayer.startsWith(`${layer}/`))) return undefined;
  const allowed = allowedImports[layer];
  if (allowed === undefined) {
    return `The folder src/${layer} has no place in the order of imports; add it to scripts/lint/import-direction.mjs.`;
  }
  const isAllowed = allowed.some(
    (folder) =>
      targetLayer === folder || (targetLayer.startsWith(`${folder}/`) && !layer.startsWith(`${folder}/`)),
  );
  if (isAllowed) return undefined;
  const list = allowed.length === 0 ? "no other folder" : allowed.join(", ");
  return `src/${layer} must not import src/${targetLayer}; it may import ${list}.`;
}

/**
 * The project path that an import names: relative, or by the folders of src ("imports" of src/package.json).
 *
 * @param {string} file @param {string} source
 */
function targetOf(file, source) {
  if (source.startsWith("#node/")) return source.replace("#node", "src");
  return source.startsWith(".") ? path.posix.join(path.posix.dirname(file), source) : undefined;
}

/** @type {Rule} */
export const importDirection = {
  meta: { type: "problem" },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join("/");
    const layer = layerOf(file);
    if (layer === undefined) return {};
    const isDoor = file.split("/").length === 3 || path.posix.basename(file) === "index.ts";

    /** @param {Expression | null} source */
    const check = (source) => {
      if (source?.type !== "Literal" || typeof source.value !== "string") return;
      const target = targetOf(file, source.value);
      const message = target === undefined ? undefined : objection(layer, target, isDoor);
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
