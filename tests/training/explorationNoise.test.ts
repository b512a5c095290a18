/** What runs say of noise that finds no reward. */
import { describe, expect, it } from "vitest";
import { createPopulation, ReplayBuffer, TD3 } from "../../src/agents/classes.ts";
import { makeVector } from "../../src/rl/environments.ts";
import { trainOffPolicy } from "../../src/training/index.ts";
import { Recorder, td3, trained } from "./support/tiny.ts";

const name = "MountainCarContinuous-v0";
const short = { max_steps: 8, evo_steps: 8, eval_steps: 2 };
const about = ({ warnings }: Recorder) => warnings.filter((text) => text.includes("drifting noise of 0.5"));

describe("deterministic policies in MountainCarContinuous-v0", () => {
  const run = (fields: object, environment: ReturnType<typeof td3>["environment"]) =>
    trained({ ...td3({ algorithm: fields }), environment, training: { pop_size: 2, ...short } });

  it("are warned of the default noise once, by name or with lanes of the caller's", async () => {
    for (const environment of [{ env_type: "gym" as const, name, num_envs: 4 }, makeVector(name, 4)]) {
      const { recorder } = await run({}, environment);
      expect(about(recorder)).toEqual([
        expect.stringMatching(/^algorithm\.expl_noise is 0\.1, the default: /),
      ]);
      expect(about((await run({ expl_noise: 0.5 }, environment)).recorder)).toEqual([]);
    }
  });

  it("are warned of it once in trainOffPolicy", async () => {
    const env = makeVector(name, 4);
    const { single_observation_space: observation_space, single_action_space: action_space } = env;
    const warned = async (expl_noise?: number) => {
      const recorder = new Recorder();
      const algorithm = { name: "TD3" as const, batch_size: 8, expl_noise };
      const options = { algorithm, observation_space, action_space, population_size: 2 };
      const pop = createPopulation(options).filter((agent) => agent instanceof TD3);
      await trainOffPolicy({
        ...{ env, env_name: name, algo: "TD3", pop, memory: new ReplayBuffer({ max_size: 400 }) },
        ...{ verbose: false, observer: recorder, ...short },
      });
      return about(recorder);
    };
    expect(await warned()).toEqual([expect.stringMatching(/^pop\[0\]\.expl_noise is 0\.1, the default: /)]);
    expect(await warned(0.5)).toEqual([]);
  });
});
