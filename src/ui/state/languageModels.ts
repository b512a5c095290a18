/** Calls to the worker that reads and runs language models for pages. */
import { WorkerClient } from "../../workers/computing.ts";
import { callsBy, invoke, LANGUAGE_CALLS, type LanguageCalls } from "../../workers/pages.ts";

/** The script of the data sets' worker, in a thread of its own: an answer must not hold up a download. */
const startWorker = (): Worker =>
  new Worker(new URL("../../workers/data.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit language models",
  });

let client: WorkerClient<typeof LANGUAGE_CALLS> | null = null;

const open = () =>
  new WorkerClient({
    table: LANGUAGE_CALLS,
    worker: startWorker(),
    name: "The thread that runs language models",
    onEnd: () => {
      client = null;
    },
    onLost: () => undefined,
  });

/** The worker starts with the first call, and again with the first call after it ended. */
export const languageCalls: LanguageCalls = callsBy(LANGUAGE_CALLS, async (name, args) => {
  client ??= open();
  return invoke(client.calls, name, args);
});

/** Ends the worker, which frees the memory of its models. Calls that are pending reject. */
export function closeLanguageModels(): void {
  client?.end(new Error("The conversation was closed."));
}
