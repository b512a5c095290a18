/** Entry of a Node worker thread that runs a user's module. */
import { parentPort } from "node:worker_threads";
import { reasonOf } from "../../../storage/storageError.ts";
import { ModuleTasks } from "../ModuleTasks.ts";
import type { FromModule, ModuleTask, ToModule } from "../moduleProtocol.ts";

let tasks = new ModuleTasks({});

async function answerTo(task: ModuleTask) {
  if (task.kind !== "load") return tasks.run(task);
  tasks = new ModuleTasks(await import(task.url));
  return { value: null, facts: null };
}

const post = (message: object): void => parentPort?.postMessage(message satisfies object);

parentPort?.on("message", ({ id, task }: ToModule) => {
  post({ kind: "begun", id } satisfies FromModule);
  void (async () => {
    try {
      post({ kind: "done", id, ...(await answerTo(task)) });
    } catch (error) {
      post({ kind: "failed", id, message: reasonOf(error) } satisfies FromModule);
    }
  })();
});
