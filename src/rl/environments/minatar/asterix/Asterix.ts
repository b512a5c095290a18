import {
  add,
  and,
  equal,
  floor,
  greater,
  greaterEqual,
  less,
  mul,
  not,
  or,
  reshape,
  select,
  sub,
  sum,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import {
  type Board,
  type Cell,
  everywhere,
  flag,
  type GameNumbers,
  isOdd,
  lanesOf,
  ready,
  SIDE,
  walk,
} from "../game/board.ts";
import { minAtarGame } from "../game/minAtarGame.ts";
import { any, beside, cell, columnBit, middleRows } from "../game/rowBits.ts";

/** Occupied cells; cells in front come last. */
const asterixCells = (s: GameNumbers): Cell[] => [
  ...s.list("entity_kind").flatMap((kind, i): Cell[] => {
    if (kind === 0) return [];
    const [x, y] = [s.at("entity_x", i), i + 1];
    return [
      { channel: "trail", x: x - s.at("entity_direction", i), y },
      { channel: kind === 1 ? "enemy" : "gold", x, y },
    ];
  }),
  { channel: "player", x: s.at("player_x"), y: s.at("player_y") },
];

/** Number of entities: at most one in each of the rows 1 to 8. */
const ENTITIES = 8;
const LAST = SIDE - 1;
const [ENEMY, GOLD] = [1, 2] as const;
const GOLD_PROBABILITY = 1 / 3;
/** Initial steps between arrivals of entities, and between moves of all entities; both shrink over time. */
const FIRST_SPAWN_INTERVAL = 10;
const FIRST_MOVE_INTERVAL = 5;
/**
 * Steps between two increases of difficulty, not counting the two steps in which the timer is at 0 and below.
 */
const RAMP_INTERVAL = 100;

/** A uniformly random free place in each lane, chosen by `draw`, bool [n, 8]. `free`: bool [n, 8]. */
function randomFree(board: Board, free: Tensor, draw: Tensor): Tensor {
  const isFree = flag(free);
  const rank = sum(select(board.before(ENTITIES), reshape(isFree, [lanesOf(free), 1, ENTITIES]), 0));
  const chosen = floor(mul(draw, sum(isFree)));
  return and(free, equal(rank, beside(chosen)));
}

/**
 * The player avoids enemies, whose touch ends the episode, and collects gold for a reward of 1. Both cross
 * the grid from its sides, with increasing frequency and speed.
 *
 * `entity_kind`: 0 nothing, 1 enemy, 2 gold; `entity_direction`: 1 to the right, -1 to the left. Entity i is
 * in row i + 1. Keys: none, left, up, right, down.
 */
export const Asterix = minAtarGame({
  name: "Asterix",
  cells: asterixCells,
  channels: ["player", "enemy", "trail", "gold"],
  keys: ["none", "left", "up", "right", "down"],
  state: {
    player_x: [],
    player_y: [],
    spawn_interval: [],
    spawn_timer: [],
    move_interval: [],
    move_timer: [],
    ramp_timer: [],
    ramp_index: [],
    entity_x: [ENTITIES],
    entity_kind: [ENTITIES],
    entity_direction: [ENTITIES],
  },
  resetDraws: 0,
  stepDraws: 3,
  reset: (_draws, num_envs) => ({
    player_x: everywhere(5, num_envs),
    player_y: everywhere(5, num_envs),
    spawn_interval: everywhere(FIRST_SPAWN_INTERVAL, num_envs),
    spawn_timer: everywhere(FIRST_SPAWN_INTERVAL, num_envs),
    move_interval: everywhere(FIRST_MOVE_INTERVAL, num_envs),
    move_timer: everywhere(FIRST_MOVE_INTERVAL, num_envs),
    ramp_timer: everywhere(RAMP_INTERVAL, num_envs),
    ramp_index: zeros([num_envs]),
    entity_x: zeros([num_envs, ENTITIES]),
    entity_kind: zeros([num_envs, ENTITIES]),
    entity_direction: zeros([num_envs, ENTITIES]),
  }),
  show: (s, board) => {
    const [x, kind, direction] = [s.entity_x, s.entity_kind, s.entity_direction].map(middleRows) as [
      Tensor,
      Tensor,
      Tensor,
    ];
    const bit = columnBit(x);
    return {
      player: cell(board, s.player_x, s.player_y),
      enemy: select(equal(kind, ENEMY), bit, 0),
      trail: select(equal(kind, 0), 0, columnBit(sub(x, direction))),
      gold: select(equal(kind, GOLD), bit, 0),
    };
  },
  step: (s, pressed, [side, treasure, place], board) => {
    if (!side || !treasure || !place) throw new RangeError("Asterix: a step needs three draws");
    const spawns = ready(s.spawn_timer);
    const arrives = and(beside(spawns), randomFree(board, equal(s.entity_kind, 0), place));
    const fromLeft = less(side, 0.5);
    const start = select(fromLeft, 0, everywhere(LAST, lanesOf(side)));
    const heading = select(fromLeft, 1, everywhere(-1, lanesOf(side)));
    const newKind = select(less(treasure, GOLD_PROBABILITY), GOLD, everywhere(ENEMY, lanesOf(side)));
    const from = select(arrives, beside(start), s.entity_x);
    const kind = select(arrives, beside(newKind), s.entity_kind);
    const direction = select(arrives, beside(heading), s.entity_direction);

    const x = walk(s.player_x, pressed("left"), pressed("right"), 0, LAST);
    const y = walk(s.player_y, pressed("up"), pressed("down"), 1, LAST - 1);
    const inRow = equal(add(board.numbers(ENTITIES), 1), beside(y));

    const moves = ready(s.move_timer);
    const to = select(beside(moves), add(from, direction), from);
    const metBefore = and(inRow, equal(from, beside(x)));
    const met = or(metBefore, and(inRow, equal(to, beside(x))));
    const collected = and(met, equal(kind, GOLD));
    const outside = or(less(to, 0), greater(to, LAST));
    const stays = and(greater(kind, 0), not(or(collected, outside)));

    const hard = and(equal(s.spawn_interval, 1), equal(s.move_interval, 1));
    const waits = greaterEqual(s.ramp_timer, 0);
    const ramps = not(or(hard, waits));
    const spawnsFaster = and(ramps, greater(s.spawn_interval, 1));
    const movesFaster = and(and(ramps, isOdd(s.ramp_index)), greater(s.move_interval, 1));
    return {
      state: {
        player_x: x,
        player_y: y,
        spawn_interval: sub(s.spawn_interval, flag(spawnsFaster)),
        spawn_timer: sub(select(spawns, s.spawn_interval, s.spawn_timer), 1),
        move_interval: sub(s.move_interval, flag(movesFaster)),
        move_timer: sub(select(moves, s.move_interval, s.move_timer), 1),
        ramp_timer: select(hard, s.ramp_timer, select(waits, sub(s.ramp_timer, 1), RAMP_INTERVAL)),
        ramp_index: add(s.ramp_index, flag(ramps)),
        entity_x: select(stays, to, 0),
        entity_kind: select(stays, kind, 0),
        entity_direction: select(stays, direction, 0),
      },
      reward: sum(flag(collected)),
      terminated: any(flag(and(met, equal(kind, ENEMY)))),
    };
  },
});
