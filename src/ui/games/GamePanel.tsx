import { useMemo, useState } from "react";
import { drawEnvironment, type GameRules } from "../../rl/environments.ts";
import type { Advice } from "../../stage/stageProtocol.ts";
import { Button } from "../components/Button.tsx";
import { Select } from "../components/controls.tsx";
import { Panel } from "../components/Panel.tsx";
import { FirstMove } from "./FirstMove.tsx";
import { GameBoard } from "./GameBoard.tsx";
import { GamePicture, GameSide } from "./GamePicture.tsx";
import { gridOf } from "./gameGrid.ts";
import { matchText, ratingText } from "./gameText.ts";
import { canUndo, isOwnTurn, legalIn, type Match, type Uniform } from "./match.ts";
import type { RivalChoice, RivalGroup } from "./rivals.ts";
import { Strength } from "./Strength.tsx";
import { TickedCourt } from "./TickedCourt.tsx";
import { useAdvice, useMatch } from "./useMatch.ts";
import "./games.css";

interface Props {
  readonly title: string;
  readonly rules: GameRules;
  /** Whom to play against; the first one is chosen. At least one. */
  readonly rivals: readonly RivalGroup[];
  /** Draws for chance and random moves (default: the browser's). */
  readonly uniform?: Uniform;
}

/** The user plays a game against an agent or a rule. */
export function GamePanel({ title, rules, rivals, uniform = Math.random }: Props) {
  const choices = rivals.flatMap((group) => group.choices);
  const [shown, setShown] = useState(false);
  // The choice itself, since an agent that plays is not read again when the list is. There is at least one.
  const [choice, setChoice] = useState(choices[0] as RivalChoice);
  const [simulations, setSimulations] = useState(0);
  const { match, rival, problem, move, undo, begin } = useMatch(rules, choice, uniform, simulations);
  const advice = useAdvice(match, rival, shown, simulations);
  const grid = useMemo(() => gridOf(rules), [rules]);
  const draw = useMemo(() => (grid ? null : drawEnvironment(rules.id)), [grid, rules]);
  const choose = (wanted: string): void => {
    const found = choices.find((one) => one.key === wanted);
    if (found) setChoice(found);
  };
  const others = grid ? grid.others : Array.from({ length: rules.action_space.n }, (_, action) => action);
  return (
    <Panel title={title}>
      <div className="panel__body stack game">
        <div className="row">
          <label className="beside">
            Opponent
            <Select value={choice.key} onChange={choose}>
              {rivals.map((group) => (
                <optgroup key={group.title} label={group.title}>
                  {group.choices.map((one) => (
                    <option key={one.key} value={one.key}>
                      {one.label}
                    </option>
                  ))}
                </optgroup>
              ))}
            </Select>
          </label>
          {rival?.advise && !rules.chance && <Strength simulations={simulations} onChange={setSimulations} />}
          <FirstMove seat={match.seat} onChange={begin} />
        </div>
        {problem !== null && (
          <p className="bad" role="alert">
            {problem}
          </p>
        )}
        <p className="game__standing" aria-live="polite">
          {rival === null && problem === null ? "Opening the opponent…" : matchText(match)}
        </p>
        {grid && <GameBoard match={match} grid={grid} advice={advice} onMove={move} />}
        {draw && rules.ticks_per_second === undefined && <GamePicture match={match} draw={draw} />}
        {draw && rules.ticks_per_second !== undefined && (
          <TickedCourt match={match} draw={draw} ticks_per_second={rules.ticks_per_second} onMove={move} />
        )}
        {draw && <GameSide match={match} />}
        <OtherMoves match={match} actions={others} advice={advice} onMove={move} />
        {grid && <Stones seat={match.seat} />}
        <div className="row">
          <Button onClick={() => begin(match.seat)}>New game</Button>
          <Button aria-disabled={!canUndo(match)} onClick={undo}>
            Undo
          </Button>
          {rival?.advise && (
            <Button onClick={() => setShown(!shown)}>{shown ? "Hide hints" : "Hints"}</Button>
          )}
        </div>
        {rival?.advise && shown && <AdviceText match={match} advice={advice} simulations={simulations} />}
      </div>
    </Panel>
  );
}

interface OtherMovesProps {
  readonly match: Match;
  readonly actions: readonly number[];
  readonly advice: Advice | null;
  readonly onMove: (action: number) => void;
}

/** Moves that are not on a board, as buttons. */
function OtherMoves({ match, actions, advice, onMove }: OtherMovesProps) {
  const legal = isOwnTurn(match) ? legalIn(match) : [];
  if (actions.length === 0) return null;
  const rated = (action: number): string => {
    const value = advice?.ratings?.values[action] ?? null;
    const visits = advice?.search?.visits[action] ?? null;
    const looked = visits === null ? "" : `, ${visits}`;
    return value === null || !advice?.ratings ? "" : ` ${ratingText(advice.ratings.kind, value)}${looked}`;
  };
  return (
    <fieldset className="row game__moves" aria-label="Moves">
      {actions.map((action) => {
        const isLegal = legal.includes(action);
        return (
          <Button key={action} aria-disabled={!isLegal} onClick={() => isLegal && onMove(action)}>
            {match.rules.actionName(action)}
            {rated(action)}
          </Button>
        );
      })}
    </fieldset>
  );
}

/** Whose stones look how. */
const Stones = ({ seat }: { readonly seat: number }) => (
  <p className="row soft small">
    {[seat, 1 - seat].map((player) => (
      <span key={player} className="line gap-1">
        <span className="board__stone board__stone--small" data-player={player} />
        {player === seat ? "You" : "Opponent"}
      </span>
    ))}
  </p>
);

interface AdviceTextProps {
  readonly match: Match;
  readonly advice: Advice | null;
  readonly simulations: number;
}

/** What the numbers on the board are, and what the opponent expects. */
function AdviceText({ match, advice, simulations }: AdviceTextProps) {
  if (!isOwnTurn(match)) return <p className="soft small">Hints appear at your turn.</p>;
  if (advice === null) return <p className="soft small">Asking the opponent's network…</p>;
  const { ratings, value, search } = advice;
  const kinds = {
    probability:
      "Numbers are the probabilities with which the opponent's network would choose each move here.",
    return: "Numbers are the results that the opponent's network expects after each move.",
  } as const;
  return (
    <p className="soft small">
      {ratings && `${kinds[ratings.kind]} `}
      {value !== null &&
        `It expects ${ratingText("return", value)} for you, where 1 is a win and -1 a loss. `}
      {search &&
        `Below are the positions that its search looked at after each move; it expects ${ratingText("return", search.value)}.`}
      {simulations > 0 && !search && "Only its policy is kept, so it does not look ahead."}
    </p>
  );
}
