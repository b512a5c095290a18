import { useCallback, useMemo, useState } from "react";
import type { AgentFile } from "../../../workers/protocol.ts";
import { Button } from "../../components/Button.tsx";
import { PageHeading } from "../../components/PageHeading.tsx";
import { isGameId, wordIn } from "../../games/isGame.ts";
import { formatCount, formatScore } from "../../lib/format.ts";
import { loadable } from "../../lib/loadable.tsx";
import type { PlayRoute } from "../../routes/route.ts";
import { PlayerStage } from "../../stage/PlayerStage.tsx";
import { useAnswer } from "../../state/useAnswer.ts";
import { type LinkedAgent, readPlayLink } from "./playLink.ts";
import { playStory } from "./playStory.ts";

/** The label of an agent from a link. */
const labelOf = ({ environment, generation, fitness }: AgentFile): string => {
  const trained = generation === 0 ? "untrained" : `generation ${formatCount(generation)}`;
  return `${environment}, ${trained}${fitness === null ? "" : `, ${wordIn(environment)} ${formatScore(fitness)}`}`;
};

/** Playing against the agent, loaded when it is chosen. */
const LazyDuel = loadable(async () => (await import("./duel/Duel.tsx")).Duel, <p>Loading…</p>);

/** The board of a game. */
const LazyBoard = loadable(async () => (await import("./AgentBoard.tsx")).AgentBoard, <p>Loading…</p>);

/** What a visitor can do with an agent's task, of which most of the code is loaded once the agent plays. */
async function taskOf(agent: LinkedAgent) {
  const [{ duelTask }, { ownManifestLink }] = await Promise.all([
    import("./duel/duelTask.ts"),
    import("../editor/ownManifest.ts"),
  ]);
  return { duel: duelTask(agent), link: ownManifestLink(agent) };
}

interface LinkedProps {
  readonly text: string;
  /** Whether another page shows it in a frame (default: false). */
  readonly framed?: boolean;
}

/** Plays the agent in a link. For another link, mount a new component (set a `key`). */
export function LinkedPlayer({ text, framed = false }: LinkedProps) {
  const [duels, setDuels] = useState(false);
  const read = useCallback(() => readPlayLink(text), [text]);
  const { value: file, problem } = useAnswer(read);
  const players = useMemo(
    () => (file === undefined ? [] : [{ key: text, label: labelOf(file), file, colour: 0 }]),
    [file, text],
  );
  const task = useAnswer(useCallback(async () => file && taskOf(file), [file])).value;
  if (problem !== null) return <p role="alert">{problem}</p>;
  if (file === undefined) return <p>Loading agent…</p>;
  return (
    <>
      {!framed && (
        <ul className="quiet linked-player__story">
          {playStory(file).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <div className="row linked-player__label">
        {framed && <p className="quiet">{labelOf(file)}</p>}
        {task?.duel && !isGameId(file.environment) && (
          <Button small onClick={() => setDuels(!duels)}>
            {duels ? "Watch the agent alone" : "Beat it"}
          </Button>
        )}
        {task?.link && (
          <a
            className="button button--small"
            href={framed ? new URL(`./${task.link}`, window.location.href).href : task.link}
            {...(framed && { target: "_blank", rel: "noopener" })}
          >
            Train your own
          </a>
        )}
      </div>
      {isGameId(file.environment) && <LazyBoard file={file} label={labelOf(file)} />}
      {duels && task?.duel ? <LazyDuel file={file} task={task.duel} /> : <PlayerStage players={players} />}
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
