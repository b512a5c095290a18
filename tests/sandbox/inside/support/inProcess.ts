import { MessageChannel } from "node:worker_threads";
import { type SandboxPort } from "../../../../src/sandbox/SandboxPort.ts";
import type { OpenSandbox } from "../../../../src/sandbox/sandboxes.ts";
import { serveSandbox } from "../../../../src/sandbox/serveSandbox.ts";

/** A module from its text, as a child process loads it. */
export const fromText = (script: string): Promise<Readonly<Record<string, unknown>>> =>
  import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(script).toString("base64")}`);

/** A sandbox that is none: the host's program in this thread, for modules that a test wrote. */
export const inProcess: OpenSandbox = async (): Promise<SandboxPort> => {
  const { port1, port2 } = new MessageChannel();
  serveSandbox(
    {
      post: (message, transfer) => port2.postMessage(message, transfer as ArrayBuffer[]),
      listen: (onMessage) => void port2.on("message", onMessage),
    },
    fromText,
  );
  return {
    post: (message, transfer = []) => port1.postMessage(message, transfer as ArrayBuffer[]),
    listen: (onMessage) => void port1.on("message", onMessage),
    end: () => {
      port1.close();
      port2.close();
    },
  };
};
