import type { Episode } from "../../../src/workers/protocol.ts";

const G = 9.8;

/** A pole that a clumsy controller holds up for a while: Gymnasium's cart-pole equations. */
function cartPole(seed: number): { states: number[][]; actions: number[] } {
  let [x, dx, angle, dAngle] = [0, 0, 0.02 + (seed % 7) * 0.004, 0];
  const states: number[][] = [[x, dx, angle, dAngle]];
  const actions: number[] = [];
  while (states.length < 300 && Math.abs(angle) < 0.2 && Math.abs(x) < 2.4) {
    const right = angle + 0.4 * dAngle + 0.02 * x + 0.03 * dx > 0;
    const force = right ? 10 : -10;
    const temp = (force + 0.05 * dAngle * dAngle * Math.sin(angle)) / 1.1;
    const angular =
      (G * Math.sin(angle) - Math.cos(angle) * temp) / (0.5 * (4 / 3 - (0.1 * Math.cos(angle) ** 2) / 1.1));
    const linear = temp - (0.05 * angular * Math.cos(angle)) / 1.1;
    [x, dx, angle, dAngle] = [
      x + 0.02 * dx,
      dx + 0.02 * linear,
      angle + 0.02 * dAngle,
      dAngle + 0.02 * angular,
    ];
    states.push([x, dx, angle, dAngle]);
    actions.push(right ? 1 : 0);
  }
  return { states, actions };
}

/** A pendulum that swings up and stays. */
function pendulum(): { states: number[][]; actions: number[] } {
  const states = Array.from({ length: 200 }, (_, step) => {
    const left = Math.exp(-step / 40);
    return [Math.PI * left * Math.cos(step / 12), -left];
  });
  return { states, actions: states.map(([angle = 0]) => Math.max(-2, Math.min(2, -angle))) };
}

/** An episode to look at; physics only as good as a test needs. */
export function fakeEpisode(environment: string, generation: number, seed: number): Episode {
  const { states, actions } = environment === "Pendulum-v1" ? pendulum() : cartPole(seed);
  const rewards = new Float32Array(states.length - 1).fill(environment === "Pendulum-v1" ? -0.8 : 1);
  return {
    environment,
    env_config: null,
    generation,
    seed,
    states: Float32Array.from(states.flat()),
    width: states[0]?.length ?? 0,
    length: states.length,
    actions: Float32Array.from(actions),
    rewards,
    total: rewards.reduce((sum, reward) => sum + reward, 0),
  };
}
