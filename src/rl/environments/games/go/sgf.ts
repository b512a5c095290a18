/** Games of Go5x5 in the Smart Game Format, FF[4] (Hollosi 2006, https://www.red-bean.com/sgf). */
import type { GameState } from "../../face/GameRules.ts";
import { areaOf, CELLS, SIZE } from "./board.ts";
import { go5x5, PASS } from "./rules.ts";

/** A game of Go5x5. */
export interface GoGame {
  /** Actions of the players in turn, from the empty board. */
  readonly moves: readonly number[];
  readonly komi: number;
  /** SGF's RE, such as `B+2.5`; absent while a game runs. */
  readonly result?: string;
}

const ID = "rlkit/Go5x5: SGF";
const COLORS = ["B", "W"] as const;
const DEFAULT_KOMI = 0.5;

const fail = (place: string, found: string, allowed: string): RangeError =>
  new RangeError(`${ID}: ${place}: found ${found}, allowed ${allowed}`);

const letter = (index: number): string => String.fromCharCode(97 + index);

/** SGF's point: column, then row from the top; empty for a pass. */
const pointOf = (action: number): string =>
  action === PASS ? "" : letter(action % SIZE) + letter(Math.floor(action / SIZE));

function actionOf(point: string, place: string): number {
  // FF[3] wrote passes as tt.
  if (point === "" || point === "tt") return PASS;
  const [col, row] = [point.charCodeAt(0) - 97, point.charCodeAt(1) - 97];
  const inside = (index: number) => index >= 0 && index < SIZE;
  if (point.length !== 2 || !inside(col) || !inside(row))
    throw fail(place, `point "${point}"`, `two letters from a to ${letter(SIZE - 1)}, or none for a pass`);
  return row * SIZE + col;
}

/** Plays a record. @throws RangeError naming the first move that is not legal. */
function replay(moves: readonly number[], komi: number): GameState {
  const rules = go5x5(komi);
  return moves.reduce<GameState>((state, action, i) => {
    const legal = rules.legal(state);
    if (legal.includes(action)) return rules.next(state, action);
    const allowed = legal.map(rules.actionName).join(", ");
    throw fail(`move ${i + 1}`, rules.actionName(action), allowed || "none: the game has ended");
  }, rules.start);
}

function resultOf(state: GameState, komi: number): string | undefined {
  if (go5x5(komi).returns(state) === null) return undefined;
  const points = areaOf(state.slice(0, CELLS)) - komi;
  if (points === 0) return "0";
  return `${points > 0 ? "B" : "W"}+${Math.abs(points)}`;
}

const escaped = (text: string): string => text.replace(/[\\\]]/g, "\\$&");

/**
 * Writes a game. Without a result, that of the last board is written if the game has ended.
 * @throws RangeError naming the first move that is not legal.
 */
export function writeSgf({ moves, komi, result = resultOf(replay(moves, komi), komi) }: GoGame): string {
  replay(moves, komi);
  const root = `;FF[4]GM[1]CA[UTF-8]AP[rlkit]SZ[${SIZE}]KM[${komi}]`;
  const end = result === undefined ? "" : `RE[${escaped(result)}]`;
  const nodes = moves.map((action, i) => `;${COLORS[i % 2]}[${pointOf(action)}]`);
  return `(${root}${end}\n${nodes.join("")})\n`;
}

/** Properties of a node, each with its values. */
type SgfNode = ReadonlyMap<string, readonly string[]>;

/** Nodes of the main line: of variations, the first one is read. Text before the first tree is skipped. */
function mainLine(text: string): readonly SgfNode[] {
  const nodes: Map<string, string[]>[] = [];
  let at = text.search(/\(\s*;/);
  if (at < 0) throw fail("text", JSON.stringify(text.slice(0, 20)), "a game tree that begins with (;");
  const where = () => `character ${at + 1}`;
  const skip = () => {
    while (at < text.length && /\s/.test(text[at] ?? "")) at++;
  };
  const value = (): string => {
    const from = where();
    let content = "";
    for (at++; text[at] !== "]"; at++) {
      if (at >= text.length) throw fail(from, "a value without an end", "] after the value");
      if (text[at] === "\\") at++;
      content += text[at] ?? "";
    }
    at++;
    return content;
  };
  for (;;) {
    skip();
    const char = text[at];
    if (char === ")") return nodes;
    if (char === "(") at++;
    else if (char === ";") {
      nodes.push(new Map());
      at++;
    } else {
      // FF[3] allowed lower-case letters in names, which do not count.
      const name = /^[A-Za-z]+/.exec(text.slice(at))?.[0];
      const node = nodes.at(-1);
      if (!name || !node)
        throw fail(where(), char === undefined ? "the end" : `"${char}"`, "a property, ;, ( or )");
      at += name.length;
      skip();
      if (text[at] !== "[") throw fail(where(), `property ${name} without a value`, "[ after its name");
      const key = name.replace(/[a-z]/g, "");
      const values = node.get(key) ?? [];
      for (; text[at] === "["; skip()) values.push(value());
      node.set(key, values);
    }
  }
}

/** The komi and the result of a record, checked as far as this board allows. */
function factsOf(root: SgfNode): Pick<GoGame, "komi" | "result"> {
  const first = (name: string) => root.get(name)?.[0]?.trim();
  const [game, size, komi, result] = ["GM", "SZ", "KM", "RE"].map(first);
  if (game !== undefined && game !== "1") throw fail("GM", game, "1 (Go)");
  if (size !== undefined && size !== String(SIZE) && size !== `${SIZE}:${SIZE}`)
    throw fail("SZ", size, String(SIZE));
  const points = komi ? Number(komi) : DEFAULT_KOMI;
  if (!Number.isFinite(points)) throw fail("KM", `"${komi}"`, "a number of points");
  return { komi: points, ...(result ? { result } : {}) };
}

/**
 * Reads the main line of a game. Unknown properties are skipped; without KM, the komi is 0.5.
 * @throws RangeError naming the character, the property or the move, what was found and what is allowed.
 */
export function readSgf(text: string): GoGame {
  const nodes = mainLine(text);
  const facts = factsOf(nodes[0] ?? new Map());
  const moves: number[] = [];
  for (const node of nodes) {
    for (const name of ["AB", "AW", "AE"])
      if (node.has(name)) throw fail(name, "stones that are set up", "games from the empty board");
    for (const [color, values] of node) {
      if (color !== "B" && color !== "W") continue;
      const place = `move ${moves.length + 1}`;
      const turn = COLORS[moves.length % 2];
      if (color !== turn) throw fail(place, color, `${turn}: players move in turn`);
      moves.push(actionOf((values[0] ?? "").trim(), place));
    }
  }
  replay(moves, facts.komi);
  return { moves, ...facts };
}
