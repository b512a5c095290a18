/** What the gallery offers beside the templates: to train in an environment of one's own. */
import type { Connection } from "../../../client/Connection.ts";
import { ownManifest } from "../../../ownEnvironment/ownManifest.ts";
import { STARTER, STARTER_NAME } from "../../../ownEnvironment/starter.ts";
import { readKeptEnvironments, useKeptEnvironments } from "../../../state/keptEnvironments.ts";

/** As an address names it. */
export const OWN_TASK = "own-cartpole";

/** Keeps the starter's code, unless there is an environment of its name, and gives the manifest that trains in it. */
export async function ownTaskManifest(coordinator: Connection["coordinator"]) {
  const { environments } = useKeptEnvironments.getState();
  if (environments?.every(({ name }) => name !== STARTER_NAME) ?? true) {
    await coordinator.saveEnvironment(STARTER_NAME, STARTER);
    await readKeptEnvironments(coordinator);
  }
  return ownManifest({ id: `user/${STARTER_NAME}` });
}
