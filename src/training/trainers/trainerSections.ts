/** Builds sections of a manifest from the options of a trainer. */
import { startingValues } from "../../rl/agents.ts";
import { BanditEnvironment, type VectorEnvironment } from "../../rl/environments.ts";
import { banditSection } from "../options/banditTable.ts";
import { sectionOf } from "../options/environmentOption.ts";
import type { TrainerOptions } from "./Trainer.ts";

/** The network section inside the algorithm's spec. */
export const ownSection = (algorithm: TrainerOptions["algorithm"]): unknown =>
  typeof algorithm === "object" && "net_config" in algorithm ? algorithm.net_config : null;

export function algorithmSection(
  { algorithm, hp_config }: TrainerOptions,
  lanes: VectorEnvironment | null,
): unknown {
  const spec = typeof algorithm === "string" ? { name: algorithm } : algorithm;
  if (!spec) return spec;
  // The number of lanes is taken from the live environment.
  const num_envs = lanes && "num_envs" in spec ? { num_envs: lanes.num_envs } : {};
  return { ...spec, ...num_envs, ...startingValues(hp_config) };
}

/** The section of a live environment. */
export const liveSection = (environment: TrainerOptions["environment"], lanes: VectorEnvironment): unknown =>
  environment instanceof BanditEnvironment ? banditSection(environment) : sectionOf(lanes);

export const environmentSection = (environment: TrainerOptions["environment"]): unknown =>
  typeof environment === "string" ? { name: environment } : environment;
