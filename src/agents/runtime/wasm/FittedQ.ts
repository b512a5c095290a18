/** Values of policies by fitted Q evaluation, on transitions of a replay buffer that is only read. */

import { bootstrapInterval, DivergedError, mean } from "../../../evolution/members.ts";
import { Random } from "../../../evolution/random.ts";
import type { WasmDevice } from "../../../kernels/devices.ts";
import { ESTIMATES } from "../../../rl/programs.ts";
import type { AgentSpaces } from "../../../rl/spaces.ts";
import type { AgentState } from "../../member/agentState.ts";
import { type FittedQScale, fittedQAgent } from "../fittedQAgent.ts";
import { bindAgent, offPolicyContents, offPolicySizes } from "../programInputs.ts";
import { hostProgram } from "../programSet.ts";
import { nextChunk, PURPOSE, type Slice, type Turn } from "../turn.ts";
import type { Evaluation } from "../turnResult.ts";
import { weightedReturn } from "../weightedReturn.ts";
import type { DeviceReplay } from "./DeviceReplay.ts";
import { Residence } from "./Residence.ts";

/** Episodes of the replay buffer that no member learns from. */
export interface HeldOut extends FittedQScale {
  /** Row of the buffer where the first one begins; they are next to each other. */
  readonly start: number;
  /** Steps of each. */
  readonly lengths: readonly number[];
}

/** How far beyond the bound an estimate may be before it counts as diverged. */
const ROOM = 1.5;
const RESAMPLES = 1000;

/** What fitted Q evaluation says of a policy. @internal */
export interface FittedEstimate {
  readonly evaluation: Evaluation;
  readonly metrics: Readonly<Record<string, number>>;
}

/** @internal */
export class FittedQ {
  readonly #layout: AgentSpaces;
  readonly #replay: DeviceReplay;
  readonly #held: HeldOut;
  readonly #residence: Residence;

  constructor(device: WasmDevice, layout: AgentSpaces, replay: DeviceReplay, held: HeldOut) {
    this.#layout = layout;
    this.#replay = replay;
    this.#held = held;
    this.#residence = new Residence(device, replay.arena);
  }

  /**
   * Fits a new network to the transitions that members learn from. Fitness is the mean of its values at the first steps of
   * the held-out episodes. The draws depend only on the run's seed.
   * @throws DivergedError for values that no policy can have.
   */
  *estimate(agent: AgentState, turn: Turn): Generator<Slice, FittedEstimate> {
    const { fqe, off_policy, seed, slot } = turn;
    if (!fqe || !off_policy) throw new Error("fitted Q evaluation needs its settings and a replay buffer");
    const [layout, replay, residence] = [this.#layout, this.#replay, this.#residence];
    const fitted = fittedQAgent(agent, layout, fqe, this.#held, seed);
    const [lessons, estimate] = (["lessons", "estimate"] as const).map((purpose) =>
      hostProgram(fitted, layout, purpose, replay.kind),
    );
    if (!lessons || !estimate) throw new Error("fitted Q evaluation has two programs");
    const sizes = offPolicySizes(fitted, turn.num_envs, off_policy, replay.segment);
    residence.prepare(fitted, [lessons, estimate], bindAgent(fitted, sizes), slot);
    residence.load(fitted);
    residence.setKey(seed, PURPOSE.fitted);
    residence.write(offPolicyContents({ ...turn, evo_steps: fqe.steps }, replay.segment, off_policy));
    for (let left = fqe.steps, chunk = 8; left > 0; ) {
      const [steps, start] = [Math.min(left, chunk), performance.now()];
      residence.set("turn.steps", steps);
      residence.run(lessons);
      left -= steps;
      chunk = nextChunk(chunk, steps, performance.now() - start);
      yield { env_steps: 0, learn_steps: 0 };
    }
    const { start, lengths, bound } = this.#held;
    const rows = lengths.reduce((a, b) => a + b, 0);
    const values = new Float32Array(rows);
    const weighed = {
      ratios: new Float32Array(rows),
      rewards: new Float32Array(rows),
      ended: new Float32Array(rows),
    };
    const isWeighed = residence.arena.has(ESTIMATES.ratio);
    let errors = 0;
    for (let from = 0; from < rows; from += sizes.batch) {
      const last = start + rows - 1;
      residence.set(
        ESTIMATES.rows,
        ...Array.from({ length: sizes.batch }, (_, i) => Math.min(last, start + from + i)),
      );
      residence.run(estimate);
      const some = Math.min(sizes.batch, rows - from);
      const [value, error] = [ESTIMATES.value, ESTIMATES.error].map((name) => residence.arena.view(name));
      for (let i = 0; i < some; i++) {
        values[from + i] = value?.[i] ?? Number.NaN;
        errors += Math.abs(error?.[i] ?? Number.NaN);
        if (!isWeighed) continue;
        weighed.ratios[from + i] = residence.arena.view(ESTIMATES.ratio)[i] as number;
        weighed.rewards[from + i] = residence.arena.view(ESTIMATES.reward)[i] as number;
        weighed.ended[from + i] = residence.arena.view(ESTIMATES.done)[i] as number;
      }
      yield { env_steps: 0, learn_steps: 0 };
    }
    requirePossible(values, bound, slot);
    let row = 0;
    const returns = lengths.map((length) => values[(row += length) - length] as number);
    const weighted = isWeighed ? weightedReturn({ ...weighed, lengths }, fqe.gamma) : null;
    const [low, high] = bootstrapInterval(returns, new Random({ seed, stream: "fqe" }), RESAMPLES);
    return {
      evaluation: { fitness: mean(returns), episodes: { returns, lengths } },
      metrics: {
        fqe_low: low,
        fqe_high: high,
        fqe_td_error: errors / rows,
        ...(weighted !== null && { wis_return: weighted }),
      },
    };
  }

  release(): void {
    this.#residence.release();
  }
}

/** @throws DivergedError for a value that is not finite, or too far from 0. */
function requirePossible(values: Float32Array, bound: number, slot: number): void {
  const found = values.find((value) => !(Math.abs(value) <= ROOM * bound));
  if (found === undefined) return;
  throw new DivergedError(
    slot,
    `member ${slot}: fitted Q evaluation diverged: it found a value of ${found}, and the data's rewards allow ${-bound} to ${bound}; the policy's actions are probably too far from those of the data`,
  );
}
