import { useCallback, useMemo } from "react";
import type { KeptAgent } from "../../../../workers/protocol.ts";
import { PlayerStage } from "../../../stage/PlayerStage.tsx";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import type { LayerFeed } from "./LayerFeed.ts";

interface Props {
  readonly run: string;
  readonly agent: KeptAgent;
  /** Gets the outputs of the layers at each step. */
  readonly feed: LayerFeed;
}

/** A stored agent at play, whose layers are watched. Another agent takes over at the start of an episode. */
export function NetworkPlayer({ run, agent, feed }: Props) {
  const { coordinator } = useWorkbench();
  const key = JSON.stringify([agent.ref, agent.index, agent.generation]);
  const read = useCallback(
    () => coordinator.agent(run, agent.ref),
    // oxlint-disable-next-line react/exhaustive-deps -- `key` stands for `agent`.
    [coordinator, run, key],
  );
  const { value: file, problem } = useAnswer(read);
  const players = useMemo(
    () => (file === undefined ? [] : [{ key: "agent", label: `Agent #${file.index}`, file, colour: 0 }]),
    [file],
  );
  if (problem !== null) return <p role="alert">{problem}</p>;
  return <PlayerStage players={players} onOutputs={feed.publish} />;
}
