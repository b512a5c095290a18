import { useCallback, useMemo } from "react";
import type { LayerOutputs } from "../../../../stage/stageProtocol.ts";
import type { AgentRef } from "../../../../workers/protocol.ts";
import { PlayerStage } from "../../../stage/PlayerStage.tsx";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

interface Props {
  readonly run: string;
  readonly agent: AgentRef;
  /** Another value reads the agent again, which takes over at the start of an episode. Defaults to one for ever. */
  readonly version?: string;
  /** Index of its line's colour, 0 to 7. Defaults to 0. */
  readonly colour?: number;
  /** Gets what the agent's layers compute, at each step. It must not change. */
  readonly onOutputs?: (layers: readonly LayerOutputs[]) => void;
}

/** Plays a stored agent, episode after episode. For one without a `version`, mount a new component (set a `key`). */
export function AgentPlayer({ run, agent, version, colour = 0, onOutputs }: Props) {
  const { coordinator } = useWorkbench();
  const read = useCallback(
    () => coordinator.agent(run, agent),
    // oxlint-disable-next-line react/exhaustive-deps -- `version` stands for `agent`, which may be new on every render.
    [coordinator, run, version],
  );
  const { value: file, problem } = useAnswer(read);
  const players = useMemo(
    () => (file === undefined ? [] : [{ key: "agent", label: `Agent #${file.index}`, file, colour }]),
    [file, colour],
  );
  if (problem !== null) return <p role="alert">{problem}</p>;
  return <PlayerStage players={players} onOutputs={onOutputs} />;
}
