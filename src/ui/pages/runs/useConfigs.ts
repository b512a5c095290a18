import { useCallback, useEffect, useState } from "react";
import type { RunSummary } from "../../../workers/protocol.ts";
import type { Configs } from "../../components/runColumns.tsx";
import { flatConfig } from "../../lib/manifestValues.ts";
import { useWorkbench } from "../../state/Workbench.ts";

/** Values of the runs' manifests, read when columns need them and again when the list of runs changes. */
export function useConfigs(
  runs: readonly RunSummary[],
  columns: readonly string[],
): { configs: Configs; load: () => void } {
  const workbench = useWorkbench();
  const [configs, setConfigs] = useState<Configs>(new Map());
  const [wanted, setWanted] = useState(false);
  const load = useCallback(() => setWanted(true), []);
  const needed = wanted || columns.length > 0;
  const ids = runs.map(({ id }) => id).join(" ");
  // Depends on `ids` instead of the runs, whose numbers change often.
  useEffect(() => {
    if (!needed) return undefined;
    let shown = true;
    void workbench.attempt(async () => {
      const manifests = await workbench.coordinator.manifests();
      const flat = Object.entries(manifests).map(([id, manifest]) => [id, flatConfig(manifest)] as const);
      if (shown) setConfigs(new Map(flat));
    }, "manifests");
    return () => {
      shown = false;
    };
  }, [workbench, needed, ids]);
  return { configs, load };
}
