/** A game against the agent of a play file: a board or a picture, and moves by mouse, touch or keys. */
import type { AgentState } from "../../../agents/members.ts";
import { drawEnvironment, findEnvironment, type GameRules, isCompiled } from "../../../rl/environments.ts";
import { Adviser } from "../../../stage/pageStage.ts";
import { type BoardCell, boardCells, boardStyle, cellBeside, rowStyle } from "../../games/boardCells.ts";
import { type GameGrid, gridOf } from "../../games/gameGrid.ts";
import { matchText } from "../../games/gameText.ts";
import {
  afterMove,
  canUndo,
  isOwnTurn,
  legalIn,
  type Match,
  moverOf,
  newMatch,
  questionOf,
  returnsOf,
  undone,
} from "../../games/match.ts";
import { onThemeChange, tokenColours } from "../../lib/drawing.ts";
import { stageTheme } from "../../stage/stageSettings.ts";
import { element } from "./elements.ts";
import type { Staged } from "./stageAgent.ts";

/** Milliseconds that the agent takes at least, so that its moves can be followed. */
const THINKING = 400;

/** A part of the table: what it shows of each position. */
interface Part {
  readonly element: HTMLElement;
  readonly show: (match: Match) => void;
}

function boardPart(grid: GameGrid, { board }: GameRules, move: (action: number) => void): Part {
  const table = element("table", "", { className: "board", role: "grid", ariaLabel: "Board" });
  if (board) table.dataset.board = board;
  Object.assign(table.style, boardStyle(grid, board));
  let cells: readonly BoardCell[] = [];
  const buttons = Array.from({ length: grid.rows * grid.cols }, (_, cell) => {
    const button = element("button", "", { type: "button", tabIndex: cell === 0 ? 0 : -1 });
    button.addEventListener("click", () => {
      const press = cells[cell]?.press ?? null;
      if (press !== null) move(press);
    });
    button.addEventListener("focus", () => {
      for (const other of buttons) other.tabIndex = other === button ? 0 : -1;
    });
    button.addEventListener("keydown", (event) => {
      const next = cellBeside(grid, cell, event.key);
      if (next === null) return;
      event.preventDefault();
      buttons[next]?.focus();
    });
    return button;
  });
  for (let row = 0; row < grid.rows; row++) {
    const line = table.insertRow();
    Object.assign(line.style, rowStyle(grid, board, row));
    for (const button of buttons.slice(row * grid.cols, (row + 1) * grid.cols))
      line.insertCell().append(button);
  }
  const show = (match: Match): void => {
    cells = boardCells(match, grid, null);
    for (const [i, { stone, isLast, press, target, label }] of cells.entries()) {
      const button = buttons[i] as HTMLButtonElement; // Each cell has one.
      button.ariaLabel = label;
      button.ariaDisabled = `${press === null}`;
      const mark = element("span", "", { className: stone === null ? "board__legal" : "board__stone" });
      if (stone !== null) mark.dataset.player = `${stone}`;
      if (isLast) mark.dataset.last = "true";
      button.replaceChildren(...(stone === null && target === null ? [] : [mark]));
    }
  };
  return { element: table, show };
}

function picturePart({ id, seenBy }: GameRules, options: Staged["env_config"]): Part {
  const canvas = element("canvas", "", { width: 960, height: 720 });
  canvas.setAttribute("aria-hidden", "true");
  const draw = drawEnvironment(id, options ?? {});
  let shown: Match | null = null;
  const paint = (): void => {
    const context = canvas.getContext("2d");
    if (!context || !shown) return;
    const { state, seat, turns } = shown;
    const seen = returnsOf(shown) === null ? (seenBy?.(state, seat) ?? state) : state;
    context.setTransform(2, 0, 0, 2, 0, 0);
    // The champion's colour belongs to agents.
    const theme = { ...stageTheme(canvas), accent: tokenColours(canvas, ["accent"]).accent };
    draw?.(context, seen, turns.at(-1)?.action ?? null, { width: 480, height: 360 }, theme);
  };
  onThemeChange(paint);
  const show = (match: Match): void => {
    shown = match;
    paint();
  };
  return { element: canvas, show };
}

/** Whose stones look how, or which player of the picture the reader is. */
function sidePart({ players }: GameRules, hasStones: boolean): Part {
  const line = element("p", "", { className: "row" });
  const show = ({ seat }: Match): void => {
    if (!hasStones) {
      line.textContent = `You are the ${players[seat]} player.`;
      return;
    }
    const legend = [seat, 1 - seat].flatMap((player) => {
      const mark = element("span", "", { className: "board__stone board__stone--small" });
      mark.dataset.player = `${player}`;
      return [mark, player === seat ? "You" : "The agent"];
    });
    line.replaceChildren(...legend);
  };
  return { element: line, show };
}

