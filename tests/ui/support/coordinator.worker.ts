import { expose } from "comlink";
import { installErrorTransfer } from "../../../src/workers/computing.ts";
import type { RunEvent } from "../../../src/workers/protocol.ts";

installErrorTransfer();

let events: MessagePort | null = null;

/** Only as much of a coordinator as the client's tests need. */
expose({
  subscribe: async (port: MessagePort) => {
    events = port;
  },
  lendSandboxes: async () => undefined,
  setVisible: async () => undefined,
  pause: async (id: string) => {
    const event: RunEvent = { run: id, kind: "state", state: "paused", failure: null, end: null };
    events?.postMessage(event);
  },
  start: async () => {
    throw Object.assign(new Error("unknown key"), { code: "unknown_key", path: "algorithm.lrr", secret: 1 });
  },
  // Never answers.
  resume: () => new Promise<never>(() => undefined),
  stop: async () => {
    setTimeout(() => {
      throw new Error("out of memory");
    });
    return new Promise<never>(() => undefined);
  },
});
