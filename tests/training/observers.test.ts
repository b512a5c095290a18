/** Observers of a run: a function, or an object; and the page that describes their events. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { createPopulation, makeVector, ReplayBuffer } from "../../src/index.ts";
import {
  LocalTrainer,
  type ObserverOption,
  type TrainingEvent,
  trainOffPolicy,
} from "../../src/training/index.ts";
import { dqn, NETWORK } from "./support/tiny.ts";

const KINDS: Readonly<Record<TrainingEvent["event"], true>> = {
  generation: true,
  progress: true,
  checkpoint: true,
  completions: true,
  download: true,
  warning: true,
  champion: true,
  end: true,
};

describe("an observer", () => {
  it("of a trainer may be a function", async () => {
    const events: TrainingEvent[] = [];
    const observer = (event: TrainingEvent): void => void events.push(event);
    expectTypeOf(observer).toExtend<ObserverOption>();
    await new LocalTrainer(dqn()).train({ verbose: false, observer });
    expect(events.filter(({ event }) => event === "generation")).toHaveLength(3);
    expect(events.at(-1)).toMatchObject({ event: "end", reason: "max_steps" });
  });

  it("of a training function too", async () => {
    const env = makeVector("CartPole-v1", 4);
    const spaces = {
      observation_space: env.single_observation_space,
      action_space: env.single_action_space,
    };
    const algorithm = { name: "DQN", batch_size: 8, learn_step: 4 } as const;
    const pop = createPopulation({ algorithm, ...spaces, population_size: 1, net_config: NETWORK });
    const seen = new Set<string>();
    await trainOffPolicy({
      ...{ env, env_name: "CartPole-v1", algo: "DQN", pop, verbose: false },
      memory: new ReplayBuffer({ max_size: 200 }),
      ...{ max_steps: 160, evo_steps: 160 },
      observer: ({ event }) => void seen.add(event),
    });
    expect([...seen]).toEqual(expect.arrayContaining(["generation", "end"]));
  });

  it("finds every event on its page", () => {
    const page = readFileSync(path.join(root, "docs/events.md"), "utf8");
    for (const kind of Object.keys(KINDS)) expect(page).toContain(`| \`${kind}\` |`);
  });
});
