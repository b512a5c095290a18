import type { Worker } from "node:worker_threads";

/** TypeScript sources need a loader, and one given by `execArgv` does not reach into worker threads. */
function viaLoader(address: URL): string {
  const loader = import.meta.resolve("tsx/esm/api");
  return `import(${JSON.stringify(loader)})
    .then(({ register }) => { register(); return import(${JSON.stringify(address.href)}); });`;
}

/**
 * A worker thread of Node that runs a module of this library, from its sources or as it was built.
 * @param base The caller's `import.meta.url`.
 * @param entry The module as seen from there, without its ending.
 */
export function workerThread(base: string, entry: string): Worker {
  // Not an import: bundlers for the browser would have to find the module.
  const threads = process.getBuiltinModule("node:worker_threads");
  const fromSources = base.endsWith(".ts");
  const address = new URL(`${entry}.${fromSources ? "ts" : "js"}`, base);
  return fromSources ? new threads.Worker(viaLoader(address), { eval: true }) : new threads.Worker(address);
}
