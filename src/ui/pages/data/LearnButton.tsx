import type { KeptDataset } from "../../../workers/pages.ts";
import { Button } from "../../components/Button.tsx";
import { navigate } from "../../routes/navigation.ts";
import { editorRoute } from "../../routes/route.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { cloningManifest } from "./manifestForDataset.ts";

interface Props {
  readonly dataset: KeptDataset;
  readonly primary?: boolean;
}

/** Opens a manifest whose agents imitate the actions of a data set. */
export function LearnButton({ dataset, primary }: Props) {
  const workbench = useWorkbench();
  const learn = (): Promise<boolean> =>
    workbench.attempt(async () => {
      // Loads the editor's code only when it is needed.
      const { openDraft } = await import("../editor/openInEditor.ts");
      openDraft(cloningManifest(dataset));
      navigate(editorRoute({ kind: "draft" }));
    }, `learn ${dataset.sha256}`);
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
