import type { GpuMembers, Slice } from "../../agents/members.ts";
import type { WebGpuDevice } from "../../kernels/wgsl/device.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import type { Gate } from "../loop/Gate.ts";
import type { MemberTurn, TurnOutcome } from "../rl/kinds.ts";

/** The device of a generation, and what its work depends on. */
export interface GpuPlace {
  readonly device: WebGpuDevice;
  readonly members: GpuMembers;
  /** Passed between slices of work. */
  readonly gate: Gate;
  /** Current target of a dispatch, in milliseconds. */
  readonly budget: () => number;
  /** Number of workgroups that the device runs at once. */
  readonly busy: number;
}

/** How a run's members take their turns on a GPU, by the kind of their environment. */
export interface GpuTurns {
  /** Layout of the transitions in the replay buffer. */
  readonly layout: AgentSpaces;
  /** Stores masks from now on; only for environments of the host, whose `run` throws MasksFound where it meets one. */
  keepMasks?(): void;
  /**
   * Runs a generation. Outcomes are in the order of the turns.
   * @throws GpuFault when the device failed; StoppedError when the gate was closed for good.
   */
  run(
    turns: readonly MemberTurn[],
    place: GpuPlace,
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome[]>;
  /** The device was left: what was measured on it no longer holds. */
  left(): void;
  close(): void;
}
