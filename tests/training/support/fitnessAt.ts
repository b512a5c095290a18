import { type AgentState, MemberRunner } from "../../../src/agents/index.ts";
import { WasmDevice } from "../../../src/kernels/devices.ts";
import { findCompiledEnvironment } from "../../../src/rl/environments.ts";

export interface Evaluation {
  readonly environment: string;
  readonly slot: number;
  readonly generation: number;
  readonly seed: number;
  readonly num_envs: number;
  readonly eval_loop?: number;
  readonly eval_steps?: number | null;
}

/** The fitness that a generation's evaluation gives an agent, from a fresh device. */
export function fitnessAt(agent: AgentState, { environment, ...turn }: Evaluation): number {
  const device = new WasmDevice();
  const runner = new MemberRunner(device, findCompiledEnvironment(environment), null);
  const whole = { evo_steps: 0, eval_loop: 1, eval_steps: null, off_policy: null, ...turn };
  const work = runner.evaluate(agent, whole);
  for (;;) {
    const next = work.next();
    if (!next.done) continue;
    runner.release();
    device.close();
    return next.value.fitness;
  }
}
