/** An encoder from its settings, for a space of observations. */
import { type ResolvedEncoder, SpecError } from "../../specs/index.ts";
import { cnnData } from "../modules/cnnData.ts";
import { cnnLstmData } from "../modules/cnnLstmData.ts";
import type { Convolutions } from "../modules/convolutions.ts";
import { lstmData } from "../modules/lstmData.ts";
import { mlpData } from "../modules/mlpData.ts";
import type { ModuleData } from "../modules/moduleData.ts";
import { multiInputData, type ObservationPart } from "../modules/multiInputData.ts";
import { observationParts } from "../modules/observationParts.ts";
import { resnetData } from "../modules/resnetData.ts";
import { simbaData } from "../modules/simbaData.ts";
import { describeSpace, flatSize, imageLayout, isImage, type Space } from "../spaces/index.ts";

function refuse(message: string, cause?: unknown): SpecError {
  const segments = ["network", "encoder_config"];
  const issue = { code: "rule", path: segments.join("."), segments, message } as const;
  return Object.assign(new SpecError([issue], "manifest"), cause === undefined ? {} : { cause });
}

function imageOf(space: Space, arch: string): Convolutions["input_shape"] {
  if (space.kind === "Box" && isImage(space)) return imageLayout(space).shape;
  throw refuse(
    `found arch "${arch}"; it reads images (Box of three dimensions), this observation is ${describeSpace(space)}; allowed: mlp, lstm, simba`,
  );
}

function partsOf(space: Space): ObservationPart[] {
  if (space.kind === "Tuple" || space.kind === "Dict") return observationParts(space);
  throw refuse(
    `found arch "multiinput"; it reads Tuple and Dict, this observation is ${describeSpace(space)}; leave arch out, or name another`,
  );
}

function build(space: Space, outputs: number, settings: ResolvedEncoder): ModuleData {
  switch (settings.arch) {
    case "mlp":
      return mlpData(flatSize(space), outputs, settings, "encoder");
    case "simba":
      return simbaData(flatSize(space), outputs, settings);
    case "lstm":
      return lstmData(flatSize(space), outputs, settings);
    case "cnn":
      return cnnData(imageOf(space, settings.arch), outputs, settings);
    case "cnn_lstm":
      return cnnLstmData(imageOf(space, settings.arch), outputs, settings);
    case "resnet":
      return resnetData(imageOf(space, settings.arch), outputs, settings);
    case "multiinput":
      return multiInputData(partsOf(space), outputs, settings);
  }
}

/**
 * Observation, as programs give it to networks, to latent vector. Perceptrons, SimBa and LSTM read anything,
 * flattened.
 * @throws SpecError for an architecture or sizes that do not fit the observation.
 */
export function encoderData(
  observation_space: Space,
  latent_dim: number,
  settings: ResolvedEncoder,
): ModuleData {
  try {
    return build(observation_space, latent_dim, settings);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refuse(error.message, error);
  }
}
