import { describe, expect, it } from "vitest";
import { templates } from "../../../src/manifests/templates.ts";
import { shownRows } from "../../../src/ui/pages/run/config/ConfigTab.tsx";
import { flatManifest, resolvedConfig } from "../../../src/ui/pages/run/config/resolvedConfig.ts";
import { filteredNotices } from "../../../src/ui/pages/run/log/LogTab.tsx";
import { feedEntries, withSteering } from "../../../src/ui/pages/run/overview/EventFeed.tsx";
import { stepsText } from "../../../src/ui/pages/run/overview/RunStrip.tsx";
import { steeringWords } from "../../../src/ui/pages/run/steering/steering.ts";
import { descendantsOf } from "./support/descendants.ts";

describe("the events of a run", () => {
  it("tell who replaced whom and what mutated, newest first", () => {
    const { columns } = descendantsOf([
      [
        [0, null, 1],
        [1, null, 2],
        [2, null, 0],
      ],
      [
        [1, 1, 3],
        [3, 1, 4],
        [4, 2, 1],
      ],
    ]);
    expect(
      feedEntries(columns, 1, 10).map(({ generation, member, parent, replaced }) => [
        generation,
        member,
        parent,
        replaced,
      ]),
    ).toEqual([
      // 1 lives on in another slot, so nobody was replaced there; 4 goes on where its parent was.
      [2, 3, 1, null],
      [2, 4, 2, null],
    ]);
    const moved = descendantsOf([
      [
        [0, null, 1],
        [1, null, 2],
      ],
      [
        [2, 1, 3],
        [1, 1, 4],
      ],
    ]).columns;
    const [entry] = feedEntries(moved, 1, 10);
    expect(entry).toMatchObject({ member: 2, parent: 1, replaced: 0 });
    // lr of the reports follows the slot.
    expect(entry?.differences).toContainEqual({ name: "lr", from: 0.00125, to: 0.001 });
  });

  it("are limited, and end at the generation that is looked at", () => {
    const { columns } = descendantsOf([[[0, null, 1]], [[1, 0, 2]], [[2, 1, 3]], [[3, 2, 4]]]);
    expect(feedEntries(columns, 3, 2).map(({ member }) => member)).toEqual([3, 2]);
    expect(feedEntries(columns, 1, 9).map(({ member }) => member)).toEqual([1]);
    expect(feedEntries(columns, 0, 9)).toEqual([]);
  });

  it("tells what a person did with them, after the selection of its generation", () => {
    const clone = {
      member: 4,
      parent: 1,
      replaced: null,
      kind: "none",
      mutation: "None",
      differences: [],
    } as const;
    const clones = [3, 2, 2].map((generation) => ({ ...clone, generation }));
    const actions = [2, 2, 4].map((generation, position) => {
      return { generation, action: { kind: "protect", index: position, on: true }, position } as const;
    });
    const told = (wanted: number | null, limit = 9) =>
      withSteering(clones, actions, wanted, limit).map((entry) =>
        "action" in entry ? `${entry.generation} steered ${entry.position}` : `${entry.generation} cloned`,
      );
    expect(told(null)).toEqual([
      "4 steered 2",
      "3 cloned",
      "2 steered 1",
      "2 steered 0",
      "2 cloned",
      "2 cloned",
    ]);
    expect(told(3, 2)).toEqual(["3 cloned", "2 steered 1"]);
  });
});

describe("the steps of a run", () => {
  it("are never more than those that they are said to be part of", () => {
    expect(stepsText(1800, 2304)).toBe("1,800 of 2,304 steps");
    expect(stepsText(2304, 1800)).toBe("2,304 steps (1,800 requested)");
    expect(stepsText(12, null)).toBe("12 steps");
  });
});

describe("the configuration of a run", () => {
  const manifest = {
    algorithm: { name: "DQN", batch_size: 128 },
    environment: { name: "CartPole-v1" },
    training: { max_steps: 1000, hpo: true },
  };

  it("has defaults, and what hpo puts in, and says where each value comes from", () => {
    const { rows, template } = resolvedConfig(manifest);
    const row = (path: string) => rows.find((one) => one.path === path);
    expect(row("algorithm.batch_size")).toMatchObject({ value: "128", origin: "given" });
    expect(row("algorithm.gamma")).toMatchObject({ value: "0.99", origin: "default" });
    // What has no default was given.
    for (const path of ["algorithm.name", "environment.name"]) expect(row(path)?.origin).toBe("given");
    const stored = { ...manifest, algorithm: { ...manifest.algorithm, gamma: 0.99 } };
    expect(resolvedConfig(stored).rows.find(({ path }) => path === "algorithm.gamma")?.origin).toBe(
      "default",
    );
    expect(rows.filter(({ origin, path }) => origin === "hpo" && path.startsWith("mutation."))).not.toEqual(
      [],
    );
    expect(rows.some(({ path }) => path === "mutation.rl_hp_selection.lr.min")).toBe(true);
    expect(template?.id).toBe(templates.find(({ id }) => id.startsWith("dqn-cartpole"))?.id);
    expect(shownRows(rows, "template", "").some(({ path }) => path === "algorithm.batch_size")).toBe(true);
    expect(shownRows(rows, "given", "").map(({ path }) => path)).toContain("training.hpo");
    expect(shownRows(rows, "all", "GAMMA").every(({ path }) => path.includes("gamma"))).toBe(true);
  });

  it("differs in nothing from the template that it is", () => {
    for (const { manifest: own } of templates.slice(0, 3)) {
      expect(shownRows(resolvedConfig({ ...own }).rows, "template", "")).toEqual([]);
    }
  });

  it("says what is wrong with a manifest that this build does not understand", () => {
    expect(() => resolvedConfig({ algorithm: { name: "DQN", lrr: 1 } })).toThrow(/lrr/);
  });

  it("is flat: a path for each value", () => {
    expect([...flatManifest({ a: { b: 1, c: [1, 2] }, d: null, e: "x" })]).toEqual([
      ["a.b", "1"],
      ["a.c", "[1,2]"],
      ["e", "x"],
    ]);
  });
});

describe("the log of a run", () => {
  it("is filtered by level and by words, newest first", () => {
    const notices = [
      { level: "info", message: "Started", at: 1 },
      { level: "warning", message: "Short generations", at: 2 },
      { level: "info", message: "Short break", at: 3 },
    ] as const;
    const messages = (level: "all" | "info", words: string) =>
      filteredNotices(notices, level, words).map(({ message }) => message);
    expect(messages("all", "")).toEqual(["Short break", "Short generations", "Started"]);
    expect(messages("info", " SHORT ")).toEqual(["Short break"]);
  });

  it("tells in words what a person did", () => {
    const words = [
      { kind: "set", index: null, hyperparameter: "lr", value: 0.5 },
      { kind: "clone", index: 1, over: 2 },
      { kind: "protect", index: 1, on: false },
    ] as const;
    expect(words.map(steeringWords)).toEqual([
      "lr of all members set to 0.5",
      "#2 replaced by a copy of #1",
      "#1 no longer protected",
    ]);
  });
});
