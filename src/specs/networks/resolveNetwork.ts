import type { NetworkMutationRanges } from "../MutationSpec.ts";
import { parseSpec } from "../parseSpec.ts";
import { DeferredNetworkSpec } from "./DeferredNetworkSpec.ts";
import type { ObservationKind } from "./defineArchitecture.ts";
import type { EncoderSpec } from "./EncoderSpec.ts";
import { inferArchitecture, requireFit } from "./inferArchitecture.ts";
import { type MlpSpec, resolveHead } from "./MlpSpec.ts";
import type { NetworkSection } from "./NetworkSection.ts";
import { declaresArchitecture } from "./NetworkSection.ts";
import type { NetworkSpec, StochasticActorSpec } from "./NetworkSpec.ts";
import { type ResolvedEncoder, resolveDeclared, resolveDeferred } from "./resolveEncoder.ts";
import { fillSize, LATENT_BOUNDS } from "./sizeBounds.ts";

/** Latent sizes for sections that do not give them. */
export const NETWORK_DEFAULTS = { latent_dim: 64, min_latent_dim: 8, max_latent_dim: 128 } as const;

/** A network with all settings known, and with the critic's own head if the algorithm has one. */
export type ResolvedNetwork = Omit<StochasticActorSpec, "encoder_config"> & {
  encoder_config: ResolvedEncoder;
  /** Head of the value network; `null` for algorithms without one. */
  critic_head_config: MlpSpec | null;
};

/** What determines a network in addition to its section. */
export interface ResolveNetworkOptions {
  /**
   * Widths of the value network's head if the section gives no head (PPO: `[16]`). If it gives one, the value
   * network uses the same. Unset or `null`: the algorithm has no value network.
   */
  criticHead?: readonly number[] | null;
  /** `mutation.network`, for a manifest without a network section; ignored if there is a section. */
  ranges?: NetworkMutationRanges | null;
  /** What the encoder reads (default: a vector). */
  observation?: ObservationKind;
  /** Whether the policy has memory (`algorithm.recurrent`; default: false). */
  recurrent?: boolean;
}

function fromRanges(ranges: NetworkMutationRanges): DeferredNetworkSpec {
  const { min_latent_dim, max_latent_dim, encoder, head_net } = ranges;
  const section = {
    ...(min_latent_dim === null ? {} : { min_latent_dim }),
    ...(max_latent_dim === null ? {} : { max_latent_dim }),
    encoder_config: encoder,
    ...(Object.keys(head_net).length === 0 ? {} : { head_config: head_net }),
  };
  return parseSpec(DeferredNetworkSpec, section, "mutation.network");
}

function isWhole(network: NetworkSection | NetworkSpec): network is NetworkSpec | StochasticActorSpec {
  return declaresArchitecture(network);
}

/**
 * Resolves the complete network for an environment's observations.
 *
 * A section that declares an architecture is already complete and keeps its own values. Otherwise, the
 * architecture follows from the observation and the algorithm (see {@link inferArchitecture}). Given settings
 * are kept, and the others get the defaults of the kind's spec: for a vector encoder [64, 64], latent 64 in
 * 8..128, head [64], layer norm, ReLU. In both cases, an encoder without output activation gets its hidden
 * one, and its output layer is not scaled down.
 *
 * @throws {@link SpecError} when the architecture or a setting does not fit the observation or the policy, or
 *   `ranges` do not fit the network.
 */
export function resolveNetwork(
  network: NetworkSection | NetworkSpec | null,
  options: ResolveNetworkOptions = {},
): ResolvedNetwork {
  const { criticHead = null, ranges = null, observation = "vector", recurrent = false } = options;
  if (network !== null && isWhole(network)) {
    requireFit(network.encoder_config.arch, observation, recurrent);
    return {
      squash_output: false,
      ...network,
      encoder_config: resolveDeclared(network.encoder_config as EncoderSpec),
      critic_head_config: criticHead === null ? null : network.head_config,
    };
  }
  const place = network === null && ranges !== null ? "mutation.network" : "network";
  const section = network ?? (ranges === null ? DeferredNetworkSpec.parse({}) : fromRanges(ranges));
  const architecture = inferArchitecture(observation, { recurrent, simba: section.simba });
  const head = section.head_config ?? {};
  const critic = head.hidden_size === undefined && criticHead !== null ? { hidden_size: criticHead } : {};
  return {
    ...(fillSize(section, NETWORK_DEFAULTS, LATENT_BOUNDS) as Record<keyof typeof NETWORK_DEFAULTS, number>),
    encoder_config: resolveDeferred(architecture, section.encoder_config, { place, observation }),
    head_config: resolveHead(head),
    critic_head_config: criticHead === null ? null : resolveHead(head, critic),
    random_seed: section.random_seed,
    simba: architecture.inferred.switch === "simba",
    squash_output: section.squash_output,
    has_evolvable_encoder: section.has_evolvable_encoder,
  };
}
