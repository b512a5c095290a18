/** A training run at a generation boundary: all that is needed to go on with the same bits. */
import type { Kinds, Member } from "./Workload.ts";

/** What the loop itself keeps. */
export interface LoopState<A extends Member = Member> {
  /** Generations finished. */
  readonly generation: number;
  readonly members: readonly A[];
  /** The best member of the last generation, as it was evaluated. */
  readonly elite: A | null;
  /** The members have not been through the selection and mutation that follow their last evaluation. */
  readonly evolution_due: boolean;
  /** Whether the members have been through the mutation before the first generation. */
  readonly started: boolean;
  /** What trained the last generation; null before the first, and for runs saved before it was kept. */
  readonly device: TrainingDevice | null;
}

/** Devices that this build trains on. */
export type TrainingDevice = "wasm" | "webgpu";

export type RunState<K extends Kinds = Kinds> = LoopState<K["agent"]> & K["shared"];

/** Steps of the whole population. */
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
