import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Deletions, GRACE } from "../../../src/ui/state/deletions.ts";
import { Toasts } from "../../../src/ui/state/toasts.ts";

const runs = [
  { id: "a", name: "First" },
  { id: "b", name: "Second" },
];

function prepared(remove: (id: string) => Promise<void> = async () => undefined) {
  const toasts = new Toasts();
  const removed: string[] = [];
  const hidden: ReadonlySet<string>[] = [];
  const deletions = new Deletions({
    remove: async (id) => {
      await remove(id);
      removed.push(id);
    },
    hide: (ids) => hidden.push(ids),
    gone: async () => undefined,
    toasts,
    grace: GRACE,
  });
  const messages = () => toasts.state.getState().map(({ message }) => message);
  return { toasts, removed, hidden, deletions, messages };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("deleting runs", () => {
  it("hides them at once, and removes their files when nobody has taken it back", async () => {
    const { removed, hidden, deletions, messages } = prepared();
    deletions.delete(runs);
    expect(hidden.at(-1)).toEqual(new Set(["a", "b"]));
    expect(messages()).toEqual(["Deleted 2 runs."]);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(removed).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(removed).toEqual(["a", "b"]);
    expect(hidden.at(-1)).toEqual(new Set());
    expect(messages()).toEqual([]);
  });

  it("keeps them when it is taken back, or when the page goes before", async () => {
    const { toasts, removed, hidden, deletions } = prepared();
    deletions.delete(runs.slice(0, 1));
    toasts.leavePage();
    toasts.state.getState()[0]?.action?.perform();
    expect(hidden.at(-1)).toEqual(new Set());
    deletions.delete(runs.slice(1));
    deletions.close();
    await vi.runAllTimersAsync();
    expect(removed).toEqual([]);
  });

  it("says why files could not be removed, and shows the run again", async () => {
    const { hidden, deletions, messages, removed } = prepared(async (id) => {
      if (id === "b") throw new Error("The disk is gone.");
    });
    deletions.delete(runs);
    await vi.runAllTimersAsync();
    expect(removed).toEqual(["a"]);
    expect(messages()).toEqual(["1 of 2 runs could not be deleted: The disk is gone."]);
    expect(hidden.at(-1)).toEqual(new Set());
  });
});
