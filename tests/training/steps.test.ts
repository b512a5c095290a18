import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dqn, ppo, type Trained, trained } from "./support/tiny.ts";

const learned = ({ recorder }: Trained, slot: number): number[] =>
  recorder.generations.map(({ members }) => members[slot]?.learn_steps ?? Number.NaN);

const stepsOf = ({ population }: Trained): number[] => population.map(({ steps }) => steps);

const environment = (num_envs: number) => ({ env_type: "gym" as const, name: "CartPole-v1", num_envs });

describe("steps of a run", () => {
  it("are each agent's own, in whole generations of whole vector steps", async () => {
    // 50 steps over 4 environments are 12 vector steps.
    const run = await trained(dqn({ training: { evo_steps: 50, max_steps: 100 } }));
    expect(stepsOf(run)).toEqual([144, 144]);
    expect(run.recorder.generations.map(({ global_step }) => global_step)).toEqual([96, 192, 288]);
    expect(run.recorder.of("end")).toMatchObject([{ reason: "max_steps", global_step: 288 }]);
  });

  it("stop exactly at max_steps when generations fit into it", async () => {
    const run = await trained(dqn({ training: { evo_steps: 48, max_steps: 96 } }));
    expect(stepsOf(run)).toEqual([96, 96]);
  });

  it("end with the generation in which max_wall_seconds are over", async () => {
    const run = await trained(dqn({ training: { max_steps: 1e9, max_wall_seconds: 0.001 } }));
    expect(run.reason).toBe("max_wall_seconds");
  });

  it("are at least one vector step in a generation", async () => {
    const run = await trained(dqn({ training: { evo_steps: 1, max_steps: 10 } }));
    expect(stepsOf(run)).toEqual([12, 12]);
    expect(run.recorder.generations).toHaveLength(3);
  });

  it("are whole rollouts for PPO", async () => {
    const rollouts = async (learn_step: number, evo_steps: number) => {
      const run = await trained(
        ppo({ algorithm: { learn_step }, training: { evo_steps, max_steps: evo_steps } }),
      );
      return stepsOf(run);
    };
    expect(await rollouts(64, 128)).toEqual([128, 128]);
    expect(await rollouts(64, 100)).toEqual([128, 128]);
    // A rollout of at least 10 steps is 3 vector steps.
    expect(await rollouts(10, 20)).toEqual([24, 24]);
  });

  it("are trained by every minibatch of every epoch of a rollout", async () => {
    const run = await trained(ppo({ algorithm: { batch_size: 24, update_epochs: 3 } }));
    // Two rollouts of 64, three epochs of ceil(64 / 24) minibatches.
    expect(learned(run, 0)).toEqual([18, 18, 18]);
  });

  it("earn one learning step per learn_step, with nothing lost between generations", async () => {
    const settings = fc.record({
      num_envs: fc.integer({ min: 1, max: 6 }),
      learn_step: fc.integer({ min: 1, max: 25 }),
      evo_steps: fc.integer({ min: 1, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(settings, async ({ num_envs, learn_step, evo_steps }) => {
        const run = await trained(
          dqn({
            environment: environment(num_envs),
            algorithm: { learn_step, batch_size: 1 },
            training: { evo_steps, max_steps: 3 * evo_steps, eval_steps: 5 },
          }),
        );
        for (const [slot, { steps, state }] of run.population.entries()) {
          const total = learned(run, slot).reduce((a, b) => a + b, 0);
          expect(total).toBe(Math.floor(steps / learn_step));
          expect(state.learn_credit).toBe(steps % learn_step);
        }
      }),
      { numRuns: 8 },
    );
  });

  it("give no learning step before the member sees a batch and more than learning_delay", async () => {
    const alone = (algorithm: object, training: object) =>
      trained(
        dqn({
          algorithm: { learn_step: 4, ...algorithm },
          training: { pop_size: 1, evo_steps: 40, max_steps: 80, eval_steps: 5, ...training },
        }),
      );
    // It sees 4 k transitions after vector step k, and each step earns one learning step.
    expect(learned(await alone({ batch_size: 60 }, {}), 0)).toEqual([0, 6]);
    expect(learned(await alone({ batch_size: 8 }, { learning_delay: 12 }), 0)).toEqual([7, 10]);
    expect(learned(await alone({ batch_size: 8 }, { learning_delay: 80 }), 0)).toEqual([0, 0]);
  });

  it("let a member learn from what the others stored in earlier generations", async () => {
    const run = await trained(
      dqn({
        algorithm: { learn_step: 4, batch_size: 60 },
        training: { evo_steps: 40, max_steps: 80, eval_steps: 5 },
      }),
    );
    expect([learned(run, 0), learned(run, 1)]).toEqual([
      [0, 10],
      [0, 10],
    ]);
  });

  it("multiply epsilon by eps_decay once per vector step, on through generations down to eps_end", async () => {
    const epsilons: number[] = [];
    const training = { evo_steps: 40, max_steps: 160, eps_start: 0.9, eps_decay: 0.95, eps_end: 0.15 };
    await trained(dqn({ training: { ...training, eval_steps: 5 } }), {
      watch: ({ event }, run) => {
        if (event === "generation") epsilons.push(run.state.epsilon);
      },
    });
    expect(epsilons).toHaveLength(4);
    for (const [generation, epsilon] of epsilons.entries())
      expect(epsilon).toBeCloseTo(Math.max(0.15, 0.9 * 0.95 ** (10 * (generation + 1))), 5);
  });
});
