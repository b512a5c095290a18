/** Records drawings call by call. */
import type { DrawingContext } from "../../../src/agents/index.ts";

export const theme = { ink: "ink", accent: "accent", muted: "muted", ground: "ground" };
export const size = { width: 320, height: 200 };

export interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** A canvas context that records all calls and assignments. */
export function recorder(): { context: DrawingContext; calls: Call[] } {
  const calls: Call[] = [];
  const context = new Proxy<Record<string, unknown>>(
    {},
    {
      get:
        (_target, name) =>
        (...args: unknown[]) =>
          calls.push({ name: String(name), args }),
      set: (_target, name, value) => calls.push({ name: String(name), args: [value] }) > 0,
    },
  );
  // A proxy implements every member of the context, which the type system cannot know.
  return { context: context as unknown as DrawingContext, calls };
}
