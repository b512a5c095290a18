import { useState } from "react";
import { playsEpisodes } from "../../../../specs/sections.ts";
import type { RunSummary } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { formatCount, formatScore } from "../../../lib/format.ts";
import { LazyShareDialog } from "../lazyParts.tsx";
import type { FitnessModel } from "./fitnessModel.ts";

interface Props {
  readonly model: FitnessModel;
  readonly summary: RunSummary;
  readonly manifest: unknown;
}

/** Says when the best fitness reached the target and why training goes on, and shares the champion. */
export function TargetReached({ model: { all, reached, target }, summary, manifest }: Props) {
  const [sharing, setSharing] = useState(false);
  if (reached === null || target === null) return null;
  const generation = formatCount(all.columns.generation[reached.row] ?? 0);
  return (
    <div className="row fitness__reached small">
      <span>
        Target {formatScore(target)} reached in generation {generation}
        {summary.state === "running" &&
          ". Training ends when the last 10 evaluations of every member exceed it on average"}
      </span>
      {playsEpisodes(manifest) && (
        <Button small onClick={() => setSharing(true)}>
          Share
        </Button>
      )}
      {sharing && (
        <LazyShareDialog
          run={summary.id}
          title={`${summary.algorithm} playing ${summary.environment}`}
          onClose={() => setSharing(false)}
        />
      )}
    </div>
  );
}
