import { useEffect } from "react";
import { useWorkbench } from "../../state/WorkbenchContext.ts";
import { addIssues, useEditor } from "./editorStore.ts";

/** Milliseconds without a change before the text is checked, so that it is not at every letter. */
const PAUSE_MS = 250;

/** Has a text without faults of its own checked against its environment, which only the coordinator knows. */
export function useRunCheck(): void {
  const { coordinator } = useWorkbench();
  const text = useEditor((state) => state.text);
  const valid = useEditor((state) => state.valid);
  useEffect(() => {
    if (!valid) return undefined;
    const timer = setTimeout(() => {
      // A coordinator that is lost is told of elsewhere, and Start says the same.
      coordinator.check(text).then(
        (issues) => addIssues(text, issues),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [coordinator, text, valid]);
}
