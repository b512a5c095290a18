/** Agents that a run keeps: members, elites, and those of its checkpoints and hall of fame. */
import type { EnvironmentOptions } from "../../rl/faces.ts";
import type { OpenedModule } from "../../sandbox/environments.ts";
import type { NetworkStructure } from "../../tracking/observer.ts";

export type AgentRef =
  /** A member of the last generation boundary, or of the first state before it, by identity. */
  | { readonly kind: "member"; readonly index: number }
  /** The best member of the last generation. */
  | { readonly kind: "elite" }
  /** A member of a checkpoint by identity; null for its elite. */
  | { readonly kind: "checkpoint"; readonly generation: number; readonly index: number | null }
  /** The elite of a generation in the hall of fame; only its policy. */
  | { readonly kind: "fame"; readonly generation: number };

export interface KeptAgent {
  readonly ref: AgentRef;
  readonly index: number;
  /** The generation at whose end the agent was kept; 0 before the first. */
  readonly generation: number;
  /** Fitness of its last evaluation; null if it has none. */
  readonly fitness: number | null;
}

/** An agent and the environment it plays in. */
export interface AgentFile {
  /** As `encodeAgent` writes it; `decodeKeptAgent` reads it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly environment: string;
  /** The environment's options besides its name; null for none. */
  readonly env_config: EnvironmentOptions | null;
  /** Code of a user-written environment; null for other environments, and if the code is not available. */
  readonly module: OpenedModule | null;
  readonly generation: number;
  readonly index: number;
  readonly fitness: number | null;
}

/** Counts of a tensor's values in equal bins of [min, max]. */
export interface WeightHistogram {
  readonly min: number;
  readonly max: number;
  readonly counts: readonly number[];
}

/** A network with histograms of its weights. */
export interface NetworkWeights extends NetworkStructure {
  readonly weights: readonly {
    readonly name: string;
    readonly shape: readonly number[];
    readonly histogram: WeightHistogram;
  }[];
}
