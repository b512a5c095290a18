import { TEXT_DATASETS, TEXT_ENVIRONMENTS, TEXT_MODELS } from "../../../../specs/builtIn.ts";
import { dottedPath } from "../../../../specs/checks.ts";
import type { ManifestPath } from "../document/ManifestDocument.ts";
import { environmentNames } from "../editorStore.ts";

const SUGGESTIONS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["environment.entrypoint", TEXT_ENVIRONMENTS],
  ["environment.dataset", TEXT_DATASETS],
  ["network.pretrained_model_name_or_path", TEXT_MODELS],
  ["algorithm.pretrained_model_name_or_path", TEXT_MODELS],
]);

/** Suggested values for the text field at a path, which also accepts others; empty for most paths. */
export const suggestionsAt = (path: ManifestPath): readonly string[] =>
  dottedPath(path) === "environment.name" ? environmentNames() : (SUGGESTIONS.get(dottedPath(path)) ?? []);
