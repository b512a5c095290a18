/** What tabs of one site say to each other. */
import type { RunEvent } from "../protocol.ts";

export type TabMessage =
  /** Of a run that lives in the sender's tab. */
  | { readonly kind: "event"; readonly event: RunEvent }
  /** To whoever holds the run. */
  | {
      readonly kind: "ask";
      readonly nonce: string;
      readonly run: string;
      readonly call: string;
      readonly args: readonly unknown[];
    }
  /** The sender holds the run, and an answer follows. */
  | { readonly kind: "taken"; readonly nonce: string }
  | { readonly kind: "answer"; readonly nonce: string; readonly value: unknown }
  | { readonly kind: "refused"; readonly nonce: string; readonly message: string };

/** Reaches all other tabs. */
export interface TabChannel {
  post(message: TabMessage): void;
  listen(handler: (message: TabMessage) => void): void;
  close(): void;
}

/** The name tells builds apart that do not understand each other. */
const NAME = "rlkit tabs 1";

/** Among all tabs and workers of this origin. */
export function broadcastChannel(name = NAME): TabChannel {
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    // Only this code of the same version posts to that name.
    listen: (handler) =>
      channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => handler(data)),
    close: () => channel.close(),
  };
}
