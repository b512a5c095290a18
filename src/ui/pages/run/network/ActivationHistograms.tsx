import { useCallback, useState } from "react";
import type { LayerActivations } from "../../../../stage/layerActivations.ts";
import { type Player, WATCHED_STEPS } from "../../../../stage/stageProtocol.ts";
import type { AgentRef, KeptAgent } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { formatCount } from "../../../lib/format.ts";
import { askStage } from "../../../stage/askStage.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { Histograms } from "./Histograms.tsx";

/** The activations of a policy's layers during play. @throws Error as {@link askStage} */
function playedLayers(
  { bytes, environment, env_config, module }: Player,
  signal: AbortSignal,
): Promise<readonly LayerActivations[]> {
  const player = { bytes, environment, env_config, module };
  return askStage(
    (sandboxes) => ({ kind: "watch", player, sandboxes }),
    (message) => (message.kind === "layers" ? message.layers : null),
    signal,
  );
}

interface Props {
  readonly run: string;
  /** Null while it is being looked up, or if it is not stored. */
  readonly agent: KeptAgent | null;
}

type Watched = Pick<KeptAgent, "index" | "generation">;

/** Whether both are the same agent at the same generation. */
const isSame = (a: Watched, b: Watched): boolean => a.index === b.index && a.generation === b.generation;

/**
 * Histograms of the outputs of a policy's layers during play, one per layer. While a run trains, new agents
 * arrive faster than they can be played, so another agent is watched only on request.
 */
export function ActivationHistograms({ run, agent }: Props) {
  const [chosen, setChosen] = useState(agent);
  /** The agent actually loaded: training may have continued since it was chosen. */
  const [found, setFound] = useState<Watched | null>(null);
  if (chosen === null && agent !== null) setChosen(agent);
  if (chosen === null) return null;
  const watched = found ?? chosen;
  return (
    <>
      <h3 className="network__heading rule-above">Activations</h3>
      <p className="panel__text">
        Outputs of each layer of agent #{watched.index}, generation {formatCount(watched.generation)}, after
        its activation, over {WATCHED_STEPS} steps of greedy play.{" "}
        {agent !== null && !isSame(watched, agent) && (
          <Button
            small
            onClick={() => {
              setFound(null);
              setChosen(agent);
            }}
          >
            Watch #{agent.index} of generation {formatCount(agent.generation)}
          </Button>
        )}
      </p>
      <Layers key={`${chosen.index} ${chosen.generation}`} run={run} agent={chosen.ref} onFound={setFound} />
    </>
  );
}

interface LayersProps {
  readonly run: string;
  readonly agent: AgentRef;
  readonly onFound: (agent: Watched) => void;
}

function Layers({ run, agent, onFound }: LayersProps) {
  const { coordinator } = useWorkbench();
  const read = useCallback(
    async (signal: AbortSignal) => {
      const file = await coordinator.agent(run, agent);
      signal.throwIfAborted();
      onFound(file);
      const layers = await playedLayers(file, signal);
      return layers.map(({ name, size, histogram }) => ({ name, note: String(size), histogram }));
    },
    [coordinator, run, agent, onFound],
  );
  return <Histograms what="activations" answer={useAnswer(read)} />;
}
