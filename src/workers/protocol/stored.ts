/** What the browser stores: runs and their agents, folders of base models, and user-written environments. */
import type { EnvironmentOptions } from "../../rl/faces.ts";
import type { LayerSource } from "../../rl/networks.ts";
import type { LentPorts, SandboxPorts } from "../../sandbox/browser.ts";
import type { OpenedModule } from "../../sandbox/environments.ts";
import type { NetworkStructure } from "../../tracking/observer.ts";

/** An agent that a run keeps: a member, an elite, one of a checkpoint or of a league, or the elite of a generation. */
export type AgentRef =
  /** A member of the last generation boundary, or of the first state before it, by identity. */
  | { readonly kind: "member"; readonly index: number }
  /** The best member of the last generation. */
  | { readonly kind: "elite" }
  /** A member of a checkpoint by identity; null for its elite. */
  | { readonly kind: "checkpoint"; readonly generation: number; readonly index: number | null }
  /** An agent of a game's league as it was at the end of a generation: its policy and its value. */
  | { readonly kind: "past"; readonly generation: number }
  /** The kept elite of a generation; only its policy. */
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

/** The elite of a generation. */
export interface EliteFile extends AgentFile {
  readonly ref: AgentRef;
  /** Whether it is kept for ever. */
  readonly pinned: boolean;
}

/** Counts of a tensor's values in equal bins of [min, max]. */
export interface WeightHistogram {
  readonly min: number;
  readonly max: number;
  readonly counts: readonly number[];
}

/** A layer's weights from its inputs. */
export interface WeightLinks {
  /** Name of the layer within its network: "encoder.linear_1". */
  readonly layer: string;
  /** Inputs before the last axis, outputs on the last; an LSTM's four gates one after the other. */
  readonly shape: readonly number[];
  readonly values: Float32Array;
  /** Along the axis before the last. */
  readonly sources: readonly LayerSource[];
}

/** A network with histograms of its weights. */
export interface NetworkWeights extends NetworkStructure {
  /** By layer, in the order of `layers`. */
  readonly links: readonly WeightLinks[];
  readonly weights: readonly {
    readonly name: string;
    readonly shape: readonly number[];
    readonly histogram: WeightHistogram;
  }[];
}

/** A file for the user to download. */
export interface Download {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface CheckpointSummary {
  readonly generation: number;
  readonly global_step: number;
  /** Fitness of the best member at that time; null if it has none. */
  readonly fitness: number | null;
  readonly bytes: number;
  /** Commit time, milliseconds since the epoch; NaN for checkpoints of older builds. */
  readonly at: number;
  /** Whether it is kept regardless of the policy. */
  readonly pinned: boolean;
}

/** Which checkpoints of a run are kept; pinned ones always are. */
export interface StoragePolicy {
  /** Number of newest checkpoints to keep, 1 or more. */
  readonly keep_last: number;
  /** Whether the checkpoint with the best fitness is also kept. */
  readonly keep_best: boolean;
  /** Most bytes that the elites of a run's generations take; pinned ones are kept even so. */
  readonly elite_bytes: number;
  /** Most bytes that the policies of all members of its generations take. */
  readonly population_bytes: number;
}

/** Bytes of one run in storage. */
export interface RunBytes {
  readonly id: string;
  readonly bytes: {
    readonly checkpoints: number;
    readonly log: number;
    /** Elites of its generations, and the hall of fame of earlier versions. */
    readonly elites: number;
    /** Policies of all members of its generations. */
    readonly populations: number;
    readonly manifest: number;
  };
}

/** The available storage, and messages from start-up. */
export interface StorageInfo {
  readonly kind: "opfs" | "memory";
  readonly used: number | null;
  readonly quota: number | null;
  readonly report: readonly string[];
  readonly runs: readonly RunBytes[];
  /** Whether the storage is persistent; null if the browser does not say. */
  readonly persisted: boolean | null;
}

export interface KeptModel {
  readonly name: string;
  /** The name in manifests, as `pretrained_model_name_or_path`. */
  readonly path: string;
  /** Size in storage. */
  readonly bytes: number;
  /** Whether it is what a download that was not completed left. */
  readonly incomplete?: boolean;
}

/** One file of a folder that the user picked. */
export interface PickedFile {
  /** Name without the folder. */
  readonly name: string;
  readonly content: Blob;
}

export interface AddedModel {
  readonly model: KeptModel;
  /** Messages for the user. */
  readonly warnings: readonly string[];
}

export interface KeptEnvironment {
  readonly name: string;
  /** The name in manifests: `user/<name>`. */
  readonly id: string;
  /** SHA-256 of the text, in 64 hexadecimal digits. */
  readonly sha256: string;
  /** Size of the text. */
  readonly bytes: number;
}

/** The code of an environment. */
export interface EnvironmentText extends Omit<KeptEnvironment, "bytes"> {
  /** The source text, unchanged. */
  readonly source: string;
}

/** Asks the page for a sandbox. */
export interface SandboxRequest {
  readonly id: number;
}

/** The page's answer, with its ports transferred. */
export type SandboxAnswer<Ports extends SandboxPorts = LentPorts> =
  | { readonly id: number; readonly ports: Ports }
  | { readonly id: number; readonly problem: string };
