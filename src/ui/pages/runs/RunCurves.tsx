import { Button } from "../../components/Button.tsx";
import { CurvesPanel } from "../compare/CurvesPanel.tsx";
import { useComparedRuns } from "../compare/useComparedRuns.ts";

interface Props {
  readonly ids: readonly string[];
  readonly onClear: () => void;
}

/** The curves of the chosen runs of the list, live. */
export function RunCurves({ ids, onClear }: Props) {
  const runs = useComparedRuns(ids);
  const open = runs.filter(({ view }) => view.phase === "ready");
  return (
    <CurvesPanel
      runs={open}
      head={
        <Button small onClick={onClear}>
          Hide all
        </Button>
      }
    />
  );
}
