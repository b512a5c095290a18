/** An encoder from its settings, for a space of observations. */
import { type ResolvedEncoder, SpecError } from "../../specs/index.ts";
import { mlpData } from "../modules/mlpData.ts";
import type { ModuleData } from "../modules/moduleData.ts";
import { flatSize, type Space } from "../spaces/index.ts";

/** Observation to latent vector.
 * @throws SpecError for an architecture that this build lacks. */
export function encoderData(
  observation_space: Space,
  latent_dim: number,
  settings: ResolvedEncoder,
): ModuleData {
  if (settings.arch === "mlp") return mlpData(flatSize(observation_space), latent_dim, settings, "encoder");
  const segments = ["network", "encoder_config", "arch"];
  const message = `"${settings.arch}" is known to the format but not yet supported by this build; available: mlp`;
  throw new SpecError([{ code: "unsupported", path: segments.join("."), segments, message }], "manifest");
}
