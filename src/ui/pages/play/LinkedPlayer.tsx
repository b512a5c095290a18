import { useMemo } from "react";
import type { AgentFile } from "../../../workers/protocol.ts";
import { formatCount, formatScore } from "../../lib/format.ts";
import { PlayerStage } from "../../stage/PlayerStage.tsx";
import { useLinkedAgent } from "./useLinkedAgent.ts";
import "./LinkedPlayer.css";

/** The label of an agent from a link. */
const labelOf = ({ environment, generation, fitness }: AgentFile): string => {
  const trained = generation === 0 ? "untrained" : `generation ${formatCount(generation)}`;
  return `${environment}, ${trained}${fitness === null ? "" : `, fitness ${formatScore(fitness)}`}`;
};

/** Plays the agent in a link. */
export function LinkedPlayer({ text }: { readonly text: string }) {
  const agent = useLinkedAgent(text);
  const file = agent.state === "read" ? agent.file : null;
  const players = useMemo(
    () => (file === null ? [] : [{ key: text, label: labelOf(file), file, colour: 0 }]),
    [file, text],
  );
  switch (agent.state) {
    case "reading":
      return <p>Loading agent…</p>;
    case "refused":
      return <p role="alert">{agent.reason}</p>;
    case "read":
      return (
        <>
          <p className="linked-player__label">{labelOf(agent.file)}</p>
          <PlayerStage players={players} />
        </>
      );
  }
}
