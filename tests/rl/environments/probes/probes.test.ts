import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { probeEnvironments, teamProbes } from "../../../../src/agents/index.ts";
import { make, makeVector } from "../../../../src/rl/environments.ts";

const probe = (id: string) => {
  const found = probeEnvironments.find(({ environment }) => environment.id === id);
  if (!found) throw new Error(`no probe ${id}`);
  return found;
};

describe("probe environments", () => {
  it("are five tasks in three kinds of observation and two of action, each under an id of its own", () => {
    const ids = probeEnvironments.map(({ environment }) => environment.id);
    expect(new Set(ids).size).toBe(30);
    expect(ids.filter((id) => id.includes("FixedObsPolicy"))).toEqual([
      "rlkit/FixedObsPolicy-v0",
      "rlkit/FixedObsPolicy-continuous-v0",
      "rlkit/FixedObsPolicy-image-v0",
      "rlkit/FixedObsPolicy-image-continuous-v0",
      "rlkit/FixedObsPolicy-mixed-v0",
      "rlkit/FixedObsPolicy-mixed-continuous-v0",
    ]);
  });

  // Expected values are worked out by hand from the probes' definitions, for a discount of 0.99.
  it.each([
    ["rlkit/ConstantReward-v0", [[1]], [null]],
    ["rlkit/ObsDependentReward-v0", [[-1], [1]], [null, null]],
    ["rlkit/DiscountedReward-v0", [[0.99], [1]], [null, null]],
    ["rlkit/FixedObsPolicy-v0", [[-1, 1]], [1]],
    [
      "rlkit/Policy-v0",
      [
        [1, -1],
        [-1, 1],
      ],
      [0, 1],
    ],
    [
      "rlkit/Policy-mixed-v0",
      [
        [1, -1],
        [-1, -1],
        [-1, -1],
        [-1, 1],
      ],
      [0, null, null, 1],
    ],
    [
      "rlkit/DiscountedReward-image-continuous-v0",
      [
        [0.99, 0.99],
        [1, 1],
      ],
      [null, null],
    ],
    ["rlkit/FixedObsPolicy-continuous-v0", [[-1, 0]], [[1]]],
    [
      "rlkit/Policy-image-continuous-v0",
      [
        [-1, -2, 0, -1],
        [-1, 0, -2, -1],
      ],
      [
        [1, 0],
        [0, 1],
      ],
    ],
  ])("%s has its known solution", (id, q, policy) => {
    const { solution } = probe(id);
    expect(solution.map((facts) => facts.q.map(({ value }) => value))).toEqual(q);
    expect(solution.map(({ action }) => action)).toEqual(policy);
    expect(solution.map(({ value }) => value)).toEqual(q.map((row) => Math.max(...row)));
  });

  it.each(probeEnvironments)(
    "$environment.id earns and ends as its solution says",
    ({ environment, solution }) => {
      const env = make(environment.id);
      for (const [situation, { q }] of solution.entries()) {
        for (const { action, value } of q) {
          env.setState([situation]);
          let earned = 0;
          let ended = false;
          for (let discount = 1; !ended; discount *= 0.99) {
            const { reward, terminated } = env.step(action);
            earned += discount * reward;
            ended = terminated;
          }
          expect(earned).toBeCloseTo(value, 6);
        }
      }
    },
  );

  it.each(probeEnvironments)(
    "$environment.id shows only what its solution and its space hold",
    ({ environment, solution }) => {
      const known = solution.map(({ observation }) => observation);
      const { observation_space: space, action_space } = environment;
      const env = make(environment.id);
      const check = (observation: Float32Array): void => {
        expect(known).toContainEqual([...observation]);
        expect(space.contains(space.kind === "Discrete" ? (observation[0] as number) : observation)).toBe(
          true,
        );
      };
      for (let seed = 0; seed < 20; seed++) {
        check(env.reset({ seed }).observation);
        for (let ended = false; !ended; ) {
          const step = env.step(action_space.sample() as number | Float32Array);
          check(step.observation);
          expect(step.truncated).toBe(false);
          ended = step.terminated;
        }
      }
    },
  );

  it("pays less the further a Box action lies from the best one, and clips what lies outside", () => {
    const env = make("rlkit/Policy-continuous-v0");
    const number = fc.float({ min: -2, max: 3, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(0, 1), number, number, (situation, a, b) => {
        env.setState([situation]);
        const limit = (x: number): number => Math.min(1, Math.max(0, x));
        const wanted = situation === 0 ? [1, 0] : [0, 1];
        const distance = (limit(a) - (wanted[0] as number)) ** 2 + (limit(b) - (wanted[1] as number)) ** 2;
        expect(env.step([a, b]).reward).toBeCloseTo(-distance, 5);
      }),
    );
  });

  it("start in each situation equally often", () => {
    const lanes = 4000;
    const { observation } = makeVector("rlkit/Policy-mixed-v0", lanes).reset({ seed: 3 });
    const counts = [0, 0, 0, 0];
    for (let lane = 0; lane < lanes; lane++) {
      const at = 2 * (observation[10 * lane] as number) + (observation[10 * lane + 9] as number);
      counts[at] = (counts[at] as number) + 1;
    }
    for (const count of counts) expect(Math.abs(count - lanes / 4)).toBeLessThan(150);
  });
});

