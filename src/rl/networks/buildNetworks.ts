/** Builds networks from their specification, for the spaces of an environment. */

import { SpecError } from "../../specs/checks.ts";
import { duelingData, type MlpSettings, mlpData } from "../modules/all.ts";
import { listArchitectures } from "../modules/architectures.ts";
import type { ModuleData } from "../modules/moduleData.ts";
import type { ResolvedEncoder } from "../sections/resolveNetwork.ts";
import { exactBounds, type PolicyRange, scalesAlike } from "../spaces/boxScale.ts";
import { Box, describeSpace, flatSize, type Space } from "../spaces.ts";
import { encoderData } from "./encoderData.ts";
import type { DistributionData, NetworkData } from "./networkData.ts";

/** The settings of a network in a specification (a subset of ResolvedNetwork). */
export interface NetworkSettings {
  readonly latent_dim: number;
  readonly min_latent_dim: number;
  readonly max_latent_dim: number;
  readonly encoder_config: ResolvedEncoder;
  readonly head_config: MlpSettings;
  /** Head of value and Q networks of actor-critic algorithms; defaults to `head_config`. */
  readonly critic_head_config?: MlpSettings | null;
  readonly squash_output?: boolean;
}

function build(
  kind: NetworkData["kind"],
  observation_space: Space,
  network: NetworkSettings,
  head: ModuleData,
): NetworkData {
  const { latent_dim, min_latent_dim, max_latent_dim, encoder_config } = network;
  return {
    kind,
    encoder: encoderData(observation_space, latent_dim, encoder_config),
    latent_dim,
    min_latent_dim,
    max_latent_dim,
    head,
    distribution: null,
  };
}

const mlpHead = (
  network: NetworkSettings,
  outputs: number,
  settings: MlpSettings = network.head_config,
): ModuleData => mlpData(network.latent_dim, outputs, settings, "head");

/** The settings with changes to the encoder, if it is an MLP. */
const withEncoder = (network: NetworkSettings, change: Partial<MlpSettings>): NetworkSettings => {
  const { encoder_config } = network;
  return encoder_config.arch === "mlp"
    ? { ...network, encoder_config: { ...encoder_config, ...change } }
    : network;
};

/** A network from an observation to one Q value per action. */
export const qNetwork = (observation_space: Space, actions: number, network: NetworkSettings): NetworkData =>
  build("q", observation_space, network, mlpHead(network, actions));

export interface ShareOptions {
  /** Whether the network reads the policy's latent vector instead of the observation (default: false). */
  readonly share_encoder?: boolean;
}

/** A network from an observation to its value. */
export function valueNetwork(
  observation_space: Space,
  network: NetworkSettings,
  { share_encoder = false }: ShareOptions = {},
): NetworkData {
  const head = mlpHead(network, 1, network.critic_head_config ?? network.head_config);
  const data = build("value", observation_space, network, head);
  return share_encoder ? { ...data, encoder: "shared" } : data;
}

export interface StochasticActorOptions {
  /** Logarithm of the initial standard deviation of continuous actions (default: 0). */
  readonly action_std_init?: number;
}

/**
 * A network from an observation to the parameters of an action distribution: logits, or means (with `log_std`
 * as a separate tensor).
 * @throws RangeError when the action space is a Tuple, Dict or Agents.
 */
export function stochasticActor(
  observation_space: Space,
  action_space: Space,
  network: NetworkSettings,
  { action_std_init = 0 }: StochasticActorOptions = {},
): NetworkData {
  const squash_output = network.squash_output ?? false;
  const distribution = distributionOf(action_space, { log_std_init: action_std_init, squash_output });
  const head = mlpHead(network, flatSize(action_space));
  const data = { ...build("stochastic_actor", observation_space, network, head), distribution };
  return action_space.kind === "Box"
    ? withBoxActions(data, action_space, squash_output ? WIDEST : null)
    : data;
}

/** The widest range of an actor's output activation, that of tanh. */
const WIDEST = [-1, 1] as const;

/**
 * The actor's data, which says how actions are scaled if that makes a difference.
 * @throws RangeError for integers that 32-bit floats do not have.
 */
function withBoxActions(data: NetworkData, space: Box, range: PolicyRange): NetworkData {
  exactBounds(space);
  return scalesAlike(space, range) ? data : { ...data, box_actions: "each" };
}

function distributionOf(
  space: Space,
  normal: { readonly squash_output: boolean; readonly log_std_init: number },
): DistributionData {
  switch (space.kind) {
    case "Discrete":
      return { kind: "categorical", actions: space.n };
    case "MultiDiscrete":
      return { kind: "multi_categorical", nvec: [...space.nvec] };
    case "MultiBinary":
      return { kind: "bernoulli", n: flatSize(space) };
    case "Box":
      return { kind: "normal", size: flatSize(space), ...normal };
    default:
      throw new RangeError(
        `stochasticActor: found actions ${describeSpace(space)}, allowed Discrete, MultiDiscrete, MultiBinary and Box`,
      );
  }
}

/**
 * A network from an observation to the means and then the logarithms of the standard deviations of a
 * Gaussian, whose samples go through tanh (Haarnoja et al. 2018). An MLP encoder has no layer normalisation;
 * the head has no output activation.
 */
