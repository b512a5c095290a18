import { useEffect, useRef, useState } from "react";
import {
  type FromStage,
  type LayerOutputs,
  type Reading,
  travelledTexts,
} from "../../stage/stageProtocol.ts";
import type { AgentFile } from "../../workers/protocol.ts";
import { Facts } from "../components/Facts.tsx";
import { slotColour } from "../lib/drawing.ts";
import { formatCount, formatScore, NONE } from "../lib/format.ts";
import { type Pace, PlayControls } from "./PlayControls.tsx";
import { StageClient } from "./StageClient.ts";
import { castMember, wantsStillness } from "./stageSettings.ts";
import "./PlayerStage.css";

/** Maximum number of action components shown. */
const MOST_NUMBERS = 8;

function actionText(action: readonly number[] | null): string {
  if (action === null) return NONE;
  const shown = action.slice(0, MOST_NUMBERS).map((x) => (Number.isInteger(x) ? String(x) : x.toFixed(2)));
  return action.length > MOST_NUMBERS ? `${shown.join(", ")}, …` : shown.join(", ");
}

interface Props {
  readonly label: string;
  /** Index of the lineage's colour, 0 to 7, also used in the picture. */
  readonly colour: number;
  /** Whether it is the only player, so that its name need not be repeated. */
  readonly alone: boolean;
  readonly reading: Reading | null;
}

/** The state of an episode, in numbers. */
function ReadOut({ label, colour, alone, reading }: Props) {
  const [distance, speed] = reading?.travelled ? travelledTexts(reading.travelled) : [];
  const rows: readonly (readonly [string, string])[] = [
    ["Return", formatScore(reading?.total ?? null)],
    ["Step", reading === null ? NONE : `${formatCount(reading.steps)}${reading.ended ? ", ended" : ""}`],
    ["Action", actionText(reading?.action ?? null)],
    ["Value", formatScore(reading?.value ?? null)],
    ...(distance === undefined || speed === undefined
      ? []
      : ([
          ["Distance", distance],
          ["Speed", speed],
        ] as const)),
  ];
  return (
    <section className="player__readout" aria-label={label}>
      {!alone && (
        <p className="player__name">
          <i className="colour" style={{ background: slotColour(colour) }} /> {label}
        </p>
      )}
      <Facts className="facts facts--grid" rows={rows} />
    </section>
  );
}

/** An agent on the stage. */
export interface StagePlayer {
  /** Unique key of the agent. */
  readonly key: string;
  /** Display name, such as "Elite of generation 12". */
  readonly label: string;
  readonly file: AgentFile;
  /** Index of the lineage's colour, 0 to 7. */
  readonly colour: number;
}

/** Share of one thread's time that the stage may use. */
const SHARE = 0.5;
const FIRST_SEED = 1;

interface StageProps {
  readonly players: readonly StagePlayer[];
  /** Gets what the layers of a player compute, at each step. It must not change. */
  readonly onOutputs?: (layers: readonly LayerOutputs[]) => void;
}

/** Plays one agent, or a few side by side from the same start, with controls and readings. */
export function PlayerStage({ players, onOutputs }: StageProps) {
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<StageClient | null>(null);
  const [pace, setPace] = useState<Pace>(() => ({ playing: !wantsStillness(), speed: 1 }));
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  /** Problems by key of the player; the key null holds a problem that affects all of them. */
  const [problems, setProblems] = useState<ReadonlyMap<string | null, string>>(new Map());
  const casts = useRef(0);

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const hear = (message: FromStage): void => {
      if (message.kind === "readings") setReadings(message.readings);
      else if (message.kind === "outputs") onOutputs?.(message.layers);
      else if (message.kind === "problem")
        setProblems((before) => new Map(before).set(message.key, message.message));
      else if (message.kind === "shown")
        setProblems((before) => new Map([...before].filter(([key]) => key !== null)));
    };
    const client = new StageClient(element, {
      share: SHARE,
      rated: true,
      watched: onOutputs !== undefined,
      hear,
    });
    stage.current = client;
    return () => {
      client.close();
      stage.current = null;
    };
  }, [onOutputs]);
  useEffect(() => {
    const element = host.current;
    if (players.length === 0 || element === null) return;
    casts.current += 1;
    setProblems(new Map());
    stage.current?.cast({
      id: casts.current,
      members: players.map((player) => castMember(element, player)),
    });
  }, [players]);
  useEffect(() => stage.current?.play(pace.playing, pace.speed), [pace]);

  const seed = readings[0]?.seed ?? FIRST_SEED;
  return (
    <div className="fill player shrinks">
      <div
        className="player__canvas canvases framed wide relative sunken cropped"
        ref={host}
        data-players={players.length}
      />
      {[...problems].map(([key, message]) => {
        const label = players.length === 1 ? undefined : players.find((player) => player.key === key)?.label;
        return (
          <output key={key ?? ""} className="bad small">
            {label === undefined ? message : `${label}: ${message}`}
          </output>
        );
      })}
      <PlayControls
        pace={pace}
        seed={seed}
        onPace={setPace}
        onStep={() => stage.current?.step()}
        onSeed={(next) => stage.current?.reseed(next)}
      />
      <div className="player__readouts">
        {players.map(({ key, label, colour }) => (
          <ReadOut
            key={key}
            label={label}
            colour={colour}
            alone={players.length === 1}
            reading={readings.find((one) => one.key === key) ?? null}
          />
        ))}
      </div>
    </div>
  );
}
