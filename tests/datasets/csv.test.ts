/** Data sets as CSV, against the same numbers as arrays. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { datasetOf, openDataset } from "../../src/datasets/index.ts";
import { Box } from "../../src/rl/spaces.ts";

const layout = {
  observation_space: new Box({ low: -9, high: 99, shape: [2] }),
  action_space: new Box({ low: -1, high: 1, shape: [1] }),
};
const ARRAYS = {
  observations: [
    [0, 0.5],
    [1, -1.5e-3],
    [2, 2],
  ],
  actions: [[0.25], [-1], [1]],
  rewards: [1, -2.5, 0],
  terminals: [false, true, false],
  timeouts: [false, false, true],
};
const TEXT = `observation_1,observation_0,action_0,reward,terminated,truncated
0.5,0,0.25,1,false,False
-1.5e-3,1,-1,-2.5,True,0
2,2,1,0,0,1
`;
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("a data set as CSV", () => {
  it.each([
    ["", TEXT],
    ["with a mark, CRLF and quotes", `\uFEFF${TEXT.replaceAll("\n", "\r\n").replace("reward", '"rewards"')}`],
    ["with brackets", TEXT.replaceAll(/_(\d)/g, "[$1]")],
  ])("has the steps of the same arrays %s", async (_, text) => {
    const dataset = await openDataset(bytesOf(text), { source: "dataset" });
    const due = datasetOf(ARRAYS);
    expect(await dataset.transitions(layout)).toEqual(await due.transitions(layout));
    expect(dataset.episodes()).toEqual(due.episodes());
    expect(Array.from((await dataset.actions()[0]?.read(0, 3)) ?? [])).toEqual([0.25, -1, 1]);
    expect(dataset.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is read from a path with the same hash", async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), "rlkit-csv-")), "steps.csv");
    writeFileSync(file, TEXT);
    const [kept, given] = [await openDataset(file), await openDataset(bytesOf(TEXT))];
    expect([kept.total_steps, kept.sha256]).toEqual([3, given.sha256]);
  });

  it.each([
    [TEXT.replace("-2.5", "much"), 'line 3, column "reward": found "much", allowed a number, true or false'],
    [TEXT.replace("-2.5", ""), 'line 3, column "reward": found "", allowed a number, true or false'],
    [TEXT.replace(",True,0", ",True"), "line 3: found 5 fields, allowed 6, as in the header"],
    [
      TEXT.replace("observation_0", "observation_2"),
      "found the columns observation_1, observation_2, allowed one, or observations_0, observations_1, ... without gaps",
    ],
    [
      TEXT.replace("reward", "gain"),
      "rewards is missing; found observations, actions, gain, terminated, truncated",
    ],
  ])("names the place of a fault", async (text, message) => {
    await expect(openDataset(bytesOf(text), { source: "steps.csv" })).rejects.toThrow(message);
  });
});