export function squashedGaussianActor(
  observation_space: Space,
  action_space: Box,
  network: NetworkSettings,
): NetworkData {
  const size = flatSize(action_space);
  const head = mlpHead(network, 2 * size, { ...network.head_config, output_activation: null });
  const encoder = withEncoder(network, { layer_norm: false });
  const data = build("stochastic_actor", observation_space, encoder, head);
  return withBoxActions({ ...data, distribution: { kind: "squashed_normal", size } }, action_space, WIDEST);
}

/**
 * A network from an observation to the means, in (-1, 1), of a Gaussian whose deviation does not depend on it (a separate
 * tensor `log_std`, of zeros). An MLP encoder has no layer normalisation.
 */
export function boundedGaussianActor(
  observation_space: Space,
  action_space: Box,
  network: NetworkSettings,
): NetworkData {
  const data = deterministicActor(observation_space, action_space, withTanh(network));
  const size = flatSize(action_space);
  const distribution = { kind: "normal", size, log_std_init: 0, squash_output: false } as const;
  return { ...data, kind: "stochastic_actor", distribution };
}

/** The settings with an output in (-1, 1). */
export const withTanh = <N extends NetworkSettings>(network: N): N => ({
  ...network,
  head_config: { ...network.head_config, output_activation: "Tanh" },
});

/** Activations with bounded values, which a deterministic actor's output needs. */
export const ACTOR_OUTPUTS: readonly string[] = ["Tanh", "Sigmoid", "Softmax", "GumbelSoftmax"];

/**
 * A network from an observation to an action, in (-1, 1) with Tanh (the default output activation), otherwise
 * in (0, 1). An MLP encoder has no layer normalisation.
 * @throws SpecError when the output activation is not bounded.
 */
export function deterministicActor(
  observation_space: Space,
  action_space: Box,
  network: NetworkSettings,
): NetworkData {
  const output_activation = network.head_config.output_activation ?? "Tanh";
  if (!ACTOR_OUTPUTS.includes(output_activation)) {
    const segments = ["network", "head_config", "output_activation"];
    const message = `found "${output_activation}"; the actions of a deterministic actor have bounds, allowed: ${ACTOR_OUTPUTS.join(", ")}`;
    throw new SpecError([{ code: "rule", path: segments.join("."), segments, message }], "manifest");
  }
  const head = mlpHead(network, flatSize(action_space), { ...network.head_config, output_activation });
  const encoder = withEncoder(network, { layer_norm: false });
  const data = build("deterministic_actor", observation_space, encoder, head);
  return withBoxActions(data, action_space, WIDEST);
}

/**
 * A network from an observation and an action [n, action_size] to a Q value: the head reads the latent vector
 * followed by the action. An MLP encoder has no layer normalisation. The head has no output activation; the
 * configured one is the actor's.
 */
export function continuousQNetwork(
  observation_space: Space,
  action_size: number,
  network: NetworkSettings,
  { share_encoder = false }: ShareOptions = {},
): NetworkData {
  const settings: MlpSettings = {
    ...(network.critic_head_config ?? network.head_config),
    output_activation: null,
  };
  const head = mlpData(network.latent_dim + action_size, 1, settings, "head");
  const data = build("continuous_q", observation_space, withEncoder(network, { layer_norm: false }), head);
  return share_encoder ? { ...data, encoder: "shared" } : data;
}

/**
 * A network from observations and actions [n, action_size] of several agents to a Q value (Lowe et al. 2017).
 * An encoder that reads vectors reads both, concatenated. Other encoders read only the observations, as in
 * {@link continuousQNetwork}. An MLP encoder has no layer normalisation. The head has no output activation;
 * the configured one is the actor's.
 */
export function jointQNetwork(
  observation_space: Space,
  action_size: number,
  network: NetworkSettings,
): NetworkData {
  const { arch } = network.encoder_config;
  const readsVectors = listArchitectures().some((known) => known.arch === arch && known.reads === "vector");
  if (!readsVectors) return continuousQNetwork(observation_space, action_size, network);
  const both = new Box({
    low: -Infinity,
    high: Infinity,
    shape: [flatSize(observation_space) + action_size],
  });
  const settings = network.critic_head_config ?? network.head_config;
  const head = mlpHead(network, 1, { ...settings, output_activation: null });
  return build("joint_q", both, withEncoder(network, { layer_norm: false }), head);
}

export interface RainbowOptions {
  /** Number of atoms (possible returns) of the distribution. */
  readonly num_atoms: number;
  /** Initial scale of the noise on the head's weights. */
  readonly noise_std: number;
}

/**
 * A network from an observation to logits of each action's return [actions x atoms] (Hessel et al. 2018). The
 * head is noisy; the encoder is not. An MLP encoder has layer normalisation and PyTorch's initial weights.
 */
export function rainbowNetwork(
  observation_space: Space,
  actions: number,
  network: NetworkSettings,
  { num_atoms, noise_std }: RainbowOptions,
): NetworkData {
  const head = duelingData(network.latent_dim, network.head_config, { actions, num_atoms, noise_std });
  const encoder = withEncoder(network, { layer_norm: true, init_layers: false });
  return build("rainbow_q", observation_space, encoder, head);
}
