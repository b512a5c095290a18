import { expect, it } from "vitest";
import { noticeOf } from "../../../src/ui/state/systemNotices.ts";
import type { RunEvent } from "../../../src/workers/protocol.ts";

const state = (part: object): RunEvent =>
  ({
    run: "r",
    kind: "state",
    state: "finished",
    failure: null,
    end: { reason: "max_steps", at: 0 },
    ...part,
  }) as RunEvent;

it.each([
  [state({}), "Finished."],
  [state({ end: { reason: "target", at: 0 } }), "Reached its target."],
  [state({ state: "failed", failure: "lr: NaN", end: { reason: "failed", at: 0 } }), "Failed: lr: NaN"],
  [state({ state: "stopped", end: { reason: "stopped", at: 0 } }), null],
  [state({ state: "running", end: null }), null],
  [
    { run: "r", kind: "notice", notice: { level: "error", message: "member 2 diverged", at: 0 } },
    "member 2 diverged",
  ],
  [{ run: "r", kind: "notice", notice: { level: "info", message: "saved", at: 0 } }, null],
] as const satisfies readonly (readonly [RunEvent, string | null])[])("of %j tells %j", (event, words) => {
  expect(noticeOf(event)).toBe(words);
});
