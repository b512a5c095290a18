/** Entry of a sandbox's worker. It is bundled as a classic script: a frame without an origin starts no other. */
import { serveSandbox } from "../serveSandbox.ts";

/** Imports a module from a blob, the one place from which this worker's policy lets it load code. */
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
    // Bound before a module of a person's can put others in their place.
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
