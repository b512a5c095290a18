import { useState } from "react";
import { dottedPath } from "../../../../specs/checks.ts";
import { type FieldEdit, fieldText } from "../document/editManifest.ts";
import type { ManifestPath } from "../document/ManifestDocument.ts";
import { editField, type Remark, useEditor } from "../editorStore.ts";
import { valueAt } from "./formPaths.ts";

/** The first remark about a path or a path below it; `undefined` if there is none. */
export function useRemark(path: ManifestPath): Remark | undefined {
  const place = dottedPath(path);
  return useEditor(({ remarks }) =>
    remarks.find(({ path: at }) => at === place || at.startsWith(`${place}[`) || at.startsWith(`${place}.`)),
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
