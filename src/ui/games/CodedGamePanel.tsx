import { useCallback, useEffect, useRef, useState } from "react";
import type { SandboxedEnvironment } from "../../sandbox/environments.ts";
import type { AgentFile } from "../../workers/protocol.ts";
import { Button } from "../components/Button.tsx";
import { Select } from "../components/controls.tsx";
import { Panel } from "../components/Panel.tsx";
import { messageOf } from "../lib/format.ts";
import { AdviserClient } from "./AdviserClient.ts";
import { askedIn, beginIn, type CodedMatch, movedIn } from "./codedMatch.ts";
import { FirstMove } from "./FirstMove.tsx";
import { resultText } from "./gameText.ts";
import { Strength } from "./Strength.tsx";
import "./games.css";

const SIZE = { width: 480, height: 320 };

interface Agent {
  readonly key: string;
  readonly label: string;
  readonly read: () => Promise<AgentFile>;
}

export type OpenGame = (file: AgentFile, signal: AbortSignal) => Promise<SandboxedEnvironment>;

interface Props {
  readonly title: string;
  /** The first one is chosen. At least one. */
  readonly agents: readonly Agent[];
  /** Opens the game of an agent's run in a sandbox. */
  readonly open: OpenGame;
}

interface Table {
  readonly lane: SandboxedEnvironment;
  readonly adviser: AdviserClient;
}

/** The user plays a game in code against an agent: legal moves are a list, beside what the game draws. */
export function CodedGamePanel({ title, agents, open }: Props) {
  const [agent, setAgent] = useState(agents[0] as Agent); // There is at least one.
  const [seat, setSeat] = useState(0);
  const [table, setTable] = useState<Table | null>(null);
  const [match, setMatch] = useState<CodedMatch | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const [simulations, setSimulations] = useState(0);
  // Another strength counts from the opponent's next move.
  const strength = useRef(simulations);
  const canvas = useRef<HTMLCanvasElement>(null);
  const fail = useCallback((error: unknown) => setProblem(messageOf(error)), []);

  useEffect(() => {
    const ends = new AbortController();
    let adviser: AdviserClient | null = null;
    const start = async (): Promise<void> => {
      const file = await agent.read();
      const lane = await open(file, ends.signal);
      if (ends.signal.aborted) return lane.close();
      adviser = new AdviserClient(file);
      setTable({ lane, adviser });
    };
    start().catch((error: unknown) => !ends.signal.aborted && fail(error));
    return () => {
      ends.abort();
      adviser?.close();
      setTable(null);
      setMatch(null);
      setProblem(null);
    };
  }, [agent, open, fail]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round begins with the same table and seat
  useEffect(() => {
    let current = true;
    if (table)
      beginIn(table.lane, seat, Math.floor(Math.random() * 2 ** 31)).then(
        (begun) => current && setMatch(begun),
        (error: unknown) => current && fail(error),
      );
    return () => {
      current = false;
    };
  }, [table, seat, round, fail]);

  const move = useCallback(
    (from: CodedMatch, choose: () => Promise<number>) => {
      if (!table) return;
      const moved = async () => movedIn(table.lane, from, await choose());
      moved().then((next) => setMatch((now) => (now === from ? next : now)), fail);
    },
    [table, fail],
  );

  useEffect(() => {
    if (!table || !match) return;
    const { lane, adviser } = table;
    const place = canvas.current;
    const turn = async (): Promise<void> => {
      if (place && lane.renders && match.mover !== null)
        place
          .getContext("bitmaprenderer")
          // The sandbox's client has checked the type.
          ?.transferFromImageBitmap((await lane.render(0, SIZE)) as ImageBitmap);
      if (match.mover !== null && match.mover !== match.seat)
        move(match, async () => (await adviser.ask(await askedIn(lane, match, strength.current))).action);
    };
    turn().catch(fail);
  }, [table, match, move, fail]);

  const asked = match !== null && match.mover === match.seat ? match.question : null;
  return (
    <Panel title={title}>
      <div className="panel__body stack game">
        <div className="row">
          <label className="beside">
            Opponent
            <Select
              value={agent.key}
              onChange={(key) => setAgent(agents.find((one) => one.key === key) ?? agent)}
            >
              {agents.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </Select>
          </label>
          {table?.lane.saves && (
            <Strength
              simulations={simulations}
              onChange={(wanted) => {
                setSimulations(wanted);
                strength.current = wanted;
              }}
            />
          )}
          <FirstMove seat={seat} onChange={setSeat} />
        </div>
        {problem !== null && (
          <p className="bad" role="alert">
            {problem}
          </p>
        )}
        <p className="game__standing" aria-live="polite">
          {match === null ? problem === null && "Opening the opponent…" : standing(match)}
        </p>
        {table?.lane.renders && (
          <canvas ref={canvas} {...SIZE} className="framed game__picture" aria-hidden="true" />
        )}
        {asked && <p className="soft small">You see: {asked.observation.join(", ")}</p>}
        <fieldset className="row game__moves" aria-label="Moves">
          {asked?.mask.map((isLegal, action) =>
            isLegal === 1 && match ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the action
              <Button key={action} onClick={() => move(match, async () => action)}>
                Move {action}
              </Button>
            ) : null,
          )}
        </fieldset>
        <div className="row">
          <Button onClick={() => setRound(round + 1)}>New game</Button>
        </div>
      </div>
    </Panel>
  );
}

function standing({ mover, seat, total, moves, truncated }: CodedMatch): string {
  if (mover === null) return resultText(total, moves, truncated);
  return mover === seat ? "Your turn." : "The opponent's turn…";
}
