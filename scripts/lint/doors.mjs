/** The rule of doors: the files at which each room, a first-level folder of src, is entered (docs/architecture/README.md). */
import { readFileSync } from "node:fs";
import path from "node:path";

/** @import { Expression, Rule } from "./types.ts" */

/**
 * The doors of each room, with what is behind each of them. A room has at most eight.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const doors = {
  specs: {
    "messages.ts": "words of messages, plain checks and numbers, without a library",
    "checks.ts": "checks and messages that every room with options shares",
    "field.ts": "fields of sections, with their help and ranges",
    "sections.ts": "the sections of a manifest, one by one",
    "algorithms.ts": "schemas that algorithms share, and what defines one",
    "networks.ts": "what other rooms than rl know of networks",
  },
  manifests: {
    "index.ts": "manifests and specs: the package's `rlkit/specs`",
    "algorithms.ts": "algorithms by name, and rules of manifests",
    "sharedSteps.ts": "algorithms whose members share their steps, as data of the first page",
    "environmentFacts.ts": "spaces, names and kinds of environments, as data of pages",
    "text.ts": "manifests as text, with the parser of YAML; loaded on demand",
    "templates.ts": "manifests that rlkit brings",
  },
  kernels: {
    "index.ts": "tensor programs: the package's `rlkit/kernels`",
    "functions.ts": "functions of tensors, and what programs consist of",
    "devices.ts": "the device of WebAssembly, the writer of ONNX models, reports of kernels",
    "webgpu.ts": "what the device of WebGPU needs and tells",
    "wgsl/device.ts": "the device of WebGPU; loaded on demand",
    "onnx/OnnxDevice.ts": "the device of ONNX Runtime; loaded on demand",
    "onnx/included.ts": "ONNX Runtime in a page's program: the package's `rlkit/onnxruntime-web`",
    "machineMemory.ts": "the memory of machines",
  },
  evolution: {
    "index.ts": "evolution: the package's `rlkit/evolution`",
    "selections.ts": "strategies of selection by name, and their sections in manifests",
    "random.ts": "random numbers without a state",
    "members.ts": "what evolves: tensors of members, copies of weights, fitness, faults of members",
  },
  rl: {
    "spaces.ts": "spaces and their elements",
    "environments.ts": "environments by name, and their checks",
    "faces.ts": "environments in JavaScript: their faces, and lanes of them",
    "networks.ts": "modules and networks, and sections of manifests that describe them",
    "contract.ts": "what an algorithm defines, and what it gets",
    "definitions.ts": "definitions of algorithms, with their fields",
    "programs.ts": "programs of a member's turn",
    "extending/index.ts": "what users' modules get for environments and networks",
  },
  llm: {
    "index.ts": "language models: the package's `rlkit/llm`",
    "members.ts": "members: rollouts, batches, updates, files",
    "models.ts": "models, adapters, tokenizers and their folders",
    "algorithms.ts": "the algorithms of language models",
    "environments.ts": "environments and data of language models",
    "modules.ts": "users' modules: functions and rubrics",
    "agents/classes/agents.ts": "the class of each algorithm's agents",
    "modules/ModuleTasks.ts": "calls of a module, inside its sandbox",
  },
  storage: {
    "index.ts": "stores, checkpoints and runs: the package's `rlkit/storage`",
    "files.ts": "paths, errors, hashes and the default store",
    "checkpoints.ts": "the parts of checkpoints and their formats",
    "outsideNode.ts": "stands for modules of Node in browsers",
    "node/index.ts": "the store of Node: the package's `rlkit/storage/node`",
    "node/nodeFileStore.ts": "errors of Node's file system as errors of a store",
    "node/workerThread.ts": "threads of Node",
  },
  datasets: {
    "index.ts": "data sets of transitions",
    "reading.ts": "data sets opened and read",
    "kept.ts": "data sets that a browser keeps",
    "record.ts": "recording of episodes",
    "view.ts": "data sets looked at",
    "files/included.ts": "h5wasm in a page's program: the package's `rlkit/h5wasm`",
  },
  sandbox: {
    "environments.ts": "users' environments, by name and in their sandboxes",
    "modules.ts": "users' modules: sources, checks, open modules",
    "sandboxes.ts": "sandboxes: who opens one, what crosses its border",
    "browser.ts": "sandboxes of a page",
    "browser/openSandboxPorts.ts": "sandboxes that a page lends to workers; loaded on demand",
    "node/childrenOfThreads.ts": "sandboxes of Node that threads leave behind",
    "node/fileModule.ts": "modules of files in a sandbox of Node",
    "node/nodeSandbox.ts": "sandboxes of Node",
  },
  tracking: {
    "index.ts": "events and trackers: the package's `rlkit/tracking`",
    "observer.ts": "events of a run",
    "history.ts": "histories of runs as columns",
    "clients.ts": "trackers, their files and their clients",
  },
  training: {
    "index.ts": "training: the package's `rlkit/training`",
    "loop.ts": "sessions, the loop over generations, and its parts",
    "executors.ts": "what runs turns",
    "files.ts": "agent files and manifests in files",
    "plan.ts": "from a manifest to a run",
    "workloads.ts": "kinds of runs and their parts",
    "workloads/registry.ts": "the workload of a manifest; loaded on demand",
    "extending/index.ts": "what users' modules get: the package's `rlkit/extending`",
  },
  agents: {
    "index.ts": "reinforcement learning: the package's `rlkit/rl`",
    "members.ts": "members, their turns and what runs them",
    "runtime/policyToOnnx.ts": "policies as ONNX models; loaded on demand",
    "classes.ts": "classes of agents and their buffers",
    "classes/agents.ts": "the class of each algorithm's agents",
    "extending/index.ts": "what users' modules get for algorithms, environments and networks",
  },
  http: {
    "access.ts": "addresses of servers, keys, and what a page may read",
    "body.ts": "bodies of responses, read as they arrive",
    "waiting.ts": "time limits, and pauses before a request is repeated",
  },
  hub: {
    "index.ts": "repositories of the Hugging Face hub: listings, downloads, the cache",
  },
  remote: {
    "index.ts": "the client of a platform: the package's `rlkit/remote`",
    "manifestPayload.ts": "manifests as a platform takes them",
  },
  workers: {
    "index.ts": "runs on several threads: the package's `rlkit/workers`",
    "protocol.ts": "what pages and coordinators say to each other",
    "coordinator.ts": "the coordinator, and parts of it that also work alone",
    "computing.ts": "compute workers, and what threads load and share",
    "pages.ts": "what pages ask of coordinators and of the worker of data sets",
    "coordinator.worker.ts": "the worker of a tab's own runs",
    "data.worker.ts": "the worker of data sets",
    "remote.worker.ts": "the worker of a platform's runs",
  },
  stage: {
    "geneWords.ts": "mutations in few words",
    "layerActivations.ts": "activations of layers",
    "packedPolicy.ts": "agents in links; loaded on demand",
    "recording.ts": "recorded runs and stretches of episodes",
    "pageStage.ts": "a stage in a page's own thread",
    "places.ts": "places of members by rank and descent, and the grid of the wall",
    "stageProtocol.ts": "what a page and its stage say to each other, and how long a member is watched",
    "stage.worker.ts": "the worker of the stage",
  },
  cli: {
    "CliIo.ts": "what a command reads and writes, its errors and exit codes",
    "CommandLine.ts": "commands and their options",
    "main.ts": "the command `rlkit`, as a function",
    "processIo.ts": "a command's process",
    "runProgram.ts": "a program of commands",
    "app/documentation.ts": "where a server has the workbench and the documentation",
    "app/serveDirectory.ts": "a directory served over HTTP, and names of this machine",
    "app/siteHeaders.ts": "headers of the site",
  },
  hosting: {
    "index.ts": "hosts of runs: the package's `rlkit/hosting`",
  },
  ui: {
    "pwa/precache.ts": "files that the service worker keeps",
    "ownEnvironment/starter.ts": "the code that an environment of a user's own begins as",
    "components/environmentGlyphs.ts": "glyphs, as data of the first page",
    "pages/editor/sharedManifest.ts": "manifests in links",
    "pages/playFile/playData.ts": "what a play file holds, for the build of its page",
    "lib/packedBytes.ts": "bytes in links, for pages of the site that have such links",
    "theatre/loadRecording.ts": "the recorded run of the first page, for a film",
    "theatre/recordedActs.ts": "its generations as a stage plays them",
  },
};

/** @type {{ exports: Readonly<Record<string, string | { default: string }>> }} */
const { exports } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The sources of the package's entries, which the platform imports, and no others. */
const entries = Object.values(exports).flatMap((entry) =>
  typeof entry === "string" ? [] : [entry.default.replace("./dist/lib/", "src/").replace(/js$/, "ts")],
);

