/** Runs of several agents in environments that JavaScript steps: the caller's own, and ones known by name. */
// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import { type NamedParallelEnvironment, registerEnvironment } from "../../src/agents/index.ts";
import { loadEnvironment } from "../../src/rl/environments.ts";
import { Agents } from "../../src/rl/spaces.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import type { TrainerOptions } from "../../src/training/index.ts";
import { Scouts } from "../rl/support/relay.ts";
import { type Changes, EVOLUTION, endOf, ippo, maddpg, trained } from "./support/tiny.ts";

const NAME = "mine/Scouts-v0";

class NamedScouts extends Scouts implements NamedParallelEnvironment {
  readonly spec = { id: NAME, max_episode_steps: 10 };
  render(): never {
    throw new Error(`${NAME} has no drawing`);
  }
  getState = () => new Float32Array(0);
  setState = () => undefined;
  close = () => undefined;
}

const { observation_spaces, action_spaces } = new Scouts();
registerEnvironment({
  id: NAME,
  observation_space: new Agents(observation_spaces),
  action_space: new Agents(action_spaces),
  max_episode_steps: 10,
  reward_threshold: null,
  load: async () => () => new NamedScouts(),
});

const PLACES: [string, () => TrainerOptions["environment"]][] = [
  ["of the caller's own", () => new Scouts()],
  ["known by name", () => ({ env_type: "gym", name: NAME, num_envs: 2 })],
];

describe.each(PLACES)("a run of several agents in an environment %s", (_place, place) => {
  it.each([
    ["MADDPG", maddpg],
    ["IPPO", ippo],
  ])("goes on from a checkpoint to the same bits (%s)", async (_name, algorithm) => {
    await loadEnvironment(NAME);
    const options = (changes: Changes = {}) =>
      algorithm({ ...EVOLUTION, ...changes, training: { max_steps: 320, ...changes.training } });
    const run = (changes: Changes = {}, output: Parameters<typeof trained>[1] = {}) =>
      trained({ ...options(changes), environment: place() } as TrainerOptions, output);
    const expected = endOf(await run());
    const store = memoryFileStore();
    const half = await run({ training: { max_steps: 160 }, store }, { checkpoint_steps: 1 });
    const resume_from_checkpoint = half.recorder.checkpoints.at(-1) as string;
    expect(half.state.generation).toBeGreaterThan(0);
    expect(endOf(await run({ store, resume_from_checkpoint }))).toEqual(expected);
    // What was legal lies behind observations: 3 numbers, 5 choices.
    const { segments = [], segment = 0 } = expected.replay ?? {};
    for (const rows of segments) expect(rows.obs.length).toBe(8 * segment);
  });
});
