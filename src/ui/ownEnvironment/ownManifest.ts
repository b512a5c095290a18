import { ppoCartPole } from "../../specs/templates.ts";
import type { KeptEnvironment } from "../../workers/protocol.ts";

/** A manifest that trains PPO in a user's environment, as a starting point. */
export const ownManifest = ({ id }: Pick<KeptEnvironment, "id">) => ({
  apiVersion: "agilerl.com/v1",
  ...ppoCartPole.manifest,
  environment: { ...ppoCartPole.manifest.environment, name: id },
});
