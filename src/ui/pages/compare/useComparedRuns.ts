import { useEffect, useRef, useState } from "react";
import { useWorkbench } from "../../state/Workbench.ts";
import { type ComparedRun, OpenRuns } from "./OpenRuns.ts";

/** Opens runs while a component shows them, and follows each live. */
export function useComparedRuns(ids: readonly string[]): readonly ComparedRun[] {
  const workbench = useWorkbench();
  const [runs, setRuns] = useState<readonly ComparedRun[]>([]);
  const open = useRef<OpenRuns | null>(null);
  const wanted = ids.join(",");
  useEffect(() => {
    const made = new OpenRuns(workbench, setRuns);
    open.current = made;
    return () => made.close();
  }, [workbench]);
  useEffect(() => {
    open.current?.choose(ids);
    // oxlint-disable-next-line react/exhaustive-deps -- `wanted` stands for the ids
  }, [workbench, wanted]);
  return runs;
}
