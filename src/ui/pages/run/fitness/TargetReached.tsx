import type { RunSummary } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { formatCount, formatScore } from "../../../lib/format.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { shareRun } from "../head/shareRun.ts";
import type { FitnessModel } from "./fitnessModel.ts";

interface Props {
  readonly model: FitnessModel;
  readonly summary: RunSummary;
  readonly manifest: unknown;
}

/** Says when the best fitness reached the target, and copies a link to show it to others. */
export function TargetReached({ model: { all, reached, target }, summary, manifest }: Props) {
  const workbench = useWorkbench();
  if (reached === null || target === null) return null;
  const generation = formatCount(all.columns.generation[reached.row] ?? 0);
  return (
    <div className="row fitness__reached small">
      <span>
        Target {formatScore(target)} reached in generation {generation}
      </span>
      <Button small onClick={() => void workbench.attempt(() => shareRun(workbench, summary.id, manifest))}>
        Share
      </Button>
    </div>
  );
}
