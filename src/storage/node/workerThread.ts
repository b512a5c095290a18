import type { Worker } from "node:worker_threads";

/** TypeScript sources need a loader, and a loader set with `execArgv` does not apply to worker threads. */
function viaLoader(address: URL): string {
  // oxlint-disable-next-line typescript/unbound-method -- bundlers would look for the argument of import.meta.resolve()
  const { resolve } = import.meta;
  const loader = resolve("tsx/esm/api");
  return `import(${JSON.stringify(loader)})
    .then(({ register }) => { register(); return import(${JSON.stringify(address.href)}); });`;
}

/**
 * A Node worker thread that runs a module of this library, from its sources or its build.
 * @param base The caller's `import.meta.url`.
 * @param entry The module's path relative to the caller, without its extension.
 */
export function workerThread(base: string, entry: string): Worker {
  // Not an import, because browser bundlers would try to resolve the module.
  const threads = process.getBuiltinModule("node:worker_threads");
  const fromSources = base.endsWith(".ts");
  const address = new URL(`${entry}.${fromSources ? "ts" : "js"}`, base);
  return fromSources ? new threads.Worker(viaLoader(address), { eval: true }) : new threads.Worker(address);
}
