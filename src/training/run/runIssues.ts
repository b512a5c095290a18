/** What keeps a run from starting although its manifest's fields are all right. */
import { algorithmDefinition, SpecError, type SpecIssue, type TrainingManifest } from "../../specs/index.ts";
import { evolutionOf, initialMembers } from "./buildRun.ts";
import { environmentOf } from "./environmentOf.ts";

/**
 * An algorithm or networks that do not suit the environment, options that it does not have, a selection that does not
 * suit the population. Empty where only the build lacks what the manifest asks for.
 */
export function runIssues(manifest: TrainingManifest): readonly SpecIssue[] {
  if (!algorithmDefinition(manifest.algorithm.name).runs) return [];
  const one = { ...manifest, training: { ...manifest.training, pop_size: 1 } };
  try {
    initialMembers(one, environmentOf(manifest), 0);
    evolutionOf(manifest, 0);
    return [];
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return error.issues.filter(({ code }) => code !== "unsupported");
  }
}
