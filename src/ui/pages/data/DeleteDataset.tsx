import { useCallback } from "react";
import { z } from "zod";
import { type KeptDataset, keptRowsPath } from "../../../workers/pages.ts";
import { DeleteButton } from "../../components/controls.tsx";
import { navigateLater } from "../../routes/navigation.ts";
import type { Route } from "../../routes/route.ts";
import { removeDataset } from "../../state/keptData.ts";
import { useAnswer } from "../../state/useAnswer.ts";
import { useWorkbench, useWorkbenchState } from "../../state/Workbench.ts";

interface Props {
  readonly dataset: KeptDataset;
  /** Names of the runs that learn from it. */
  readonly needing: readonly string[];
  /** Id of the element that names the data set, for screen readers. */
  readonly describedBy: string;
  /** The route to open after the deletion. */
  readonly next?: Route;
}

const MOST_NAMES = 3;

/** Says which runs need the data set. */
function warning(needing: readonly string[]): string {
  const names = needing.slice(0, MOST_NAMES).join(", ");
  const more = needing.length > MOST_NAMES ? ` and ${needing.length - MOST_NAMES} more` : "";
  return needing.length === 1
    ? `Run ${names} needs this data set to resume.`
    : `Runs ${names}${more} need this data set to resume.`;
}

/** Deletes a data set, after a warning that names the runs that need it. */
export function DeleteDataset({ dataset, needing, describedBy, next }: Props) {
  const workbench = useWorkbench();
  const remove = (): Promise<boolean> => {
    const leave = navigateLater();
    return workbench.attempt(async () => {
      await removeDataset(dataset.sha256);
      if (next) leave(next);
    }, `delete ${dataset.sha256}`);
  };
  return (
    <span className="data__asking inline gap-2">
      <DeleteButton
        describedBy={describedBy}
        warning={needing.length > 0 && <span role="alert">{warning(needing)}</span>}
        onDelete={() => void remove()}
      />
    </span>
  );
}

const Named = z.object({
  training: z.object({ demonstrations: z.string().nullish() }).optional(),
  environment: z.object({
    dataset_path: z.string().nullish(),
    hub_dataset_id: z.string().nullish(),
    features: z.string().nullish(),
  }),
});

/** Whether a manifest of unknown shape names a data set. */
function namesDataset(manifest: unknown, { name, sha256, hub_dataset_id }: KeptDataset): boolean {
  const { success, data } = Named.safeParse(manifest);
  if (!success) return false;
  const { environment, training } = data;
  const paths = [`datasets/${name}`, `datasets/${sha256}`, keptRowsPath({ sha256 })];
  if (training?.demonstrations && paths.includes(training.demonstrations)) return true;
  const path = environment.dataset_path ?? environment.features?.replace(/\/[^/]*$/, "");
  if (path) return paths.includes(path);
  return hub_dataset_id !== null && environment.hub_dataset_id === hub_dataset_id;
}

/** Returns a function that lists the names of the runs that learn from a data set. */
export function useNeedingRuns(): (dataset: KeptDataset) => readonly string[] {
  const { coordinator } = useWorkbench();
  const runs = useWorkbenchState(({ list }) => list.runs);
  const read = useCallback(() => coordinator.manifests(), [coordinator]);
  // If the manifests cannot be read, deletion shows no warning.
  const { value: manifests = {} } = useAnswer(read, runs?.length);
  return (dataset) =>
    (runs ?? []).filter(({ id }) => namesDataset(manifests[id], dataset)).map(({ name }) => name);
}
