/** Training episodes in the reports of runs. */
import { describe, expect, it } from "vitest";
import { createPopulation } from "../../src/agents/classes.ts";
import { ReplayBuffer } from "../../src/agents/index.ts";
import { BanditEnvironment } from "../../src/rl/environments.ts";
import { LocalTrainer, trainBandits } from "../../src/training/index.ts";
import type { RunState, TrainingRun } from "../../src/training/loop.ts";
import { dqn, NETWORK, Recorder, RUNS, trained } from "./support/tiny.ts";

describe("a report", () => {
  it.each(Object.keys(RUNS))(
    "has the training episodes of its members, which change no bit (%s)",
    async (name) => {
      const options = RUNS[name]?.({ seed: 3 });
      if (!options) throw new Error(`no run ${name}`);
      const seen = await trained(options);
      const runs: TrainingRun[] = [];
      await new LocalTrainer(options).train({ verbose: false, onRun: (run) => void runs.push(run as never) });
      const plain = runs[0]?.state as RunState;
      expect(plain.members).toEqual(seen.state.members);
      let episodes = 0;
      for (const { members } of seen.recorder.generations) {
        for (const { training, steps, score } of members) {
          if (training === undefined) throw new Error("a member's report has no training episodes");
          episodes += training.length;
          expect(training.length === 0).toBe(score === null);
          const ends = training.map(([step]) => step);
          expect(ends).toEqual([...ends].sort((a, b) => a - b));
          for (const end of ends) expect(end).toBeLessThanOrEqual(steps);
          const returns = training.map(([, ret]) => ret);
          expect(Math.min(...returns, Number.POSITIVE_INFINITY) - 1e-3).toBeLessThanOrEqual(
            score ?? Number.POSITIVE_INFINITY,
          );
        }
      }
      // Pendulums' episodes of 200 steps are longer than a generation.
      expect(episodes > 0).toBe(!["TD3", "SAC", "PPO", "PPO-recurrent"].includes(name));
    },
  );

  it("sums or averages the returns of teams as fitness does", async () => {
    const returnsOf = async (sum_scores: boolean) => {
      const options = RUNS.MADDPG?.({ seed: 3, training: { sum_scores } });
      if (!options) throw new Error("no run");
      const { recorder } = await trained(options);
      return (
        recorder.generations[0]?.members.flatMap(({ training = [] }) => training.map(([, ret]) => ret)) ?? []
      );
    };
    const [sums, means] = [await returnsOf(true), await returnsOf(false)];
    expect(sums.length).toBeGreaterThan(0);
    for (const [i, sum] of sums.entries()) expect(means[i]).toBeCloseTo(sum / 2, 3);
  });

  it("has few of each member, evenly, however many there were", async () => {
    const pop_size = 8;
    // Its actions are random, so episodes stay short.
    const training = { pop_size, max_steps: 8000, evo_steps: 8000, eps_decay: 1 };
    const { recorder } = await trained(dqn({ training }));
    for (const { training = [], steps } of recorder.generations[0]?.members ?? []) {
      expect(training).toHaveLength(256 / pop_size);
      const middle = training[Math.floor(training.length / 2)]?.[0] ?? 0;
      expect(middle / steps).toBeGreaterThan(0.3);
      expect(middle / steps).toBeLessThan(0.7);
    }
  });

  it("has the mean rewards of parts of a bandit's turn", async () => {
    const env = new BanditEnvironment(
      [
        [0, 1],
        [1, 0],
        [1, 1],
      ],
      ["a", "b", "c"],
    );
    const { observation_space, action_space } = env;
    const algorithm = { name: "NeuralUCB", batch_size: 8 } as const;
    const pop = createPopulation({
      algorithm,
      observation_space,
      action_space,
      population_size: 2,
      net_config: NETWORK,
    });
    const recorder = new Recorder();
    await trainBandits({
      ...{ env, env_name: "letters", algo: "NeuralUCB", pop, verbose: false },
      ...{ max_steps: 120, episode_steps: 40, evo_steps: 80, eval_steps: 25 },
      memory: new ReplayBuffer({ max_size: 200 }),
      observer: recorder,
    });
    const members = recorder.generations.flatMap((report) => report.members);
    expect(members.length).toBeGreaterThan(0);
    for (const { training = [], score } of members) {
      expect(training.length).toBeGreaterThan(1);
      for (const [, reward] of training) {
        expect(reward).toBeGreaterThanOrEqual(0);
        expect(reward).toBeLessThanOrEqual(1);
      }
      expect(score).not.toBeNull();
    }
  });
});
