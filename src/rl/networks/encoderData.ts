/** Builds the data of an encoder from its settings, for an observation space. */

import { SpecError } from "../../specs/checks.ts";
import { observationParts } from "../modules/all.ts";
import { listArchitectures } from "../modules/architectures.ts";
import { findModule, type ModuleData } from "../modules/moduleData.ts";
import type { Observed } from "../modules/moduleDefinition.ts";
import type { ResolvedEncoder } from "../sections/resolveNetwork.ts";
import { describeSpace, flatSize, imageLayout, isComposite, isImage, type Space } from "../spaces.ts";

function refuse(message: string, cause?: unknown): SpecError {
  const segments = ["network", "encoder_config"];
  const issue = { code: "rule", path: segments.join("."), segments, message } as const;
  return Object.assign(new SpecError([issue], "manifest"), cause === undefined ? {} : { cause });
}

/** The observation in the forms that encoders read; errors name `arch`. */
const observedAs = (arch: string, space: Space): Observed => ({
  size: () => flatSize(space),
  image: () => {
    if (space.kind === "Box" && isImage(space)) return imageLayout(space).shape;
    const allowed = listArchitectures().filter(({ reads }) => reads === "vector");
    throw refuse(
      `found arch "${arch}"; it reads images (Box of three dimensions), this observation is ${describeSpace(space)}; allowed: ${allowed.map((other) => other.arch).join(", ")}`,
    );
  },
  parts: () => {
    if (isComposite(space)) return observationParts(space);
    throw refuse(
      `found arch "${arch}", which reads Tuple and Dict observations; this observation is ${describeSpace(space)}; omit arch or choose another`,
    );
  },
});

/**
 * Data of an encoder from observations, in the form of network inputs, to latent vectors. Encoders
 * of vectors read any observation, flattened.
 * @throws SpecError when the architecture or its sizes do not fit the observation.
 */
export function encoderData(
  observation_space: Space,
  latent_dim: number,
  settings: ResolvedEncoder,
): ModuleData {
  const { arch } = settings;
  try {
    const definition = findModule(arch);
    const data = definition.encoder?.(observedAs(arch, observation_space), latent_dim, settings);
    if (data) return data;
    throw new RangeError(`arch: found "${arch}", which is not an encoder; choose another arch`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refuse(error.message, error);
  }
}
