/** The saved state of an episode in MuJoCo leads on to the bit. */
import { expect, it } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { loadEnvironment, make } from "../../../../../src/rl/environments.ts";
import { type NamedEnvironment, packed, plainFault, unpacked } from "../../../../../src/rl/faces.ts";

const BODIES = [
  "InvertedPendulum-v5",
  "InvertedDoublePendulum-v5",
  "Reacher-v5",
  "Pusher-v5",
  "Swimmer-v5",
  "Hopper-v5",
  "HalfCheetah-v5",
  "Walker2d-v5",
  "Ant-v5",
  "Humanoid-v5",
  "HumanoidStandup-v5",
  "rlkit/Reach-v0",
  "rlkit/Push-v0",
];

/** Steps with random actions; an episode that ends is followed by another. */
export function walk(env: NamedEnvironment, random: Random, steps: number) {
  return Array.from({ length: steps }, () => {
    const action = env.action_space.sample(random);
    const step = env.step(action);
    return step.terminated || step.truncated ? { ...step, next: env.reset() } : step;
  });
}

it.each(BODIES.flatMap((id) => [0, 1, 50].map((steps) => [id, steps] as const)))(
  "%s after %i steps",
  async (id, steps) => {
    await loadEnvironment(id);
    const [env, other] = [make(id), make(id)];
    env.reset({ seed: 3 });
    walk(env, new Random({ seed: 1 }), steps);
    const state = env.save?.();
    expect(plainFault(state)).toBeNull();
    const onward = walk(env, new Random({ seed: 2 }), 50);
    other.reset({ seed: 4 });
    walk(other, new Random({ seed: 3 }), 7);
    for (const again of [env, other]) {
      again.load?.((unpacked(packed([state])) as unknown[])[0]);
      expect(walk(again, new Random({ seed: 2 }), 50)).toEqual(onward);
    }
  },
);
