import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ComparedRun, OpenRuns } from "../../../src/ui/pages/compare/OpenRuns.ts";

beforeEach(() => {
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: true }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("opens and closes only the runs by which a choice differs from the one before", () => {
  const calls: string[] = [];
  let shown: readonly ComparedRun[] = [];
  const runs = new OpenRuns(
    {
      openRun: (id) => {
        calls.push(`open ${id}`);
        return () => calls.push(`close ${id}`);
      },
    },
    (next) => {
      shown = next;
    },
  );
  const take = () => calls.splice(0);
  runs.choose(["a", "b"]);
  expect(take()).toEqual(["open a", "open b"]);
  const [, b] = shown;
  runs.choose(["b", "c"]);
  expect(take()).toEqual(["close a", "open c"]);
  // A run keeps its colour when another one leaves.
  expect(shown.map(({ id, colour }) => [id, colour])).toEqual([
    ["b", b?.colour],
    ["c", expect.any(Number)],
  ]);
  expect(shown[1]?.colour).not.toBe(b?.colour);
  expect(shown[0]?.view).toBe(b?.view);
  runs.close();
  expect(take()).toEqual(["close b", "close c"]);
});
