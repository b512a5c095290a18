/** What the gallery of templates says of their times is what bench/results says. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { measuredRows, type ResultFile, readResult } from "../../../bench/harness/ResultFile.ts";
import { SECONDS_UNTIL_THEN, STEPS_UNTIL_THEN } from "../../../bench/learning/recordLearning.ts";
import { targetTimes, targetTimesModule } from "../../../scripts/docs/targetTimes.ts";
import { root } from "../../../scripts/lib/environment.mjs";
import { templates } from "../../../src/manifests/templates.ts";
import { TARGET_TIMES } from "../../../src/ui/pages/editor/gallery/targetTimes.ts";

const results = Object.fromEntries(measuredRows().map((row) => [row, readResult(row)]));

describe("times of templates", () => {
  it("are those of the results (npx tsx scripts/docs/writeResults.ts)", () => {
    const written = readFileSync(path.join(root, "src/ui/pages/editor/gallery/targetTimes.ts"), "utf8");
    expect(written).toBe(targetTimesModule(results));
    expect(TARGET_TIMES).toEqual(targetTimes(results));
  });

  it("are of templates that there are", () => {
    const ids = templates.map(({ id }) => id);
    expect(Object.keys(TARGET_TIMES).filter((id) => !ids.includes(id))).toEqual([]);
    expect(Object.keys(TARGET_TIMES).length).toBeGreaterThan(10);
  });

  it("are those that were measured", () => {
    const measured: ResultFile = {
      title: "a row",
      figures: [
        { name: STEPS_UNTIL_THEN, unit: "steps" },
        { name: SECONDS_UNTIL_THEN, unit: "s" },
      ],
      history: [
        {
          date: "2026-01-01",
          commit: null,
          machine: "M",
          command: "c",
          values: [{ median: 900 }, { median: 4.2 }],
        },
        { date: "2026-01-02", commit: null, machine: "M", command: "c", values: [{ median: 2000 }, null] },
      ],
    };
    expect(targetTimes({ "lander-ppo": measured })).toEqual({
      "ppo-lunarlander": { score: 200, steps: 2000, seconds: 5 },
    });
    expect(targetTimes({ "no-row": measured })).toEqual({});
  });
});
