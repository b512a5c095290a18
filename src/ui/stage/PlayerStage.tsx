import { useEffect, useRef, useState } from "react";
import type { FromStage, Reading } from "../../stage/stageProtocol.ts";
import type { AgentFile } from "../../workers/protocol.ts";
import { tokenColours } from "../lib/tokenColours.ts";
import { wantsStillness } from "../lib/wantsStillness.ts";
import { type Pace, PlayControls } from "./PlayControls.tsx";
import { ReadOut } from "./ReadOut.tsx";
import { StageClient } from "./StageClient.ts";
import "./PlayerStage.css";

/** One who plays. */
export interface StagePlayer {
  /** Tells players apart: another agent has another one. */
  readonly key: string;
  /** What it is called, such as "Elite of generation 12". */
  readonly label: string;
  readonly file: AgentFile;
  /** Number of its line's colour, 0 to 7. */
  readonly colour: number;
}

/** The part of one thread that players take who are looked at alone. */
const SHARE = 0.5;
const FIRST_SEED = 1;

/** One agent at play, or a few side by side from the same start, with all that a person may want to know and do. */
export function PlayerStage({ players }: { readonly players: readonly StagePlayer[] }) {
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<StageClient | null>(null);
  const [pace, setPace] = useState<Pace>(() => ({ playing: !wantsStillness(), speed: 1 }));
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const casts = useRef(0);

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const hear = (message: FromStage): void => {
      if (message.kind === "readings") setReadings(message.readings);
      else if (message.kind === "problem") setProblem(message.message);
      else if (message.kind === "shown") setProblem(null);
    };
    const client = new StageClient(element, { caption: 0, share: SHARE, rated: true, hear });
    stage.current = client;
    return () => {
      client.close();
      stage.current = null;
    };
  }, []);
  useEffect(() => {
    const [first] = players;
    const element = host.current;
    if (first === undefined || element === null) return;
    casts.current += 1;
    const { environment, env_config } = first.file;
    stage.current?.cast({
      id: casts.current,
      environment,
      env_config,
      members: players.map(({ key, file, colour }) => {
        const name = `slot-${colour}`;
        return { key, bytes: file.bytes, ancestors: [], colour: tokenColours(element, [name])[name] ?? "" };
      }),
    });
  }, [players]);
  useEffect(() => stage.current?.play(pace.playing, pace.speed), [pace]);

  const seed = readings[0]?.seed ?? FIRST_SEED;
  return (
    <div className="player">
      <div className="player__canvas" ref={host} data-players={players.length} />
      {problem !== null && <output className="player__problem">{problem}</output>}
      <PlayControls
        pace={pace}
        seed={seed}
        onPace={setPace}
        onStep={() => stage.current?.step()}
        onSeed={(next) => stage.current?.reseed(next)}
      />
      <div className="player__readouts">
        {players.map(({ key, label }) => (
          <ReadOut
            key={key}
            label={label}
            alone={players.length === 1}
            reading={readings.find((one) => one.key === key) ?? null}
          />
        ))}
      </div>
    </div>
  );
}
