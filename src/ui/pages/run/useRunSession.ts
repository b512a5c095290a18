import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { RunSession } from "../../state/RunSession.ts";
import type { RunView } from "../../state/RunView.ts";
import { useWorkbench } from "../../state/Workbench.ts";

/** Opens a run while the component is mounted. For another run, mount a new component (set a `key`). */
export function useRunSession(id: string): { session: RunSession; view: RunView } {
  const workbench = useWorkbench();
  const [session] = useState(() => new RunSession());
  useEffect(() => workbench.openRun(id, session), [workbench, id, session]);
  const view = useStore(session.view);
  return { session, view };
}
