import type { SandboxPort } from "../SandboxPort.ts";
import type { SandboxPorts } from "./SandboxPorts.ts";

/** A sandbox of the page's frame, as whoever uses it sees it. */
export function browserSandbox({ calls, control }: SandboxPorts): SandboxPort {
  return {
    post: (message, transfer = []) => calls.postMessage(message, [...transfer]),
    listen: (onMessage, onEnd) => {
      calls.onmessage = ({ data }: MessageEvent<unknown>) => onMessage(data);
      calls.onmessageerror = () => onEnd("a message of it could not be read");
      control.onmessage = ({ data }: MessageEvent<unknown>) => onEnd(String(data).slice(0, 1000));
    },
    end: () => {
      control.onmessage = null;
      control.postMessage(null);
      calls.close();
      // Not closed: what was sent last may be lost with it. The frame closes its end.
    },
  };
}
