/** A training run at a generation boundary: everything that is needed to continue with the same bits. */
import type { Kinds, Member } from "./Workload.ts";

/** The state of the loop itself. */
export interface LoopState<A extends Member = Member> {
  /** Generations finished. */
  readonly generation: number;
  readonly members: readonly A[];
  /** The best member of the last generation, in its evaluated state. */
  readonly elite: A | null;
  /** Whether the selection and mutation after the members' last evaluation are still due. */
  readonly evolution_due: boolean;
  /** Whether the mutation before the first generation has been done. */
  readonly started: boolean;
  /**
   * Device that trained the last generation; `null` before the first, and for runs from older checkpoints.
   */
  readonly device: TrainingDevice | null;
}

/** Devices that this build trains on. */
export type TrainingDevice = "wasm" | "webgpu";

export type RunState<K extends Kinds = Kinds> = LoopState<K["agent"]> & K["shared"];

/** Total steps of the whole population. */
export const globalStep = ({ members }: Pick<LoopState, "members">): number =>
  members.reduce((sum, m) => sum + m.steps, 0);

/** A run before its first generation. */
export const firstState = <A extends Member>(members: readonly A[]): LoopState<A> => ({
  generation: 0,
  members,
  elite: null,
  evolution_due: false,
  started: false,
  device: null,
});
