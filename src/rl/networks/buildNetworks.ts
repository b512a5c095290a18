/** Networks from their specification. */
import { type MlpSettings, type ResolvedEncoder, SpecError } from "../../specs/index.ts";
import { mlpData } from "../modules/mlpData.ts";
import type { ModuleData } from "../modules/moduleData.ts";
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

/** @throws SpecError for an architecture that this build lacks. */
function encoderData(inputs: number, latent_dim: number, settings: ResolvedEncoder): ModuleData {
  if (settings.arch === "mlp") return mlpData(inputs, latent_dim, settings, "encoder");
  throw new SpecError(
    [
      {
        code: "unsupported",
        path: "network.encoder_config.arch",
        segments: ["network", "encoder_config", "arch"],
        message: `"${settings.arch}" is known to the format but not yet supported by this build; available: mlp`,
      },
    ],
    "manifest",
  );
}

function build(
  kind: NetworkData["kind"],
  inputs: number,
  outputs: number,
  network: NetworkSettings,
  head: MlpSettings = network.head_config,
): NetworkData {
  const { latent_dim, min_latent_dim, max_latent_dim, encoder_config } = network;
  return {
    kind,
    encoder: encoderData(inputs, latent_dim, encoder_config),
    latent_dim,
    min_latent_dim,
    max_latent_dim,
    head: mlpData(latent_dim, outputs, head, "head"),
    distribution: null,
  };
}

/** Observation [inputs] to one Q value per action. */
export const qNetwork = (inputs: number, actions: number, network: NetworkSettings): NetworkData =>
  build("q", inputs, actions, network);

/** Observation [inputs] to its value; with `share_encoder`, from the policy's latent vector instead. */
export function valueNetwork(
  inputs: number,
  network: NetworkSettings,
  { share_encoder = false }: { readonly share_encoder?: boolean } = {},
): NetworkData {
  const data = build("value", inputs, 1, network, network.critic_head_config ?? network.head_config);
  return share_encoder ? { ...data, encoder: "shared" } : data;
}

/** Actions of a stochastic actor. */
export type ActorActions =
  | { readonly kind: "discrete"; readonly n: number }
  | {
      readonly kind: "continuous";
      readonly size: number;
      /** Logarithm of the initial standard deviation; 0 unless given. */
      readonly action_std_init?: number;
    };

/** Observation [inputs] to the parameters of an action distribution: logits, or means beside `log_std`. */
export function stochasticActor(
  inputs: number,
  actions: ActorActions,
  network: NetworkSettings,
): NetworkData {
  const distribution: DistributionData =
    actions.kind === "discrete"
      ? { kind: "categorical", actions: actions.n }
      : {
          kind: "normal",
          size: actions.size,
          log_std_init: actions.action_std_init ?? 0,
          squash_output: network.squash_output ?? false,
        };
  const outputs = actions.kind === "discrete" ? actions.n : actions.size;
  return { ...build("stochastic_actor", inputs, outputs, network), distribution };
}
