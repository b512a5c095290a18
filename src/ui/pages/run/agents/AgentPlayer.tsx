import { useCallback, useMemo, useState } from "react";
import type { AgentRef } from "../../../../workers/protocol.ts";
import { PlayerStage } from "../../../stage/PlayerStage.tsx";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

interface Props {
  readonly run: string;
  readonly agent: AgentRef;
  /** Index of its line's colour, 0 to 7. Defaults to 0. */
  readonly colour?: number;
}

/** Plays a stored agent, episode after episode. For another agent, mount a new component (set a `key`). */
export function AgentPlayer({ run, agent, colour = 0 }: Props) {
  const { coordinator } = useWorkbench();
  // Callers may pass a new object for the same reference on every render.
  const [ref] = useState(agent);
  const read = useCallback(() => coordinator.agent(run, ref), [coordinator, run, ref]);
  const { value: file, problem } = useAnswer(read);
  const players = useMemo(
    () => (file === undefined ? [] : [{ key: "agent", label: `Agent #${file.index}`, file, colour }]),
    [file, colour],
  );
  if (problem !== null) return <p role="alert">{problem}</p>;
  return <PlayerStage players={players} />;
}
