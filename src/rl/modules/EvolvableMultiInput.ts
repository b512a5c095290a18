import { checkNames, type OptionNames } from "../../specs/checkOptions.ts";
import type { Activation } from "../../specs/networks/Activation.ts";
import { CNN_DEFAULTS, CnnSpec, type CnnSpecInput } from "../../specs/networks/CnnSpec.ts";
import { MLP_ENCODER_DEFAULTS, MlpSpec, type MlpSpecInput } from "../../specs/networks/MlpSpec.ts";
import { MULTI_INPUT_DEFAULTS, type MultiInputData } from "../../specs/networks/MultiInputSpec.ts";
import type { Dict, Tuple } from "../spaces/index.ts";
import { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
import { multiInputData } from "./multiInput.ts";
import { observationParts } from "./observationParts.ts";
import { requireSizes, requireWithin } from "./optionChecks.ts";

export interface EvolvableMultiInputOptions {
  /** The parts of an observation; images have three dimensions. */
  readonly observation_space: Dict | Tuple;
  readonly num_outputs: number;
  /** Width of each extractor's output; 16 unless given. */
  readonly latent_dim?: number;
  /** Settings of the convolutions of images; two of 32 channels unless given. */
  readonly cnn_config?: Partial<Omit<CnnSpecInput, "arch">>;
  /** Settings of the vectors' perceptron; two layers of 64 unless given. */
  readonly mlp_config?: Partial<Omit<MlpSpecInput, "arch">>;
  /** Puts a perceptron behind vectors, which otherwise join as they are; false unless given. */
  readonly vector_space_mlp?: boolean;
  /** Layer normalisation before the output activation; false unless given. */
  readonly output_layernorm?: boolean;
  /** None unless given. */
  readonly output_activation?: Activation | null;
  /** 8 unless given. */
  readonly min_latent_dim?: number;
  /** 128 unless given. */
  readonly max_latent_dim?: number;
  /** Seed of weights and mutations; 42 unless given. */
  readonly random_seed?: number;
}

const NAMES: OptionNames<EvolvableMultiInputOptions> = {
  observation_space: true,
  num_outputs: true,
  latent_dim: true,
  cnn_config: true,
  mlp_config: true,
  vector_space_mlp: true,
  output_layernorm: true,
  output_activation: true,
  min_latent_dim: true,
  max_latent_dim: true,
  random_seed: true,
};

const EXAMPLE = "{ observation_space, num_outputs: 2 }";

/**
 * Evolvable extractors for the parts of an observation: convolutions for each image, vectors as they are or through a
 * perceptron, and a dense layer over all of them.
 *
 * @example
 * ```ts
 * const observation_space = new Dict({
 *   camera: new Box({ low: 0, high: 1, shape: [1, 10, 10] }),
 *   speed: new Box({ low: -1, high: 1 }),
 * });
 * const actor_network = new EvolvableMultiInput({ observation_space, num_outputs: 3 });
 * ```
 */
export class EvolvableMultiInput extends EvolvableModule<MultiInputData> {
  readonly #options: EvolvableMultiInputOptions;

  /** @throws RangeError for sizes that lie out of bounds or do not fit an image; ZodError for other settings. */
  constructor(
    options: EvolvableMultiInputOptions,
    weights?: Record<string, Float32Array>,
    data: MultiInputData = fromOptions(options),
  ) {
    super(data, options.random_seed ?? 42, weights);
    this.#options = options;
  }

  clone(): EvolvableMultiInput {
    return new EvolvableMultiInput(this.#options, this.copyWeights(), this.data);
  }

  /** Widens the output of all extractors unless it would reach max_latent_dim. Nodes are drawn unless given. */
  addLatentNode(numb_new_nodes?: number): ModuleChange {
    return this.mutate("add_latent_node", numb_new_nodes === undefined ? {} : { numb_new_nodes });
  }

  /** Narrows the output of all extractors unless it would reach min_latent_dim. Nodes are drawn unless given. */
  removeLatentNode(numb_new_nodes?: number): ModuleChange {
    return this.mutate("remove_latent_node", numb_new_nodes === undefined ? {} : { numb_new_nodes });
  }
}

function fromOptions(options: EvolvableMultiInputOptions): MultiInputData {
  checkNames("EvolvableMultiInput", options, NAMES, { example: EXAMPLE });
  const defaults = MULTI_INPUT_DEFAULTS;
  const {
    observation_space,
    num_outputs,
    latent_dim = defaults.latent_dim,
    vector_space_mlp = defaults.vector_space_mlp,
  } = options;
  const { min_latent_dim = defaults.min_latent_dim, max_latent_dim = defaults.max_latent_dim } = options;
  const { output_layernorm = false, output_activation = null } = options;
  const name = "EvolvableMultiInput";
  requireSizes(name, { num_outputs, latent_dim });
  requireWithin(
    name,
    ["latent_dim", latent_dim],
    ["min_latent_dim", min_latent_dim],
    ["max_latent_dim", max_latent_dim],
  );
  const { channel_size, kernel_size, stride_size } = CNN_DEFAULTS;
  const sizes = {
    channel_size: [...channel_size],
    kernel_size: [...kernel_size],
    stride_size: [...stride_size],
  };
  const data = multiInputData(observationParts(observation_space), num_outputs, {
    latent_dim,
    min_latent_dim,
    max_latent_dim,
    vector_space_mlp,
    cnn_config: CnnSpec.parse({ ...CNN_DEFAULTS, ...sizes, ...options.cnn_config, arch: "cnn" }),
    mlp_config: MlpSpec.parse({
      ...MLP_ENCODER_DEFAULTS,
      hidden_size: [...MLP_ENCODER_DEFAULTS.hidden_size],
      ...options.mlp_config,
      arch: "mlp",
    }),
  });
  return { ...data, output_layernorm, output_activation };
}
