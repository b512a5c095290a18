/** What a task of MuJoCo defines beyond its model, and helpers that tasks share. */
import type { Random } from "../../../../evolution/random.ts";
import type { Info } from "../../face/HostEnvironment.ts";
import type { Simulation } from "../engine/Simulation.ts";
import type { BodyTable, ModelTable } from "../models/mjcf.ts";

/** Positions and velocities of all joints. */
export interface JointState {
  readonly qpos: number[];
  readonly qvel: number[];
}

export interface Outcome {
  readonly reward: number;
  readonly terminated: boolean;
  readonly info: Info;
}

/** A task with its options. Source of all formulas: Gymnasium's documentation and published constants, version 5. */
export interface Task {
  readonly model: ModelTable;
  /** Physics steps in a step of the environment. */
  readonly frame_skip: number;
  /** Moves the model's initial state to a random one. */
  readonly start: (initial: JointState, random: Random) => void;
  /** Where the body is, along x and y, m: its velocity is the difference over a step. */
  readonly place: (simulation: Simulation) => readonly [x: number, y: number];
  readonly observe: (row: Row, simulation: Simulation) => void;
  /**
   * @param velocity Of `place`, m/s.
   * @param action As the caller gave it; MuJoCo limits forces, not the cost of an action.
   */
  readonly outcome: (
    simulation: Simulation,
    velocity: readonly [x: number, y: number],
    action: readonly number[],
  ) => Outcome;
  /** Of a task with goals, which are the last numbers of an observation: the achieved one, then the desired one. */
  readonly compute_reward?: (achieved: ArrayLike<number>, desired: ArrayLike<number>) => number;
  /** Info of a reset. */
  readonly info: (simulation: Simulation) => Info;
}

/** An observation that is being written. */
export class Row {
  readonly values: Float32Array;
  #at = 0;

  constructor(size: number) {
    this.values = new Float32Array(size);
  }

  /** Appends numbers from an index on, each within `bounds`. */
  put(source: ArrayLike<number>, from = 0, bounds?: readonly [low: number, high: number]): void {
    for (let i = from; i < source.length; i++) {
      const value = source[i] as number;
      this.values[this.#at++] = bounds === undefined ? value : clip(value, bounds);
    }
  }
}

export const clip = (value: number, [low, high]: readonly [number, number]): number =>
  Math.min(high, Math.max(low, value));

/** Whether a number lies within a range, without its ends. */
export const inside = (value: number, [low, high]: readonly [number, number]): boolean =>
  low < value && value < high;

/** Whether all numbers from an index on lie within a range, without its ends. */
export function allInside(
  values: ArrayLike<number>,
  range: readonly [low: number, high: number],
  from = 0,
): boolean {
  // Methods of arrays take several times as long in every step.
  for (let i = from; i < values.length; i++) if (!inside(values[i] as number, range)) return false;
  return true;
}

export function sumOfSquares(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] as number) * (values[i] as number);
  return sum;
}

export const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.sqrt(sumOfSquares(Array.from(a, (value, i) => value - (b[i] as number))));

/** Moves numbers at random, uniformly within `scale`. */
export function scatter(values: number[], scale: number, random: Random): void {
  for (const [i, value] of values.entries()) values[i] = value + scale * (2 * random.uniform() - 1);
}

/** Moves numbers at random, normally with the deviation `scale`. */
export function scatterNormally(values: number[], scale: number, random: Random): void {
  for (const [i, value] of values.entries()) values[i] = value + scale * random.normal();
}

/** A place in a box, drawn until it passes a check. */
export function drawn<Place>(draw: () => Place, isAllowed: (place: Place) => boolean): Place {
  for (;;) {
    const place = draw();
    if (isAllowed(place)) return place;
  }
}

/** Numbers of bodies by name, in MuJoCo's order: the world is 0. */
export function bodyNumbers({ bodies }: ModelTable): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  let next = 1;
  const walk = ({ name, bodies: inner }: BodyTable): void => {
    if (name !== undefined) numbers.set(name, next);
    next++;
    inner?.forEach(walk);
  };
  bodies.forEach(walk);
  return numbers;
}

/** Where a body is, m. @param body Its number. */
export const bodyPlace = ({ views }: Simulation, body: number): Float64Array =>
  views.xpos.subarray(3 * body, 3 * body + 3);

/** `place` of a task without a velocity. */
export const nowhere = (): readonly [number, number] => [0, 0];
export const noInfo = (): Info => ({});
