/** Networks from their specification, for the spaces of an environment. */
import { type MlpSettings, type ResolvedEncoder, SpecError } from "../../specs/index.ts";
import { listArchitectures } from "../../specs/networks/architectures.ts";
import { duelingData } from "../modules/dueling.ts";
import { mlpData } from "../modules/mlp.ts";
import type { ModuleData } from "../modules/moduleData.ts";
import { Box, describeSpace, flatSize, type Space } from "../spaces/index.ts";
import { encoderData } from "./encoderData.ts";
import type { DistributionData, NetworkData } from "./networkData.ts";

/** The settings of a network that a specification gives (a ResolvedNetwork has them). */
export interface NetworkSettings {
  readonly latent_dim: number;
  readonly min_latent_dim: number;
  readonly max_latent_dim: number;
  readonly encoder_config: ResolvedEncoder;
  readonly head_config: MlpSettings;
  /** Head of the value network; `head_config` unless given. */
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

/** Settings with other ones for the encoder, where it is a perceptron. */
const withEncoder = (network: NetworkSettings, change: Partial<MlpSettings>): NetworkSettings => {
  const { encoder_config } = network;
  return encoder_config.arch === "mlp"
    ? { ...network, encoder_config: { ...encoder_config, ...change } }
    : network;
};

/** Observation to one Q value per action. */
export const qNetwork = (observation_space: Space, actions: number, network: NetworkSettings): NetworkData =>
  build("q", observation_space, network, mlpHead(network, actions));

export interface ShareOptions {
  /** Reads the policy's latent vector in place of the observation; false unless given. */
  readonly share_encoder?: boolean;
}

/** Observation to its value. */
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
  /** Logarithm of the initial standard deviation of continuous actions; 0 unless given. */
  readonly action_std_init?: number;
}

/**
 * Observation to the parameters of an action distribution: logits, or means beside `log_std`.
 * @throws RangeError for an action space of several parts.
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
  return { ...build("stochastic_actor", observation_space, network, head), distribution };
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
 * Observation to the means of a Gaussian and, behind them, the logarithms of its standard deviations, whose draws go
 * through tanh (Haarnoja et al. 2018). A perceptron as encoder has no layer normalisation; the head has no output
 * activation.
 */
export function squashedGaussianActor(
  observation_space: Space,
  action_space: Box,
  network: NetworkSettings,
): NetworkData {
  const size = flatSize(action_space);
  const head = mlpHead(network, 2 * size, { ...network.head_config, output_activation: null });
  const encoder = withEncoder(network, { layer_norm: false });
  return {
    ...build("stochastic_actor", observation_space, encoder, head),
    distribution: { kind: "squashed_normal", size },
  };
}

/** Activations whose values are bounded, as a deterministic actor's must be. */
export const ACTOR_OUTPUTS: readonly string[] = ["Tanh", "Sigmoid", "Softmax", "GumbelSoftmax"];

/**
 * Observation to an action, in (-1, 1) with Tanh (the output activation unless the head has one), else in (0, 1).
 * A perceptron as encoder has no layer normalisation.
 * @throws SpecError for an output activation without bounds.
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
  return build("deterministic_actor", observation_space, withEncoder(network, { layer_norm: false }), head);
}

/**
 * Observation and action [n, action_size] to a Q value: the head reads the latent vector, the action behind it. A
 * perceptron as encoder has no layer normalisation; the head has no output activation, which is the actor's.
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
 * Observations and actions [n, action_size] of several agents to a Q value (Lowe et al. 2017): an encoder that reads
 * vectors reads both, side by side. Others read the observations, as those of {@link continuousQNetwork} do. A perceptron
 * as encoder has no layer normalisation; the head has no output activation, which is the actor's.
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
  /** Returns that the distribution knows. */
  readonly num_atoms: number;
  /** Scale of the noise on the head's weights. */
  readonly noise_std: number;
}

/**
 * Observation to logits of each action's return [actions x atoms] (Hessel et al. 2018). The head is noisy, the
 * encoder is not; a perceptron as encoder has layer normalisation and PyTorch's initial weights.
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