describe("probes of two agents", () => {
  it("are seven tasks, each with two kinds of action", () => {
    const ids = teamProbes.map(({ environment }) => environment.id);
    expect(new Set(ids).size).toBe(14);
    expect(ids.filter((id) => id.includes("Follow"))).toEqual([
      "rlkit/TeamFollow-v0",
      "rlkit/TeamFollow-continuous-v0",
    ]);
  });

  // Worked out by hand: each agent's values of the joint actions 00, 01, 10, 11, per observation.
  it.each([
    [
      "rlkit/TeamConstantReward-v0",
      [
        [
          [1, 0],
          [1, 0],
          [1, 0],
          [1, 0],
        ],
      ],
      [[null, null]],
    ],
    [
      "rlkit/TeamDiscountedReward-continuous-v0",
      [new Array<number[]>(4).fill([0.99, 0.495]), new Array<number[]>(4).fill([1, 0.5])],
      [
        [null, null],
        [null, null],
      ],
    ],
    [
      "rlkit/TeamFixedObsPolicy-v0",
      [
        [
          [1, -1],
          [1, 1],
          [-1, -1],
          [-1, 1],
        ],
      ],
      [[0, 1]],
    ],
    [
      "rlkit/TeamFixedObsPolicy-continuous-v0",
      [
        [
          [0, -1],
          [0, 0],
          [-1, -1],
          [-1, 0],
        ],
      ],
      [[0, 1]],
    ],
    [
      "rlkit/TeamFollow-v0",
      [
        [
          [1, -1],
          [-1, 1],
          [-1, -1],
          [1, 1],
        ],
      ],
      [[1, 1]],
    ],
    [
      "rlkit/TeamShared-v0",
      [
        [
          [0.5, -0.5],
          [1.5, 1.5],
          [-1.5, -1.5],
          [-0.5, 0.5],
        ],
        [
          [1.5, 1.5],
          [0.5, -0.5],
          [-0.5, 0.5],
          [-1.5, -1.5],
        ],
        [
          [-1.5, -1.5],
          [-0.5, 0.5],
          [0.5, -0.5],
          [1.5, 1.5],
        ],
        [
          [-0.5, 0.5],
          [-1.5, -1.5],
          [1.5, 1.5],
          [0.5, -0.5],
        ],
      ],
      [
        [0, 1],
        [0, 0],
        [1, 1],
        [1, 0],
      ],
    ],
  ])("%s has its known solution", (id, q, policy) => {
    const found = teamProbes.find(({ environment }) => environment.id === id);
    expect(found?.solution.map((facts) => facts.q.map(({ value }) => [...value]))).toEqual(q);
    expect(found?.solution.map(({ action }) => [...action])).toEqual(policy);
  });

  it.each(teamProbes)("$environment.id earns and ends as its solution says", ({ environment, solution }) => {
    const env = make<"parallel">(environment.id);
    const ids = ["agent_0", "other_agent_0"] as const;
    const played = solution.flatMap(({ q }, situation) => q.map((entry) => ({ ...entry, situation })));
    const returns = played.map(({ action, situation }) => {
      env.setState([situation]);
      const earned = [0, 0];
      for (let discount = 1, ended = false; !ended; discount *= 0.99) {
        const joint = Object.fromEntries(
          ids.map((id, i) => [
            id,
            environment.id.includes("continuous") ? [action[i] ?? 0] : (action[i] ?? 0),
          ]),
        );
        const { rewards, terminations } = env.step(joint);
        ids.forEach((id, i) => {
          earned[i] = (earned[i] ?? 0) + discount * (rewards[id] ?? Number.NaN);
        });
        ended = ids.every((id) => terminations[id] === true);
      }
      return earned;
    });
    for (const [i, { value }] of played.entries()) {
      expect(returns[i]?.[0]).toBeCloseTo(value[0], 6);
      expect(returns[i]?.[1]).toBeCloseTo(value[1], 6);
    }
  });
});