/** Keys that hold an action of a game in ticks. */
const KEYS: Readonly<Record<string, string>> = { ArrowUp: "up", ArrowDown: "down" };

/** Moves as buttons. @param hold hears the action of a button or a key that is held, or null; for games in ticks */
function movesPart(
  { actionName }: GameRules,
  actions: readonly number[],
  move: (action: number) => void,
  hold: ((action: number | null) => void) | null,
): Part {
  const row = element("div", "", { className: "row", role: "group", ariaLabel: "Moves" });
  const buttons = actions.map((action) => {
    const button = element("button", actionName(action));
    if (hold) {
      button.addEventListener("pointerdown", () => hold(action));
      for (const end of ["pointerup", "pointerleave", "pointercancel"] as const)
        button.addEventListener(end, () => hold(null));
    } else button.addEventListener("click", () => button.ariaDisabled === "false" && move(action));
    return button;
  });
  if (hold)
    for (const kind of ["keydown", "keyup"] as const)
      window.addEventListener(kind, (event) => {
        const held = actions.find((action) => KEYS[event.key] === actionName(action));
        if (held === undefined) return;
        event.preventDefault();
        hold(kind === "keydown" ? held : null);
      });
  row.append(...buttons);
  const show = (match: Match): void => {
    const legal = isOwnTurn(match) ? legalIn(match) : [];
    for (const [i, button] of buttons.entries())
      button.ariaDisabled = `${!hold && !legal.includes(actions[i] as number)}`; // Each button has one.
  };
  return { element: row, show };
}

/** The elements of a game against the agent; null for environments that are no games. */
export function gameTable(agent: AgentState, { environment, env_config }: Omit<Staged, "bytes">) {
  const env = findEnvironment(environment, env_config);
  if (!isCompiled(env) || !env.game) return null;
  const { rules } = env.game;
  const adviser = new Adviser(env, agent);
  const standing = element("p", "", { ariaLive: "polite" });
  const [again, back, side] = ["New game", "Undo", ""].map((text) => element("button", text)) as [
    HTMLButtonElement,
    HTMLButtonElement,
    HTMLButtonElement,
  ];
  let match = newMatch(rules, 0, Math.random);
  let held: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { ticks_per_second: ticks } = rules;
  /** Whether a game in ticks has begun. */
  let runs = ticks === undefined;
  const move = (action: number): void => goTo(afterMove(match, action, Math.random));
  const grid = gridOf(rules);
  const all = Array.from({ length: rules.action_space.n }, (_, action) => action);
  const hold = (action: number | null): void => {
    held = action;
    if (runs) return;
    runs = true;
    goTo(match);
  };
  const parts = [
    ...(grid ? [boardPart(grid, rules, (action) => isOwnTurn(match) && move(action))] : []),
    ...(grid && ticks === undefined ? [] : [picturePart(rules, env_config)]),
    sidePart(rules, grid !== null),
    movesPart(rules, grid ? grid.others : all, move, ticks === undefined ? null : hold),
  ];
  function goTo(next: Match): void {
    clearTimeout(timer);
    match = next;
    for (const { show } of parts) show(match);
    standing.textContent = runs ? matchText(match) : "Hold up or down: a button, or an arrow key.";
    back.ariaDisabled = `${!canUndo(match)}`;
    side.textContent = match.seat === 0 ? "Let the agent begin" : "Begin yourself";
    if (!runs || moverOf(match) === null) return;
    if (!isOwnTurn(match))
      timer = setTimeout(
        () => move(adviser.ask(questionOf(rules, match.state)).action),
        ticks === undefined ? THINKING : 0,
      );
    else if (ticks !== undefined) timer = setTimeout(() => move(held ?? 0), 1000 / ticks);
  }
  const begin = (seat: number): void => {
    runs = ticks === undefined;
    goTo(newMatch(rules, seat, Math.random));
  };
  again.addEventListener("click", () => begin(match.seat));
  side.addEventListener("click", () => begin(1 - match.seat));
  back.addEventListener("click", () => goTo(undone(match)));
  const buttons = element("div", "", { className: "row" });
  buttons.append(again, ...(ticks === undefined ? [back, side] : []));
  goTo(match);
  return [standing, ...parts.map((part) => part.element), buttons];
}
