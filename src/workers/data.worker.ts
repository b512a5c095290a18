/** Entry point of the worker that stores a browser's data sets, and of the one that reads and runs language models. */
import { provideSandboxes } from "../sandbox/sandboxes.ts";
import { PageSandboxes } from "./compute/PageSandboxes.ts";
import { onDemand } from "./coordinator/onDemand.ts";
import { openBrowserStores } from "./files/browserStores.ts";
import { invoke } from "./protocol/callTable.ts";
import { DATA_CALLS } from "./protocol/data.ts";
import { LANGUAGE_CALLS } from "./protocol/language.ts";
import { serveCalls } from "./protocol/workerCalls.ts";

const stores = openBrowserStores();

const datasets = onDemand(async () => {
  const { files } = await stores;
  // Runs cannot read this worker's memory.
  if (files.kind === "memory")
    throw new Error("Data: this browser provides no storage for data sets; use a normal window over https.");
  const { DataService } = await import("./files/DataService.ts");
  return new DataService(files);
});

const models = onDemand(async () => {
  const { files } = await stores;
  const { LanguageService } = await import("./files/LanguageService.ts");
  return new LanguageService(files);
});

const sandboxes = new PageSandboxes();
provideSandboxes(sandboxes.openSandbox);

const isAboutModels = (name: string): name is keyof typeof LANGUAGE_CALLS => name in LANGUAGE_CALLS;

serveCalls(
  { ...DATA_CALLS, ...LANGUAGE_CALLS },
  { lendSandboxes: async (port) => sandboxes.lend(port) },
  async (name, args) =>
    isAboutModels(name)
      ? invoke(await models.begin(), name, args)
      : invoke(await datasets.begin(), name, args),
);
