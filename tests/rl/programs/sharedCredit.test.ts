/** Learning steps of turns that earn credit for the transitions of a population. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentState, Turn, TurnResult } from "../../../src/agents/members.ts";
import {
  BanditEnvironment,
  CompiledVectorEnvironment,
  findCompiledEnvironment,
  prepareProgram,
} from "../../../src/rl/environments.ts";
import { SyncVectorEnvironment } from "../../../src/rl/faces.ts";
import { type MemoryKind, PLAIN_MEMORY } from "../../../src/rl/programs.ts";
import { agentOf } from "../support/agents.ts";
import { compiledTurn, hostTurn, offPolicyOf } from "../support/turns.ts";

const LANES = 2;
const kind: MemoryKind = { ...PLAIN_MEMORY, shared: true };
const env = findCompiledEnvironment("CartPole-v1");
const lanes = new CompiledVectorEnvironment(env, LANES, prepareProgram);
/** A vector step is a batch, so learning never waits. */
const agent = agentOf(
  { name: "DQN", batch_size: LANES },
  {
    ...env,
    network: { latent_dim: 4, encoder_config: { hidden_size: [4] }, head_config: { hidden_size: [4] } },
  },
);

const turnOf = (steps: number, earned: number): Partial<Turn> => ({
  num_envs: LANES,
  evo_steps: LANES * steps,
  eval_steps: 1,
  off_policy: offPolicyOf({ earned }),
});

const compiled = (state: AgentState, turn: Partial<Turn>): TurnResult =>
  compiledTurn(state, env, turn, { kind });
const onHost = (state: AgentState, turn: Partial<Turn>): TurnResult => hostTurn(state, lanes, turn, { kind });

/** The credit of a vector step: whole, and in fractions that f32 adds up exactly. */
const credit = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: 0, max: 40 * 1024 }).map((n) => n / 1024),
);
const steps = fc.integer({ min: 1, max: 12 });
const learn_step = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5000 }));

const withLearnStep = (state: AgentState, value: number): AgentState => ({
  ...state,
  hyperparameters: { ...state.hyperparameters, learn_step: value },
});

describe.each([
  ["a compiled environment", compiled],
  ["an environment that the host steps", onHost],
])("turns in %s", (_name, run) => {
  it("take as many learning steps as the whole credit pays for, over any number of turns", () => {
    fc.assert(
      fc.property(
        learn_step,
        fc.array(fc.tuple(steps, credit), { minLength: 1, maxLength: 4 }),
        (price, turns) => {
          let state = withLearnStep(agent, price);
          let [learned, paid] = [0, 0];
          for (const [n, each] of turns) {
            const result = run(state, turnOf(n, each));
            state = result.agent;
            learned += result.learn_steps;
            paid += n * each;
          }
          expect(learned).toBe(Math.floor(paid / price));
          expect(state.learn_credit).toBe(paid - learned * price);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("lose no credit where learn_step mutates between them", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(learn_step, steps, credit), { minLength: 2, maxLength: 4 }), (turns) => {
        let state = agent;
        let owed = 0;
        for (const [price, n, each] of turns) {
          const result = run(withLearnStep(state, price), turnOf(n, each));
          owed += n * each - result.learn_steps * price;
          state = result.agent;
          expect(state.learn_credit).toBe(owed);
          expect(owed).toBeGreaterThanOrEqual(0);
          expect(owed).toBeLessThan(price);
        }
      }),
      { numRuns: 30 },
    );
  });
});

it("turns that earn what their lanes would, end with the bits of turns that are not shared", () => {
  const alone = compiledTurn(agent, env, { ...turnOf(40, 0), off_policy: offPolicyOf() });
  const shared = compiled(agent, turnOf(40, LANES));
  expect(shared.learn_steps).toBe(16);
  expect(shared).toEqual(alone);
});

it("an algorithm that learns after each step takes as many steps for everyone's transitions", () => {
  const features = [
    [0, 1],
    [1, 0],
    [1, 1],
  ];
  const table = () => new BanditEnvironment(features, ["a", "b", "b"]);
  const { observation_space, action_space } = table();
  const bandit = agentOf(
    { name: "NeuralUCB", batch_size: 1, learn_step: 3 },
    { observation_space, action_space },
  );
  const choices = new SyncVectorEnvironment([table]);
  const turn = (earned?: number): Partial<Turn> => ({
    num_envs: 1,
    evo_steps: 10,
    eval_steps: 1,
    mean_rewards: true,
    off_policy: offPolicyOf(earned === undefined ? {} : { earned }),
  });
  const alone = hostTurn(bandit, choices, turn());
  expect(alone.learn_steps).toBe(30);
  expect(hostTurn(bandit, choices, turn(9), { kind })).toEqual(alone);
  expect(hostTurn(bandit, choices, turn(4 * 9), { kind }).learn_steps).toBe(120);
});
