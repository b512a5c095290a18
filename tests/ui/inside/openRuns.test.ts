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
  expect(shown.map(({ id, place }) => [id, place])).toEqual([
    ["b", 0],
    ["c", 1],
  ]);
  expect(shown[0]?.view).toBe(b?.view);
  runs.close();
  expect(take()).toEqual(["close b", "close c"]);
});
