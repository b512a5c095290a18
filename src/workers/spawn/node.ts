/** Compute workers as worker threads of Node. */
import type { FromCompute, Spawn } from "../computeProtocol.ts";

const fromSources = import.meta.url.endsWith(".ts");
const entry = fromSources ? "../compute.worker.ts" : "../compute.worker.js";

/** TypeScript sources need a loader, and one given by `execArgv` does not reach into worker threads. */
function viaLoader(address: URL): string {
  const loader = import.meta.resolve("tsx/esm/api");
  return `import(${JSON.stringify(loader)})
    .then(({ register }) => { register(); return import(${JSON.stringify(address.href)}); });`;
}

export const spawnNodeWorker: Spawn = ({ message, failed }) => {
  // Not an import: bundlers for the browser would have to find the module.
  const threads = process.getBuiltinModule("node:worker_threads");
  const address = new URL(entry, import.meta.url);
  const worker = fromSources
    ? new threads.Worker(viaLoader(address), { eval: true })
    : new threads.Worker(address);
  let ended = false;
  const fail = (what: string): void => {
    if (!ended) failed(what);
  };
  worker.on("message", (data: FromCompute) => message(data));
  worker.on("messageerror", () => fail("a message of the compute worker could not be read"));
  worker.on("error", (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.on("exit", (code) => fail(`the compute worker ended with exit code ${code}`));
  return {
    post: (outgoing) => worker.postMessage(outgoing),
    terminate: () => {
      ended = true;
      // Resolves with the exit code; nobody has to wait for it.
      void worker.terminate();
    },
  };
};
