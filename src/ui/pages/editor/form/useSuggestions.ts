import { useEffect } from "react";
import { TEXT_MODELS } from "../../../../specs/builtInText.ts";
import { readKeptModels, useKeptModels } from "../../../state/keptModels.ts";
import { useWorkbench } from "../../../state/WorkbenchContext.ts";
import type { ManifestPath } from "../document/ManifestDocument.ts";
import { suggestionsAt } from "./suggestions.ts";

/** What there is for the text at a place: what is built in, and the models that this browser keeps. */
export function useSuggestions(path: ManifestPath): readonly string[] {
  const { coordinator } = useWorkbench();
  const kept = useKeptModels((state) => state.models);
  const builtIn = suggestionsAt(path);
  const isModel = builtIn === TEXT_MODELS;
  useEffect(() => {
    // Without them the built-in ones are offered.
    if (isModel && kept === null) readKeptModels(coordinator).catch(() => undefined);
  }, [isModel, kept, coordinator]);
  return isModel ? [...builtIn, ...(kept ?? []).map((model) => model.path)] : builtIn;
}
