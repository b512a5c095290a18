/** A network as plain data: encoder (observation to latent vector), head (latent vector to outputs). */
import type { ModuleData } from "../modules/moduleData.ts";

/** The action distribution of a stochastic actor; the head's outputs are its parameters. */
export type DistributionData =
  | { readonly kind: "categorical"; readonly actions: number }
  | {
      /** Diagonal Gaussian with a learned standard deviation that does not depend on the state. */
      readonly kind: "normal";
      readonly size: number;
      /** Logarithm of the initial standard deviation. */
      readonly log_std_init: number;
      /** Samples go through tanh. */
      readonly squash_output: boolean;
    };

export interface NetworkData {
  readonly kind: "q" | "value" | "stochastic_actor";
  /**
   * "shared": the head reads the latent vector of the policy's encoder. Null: the head reads the
   * observation itself (a caller's own module).
   */
  readonly encoder: ModuleData | "shared" | null;
  /** Width of what the head reads. */
  readonly latent_dim: number;
  readonly min_latent_dim: number;
  readonly max_latent_dim: number;
  readonly head: ModuleData;
  /** Only stochastic actors have one. */
  readonly distribution: DistributionData | null;
}
