import { Button } from "../../components/Button.tsx";
import { useComparedRuns } from "../compare/useComparedRuns.ts";
import { Workspace } from "../compare/workspace/Workspace.tsx";

interface Props {
  readonly ids: readonly string[];
  /** The panels' parameter of the address. */
  readonly panels: string;
  readonly onPanels: (panels: string) => void;
  readonly onClear: () => void;
}

/** Panels about the chosen runs of the list, live: their curves, until the user arranges others. */
export function RunCurves({ ids, panels, onPanels, onClear }: Props) {
  const runs = useComparedRuns(ids);
  const open = runs.filter(({ view }) => view.phase === "ready");
  return (
    <Workspace
      runs={open}
      text={panels}
      kinds={["curves"]}
      onChange={onPanels}
      head={
        <Button small onClick={onClear}>
          Hide all
        </Button>
      }
    />
  );
}
