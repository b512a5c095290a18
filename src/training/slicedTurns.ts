/** On-policy turns learned in slices: the dispatches of all members' iterations, whose order is known beforehand. */
import type { WebGpuDevice } from "../kernels/wgsl/device.ts";
import type { Progress } from "../kernels/wgsl/executable.ts";
import type { Together } from "../rl/runtime/gpuMembers.ts";
import type { Work } from "./drive.ts";

/** What a member's turn has. */
export interface SlicedTurn {
  readonly slot: number;
  /** Roll-outs with the learning from them. */
  readonly iterations: number;
  /** Minibatches in all epochs of an iteration. */
  readonly minibatches: number;
}

/** The members' programs (see rl/programs/slicedOnPolicy.ts). */
export interface SlicedPrograms {
  readonly collect: Together;
  readonly gradients: Together;
  readonly step: Together;
}

/**
 * Roll-outs may be cut anywhere; gradients and steps are dispatched whole. A member whose epochs ended early, or whose
 * iterations are done, does nothing until the others are.
 */
export class SlicedTurns implements Work {
  readonly #device: WebGpuDevice;
  readonly #turns: readonly SlicedTurn[];
  readonly #programs: SlicedPrograms;
  readonly #iterations: number;
  /** Iterations that are queued to their end. */
  #done = 0;
  /** Of the present one: work of the roll-out and minibatches that are not queued. */
  #collecting = 0;
  #minibatches = 0;

  constructor(device: WebGpuDevice, turns: readonly SlicedTurn[], programs: SlicedPrograms) {
    this.#device = device;
    this.#turns = turns;
    this.#programs = programs;
    this.#iterations = Math.max(0, ...turns.map(({ iterations }) => iterations));
    if (this.#iterations > 0) this.#begin();
  }

  advance(units: number): number {
    let queued = 0;
    while (queued < units && this.#done < this.#iterations) queued += this.#next(units - queued);
    return queued;
  }

  /** Told without a read-back: what was queued is done when the device is idle. */
  async progress(): Promise<ReadonlyMap<number, Progress>> {
    const done = this.#done;
    await this.#device.idle();
    return new Map(
      this.#turns.map(({ slot, iterations }) => [
        slot,
        { left: Math.max(0, iterations - done), position: 0, count: 0 },
      ]),
    );
  }

  #begin(): void {
    const going = this.#turns.filter(({ iterations }) => this.#done < iterations);
    const slots = new Set(going.map(({ slot }) => slot));
    this.#programs.collect.start((slot) => (slots.has(slot) ? 1 : 0));
    this.#collecting = this.#programs.collect.units;
    this.#minibatches = Math.max(...going.map(({ minibatches }) => minibatches));
  }

  /** Queues part of the roll-out of at most `room` units, or a minibatch. @returns its units. */
  #next(room: number): number {
    const { collect, gradients, step } = this.#programs;
    if (this.#collecting > 0) {
      const left = this.#collecting;
      if (left > room) {
        this.#collecting -= room;
        return collect.advance(room);
      }
      this.#collecting = 0;
      // Its work was an estimate; this ends it however much there was.
      collect.finish();
      return left;
    }
    gradients.run();
    step.run();
    this.#minibatches--;
    if (this.#minibatches === 0 && ++this.#done < this.#iterations) this.#begin();
    return gradients.units + step.units;
  }
}
