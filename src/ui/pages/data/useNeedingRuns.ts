import { useEffect, useState } from "react";
import { z } from "zod";
import type { KeptDataset } from "../../../workers/pages.ts";
import { useWorkbench, useWorkbenchState } from "../../state/Workbench.ts";

const Named = z.object({
  environment: z.object({
    dataset_path: z.string().nullish(),
    hub_dataset_id: z.string().nullish(),
    features: z.string().nullish(),
  }),
});

/** Whether a manifest of unknown shape names a data set. */
export function namesDataset(manifest: unknown, { name, sha256, hub_dataset_id }: KeptDataset): boolean {
  const { success, data } = Named.safeParse(manifest);
  if (!success) return false;
  const { environment } = data;
  const paths = [`datasets/${name}`, `datasets/${sha256}`];
  const path = environment.dataset_path ?? environment.features?.replace(/\/[^/]*$/, "");
  if (path) return paths.includes(path);
  return hub_dataset_id !== null && environment.hub_dataset_id === hub_dataset_id;
}

/** Returns a function that lists the names of the runs that learn from a data set. */
export function useNeedingRuns(): (dataset: KeptDataset) => readonly string[] {
  const { coordinator } = useWorkbench();
  const runs = useWorkbenchState(({ list }) => list.runs);
  const [manifests, setManifests] = useState<Readonly<Record<string, unknown>>>({});
  const count = runs?.length ?? 0;
  useEffect(() => {
    let wanted = true;
    // If the manifests cannot be read, deletion shows no warning.
    coordinator.manifests().then(
      (read) => wanted && setManifests(read),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [coordinator, count]);
  return (dataset) =>
    (runs ?? []).filter(({ id }) => namesDataset(manifests[id], dataset)).map(({ name }) => name);
}
