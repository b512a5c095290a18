import { expect, it } from "vitest";
import { listAlgorithms } from "../../../src/manifests/index.ts";
import { templates } from "../../../src/manifests/templates.ts";
import { groupsOf, taskTextOf } from "../../../src/ui/pages/editor/gallery/tasks.ts";

const algorithms = listAlgorithms().map(({ name }) => name);

const groups = groupsOf(templates);

it("shows every template in exactly one group, and no group is empty", () => {
  expect(groups.map(({ name }) => name)).toEqual(["control", "bodies", "games", "teams", "language", "data"]);
  const shown = groups.flatMap(({ tasks }) => tasks.flatMap((task) => task.templates.map(({ id }) => id)));
  expect(shown.sort()).toEqual(templates.map(({ id }) => id).sort());
  for (const { tasks } of groups) expect(tasks).not.toEqual([]);
});

it("groups templates by what agents do, not by their environment alone", () => {
  const found = (name: string) =>
    groups
      .find((group) => group.name === name)
      ?.tasks.flatMap((task) => task.templates.map(({ id }) => id)) ?? [];
  expect(found("bodies")).toEqual([
    "sac-reach-her",
    "sac-push-her",
    "ppo-halfcheetah",
    "es-halfcheetah",
    "ppo-hopper",
    "sac-hopper",
    "td3-halfcheetah",
    "ppo-bipedalwalker",
  ]);
  expect(found("control")).toContain("ppo-cartpole");
  expect(found("data")).toEqual([
    "cqn-cartpole",
    "bc-pendulum",
    "td3bc-pendulum",
    "iql-pendulum",
    "awac-pendulum",
    "cql-pendulum",
    "neural-ucb-flowers",
  ]);
  expect(found("language")).toContain("dpo-polite");
  expect(found("teams")).toContain("ippo-tag");
  expect(found("games")).toContain("ppo-lunarlander");
});

it.each(groups.flatMap(({ tasks }) => tasks))(
  "the card of $environment has a title and words that fit each algorithm",
  (task) => {
    const { title, words } = taskTextOf(task.environment);
    expect(title).not.toBe(task.environment);
    expect(words).toMatch(/^[A-Z].*\.$/);
    expect(words).not.toMatch(/Q-learner|polic|bandit|critic/i);
    for (const name of algorithms) expect(words.split(/\W+/)).not.toContain(name);
  },
);