/** @param {string} file A project path. @returns The room of src that it is in, and its path there. */
function placeIn(file) {
  const [top, room, ...rest] = file.split("/");
  return top === "src" && room !== undefined && rest.length > 0
    ? { room, inside: rest.join("/") }
    : undefined;
}

/** @param {string} file A test of inside parts may enter the room whose name its folder has. */
const roomUnderTest = (file) => /^tests\/(?:browser\/)?([^/]+)\/inside\//.exec(file)?.[1];

/** @type {Rule} */
export const enterByDoors = {
  meta: { type: "problem" },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join("/");
    const own = placeIn(file)?.room ?? roomUnderTest(file);

    /** @param {Expression | null} source */
    const check = (source) => {
      if (source?.type !== "Literal" || typeof source.value !== "string") return;
      const name = source.value;
      const target = name.startsWith("#node/")
        ? `src/${name.slice("#node/".length)}.ts`
        : path.posix.join(path.posix.dirname(file), name);
      if (!name.startsWith(".") && !name.startsWith("#node/")) return;
      if (file.startsWith("platform/")) {
        if (target.startsWith("platform/") || entries.includes(target)) return;
        const message = `The platform imports entries of the package (package.json, "exports"), not ${target}; src/hosting/index.ts exports what no other entry does.`;
        context.report({ node: source, message });
        return;
      }
      const place = placeIn(target);
      if (place === undefined || place.room === own) return;
      const known = doors[place.room] ?? {};
      if (place.inside in known) return;
      const list = Object.keys(known).join(", ");
      const message = `src/${place.room} is entered at its doors, not at ${place.inside}: ${list} (scripts/lint/doors.mjs).`;
      context.report({ node: source, message });
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
