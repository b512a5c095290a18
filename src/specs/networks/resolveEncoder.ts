/** The settings that a section leaves open, filled in. */
import { parseSpec } from "../parseSpec.ts";
import { SpecError } from "../SpecError.ts";
import { CnnLstmSpec } from "./CnnLstmSpec.ts";
import { CNN_BOUNDS, CNN_DEFAULTS, CnnSpec } from "./CnnSpec.ts";
import {
  DEFERRED_ENCODERS,
  type DeferredArchitecture,
  type DeferredEncoderSpec,
} from "./DeferredEncoderSpec.ts";
import type { EncoderSpec } from "./EncoderSpec.ts";
import type { ObservationKind } from "./inferArchitecture.ts";
import { LSTM_BOUNDS, LSTM_DEFAULTS, LstmSpec } from "./LstmSpec.ts";
import {
  type DeferredHeadSpec,
  MLP_BOUNDS,
  MLP_ENCODER_DEFAULTS,
  MLP_HEAD_DEFAULTS,
  MlpSpec,
} from "./MlpSpec.ts";
import { MULTI_INPUT_DEFAULTS } from "./MultiInputSpec.ts";
import type { ResolvedEncoder } from "./resolveNetwork.ts";
import { SIMBA_BOUNDS, SIMBA_DEFAULTS, SimbaSpec } from "./SimbaSpec.ts";
import { fillSize, fillStack, LATENT_BOUNDS, type SizeRule } from "./sizeBounds.ts";

type Settings = Readonly<Record<string, unknown>>;

const given = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

const fillSizes = (settings: Settings, defaults: Settings, rules: readonly SizeRule[]): Settings =>
  Object.assign({}, ...rules.map((rule) => fillSize(settings, defaults, rule)));

/** A perceptron's settings, open ones filled in. */
const fillMlp = (settings: Settings, defaults: Settings): MlpSpec =>
  MlpSpec.parse({ ...defaults, ...given(settings), ...fillStack(settings, defaults, MLP_BOUNDS) });

/** The convolutions' settings, open ones filled in: one kernel and stride for each. */
function fillCnn(settings: Settings): Settings {
  const lists = ["channel_size", "kernel_size", "stride_size"].map((key) => settings[key]);
  const listed = lists.find((list) => Array.isArray(list)) as readonly number[] | undefined;
  const stack = fillStack(settings, CNN_DEFAULTS, CNN_BOUNDS, listed?.length);
  const layers = (stack.channel_size as readonly number[]).length;
  const each = (value: number): number[] => Array.from({ length: layers }, () => value);
  const shapes = {
    kernel_size: each(CNN_DEFAULTS.kernel_size[0]),
    stride_size: each(CNN_DEFAULTS.stride_size[0]),
  };
  return { ...CNN_DEFAULTS, ...shapes, ...given(settings), ...stack };
}

const fillLstm = (settings: Settings): Settings => ({
  ...LSTM_DEFAULTS,
  ...given(settings),
  ...fillSizes(settings, LSTM_DEFAULTS, LSTM_BOUNDS),
});

const fillSimba = (settings: Settings): Settings => ({
  ...SIMBA_DEFAULTS,
  ...given(settings),
  ...fillSizes(settings, SIMBA_DEFAULTS, SIMBA_BOUNDS),
});

/** The head's settings, open ones filled in. @param own Defaults that differ from the usual ones. */
export const resolveHead = (head: DeferredHeadSpec, own: Settings = {}): MlpSpec =>
  fillMlp(head, { ...MLP_HEAD_DEFAULTS, ...own });

/** An encoder that a section declares: its output activation is known, and its output is not scaled down. */
export function resolveDeclared(encoder: EncoderSpec): ResolvedEncoder {
  switch (encoder.arch) {
    case "mlp":
      return {
        ...encoder,
        output_activation: encoder.output_activation ?? encoder.activation,
        output_vanish: false,
      };
    case "cnn_lstm":
      return { ...encoder, output_activation: encoder.output_activation ?? encoder.activation };
    case "simba":
      return { ...encoder, output_activation: encoder.output_activation ?? "ReLU" };
    case "multiinput":
      return {
        ...encoder,
        mlp_config: encoder.mlp_config ?? fillMlp({}, MLP_ENCODER_DEFAULTS),
        cnn_config: encoder.cnn_config ?? CnnSpec.parse({ arch: "cnn", ...fillCnn({}) }),
      };
    case "cnn":
    case "lstm":
    case "resnet":
      return encoder;
  }
}

function fill(arch: DeferredArchitecture, settings: DeferredEncoderSpec): EncoderSpec {
  switch (arch) {
    case "mlp":
      return fillMlp(settings, MLP_ENCODER_DEFAULTS);
    case "cnn":
      return CnnSpec.parse({ arch, ...fillCnn(settings) });
    case "cnn_lstm":
      return CnnLstmSpec.parse({ arch, ...fillCnn(settings), ...fillLstm(settings) });
    case "lstm":
      return LstmSpec.parse({ arch, ...fillLstm(settings) });
    case "simba":
      return SimbaSpec.parse({ arch, ...fillSimba(settings) });
    case "multiinput":
      return {
        arch,
        vector_space_mlp: settings.vector_space_mlp ?? MULTI_INPUT_DEFAULTS.vector_space_mlp,
        ...(fillSize(settings, MULTI_INPUT_DEFAULTS, LATENT_BOUNDS) as Record<
          "latent_dim" | "min_latent_dim" | "max_latent_dim",
          number
        >),
        mlp_config: fillMlp(settings.mlp_config ?? {}, MLP_ENCODER_DEFAULTS),
        cnn_config: CnnSpec.parse({ arch: "cnn", ...fillCnn(settings.cnn_config ?? {}) }),
      };
  }
}

/** In a form for every kind, simba's one width may come as a list of one. */
function withOneWidth(settings: DeferredEncoderSpec): DeferredEncoderSpec {
  const { hidden_size } = settings;
  const [width, ...others] = Array.isArray(hidden_size) ? hidden_size : [];
  return width === undefined || others.length > 0 ? settings : { ...settings, hidden_size: width };
}

/**
 * An encoder of the kind that follows from the environment.
 *
 * @param place Where the settings come from: "network" or "mutation.network".
 * @throws {@link SpecError} for settings that encoders of the kind do not have, or have in another form.
 */
export function resolveDeferred(
  arch: DeferredArchitecture,
  settings: DeferredEncoderSpec,
  { place, observation }: { readonly place: string; readonly observation: ObservationKind },
): ResolvedEncoder {
  const allowed = Object.keys(DEFERRED_ENCODERS[arch].schema.shape);
  const foreign = Object.keys(given(settings)).filter((key) => !allowed.includes(key));
  const segments = [...place.split("."), place === "network" ? "encoder_config" : "encoder"];
  if (foreign.length > 0) {
    throw new SpecError(
      foreign.map((key) => ({
        code: "unknown_key" as const,
        path: [...segments, key].join("."),
        segments: [...segments, key],
        message: `${key} is no setting of arch ${arch}, which follows from this environment's ${observation} observations and the algorithm; allowed keys: ${allowed.join(", ")}`,
      })),
      "manifest",
    );
  }
  const own = arch === "simba" ? withOneWidth(settings) : settings;
  parseSpec(DEFERRED_ENCODERS[arch].schema, own, segments.join("."));
  return resolveDeclared(fill(arch, own));
}
