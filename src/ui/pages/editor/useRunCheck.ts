import { useEffect } from "react";
import { useWorkbench } from "../../state/Workbench.ts";
import { addIssues, useEditor } from "./editorStore.ts";

/**
 * Milliseconds without a change before the text is checked, so that typing does not trigger a check per
 * keystroke.
 */
const PAUSE_MS = 250;

/** Lets the coordinator check a valid text against its environment, which only the coordinator knows. */
export function useRunCheck(): void {
  const { coordinator } = useWorkbench();
  const text = useEditor((state) => state.text);
  const valid = useEditor((state) => state.valid);
  useEffect(() => {
    if (!valid) return undefined;
    const timer = setTimeout(() => {
      // A lost coordinator is reported elsewhere, and Start reports the same issues.
      coordinator.check(text).then(
        (issues) => addIssues(text, issues),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [coordinator, text, valid]);
}
