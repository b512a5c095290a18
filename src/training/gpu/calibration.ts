/** Measures how fast an executor trains a population, by training it for a short time. */

import { Gate, StoppedError } from "../loop/Gate.ts";
import type { Executor, MemberTurn, RunSetup } from "../rl/kinds.ts";

/** Default duration of a measurement. */
const MEASURE_MS = 400;
/**
 * Vector steps of a rollout during a measurement, short enough that it includes both rollouts and epochs.
 */
const HORIZON = 32;
/** Minimum capacity of a member's segment during a measurement, in transitions. */
const SEGMENT = 1024;

/** The run to measure: with a small replay buffer that counts as full. */
function measuredSetup(run: RunSetup, turns: readonly MemberTurn[]): RunSetup {
  const { data: _, ...setup } = run;
  if (!setup.replay) return { ...setup, written: [] };
  const batches = turns.map(({ agent }) => Number(agent.hyperparameters.batch_size));
  const segment = Math.max(SEGMENT, ...batches);
  return { ...setup, replay: { ...setup.replay, segment }, written: [] };
}

/** Turns of the same members with `rollouts` rollouts of HORIZON vector steps and a minimal evaluation. */
function measuredTurns(turns: readonly MemberTurn[], segment: number | null, rollouts: number): MemberTurn[] {
  return turns.map(({ agent, turn }) => {
    const steps = HORIZON * turn.num_envs;
    const short = { ...turn, evo_steps: rollouts * steps, eval_loop: 1, eval_steps: 1 };
    if (!turn.off_policy) {
      const hyperparameters = { ...agent.hyperparameters, learn_step: steps };
      return { agent: { ...agent, hyperparameters }, turn: short };
    }
    const length = segment ?? 0;
    const { priorities } = turn.off_policy;
    const rows = length * turn.off_policy.visible.length;
    const off_policy = {
      ...turn.off_policy,
      priorities: priorities && { ...priorities, leaves: new Float32Array(rows).fill(1) },
      learning_delay: 0,
      // As in a later generation, when others' transitions count; their bound is not known here.
      ...(turn.off_policy.earned !== undefined && {
        earned: turn.num_envs * turn.off_policy.visible.length,
      }),
      ring: { position: 0, count: length },
      visible: turn.off_policy.visible.map(() => ({ start: 0, length })),
    };
    return { agent, turn: { ...short, off_policy } };
  });
}

/**
 * Environment steps per second of the whole population, without compilation; 0 if no steps were completed in
 * time. Opens and closes the executor.
 * @param gate Is aborted when the time is up; by others, it ends the measurement.
 * @throws Error when the executor cannot train the population.
 */
export async function stepsPerSecond(
  executor: Executor,
  run: RunSetup,
  turns: readonly MemberTurn[],
  gate = new Gate(),
  measured_ms = MEASURE_MS,
): Promise<number> {
  const setup = measuredSetup(run, turns);
  const segment = setup.replay?.segment ?? null;
  await executor.open(setup, gate);
  try {
    await executor.generation(measuredTurns(turns, segment, 1), [], () => undefined);
    const start = performance.now();
    let [steps, ms] = [0, 0];
    const timer = setTimeout(() => gate.abort(), measured_ms);
    try {
      await executor.generation(measuredTurns(turns, segment, 64), [], ({ env_steps }) => {
        if (env_steps <= 0) return;
        steps += env_steps;
        ms = performance.now() - start;
      });
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error;
    } finally {
      clearTimeout(timer);
    }
    return ms > 0 ? (steps * 1000) / ms : 0;
  } finally {
    await executor.close();
  }
}
