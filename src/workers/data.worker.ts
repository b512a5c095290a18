/** Entry point of the worker that stores a browser's data sets. */
import { provideSandboxes } from "../sandbox/sandboxes.ts";
import { PageSandboxes } from "./compute/PageSandboxes.ts";
import { openBrowserStores } from "./files/browserStores.ts";
import type { DataDesk } from "./files/DataDesk.ts";
import { invoke } from "./protocol/callTable.ts";
import { DATA_CALLS } from "./protocol/data.ts";
import { serveCalls } from "./protocol/workerCalls.ts";

const opened: Promise<DataDesk> = openBrowserStores().then(async ({ files }) => {
  // Runs cannot read this worker's memory.
  if (files.kind === "memory")
    throw new Error("Data: this browser provides no storage for data sets; use a normal window over https.");
  const { DataDesk } = await import("./files/DataDesk.ts");
  return new DataDesk(files);
});
// Callers receive the error.
opened.catch(() => undefined);

const sandboxes = new PageSandboxes();
provideSandboxes(sandboxes.openSandbox);

serveCalls(DATA_CALLS, { lendSandboxes: async (port) => sandboxes.lend(port) }, async (name, args) =>
  invoke(await opened, name, args),
);
