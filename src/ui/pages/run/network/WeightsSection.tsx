import { useStore } from "zustand";
import type { NetworkWeights } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { formatCount } from "../../../lib/format.ts";
import type { RunView } from "../../../state/RunView.ts";
import type { Answer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import type { AgentFacts } from "../descent/agentFacts.ts";
import type { useKeptAgent } from "../history/stored.ts";
import { useRunRoute } from "../shownGeneration.tsx";
import { Histograms } from "./Histograms.tsx";
import { WeightRidges } from "./WeightRidges.tsx";

interface Props {
  readonly session: RunView;
  readonly keeping: ReturnType<typeof useKeptAgent>;
  /** Weights of the stored agent. */
  readonly weights: Answer<readonly NetworkWeights[]>;
  readonly facts: AgentFacts;
}

/** Which weights are stored, their histograms, and those of earlier elites. */
export function WeightsSection({ session, keeping, weights, facts }: Props) {
  const workbench = useWorkbench();
  const route = useRunRoute();
  const canPin = useStore(session.view, ({ summary }) => summary?.can.edit ?? false);
  const pin = (generation: number, on: boolean): void => {
    void workbench.attempt(async () => {
      await workbench.coordinator.pinElite(route.id, generation, on);
      keeping.again();
    });
  };
  return (
    <>
      <h3 className="network__heading rule-above">Weights</h3>
      {keeping.state === "kept" && keeping.pinned !== undefined && (
        <p className="panel__text">
          Of agent #{keeping.agent.index}, elite of generation {formatCount(keeping.agent.generation)}
          {keeping.agent.generation !== route.generation && `, the nearest one that is stored`}.{" "}
          {canPin && (
            <Button
              small
              title="A pinned elite is kept for ever"
              aria-pressed={keeping.pinned}
              onClick={() => pin(keeping.agent.generation, keeping.pinned !== true)}
            >
              Pin
            </Button>
          )}
        </p>
      )}
      {keeping.state === "kept" && <StoredWeights weights={weights} />}
      {keeping.state === "gone" && (
        <p className="panel__text">
          Weights are stored only for the last generation, checkpoints and the elites of generations. This
          agent is none of them.
        </p>
      )}
      {keeping.state === "failed" && <p className="panel__text">{keeping.problem}</p>}
      <WeightRidges run={route.id} last={facts.last} />
    </>
  );
}

function StoredWeights({ weights }: Pick<Props, "weights">) {
  const histograms = weights.value?.flatMap(({ name, weights: tensors }) =>
    tensors.map((tensor) => ({
      name: `${name}.${tensor.name}`,
      note: tensor.shape.join(" × "),
      histogram: tensor.histogram,
    })),
  );
  return <Histograms what="weights" answer={{ ...weights, value: histograms }} />;
}
