import type { EnvironmentText } from "../../../workers/protocol.ts";
import type { Connection } from "../../client/Connection.ts";
import { readKeptEnvironments, useKeptEnvironments } from "../../state/kept.ts";
import { type EnvironmentDraft, savedDraft } from "./drafts.ts";

/**
 * Saves a draft under its name.
 *
 * @param kept the name that it has been stored under
 * @throws Error if the name is not valid or belongs to another environment
 */
export async function saveDraft(
  coordinator: Connection["coordinator"],
  kept: string,
  { name, text }: EnvironmentDraft,
): Promise<EnvironmentText> {
  await readKeptEnvironments(coordinator);
  const { environments } = useKeptEnvironments.getState();
  if (name !== kept && environments?.some((other) => other.name === name))
    throw new Error(`name: found "${name}", which another environment already uses; choose another name.`);
  const saved = await coordinator.saveEnvironment(name, text);
  savedDraft(kept, saved);
  await readKeptEnvironments(coordinator);
  return saved;
}
