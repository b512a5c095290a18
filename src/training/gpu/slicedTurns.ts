/** Turns learned in slices: the dispatches of all members, whose order is known beforehand. */
import type { WebGpuDevice } from "../../kernels/wgsl/device.ts";
import type { Progress } from "../../kernels/wgsl/executable.ts";
import { LEARNING, MOST_PLAYED } from "../../rl/programs/slicedOffPolicy.ts";
import type { CompiledPurpose } from "../../rl/runtime/programSet.ts";
import { programSteps, vectorSteps } from "../../rl/runtime/turn.ts";
import type { GpuMembers, Together } from "../../rl/runtime/webgpu/GpuMembers.ts";
import type { MemberTurn } from "../rl/kinds.ts";
import type { Work } from "./drive.ts";
import { delayedSteps, learningSteps, minibatchesOf, runsOf } from "./turnSteps.ts";

/** What a member's turn has. */
export interface SlicedTurn {
  readonly slot: number;
  readonly iterations: number;
  /** Of each iteration: batches that it learns from, at most. */
  readonly batches: number;
}

/** The members' programs: what an iteration starts with, then by turns gradients and the step that they give. */
export interface SlicedPrograms {
  readonly start: Together;
  readonly gradients: Together;
  readonly step: Together;
}

/** How far each slot is, of which so many iterations are done when all that was queued is. */
type AskProgress = (iterations: number) => Promise<ReadonlyMap<number, Progress>>;

/**
 * The start of an iteration may be cut anywhere; gradients and steps are dispatched whole. A member that has fewer
 * batches, or whose iterations are done, does nothing until the others are.
 */
export class SlicedTurns implements Work {
  readonly #turns: readonly SlicedTurn[];
  readonly #programs: SlicedPrograms;
  readonly #ask: AskProgress;
  readonly #iterations: number;
  /** Iterations that are queued to their end. */
  #done = 0;
  /** Of the present one: work of its start, and batches, that are not queued. */
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

  /** Queues part of the iteration's start, of at most `room` units, or a batch. @returns its units. */
  #next(room: number): number {
    const { start, gradients, step } = this.#programs;
    let units = this.#starting;
    if (units > room) {
      this.#starting -= room;
      return start.advance(room);
    }
    if (units > 0) {
      this.#starting = 0;
      // Its work was an estimate; this ends it however much there was.
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

/** Roll-outs and their epochs. Told without a read-back: what was queued is done when the device is idle. */
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
 * Runs of `play`, at most, that come to no learning step and were not counted as one: where one run earns a learning
 * step, only the last has none, for others whose memory has not enough yet lose a step that was counted.
 */
function playsWithout({ agent, turn }: MemberTurn): number {
  if (turn.off_policy?.offline) return 0;
  if (MOST_PLAYED * turn.num_envs >= Number(agent.hyperparameters.learn_step)) return 1;
  return Math.ceil(vectorSteps(turn.evo_steps, turn.num_envs) / MOST_PLAYED);
}

/** Pairs of `gradients` and `play` that end an off-policy turn, after a first `play`. */
export function offPolicyBatches(turn: MemberTurn): number {
  const steps = learningSteps(turn);
  return steps + delayedSteps(turn, steps) + playsWithout(turn);
}

/** Off-policy turns. How far a member is depends on when its memory has enough to learn from, so it is read back. */
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
