import { useEffect, useMemo, useState } from "react";
import type { AgentFile } from "../../../workers/protocol.ts";
import { formatCount, formatScore, messageOf } from "../../lib/format.ts";
import { PlayerStage } from "../../stage/PlayerStage.tsx";
import { readPlayLink } from "./playLink.ts";
import "./LinkedPlayer.css";

type LinkedAgent =
  | { readonly state: "reading" }
  | { readonly state: "read"; readonly file: AgentFile }
  | { readonly state: "refused"; readonly reason: string };

/** Reads the agent in a link's text. */
function useLinkedAgent(text: string): LinkedAgent {
  const [found, setFound] = useState<{ readonly text: string; readonly agent: LinkedAgent } | null>(null);
  useEffect(() => {
    let wanted = true;
    const take = (agent: LinkedAgent): void => {
      if (wanted) setFound({ text, agent });
    };
    readPlayLink(text).then(
      (file) => take({ state: "read", file }),
      (error: unknown) => take({ state: "refused", reason: messageOf(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [text]);
  return found?.text === text ? found.agent : { state: "reading" };
}

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
          <p className="quiet linked-player__label">{labelOf(agent.file)}</p>
          <PlayerStage players={players} />
        </>
      );
  }
}
