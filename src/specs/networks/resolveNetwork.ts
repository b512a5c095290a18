import type { NetworkMutationRanges } from "../MutationSpec.ts";
import { parseSpec } from "../parseSpec.ts";
import { DeferredNetworkSpec } from "./DeferredNetworkSpec.ts";
import { type DeferredMlpSpec, MlpSpec } from "./MlpSpec.ts";
import type { NetworkSection } from "./NetworkSection.ts";
import { declaresArchitecture } from "./NetworkSection.ts";
import type { NetworkSpec, StochasticActorSpec } from "./NetworkSpec.ts";

/** Sizes of the algorithm constructors, used wherever a section leaves a size open. */
export const NETWORK_DEFAULTS = {
  latent_dim: 64,
  min_latent_dim: 8,
  max_latent_dim: 128,
  encoder_hidden_size: [64, 64],
  head_hidden_size: [64],
  min_hidden_layers: 1,
  max_hidden_layers: 3,
  min_mlp_nodes: 16,
  max_mlp_nodes: 500,
} as const;

/** A network of which every setting is known, with the critic's own head where the algorithm has one. */
export type ResolvedNetwork = StochasticActorSpec & {
  /** Head of the value network; `null` for algorithms without one. */
  critic_head_config: MlpSpec | null;
};

/** What decides a network beside its section. */
export interface ResolveNetworkOptions {
  /**
   * Widths of the value network's head when the section gives no head (PPO: `[16]`); with a head given,
   * the value network has the same. Unset or `null`: the algorithm has no value network.
   */
  criticHead?: readonly number[] | null;
  /** `mutation.network`, for a manifest without network section; settings of the section win. */
  ranges?: NetworkMutationRanges | null;
}

/**
 * Fills in a perceptron's open settings. Bounds that are not given widen to hold the sizes that are, so
 * that a size alone is never out of bounds.
 */
function resolveMlp(given: DeferredMlpSpec, hidden_size: readonly number[], isHead: boolean): MlpSpec {
  const sizes = given.hidden_size ?? fitted(hidden_size, given);
  const activation = given.activation ?? "ReLU";
  return MlpSpec.parse({
    hidden_size: sizes,
    activation,
    output_activation: given.output_activation ?? (isHead ? null : activation),
    layer_norm: given.layer_norm ?? true,
    init_layers: given.init_layers ?? true,
    output_vanish: isHead ? (given.output_vanish ?? true) : false,
    min_hidden_layers: given.min_hidden_layers ?? Math.min(NETWORK_DEFAULTS.min_hidden_layers, sizes.length),
    max_hidden_layers:
      given.max_hidden_layers ??
      Math.max(NETWORK_DEFAULTS.max_hidden_layers, sizes.length, given.min_hidden_layers ?? 0),
    min_mlp_nodes:
      given.min_mlp_nodes ??
      Math.min(NETWORK_DEFAULTS.min_mlp_nodes, ...sizes, given.max_mlp_nodes ?? Number.POSITIVE_INFINITY),
    max_mlp_nodes:
      given.max_mlp_nodes ?? Math.max(NETWORK_DEFAULTS.max_mlp_nodes, ...sizes, given.min_mlp_nodes ?? 0),
  });
}

const clamp = (value: number, low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY): number =>
  Math.min(Math.max(value, low), high);

/** Default sizes moved into the bounds that are given. */
function fitted(hidden_size: readonly number[], bounds: DeferredMlpSpec): number[] {
  const layers = clamp(hidden_size.length, bounds.min_hidden_layers, bounds.max_hidden_layers);
  return Array.from({ length: layers }, (_, index) => {
    const width = hidden_size[Math.min(index, hidden_size.length - 1)] ?? NETWORK_DEFAULTS.latent_dim;
    return clamp(width, bounds.min_mlp_nodes, bounds.max_mlp_nodes);
  });
}

function resolveLatent(network: DeferredNetworkSpec) {
  const { min_latent_dim, max_latent_dim } = network;
  const latent_dim = network.latent_dim ?? clamp(NETWORK_DEFAULTS.latent_dim, min_latent_dim, max_latent_dim);
  return {
    latent_dim,
    min_latent_dim: min_latent_dim ?? Math.min(NETWORK_DEFAULTS.min_latent_dim, latent_dim),
    max_latent_dim: max_latent_dim ?? Math.max(NETWORK_DEFAULTS.max_latent_dim, latent_dim),
  };
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

/**
 * The whole network for observations that are one vector.
 *
 * A section that declares an architecture is whole already and keeps its own values. Otherwise the
 * settings it gives are kept and the open ones come from {@link NETWORK_DEFAULTS}: encoder [64, 64],
 * latent 64 in 8..128, head [64], layer norm, ReLU. In both cases an encoder without output activation
 * gets its hidden one, and its output layer is not scaled down.
 *
 * @throws {@link SpecError} when `ranges` do not fit a perceptron.
 */
export function resolveNetwork(
  network: NetworkSection | NetworkSpec | null,
  options: ResolveNetworkOptions = {},
): ResolvedNetwork {
  const { criticHead = null, ranges = null } = options;
  if (network !== null && isWhole(network)) {
    const encoder = network.encoder_config;
    const output_activation = encoder.output_activation ?? encoder.activation;
    return {
      squash_output: false,
      ...network,
      encoder_config: { ...encoder, output_activation, output_vanish: false },
      critic_head_config: criticHead === null ? null : network.head_config,
    };
  }
  const section = network ?? (ranges === null ? DeferredNetworkSpec.parse({}) : fromRanges(ranges));
  const head = section.head_config;
  const criticSizes = head?.hidden_size === undefined && criticHead !== null ? criticHead : null;
  return {
    ...resolveLatent(section),
    encoder_config: resolveMlp(section.encoder_config, NETWORK_DEFAULTS.encoder_hidden_size, false),
    head_config: resolveMlp(head ?? {}, NETWORK_DEFAULTS.head_hidden_size, true),
    critic_head_config:
      criticHead === null
        ? null
        : resolveMlp(head ?? {}, criticSizes ?? NETWORK_DEFAULTS.head_hidden_size, true),
    random_seed: section.random_seed,
    simba: false,
    squash_output: section.squash_output,
    has_evolvable_encoder: section.has_evolvable_encoder,
  };
}

function isWhole(network: NetworkSection | NetworkSpec): network is NetworkSpec | StochasticActorSpec {
  return declaresArchitecture(network);
}
