/** Messages between the tabs of one site. */
import type { RunEvent } from "../protocol/runs.ts";

export type TabMessage =
  /** An event of a run in the sender's tab. */
  | { readonly kind: "event"; readonly event: RunEvent }
  /** A call for the tab that holds the run. */
  | {
      readonly kind: "ask";
      readonly nonce: string;
      readonly run: string;
      readonly call: string;
      readonly args: readonly unknown[];
    }
  /** The sender holds the run; an answer follows. */
  | { readonly kind: "taken"; readonly nonce: string }
  | { readonly kind: "answer"; readonly nonce: string; readonly value: unknown }
  | { readonly kind: "refused"; readonly nonce: string; readonly message: string };

/** A channel to all other tabs. */
export interface TabChannel {
  post(message: TabMessage): void;
  listen(handler: (message: TabMessage) => void): void;
  close(): void;
}

/** The number separates builds with incompatible messages. */
const NAME = "rlkit tabs 1";

/** A channel between all tabs and workers of this origin. */
export function broadcastChannel(name = NAME): TabChannel {
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    // Only this code in the same version posts to this name.
    listen: (handler) =>
      channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => handler(data)),
    close: () => channel.close(),
  };
}
