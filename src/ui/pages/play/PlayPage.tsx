import { useCallback, useMemo } from "react";
import type { AgentFile } from "../../../workers/protocol.ts";
import { PageHeading } from "../../components/PageHeading.tsx";
import { formatCount, formatScore } from "../../lib/format.ts";
import type { PlayRoute } from "../../routes/route.ts";
import { PlayerStage } from "../../stage/PlayerStage.tsx";
import { useAnswer } from "../../state/useAnswer.ts";
import { readPlayLink } from "./playLink.ts";

/** The label of an agent from a link. */
const labelOf = ({ environment, generation, fitness }: AgentFile): string => {
  const trained = generation === 0 ? "untrained" : `generation ${formatCount(generation)}`;
  return `${environment}, ${trained}${fitness === null ? "" : `, fitness ${formatScore(fitness)}`}`;
};

/** Plays the agent in a link. For another link, mount a new component (set a `key`). */
export function LinkedPlayer({ text }: { readonly text: string }) {
  const read = useCallback(() => readPlayLink(text), [text]);
  const { value: file, problem } = useAnswer(read);
  const players = useMemo(
    () => (file === undefined ? [] : [{ key: text, label: labelOf(file), file, colour: 0 }]),
    [file, text],
  );
  if (problem !== null) return <p role="alert">{problem}</p>;
  if (file === undefined) return <p>Loading agent…</p>;
  return (
    <>
      <p className="quiet linked-player__label">{labelOf(file)}</p>
      <PlayerStage players={players} />
    </>
  );
}

/** Plays the agent in a link, starting immediately. */
export function PlayPage({ route: { agent } }: { readonly route: PlayRoute }) {
  return (
    <div className="page play-page">
      <PageHeading title="Agent playing" />
      {agent === null ? (
        <p role="alert">This link contains no agent. Ask for a new link.</p>
      ) : (
        <LinkedPlayer key={agent} text={agent} />
      )}
    </div>
  );
}
