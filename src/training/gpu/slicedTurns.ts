/** Turns that learn in slices: the dispatches of all members, in an order known in advance. */

import {
  type CompiledPurpose,
  type GpuMembers,
  programSteps,
  type Together,
  vectorSteps,
} from "../../agents/members.ts";
import type { Progress } from "../../kernels/webgpu.ts";
import type { WebGpuDevice } from "../../kernels/wgsl/device.ts";
import { LEARNING, MOST_PLAYED } from "../../rl/programs.ts";
import type { MemberTurn } from "../rl/kinds.ts";
import type { Work } from "./drive.ts";
import { creditEach, delayedSteps, learningSteps, minibatchesOf, runsOf } from "./turnSteps.ts";

/** The work of a member's turn. */
export interface SlicedTurn {
  readonly slot: number;
  readonly iterations: number;
  /** Upper bound of the batches per iteration. */
  readonly batches: number;
}

/** The members' programs: the start of an iteration, then gradients and the step from them, alternately. */
export interface SlicedPrograms {
  readonly start: Together;
  readonly gradients: Together;
  readonly step: Together;
}

/** Reads the progress of each slot. `iterations`: those complete once all queued work is done. */
type AskProgress = (iterations: number) => Promise<ReadonlyMap<number, Progress>>;

/**
 * The start of an iteration may be split at any point; gradients and steps are dispatched whole. A member
 * that has fewer batches or iterations than others does nothing until they are done.
 */
export class SlicedTurns implements Work {
  readonly #turns: readonly SlicedTurn[];
  readonly #programs: SlicedPrograms;
  readonly #ask: AskProgress;
  readonly #iterations: number;
  /** Iterations that are queued completely. */
  #done = 0;
  /** Units of the current iteration's start, and its batches, that are not queued yet. */
  #starting = 0;
  #batches = 0;

  constructor(turns: readonly SlicedTurn[], programs: SlicedPrograms, ask: AskProgress) {
    this.#turns = turns;
    this.#programs = programs;
    this.#ask = ask;
    this.#iterations = Math.max(0, ...turns.map(({ iterations }) => iterations));
    if (this.#iterations > 0) this.#begin();
  }

  advance(units: number): number {
    let queued = 0;
    while (queued < units && this.#done < this.#iterations) queued += this.#next(units - queued);
    return queued;
  }

  finish(): void {
    this.advance(Number.POSITIVE_INFINITY);
  }

  progress(): Promise<ReadonlyMap<number, Progress>> {
    return this.#ask(this.#done);
  }

  #begin(): void {
    const going = this.#turns.filter(({ iterations }) => this.#done < iterations);
    const slots = new Set(going.map(({ slot }) => slot));
    this.#programs.start.start((slot) => (slots.has(slot) ? 1 : 0));
    this.#starting = this.#programs.start.units;
    this.#batches = Math.max(...going.map(({ batches }) => batches));
  }

  /** Queues at most `room` units of the iteration's start, or a batch. @returns the units queued. */
  #next(room: number): number {
    const { start, gradients, step } = this.#programs;
    let units = this.#starting;
    if (units > room) {
      this.#starting -= room;
      return start.advance(room);
    }
    if (units > 0) {
      this.#starting = 0;
      // The units were an estimate; this queues whatever is left.
      start.finish();
    } else {
      gradients.run();
      step.run();
      this.#batches--;
      units = gradients.units + step.units;
    }
    if (this.#batches === 0 && ++this.#done < this.#iterations) this.#begin();
    return units;
  }
}

/**
 * Rollouts and their epochs. Progress needs no read-back: all queued work is done when the device is idle.
 */
export const onPolicyTurns = (
  device: WebGpuDevice,
  turns: readonly MemberTurn[],
  programs: (purpose: CompiledPurpose) => Together,
): Work =>
  new SlicedTurns(
    turns.map((turn) => ({
      slot: turn.turn.slot,
      iterations: runsOf(turn),
      batches: minibatchesOf(turn),
    })),
    { start: programs("collect"), gradients: programs("gradients"), step: programs("step") },
    async (iterations) => {
      await device.idle();
      return new Map(
        turns.map((turn): [number, Progress] => [
          turn.turn.slot,
          { left: Math.max(0, runsOf(turn) - iterations), position: 0, count: 0 },
        ]),
      );
    },
  );

/**
 * Upper bound of the runs of `play` that end without a learning step and are not counted as one. If one run
 * is long enough to earn a learning step, only the last run has none. Other runs without one had too few
 * transitions, and their learning steps were counted.
 */
function playsWithout({ agent, turn }: MemberTurn): number {
  if (turn.off_policy?.offline) return 0;
  if (MOST_PLAYED * creditEach(turn) >= Number(agent.hyperparameters.learn_step)) return 1;
  return Math.ceil(vectorSteps(turn.evo_steps, turn.num_envs) / MOST_PLAYED);
}

/** Pairs of `gradients` and `play` that complete an off-policy turn, after a first `play`. */
export function offPolicyBatches(turn: MemberTurn): number {
  const steps = learningSteps(turn);
  return steps + delayedSteps(turn, steps) + playsWithout(turn);
}

/**
 * Off-policy turns. Progress depends on when a member has enough transitions to learn from, so it is read
 * back.
 */
export function offPolicyTurns(
  members: GpuMembers,
  turns: readonly MemberTurn[],
  programs: (purpose: CompiledPurpose) => Together,
): Work {
  const total = ({ turn }: MemberTurn) => programSteps(turn);
  const offline = turns[0]?.turn.off_policy?.offline ?? false;
  const [start, counted] = offline ? (["draw", "draw"] as const) : (["play", "vector_step"] as const);
  return new SlicedTurns(
    turns.map((turn) => ({ slot: turn.turn.slot, iterations: 1, batches: offPolicyBatches(turn) })),
    { start: programs(start), gradients: programs("gradients"), step: programs(start) },
    async () => {
      const slots = turns.map(({ turn }) => turn.slot);
      const found = await members.readScalars(slots, [`counter.${counted}`, LEARNING.active]);
      return new Map(
        turns.map((turn, i): [number, Progress] => {
          const [position, active] = found[i] as [number, number];
          const count = total(turn);
          return [turn.turn.slot, { left: position < count || active !== 0 ? 1 : 0, position, count }];
        }),
      );
    },
  );
}
