import { useEffect } from "react";
import { TEXT_MODELS } from "../../../../specs/builtIn.ts";
import { readKeptModels, useKeptModels } from "../../../state/kept.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import type { ManifestPath } from "../document/ManifestDocument.ts";
import { suggestionsAt } from "./suggestions.ts";

/** Suggested values for the text field at a path: built-in ones, and models stored in this browser. */
export function useSuggestions(path: ManifestPath): readonly string[] {
  const { coordinator } = useWorkbench();
  const kept = useKeptModels((state) => state.models);
  const builtIn = suggestionsAt(path);
  const isModel = builtIn === TEXT_MODELS;
  useEffect(() => {
    // If they cannot be read, only the built-in ones are suggested.
    if (isModel && kept === null) readKeptModels(coordinator).catch(() => undefined);
  }, [isModel, kept, coordinator]);
  return isModel ? [...builtIn, ...(kept ?? []).map((model) => model.path)] : builtIn;
}
