/** The gallery's entry besides the templates: training in a user-written environment. */
import type { Connection } from "../../../client/Connection.ts";
import { ownManifest, STARTER, STARTER_NAME } from "../../../ownEnvironment/starter.ts";
import { readKeptEnvironments, useKeptEnvironments } from "../../../state/kept.ts";

/** Its id in a route. */
export const OWN_TASK = "own-cartpole";

/**
 * Saves the starter code, unless an environment of its name exists, and returns a manifest that trains in it.
 */
export async function ownTaskManifest(coordinator: Connection["coordinator"]) {
  const { environments } = useKeptEnvironments.getState();
  if (environments?.every(({ name }) => name !== STARTER_NAME) ?? true) {
    await coordinator.saveEnvironment(STARTER_NAME, STARTER);
    await readKeptEnvironments(coordinator);
  }
  return ownManifest({ id: `user/${STARTER_NAME}` });
}
