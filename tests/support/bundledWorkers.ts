/**
 * Serves the library's workers in one piece each, as the built workbench does. Vite's server hands out hundreds of modules
 * one by one, and tests start a worker for nearly every run. A worker that is to import a caller's modules needs the
 * modules that these import: `document.cookie = SEPARATE_MODULES` has it served as Vite does.
 */
import path from "node:path";
import { inspect } from "node:util";
import { build, type Plugin, type Rolldown } from "vite";
import { root } from "../../scripts/lib/environment.mjs";
import { SEPARATE_MODULES } from "../browser/support/separateModules.ts";
import { FOREVER } from "./cachedSources.ts";

const WORKERS = [
  "workers/coordinator",
  "workers/compute/compute",
  "workers/tabs/compute",
  "workers/data",
  "workers/remote",
  "stage/stage",
];
/** As Vite writes the address of a worker. */
const addressOf = (worker: string): string => `/src/${worker}.worker.ts?worker_file&type=module`;
const FOLDER = "/@bundled-workers/";

/** Leaves addresses of workers that workers start to the server. */
const keptAddresses: Plugin = {
  name: "rlkit-kept-addresses",
  enforce: "pre",
  transform: (code, id) =>
    code.replaceAll(/new URL\("([^"]+)\.worker\.ts", import\.meta\.url\)/g, (_, relative: string) => {
      const worker = path.resolve(path.dirname(id), relative);
      return JSON.stringify(addressOf(path.relative(path.join(root, "src"), worker)));
    }),
};

/** What the server answers for each file of the bundles. */
async function bundles(): Promise<Map<string, string | Uint8Array>> {
  const input = Object.fromEntries(
    WORKERS.map((worker) => [worker, path.join(root, "src", `${worker}.worker.ts`)]),
  );
  const result = (await build({
    root,
    base: FOLDER,
    configFile: false,
    logLevel: "error",
    plugins: [keptAddresses],
    build: {
      write: false,
      minify: false,
      target: "es2023",
      modulePreload: false,
      copyPublicDir: false,
      rolldownOptions: { input, output: { entryFileNames: "[name].js" } },
    },
  })) as Rolldown.RolldownOutput;
  return new Map(
    result.output.map((file) => [FOLDER + file.fileName, file.type === "chunk" ? file.code : file.source]),
  );
}

export const bundledWorkers = (): Plugin => ({
  name: "rlkit-bundled-workers",
  configureServer({ middlewares, config }) {
    // Somebody may edit them while tests are watched.
    if (config.server.watch !== null) return;
    const entries = new Map(WORKERS.map((worker) => [addressOf(worker), `${FOLDER}${worker}.js`]));
    let made: ReturnType<typeof bundles> | undefined;
    middlewares.use((request, response, next) => {
      const entry = entries.get(request.url ?? "");
      if (entry !== undefined) {
        if (request.headers.cookie?.includes(SEPARATE_MODULES)) return next();
        response.setHeader("content-type", "text/javascript").setHeader("cache-control", "no-store");
        return response.end(`import ${JSON.stringify(entry)};`);
      }
      if (!request.url?.startsWith(FOLDER)) return next();
      made ??= bundles();
      const answer = async (files: ReturnType<typeof bundles>) => {
        const file = (await files).get(request.url ?? "");
        if (file === undefined) return next();
        const type = request.url?.endsWith(".wasm") ? "application/wasm" : "text/javascript";
        response.setHeader("content-type", type).setHeader("cache-control", FOREVER).end(file);
      };
      answer(made).catch((error: unknown) => response.writeHead(500).end(inspect(error)));
    });
  },
});
