import { useEffect, useState } from "react";
import { dottedPath } from "../../../../specs/checks.ts";
import { OPPONENT_NAMES, TEXT_DATASETS, TEXT_ENVIRONMENTS, TEXT_MODELS } from "../../../../specs/sections.ts";
import { readKeptModels, useKeptModels } from "../../../state/kept.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { type FieldEdit, fieldText } from "../document/editManifest.ts";
import type { ManifestPath } from "../document/ManifestDocument.ts";
import { editField, environmentSuggestions, type Remark, useEditor } from "../editorStore.ts";
import { valueAt } from "./formNodes.ts";

/**
 * The first remark about a path or a path below it; `undefined` if there is none.
 * @param isExact Whether those below it are left out.
 */
export function useRemark(path: ManifestPath, isExact = false): Remark | undefined {
  const place = dottedPath(path);
  return useEditor(({ remarks }) =>
    remarks.find(
      ({ path: at }) =>
        at === place || (!isExact && (at.startsWith(`${place}[`) || at.startsWith(`${place}.`))),
    ),
  );
}

/** Whether the text sets a value at a path. */
export const useIsSet = (path: ManifestPath): boolean =>
  useEditor(({ shown }) => valueAt(shown.values, path) !== undefined);

/**
 * The text of an input that edits the value at one path. The typed text stays as typed, even if the manifest
 * writes the same value differently (a trailing comma, a space), until the value changes elsewhere.
 */
export function useTypedText(
  path: ManifestPath,
  editOf: (text: string) => FieldEdit,
  show: (written: string, value: unknown) => string = (written) => written,
): { text: string; type: (text: string) => void } {
  const written = useEditor(({ shown }) => show(fieldText(shown, path), valueAt(shown.values, path)));
  const [typed, setTyped] = useState<{ text: string; written: string } | null>(null);
  const type = (text: string): void => {
    editField(path, text.trim() === "" ? { kind: "unset" } : editOf(text.trim()));
    const { shown } = useEditor.getState();
    setTyped({ text, written: show(fieldText(shown, path), valueAt(shown.values, path)) });
  };
  return { text: typed !== null && typed.written === written ? typed.text : written, type };
}

const SUGGESTIONS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["training.opponents", ["mixed", ...OPPONENT_NAMES]],
  ["environment.entrypoint", TEXT_ENVIRONMENTS],
  ["environment.dataset", TEXT_DATASETS],
  ["network.pretrained_model_name_or_path", TEXT_MODELS],
  ["algorithm.pretrained_model_name_or_path", TEXT_MODELS],
]);

/** Suggested values for the text field at a path, which also accepts others; empty for most paths. */
export const suggestionsAt = (path: ManifestPath): readonly string[] =>
  dottedPath(path) === "environment.name"
    ? environmentSuggestions()
    : (SUGGESTIONS.get(dottedPath(path)) ?? []);

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
