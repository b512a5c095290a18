/**
 * Entry of a sandbox's worker, bundled as a classic script: a frame with an opaque
 * origin can start no other kind.
 */
import { serveSandbox } from "../serveSandbox.ts";

/** Imports a module from a blob, the only source that this worker's policy allows code from. */
async function load(script: string): Promise<Readonly<Record<string, unknown>>> {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  try {
    return await import(/* @vite-ignore */ address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

self.addEventListener(
  "message",
  ({ ports: [port] }) => {
    if (port === undefined) return;
    // Bound before a user's module can replace it.
    const post = port.postMessage.bind(port);
    serveSandbox(
      {
        post: (message, transfer) => post(message, [...transfer]),
        listen: (onMessage) => {
          port.onmessage = ({ data }: MessageEvent<unknown>) => onMessage(data);
        },
      },
      load,
    );
  },
  { once: true },
);
