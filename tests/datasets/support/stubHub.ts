/** A hub in the place of the network. */
import { vi } from "vitest";

export interface StubbedData {
  readonly id: string;
  /** The hub's address. */
  readonly hub: string;
  readonly main: Uint8Array;
  readonly metadata: string;
}

/**
 * A hub that gives the large file up to `most` bytes a connection, and then breaks, waits for ever, or goes on once
 * something has happened.
 * @returns the Range header of every request for the large file.
 */
export function stubHub(
  { id, hub, main, metadata }: StubbedData,
  most: number,
  after: "break" | "wait" | Promise<void>,
): (string | null)[] {
  const [repository, ...rest] = id.split("/");
  const folder = `${hub}/datasets/farama-minari/${repository}/resolve/main/${rest.join("/")}/data/`;
  const ranges: (string | null)[] = [];
  const answer = async (address: string, { headers, signal }: RequestInit = {}): Promise<Response> => {
    if (!address.startsWith(folder)) return new Response("nothing", { status: 404 });
    if (address.endsWith("metadata.json")) return new Response(metadata);
    const range = new Headers(headers).get("range");
    ranges.push(range);
    const start = Number(/bytes=(\d+)-/.exec(range ?? "")?.[1] ?? 0);
    const end = Math.min(main.length, start + most);
    const body = new ReadableStream({
      start(controller) {
        signal?.addEventListener("abort", () => controller.error(signal.reason));
        controller.enqueue(new Uint8Array(main.slice(start, end)));
        if (end === main.length) controller.close();
      },
      async pull(controller) {
        if (end === main.length || after === "wait") return;
        if (after === "break") return controller.error(new TypeError("broken"));
        await after;
        controller.enqueue(new Uint8Array(main.slice(end)));
        controller.close();
      },
    });
    const told = {
      etag: '"one"',
      "content-length": String(main.length - start),
      ...(start > 0 && { "content-range": `bytes ${start}-${main.length - 1}/${main.length}` }),
    };
    return new Response(body, { status: start > 0 ? 206 : 200, headers: told });
  };
  vi.stubGlobal("fetch", answer);
  return ranges;
}
