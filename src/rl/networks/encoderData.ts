/** An encoder from its settings, for a space of observations. */
import type { MlpSettings } from "../modules/mlpData.ts";
import { mlpData } from "../modules/mlpData.ts";
import type { ModuleData } from "../modules/moduleData.ts";
import { flatSize, type Space } from "../spaces/index.ts";

/** Observation to latent vector. */
export function encoderData(observation_space: Space, latent_dim: number, settings: MlpSettings): ModuleData {
  return mlpData(flatSize(observation_space), latent_dim, settings, "encoder");
}
