import { builtInTemplate } from "../../specs/templates.ts";
import type { KeptEnvironment } from "../../workers/protocol.ts";

const { manifest } = builtInTemplate("ppo-cartpole");

/** A manifest that trains PPO in a user's environment, as a starting point. */
export const ownManifest = ({ id }: Pick<KeptEnvironment, "id">) => ({
  apiVersion: "agilerl.com/v1",
  ...manifest,
  environment: { ...manifest.environment, name: id },
});
