import type { KeptDataset } from "../../../workers/pages.ts";
import { Button } from "../../components/Button.tsx";
import { useWorkbench } from "../../state/Workbench.ts";
import { goToDraft } from "../editor/goToDraft.ts";
import { cloningManifest } from "./manifestForDataset.ts";

interface Props {
  readonly dataset: KeptDataset;
  readonly primary?: boolean;
}

/** Opens a manifest whose agents imitate the actions of a data set. */
export function LearnButton({ dataset, primary }: Props) {
  const workbench = useWorkbench();
  const learn = (): Promise<boolean> =>
    workbench.attempt(() => goToDraft(cloningManifest(dataset)), `learn ${dataset.sha256}`);
  return (
    <Button
      primary={primary}
      title="Opens a manifest whose agents imitate its actions"
      onClick={() => void learn()}
    >
      Learn from this
    </Button>
  );
}
