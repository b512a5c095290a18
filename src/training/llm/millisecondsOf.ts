import type { Executor, MemberTurn } from "../loop/executor.ts";
import { Gate } from "../loop/Gate.ts";
import type { LlmKinds, LlmSetup } from "./LlmWorkload.ts";

/** Timeout for compiling and measuring. */
const PATIENCE_MS = 30_000;

/**
 * Milliseconds of a generation without evaluations and without compilation: the second of two generations,
 * whose results are discarded. Opens and closes the executor.
 * @param gate Is aborted at the timeout; by others, it ends the measurement.
 * @throws Error when the executor cannot train the members, or exceeds the timeout.
 */
export async function millisecondsOf(
  executor: Executor<LlmKinds>,
  setup: LlmSetup,
  turns: readonly MemberTurn<LlmKinds>[],
  gate = new Gate(),
): Promise<number> {
  const short = turns.map(({ agent, turn }) => ({ agent, turn: { ...turn, evaluate: false } }));
  const generation = async (): Promise<number> => {
    const start = performance.now();
    for (const outcome of await executor.generation(short, [], () => undefined))
      if (!outcome.ok && !outcome.diverged) throw new Error(outcome.message, { cause: outcome.cause });
    return performance.now() - start;
  };
  const measured = async (): Promise<number> => {
    await executor.open(setup, gate);
    await generation();
    return generation();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      gate.abort();
      reject(new Error(`a generation was not measured within ${PATIENCE_MS / 1000} s`));
    }, PATIENCE_MS);
  });
  const work = measured();
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // Ignores errors after the timeout.
    work.catch(() => undefined);
    await executor.close();
  }
}
