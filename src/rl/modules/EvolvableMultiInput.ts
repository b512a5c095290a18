import { type Activation } from "../../specs/networks.ts";
import type { Dict, Tuple } from "../spaces.ts";
import { CnnSpec, type CnnSpecInput } from "./cnn.ts";
import { CNN_DEFAULTS } from "./convolutions.ts";
import { EvolvableModule, type ModuleChange } from "./EvolvableModule.ts";
import { MLP_ENCODER_DEFAULTS, MlpSpec, type MlpSpecInput } from "./mlp.ts";
import { readOptions } from "./moduleOptions.ts";
import { MULTI_INPUT_DEFAULTS, type MultiInputData, multiInputData, observationParts } from "./multiInput.ts";
import { LATENT_BOUNDS } from "./settings.ts";

export interface EvolvableMultiInputOptions {
  /** The observation space; a Box of three dimensions is an image. */
  readonly observation_space: Dict | Tuple;
  readonly num_outputs: number;
  /** Width of each extractor's output (default: 16). */
  readonly latent_dim?: number;
  /** Settings of the image extractors (default: two convolutions of 32 channels). */
  readonly cnn_config?: Partial<Omit<CnnSpecInput, "arch">>;
  /** Settings of the MLP for vectors (default: two hidden layers of 64 nodes). */
  readonly mlp_config?: Partial<Omit<MlpSpecInput, "arch">>;
  /** Whether an MLP encodes the vectors; otherwise they are passed on unchanged (default: false). */
  readonly vector_space_mlp?: boolean;
  /** Layer normalisation before the output activation (default: false). */
  readonly output_layernorm?: boolean;
  /** Default: none. */
  readonly output_activation?: Activation | null;
  /** Default: 8. */
  readonly min_latent_dim?: number;
  /** Default: 128. */
  readonly max_latent_dim?: number;
  /** Seed of weights and mutations (default: 42). */
  readonly random_seed?: number;
}

/**
 * Evolvable extractors for the parts of an observation: convolutions for each image, and vectors unchanged or
 * through an MLP. A dense layer combines them.
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

  /**
   * @throws RangeError when a size is out of bounds or does not fit an image.
   * @throws ZodError when another setting is invalid.
   */
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

  /** Widens all extractors' outputs, by default by a random number, unless they reach max_latent_dim. */
  addLatentNode(numb_new_nodes?: number): ModuleChange {
    return this.mutate("add_latent_node", { numb_new_nodes });
  }

  /**
   * Narrows the output of all extractors unless that would leave min_latent_dim or fewer. An omitted number
   * of nodes is drawn at random.
   */
  removeLatentNode(numb_new_nodes?: number): ModuleChange {
    return this.mutate("remove_latent_node", { numb_new_nodes });
  }
}

function fromOptions(options: EvolvableMultiInputOptions): MultiInputData {
  const {
    observation_space,
    num_outputs,
    cnn_config,
    mlp_config,
    output_layernorm,
    output_activation,
    ...rest
  } = readOptions("EvolvableMultiInput", options, {
    example: "{ observation_space, num_outputs: 2 }",
    sizes: ["num_outputs", "latent_dim"],
    others: ["observation_space"],
    defaults: {
      ...MULTI_INPUT_DEFAULTS,
      cnn_config: {},
      mlp_config: {},
      output_layernorm: false,
      output_activation: null,
      random_seed: 42,
    },
    rules: [LATENT_BOUNDS],
  });
  const { channel_size, kernel_size, stride_size } = CNN_DEFAULTS;
  const sizes = {
    channel_size: [...channel_size],
    kernel_size: [...kernel_size],
    stride_size: [...stride_size],
  };
  const data = multiInputData(observationParts(observation_space), num_outputs, {
    ...rest,
    cnn_config: CnnSpec.parse({ ...CNN_DEFAULTS, ...sizes, ...cnn_config, arch: "cnn" }),
    mlp_config: MlpSpec.parse({
      ...MLP_ENCODER_DEFAULTS,
      hidden_size: [...MLP_ENCODER_DEFAULTS.hidden_size],
      ...mlp_config,
      arch: "mlp",
    }),
  });
  return { ...data, output_layernorm, output_activation };
}
