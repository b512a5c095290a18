/** Entry point of the worker that stores a browser's data sets. */
import { expose, transfer } from "comlink";
import { provideSandboxes } from "../../sandbox/sandboxes.ts";
import { PageSandboxes } from "../environments/PageSandboxes.ts";
import { installErrorTransfer } from "../errorTransfer.ts";
import { openBrowserStores } from "../openBrowserStores.ts";
import type { DataWorkerCalls } from "../protocol/data.ts";
import { transferables } from "../transferables.ts";
import type { DataDesk } from "./DataDesk.ts";

/** Transfers a value's arrays instead of copying them; they cannot be used here afterwards. */
const moved = <T>(value: T): T => transfer(value, transferables(value));

const opened: Promise<DataDesk> = openBrowserStores().then(async ({ files }) => {
  // Runs cannot read this worker's memory.
  if (files.kind === "memory")
    throw new Error("Data: this browser provides no storage for data sets; use a normal window over https.");
  const { DataDesk } = await import("./DataDesk.ts");
  return new DataDesk(files);
});
// Callers receive the error.
opened.catch(() => undefined);

const sandboxes = new PageSandboxes();
provideSandboxes(sandboxes.openSandbox);

const contract: DataWorkerCalls = {
  lendSandboxes: async (port) => sandboxes.lend(port),
  list: async () => (await opened).list(),
  add: async (name, files) => (await opened).add(name, files),
  fetch: async (id, hub, onProgress) => (await opened).fetch(id, hub, onProgress),
  cancel: async (id) => (await opened).cancel(id),
  view: async (sha256) => moved(await (await opened).view(sha256)),
  remove: async (sha256) => (await opened).remove(sha256),
  archive: async (sha256) => moved(await (await opened).archive(sha256)),
  record: async (request) => (await opened).record(request),
};

installErrorTransfer();
expose(contract);
