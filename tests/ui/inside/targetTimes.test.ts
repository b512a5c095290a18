/** What the gallery of templates says of their times is what docs/results.md says. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { targetTimes, targetTimesModule } from "../../../scripts/docs/targetTimes.ts";
import { root } from "../../../scripts/lib/environment.mjs";
import { templates } from "../../../src/manifests/templates.ts";
import { TARGET_TIMES } from "../../../src/ui/pages/editor/gallery/targetTimes.ts";

const results = readFileSync(path.join(root, "docs/results.md"), "utf8");

describe("times of templates", () => {
  it("are those of the results (npx tsx scripts/docs/writeTargetTimes.ts)", () => {
    const written = readFileSync(path.join(root, "src/ui/pages/editor/gallery/targetTimes.ts"), "utf8");
    expect(written).toBe(targetTimesModule(results));
    expect(TARGET_TIMES).toEqual(targetTimes(results));
  });

  it("are of templates that there are", () => {
    const ids = templates.map(({ id }) => id);
    expect(Object.keys(TARGET_TIMES).filter((id) => !ids.includes(id))).toEqual([]);
    expect(Object.keys(TARGET_TIMES).length).toBeGreaterThan(10);
  });

  it("are the middle ones of the seeds that passed", () => {
    const table = `\`npm run results -- --row lander-ppo\`: 200

| seed | passed at step | last score | seconds until then |
|---|---|---|---|
| 1 | 1,000 | 1 | 50 |
| 2 | not reached | 1 | 70 |
| 3 | 3,000 | 1 | 60 |

text

| seed | passed at step |
|---|---|
| 1 | 9 |
`;
    expect(targetTimes(table)).toEqual({ "ppo-lunarlander": { score: 200, steps: 2000, seconds: 60 } });
    expect(targetTimes("`npm run results -- --row nobody`: 1\n")).toEqual({});
  });
});
