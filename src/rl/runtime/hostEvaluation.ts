import { hostKey } from "../../kernels/functions/random.ts";
import type { VectorEnvironment } from "../environments/VectorEnvironment.ts";
import type { AgentSession } from "./AgentSession.ts";
import { infoMasks } from "./actionMasks.ts";
import { SLICE_MS, type Slice } from "./turn.ts";

/** A seed for an environment's own generator: 31 bits, which every kind of generator takes. */
export const environmentSeed = (...parts: readonly number[]): number => hostKey(...parts)[0] >>> 1;

export interface HostEvaluation {
  /** Passes; in each every environment runs one episode. */
  readonly eval_loop: number;
  /** Cuts episodes; null lets them run to their end. */
  readonly eval_steps: number | null;
  /** Seed of the environments' reset at the start of a pass; undefined lets their numbers go on. */
  readonly seedOf: (pass: number) => number | undefined;
}

/** Mean return of greedy episodes: of each pass and environment the first one. Yields between steps. */
export function* evaluateOnHost(
  session: AgentSession,
  env: VectorEnvironment,
  { eval_loop, eval_steps, seedOf }: HostEvaluation,
): Generator<Slice, number> {
  const { num_envs } = env;
  const { action_space } = session.layout;
  const residence = session.open(["greedy"], { num_envs });
  let total = 0;
  let since = performance.now();
  for (let pass = 0; pass < eval_loop; pass++) {
    const seed = seedOf(pass);
    let { observation, info } = env.reset(seed === undefined ? {} : { seed });
    session.forget();
    const returns = new Float32Array(num_envs);
    const running = new Uint8Array(num_envs).fill(1);
    for (let step = 0; running.includes(1) && step < (eval_steps ?? Infinity); step++) {
      residence.arena.write("act.obs", observation);
      const mask = infoMasks(action_space, info);
      if (mask) residence.arena.write("act.mask", mask);
      session.run("greedy");
      const next = env.step(residence.arena.read("act.greedy"), running);
      for (let lane = 0; lane < num_envs; lane++) {
        if (running[lane] === 0) continue;
        returns[lane] = (returns[lane] as number) + (next.reward[lane] as number);
        if (next.terminated[lane] || next.truncated[lane]) running[lane] = 0;
      }
      observation = next.observation;
      info = next.info;
      if (performance.now() - since > SLICE_MS) {
        yield { env_steps: 0, learn_steps: 0 };
        since = performance.now();
      }
    }
    total += returns.reduce((a, b) => a + b, 0) / num_envs;
  }
  return total / eval_loop;
}
