import type { SandboxPort } from "./SandboxPort.ts";

/** The ports that a user of a browser sandbox holds. Both can be transferred to another thread. */
export interface SandboxPorts {
  /** Carries calls and replies. */
  readonly calls: MessagePort;
  /**
   * A message sent on it ends the sandbox. A message received on it gives the reason why the sandbox ended.
   */
  readonly control: MessagePort;
}

/** The same ports, for code that transfers them to another thread. */
export interface LentPorts extends SandboxPorts {
  /**
   * Like `control`, but kept by the thread that passes on the others: a terminated
   * thread cannot end its sandboxes.
   */
  readonly owner: MessagePort;
}

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
