/** A custom environment of two agents, and faults to inject into it. */
import type { ParallelEnvironment } from "../../../src/rl/faces.ts";
import { Box, Dict, Discrete, MultiDiscrete } from "../../../src/rl/spaces.ts";

/** Faults of an environment. */
export interface Faults {
  /** Replaces the result of a reset. `count` is the number of earlier resets. */
  readonly reset?: (given: object, count: number) => unknown;
  /** Replaces the result of a step. `count` is the number of earlier steps. */
  readonly step?: (given: object, count: number) => unknown;
  /** Steps per episode. */
  readonly length?: number;
  /** The step at which the scout's task ends. */
  readonly scout?: number;
  /** Truncates episodes instead of terminating them. */
  readonly cuts?: boolean;
}

/** A scout that leaves after 2 steps, and a carrier that continues to step 4. `seen` records all calls. */
export class Walk {
  readonly possible_agents = ["scout_0", "carrier_0"];
  agents: readonly string[] = [];
  readonly observation_spaces = {
    scout_0: new Dict({ at: new Box({ low: -9, high: 9, shape: [1] }), room: new Discrete(4) }),
    carrier_0: new Box({ low: -9, high: 9, shape: [2] }),
  };
  readonly action_spaces = { scout_0: new Discrete(3), carrier_0: new MultiDiscrete([2, 2]) };
  readonly seen: unknown[] = [];
  closed = false;
  readonly #faults: Faults;
  #resets = 0;
  #steps = 0;
  #elapsed = 0;

  constructor(faults: Faults = {}) {
    this.#faults = faults;
  }

  reset(options?: unknown): unknown {
    this.seen.push(options);
    this.#elapsed = 0;
    this.agents = this.possible_agents;
    const given = {
      observations: { scout_0: [0, 3], carrier_0: Float32Array.of(0, this.#resets) },
      infos: { scout_0: { action_mask: [1, 1, 0] }, carrier_0: {} },
    };
    return (this.#faults.reset ?? ((same) => same))(given, this.#resets++);
  }

  step(actions: unknown): unknown {
    this.seen.push(actions);
    this.#elapsed++;
    const { length = 4, scout = 2, cuts = false } = this.#faults;
    const taking = this.agents;
    const isOver = this.#elapsed >= length;
    const each = (of: (id: string) => unknown) => Object.fromEntries(taking.map((id) => [id, of(id)]));
    const ends = (id: string): boolean => (isOver && !cuts) || (id === "scout_0" && this.#elapsed >= scout);
    this.agents = isOver ? [] : taking.filter((id) => !ends(id));
    const given = {
      observations: each((id) => (id === "scout_0" ? [this.#elapsed, 1] : [this.#elapsed, -1])),
      rewards: each((id) => (id === "scout_0" ? 1 : 10)),
      terminations: each(ends),
      truncations: each(() => isOver && cuts),
      infos: each((id) => ({ action_mask: id === "scout_0" ? [0, 1, 1] : [1, 0, 1, 1] })),
    };
    return (this.#faults.step ?? ((same) => same))(given, this.#steps++);
  }

  close(): void {
    this.closed = true;
  }
}

/** Cast to the declared type, which a faulty environment violates. */
export const walk = (faults: Faults = {}): ParallelEnvironment =>
  new Walk(faults) as object as ParallelEnvironment;

/** Joint action row: the scout's action, then the carrier's. */
export const ACTIONS = [1, 0, 1];
