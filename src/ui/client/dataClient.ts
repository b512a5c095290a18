import { WorkerClient } from "../../workers/computing.ts";
import { callsBy, DATA_CALLS, type DataCalls, invoke } from "../../workers/pages.ts";
import { lendSandboxes } from "./lendSandboxes.ts";

const startWorker = (): Worker =>
  new Worker(new URL("../../workers/data.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit data",
  });

/**
 * Calls to the worker that stores data sets. The worker starts with the first call, and again with the first
 * call after a crash.
 */
export function dataClient(start: () => Worker = startWorker): DataCalls {
  let client: WorkerClient<typeof DATA_CALLS> | null = null;
  const open = () => {
    const sandboxes = new MessageChannel();
    const endSandboxes = lendSandboxes(sandboxes.port1);
    const opened = new WorkerClient({
      table: DATA_CALLS,
      worker: start(),
      name: "The thread that stores data sets",
      onEnd: () => {
        endSandboxes();
        client = null;
      },
      onLost: () => undefined,
    });
    // A failure here surfaces when a call needs a sandbox.
    opened.calls.lendSandboxes(sandboxes.port2).catch(() => undefined);
    return opened;
  };
  return callsBy(DATA_CALLS, async (name, args) => {
    client ??= open();
    return invoke(client.calls, name, args);
  });
}
