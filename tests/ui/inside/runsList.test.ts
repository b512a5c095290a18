import { describe, expect, it } from "vitest";
import { flatConfig } from "../../../src/ui/lib/manifestValues.ts";
import { groupRuns, runFilter } from "../../../src/ui/pages/runs/runFilter.ts";
import { fakeSummary } from "../support/fakeSummary.ts";

const run = fakeSummary({ name: "Night shift 3", state: "finished", algorithm: "PPO", tags: ["base line"] });

describe("the filter of runs", () => {
  it.each(["", "night", "SHIFT ppo", "state:fin", 'tag:"base line"', "name:3 algorithm:p"])(
    "finds it by %j",
    (query) => {
      expect(runFilter(query)(run)).toBe(true);
    },
  );

  it.each(["day", "night day", "state:running", "tag:night", "colour:red"])(
    "does not find it by %j",
    (query) => {
      expect(runFilter(query)(run)).toBe(false);
    },
  );
});

it("finds a run whose data set is on its way by that, and not as a stopped one", () => {
  const waiting = fakeSummary({ state: "stopped", fetch: { dataset: "a/b-v0", received: 0, total: null } });
  expect(runFilter("state:fetching")(waiting)).toBe(true);
  expect(runFilter("state:stopped")(waiting)).toBe(false);
});

describe("groups of runs", () => {
  it("hold a run in each of its tags, and those without a tag at the end", () => {
    const runs = [
      fakeSummary({ id: "1", tags: ["b", "a"] }),
      fakeSummary({ id: "2" }),
      fakeSummary({ id: "3", tags: ["b"] }),
    ];
    const groups = groupRuns(runs, "tag").map((group) => [group.name, ...group.runs.map(({ id }) => id)]);
    expect(groups).toEqual([
      ["a", "1"],
      ["b", "1", "3"],
      [null, "2"],
    ]);
  });
});

describe("a manifest's values in columns", () => {
  it("have dotted names, and say nothing of what is unset", () => {
    const flat = flatConfig({
      apiVersion: "agilerl.com/v1",
      algorithm: { name: "DQN", lr: 0.001, double: true },
      network: { encoder_config: { hidden_size: [64, 32] }, arch: null },
    });
    expect([...flat]).toEqual([
      ["algorithm.name", "DQN"],
      ["algorithm.lr", 0.001],
      ["algorithm.double", "on"],
      ["network.encoder_config.hidden_size", "[64,32]"],
    ]);
  });
});
