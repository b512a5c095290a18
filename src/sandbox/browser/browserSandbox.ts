import type { SandboxPort } from "../SandboxPort.ts";
import type { SandboxPorts } from "./SandboxPorts.ts";

/** Wraps the ports of a sandbox in the page's frame as a `SandboxPort`. */
export function browserSandbox({ calls, control }: SandboxPorts): SandboxPort {
  return {
    post: (message, transfer = []) => calls.postMessage(message, [...transfer]),
    listen: (onMessage, onEnd) => {
      calls.onmessage = ({ data }: MessageEvent<unknown>) => onMessage(data);
      calls.onmessageerror = () => onEnd("one of its messages could not be read");
      control.onmessage = ({ data }: MessageEvent<unknown>) => onEnd(String(data).slice(0, 1000));
    },
    end: () => {
      control.onmessage = null;
      control.postMessage(null);
      calls.close();
      // `control` stays open: closing it could lose the last message. The frame closes its end.
    },
  };
}
