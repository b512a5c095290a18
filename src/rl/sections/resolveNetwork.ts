import type { z } from "zod";
import { parseSpec, SpecError } from "../../specs/checks.ts";
import { type Activation } from "../../specs/networks.ts";
import type { NetworkMutationRanges } from "../../specs/sections.ts";
import { type MlpSpec, resolveHead } from "../modules/all.ts";
import {
  findArchitecture,
  type Inferable,
  type OwnArchitecture,
  switchesOf,
} from "../modules/architectures.ts";
import { fillSize, LATENT_BOUNDS } from "../modules/settings.ts";
import { type ObservationKind } from "../spaces/Space.ts";
import type { DeferredEncoderSpec, EncoderSpec } from "./EncoderSpec.ts";
import { inferArchitecture, requireFit } from "./inferArchitecture.ts";
import { declaresArchitecture, type NetworkSection } from "./NetworkSection.ts";
import { DeferredNetworkSpec, type NetworkSpec, type StochasticActorSpec } from "./NetworkSpec.ts";

/** Null means no output activation, which no section can request. */
type WithOutput<Encoder> = Encoder extends { output_activation: unknown }
  ? Omit<Encoder, "output_activation"> & { output_activation: Activation | null }
  : Encoder;

/** An encoder with all settings known; `arch` is its kind. */
export type ResolvedEncoder = WithOutput<z.output<OwnArchitecture["spec"]>>;

/** An encoder that a section declares: its output activation is known, and its output is not scaled down. */
const resolveDeclared = (encoder: EncoderSpec): ResolvedEncoder =>
  // The definition of this name made and resolves exactly this section.
  findArchitecture(encoder.arch).resolve(encoder) as ResolvedEncoder;

/**
 * An encoder of the kind that follows from the environment.
 *
 * @param place Source of the settings: "network" or "mutation.network".
 * @throws {@link SpecError} for settings that encoders of the kind do not have, or have in a different form.
 */
function resolveDeferred(
  architecture: Inferable,
  settings: DeferredEncoderSpec,
  { place, observation }: { readonly place: string; readonly observation: ObservationKind },
): ResolvedEncoder {
  const { arch, spec, inferred } = architecture;
  const { deferred, fill, read = (given) => given } = inferred;
  const allowed = Object.keys(deferred.shape);
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const foreign = given.map(([key]) => key).filter((key) => !allowed.includes(key));
  const segments = [...place.split("."), place === "network" ? "encoder_config" : "encoder"];
  if (foreign.length > 0) {
    throw new SpecError(
      foreign.map((key) => ({
        code: "unknown_key" as const,
        path: [...segments, key].join("."),
        segments: [...segments, key],
        message: `${key} is not a setting of arch ${arch}, which follows from this environment's ${observation} observations and the algorithm; allowed keys: ${allowed.join(", ")}`,
      })),
      "manifest",
    );
  }
  const own = read(settings);
  parseSpec(deferred, own, segments.join("."));
  // Resolved like a declared section.
  return architecture.resolve(spec.parse({ arch, ...fill(own) })) as ResolvedEncoder;
}

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
  const architecture = inferArchitecture(observation, { recurrent, section });
  const head = section.head_config ?? {};
  const critic = head.hidden_size === undefined && criticHead !== null ? { hidden_size: criticHead } : {};
  return {
    ...(fillSize(section, NETWORK_DEFAULTS, LATENT_BOUNDS) as Record<keyof typeof NETWORK_DEFAULTS, number>),
    encoder_config: resolveDeferred(architecture, section.encoder_config, { place, observation }),
    head_config: resolveHead(head),
    critic_head_config: criticHead === null ? null : resolveHead(head, critic),
    random_seed: section.random_seed,
    ...switchesOf(architecture.arch),
    squash_output: section.squash_output,
    has_evolvable_encoder: section.has_evolvable_encoder,
  };
}
