import {
  abs,
  and,
  bitAnd,
  bitOr,
  broadcastTo,
  cast,
  constant,
  equal,
  greater,
  greaterEqual,
  less,
  max,
  minimum,
  mul,
  neg,
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
  countDown,
  everywhere,
  flag,
  flip,
  type GameNumbers,
  lanesOf,
  ready,
  SIDE,
  walk,
} from "../game/board.ts";
import { minAtarGame } from "../game/minAtarGame.ts";
import {
  any,
  beside,
  block,
  cell,
  columnBit,
  downward,
  FULL_ROW,
  inRow,
  leftward,
  occupied,
  rightward,
  rolledDown,
  upward,
} from "../game/rowBits.ts";

/** Occupied cells; cells in front come last. */
function spaceInvadersCells(s: GameNumbers): Cell[] {
  const heading = s.at("alien_direction") < 0 ? "alien_left" : "alien_right";
  return [
    ...s.grid("aliens", "alien"),
    ...s.grid("aliens", heading),
    ...s.grid("friendly_bullets", "friendly_bullet"),
    ...s.grid("enemy_bullets", "enemy_bullet"),
    { channel: "cannon", x: s.at("cannon"), y: SIDE - 1 },
  ];
}

const LAST = SIDE - 1;
/** Steps between two shots of the cannon, and between two shots of the aliens. */
const SHOT_COOL_DOWN = 5;
const ENEMY_SHOT_INTERVAL = 10;
/** Steps between two moves of a full wave: in the first wave, and in the fastest waves. */
const FIRST_MOVE_INTERVAL = 12;
const LAST_MOVE_INTERVAL = 6;

/** Four rows of aliens in columns 2 to 7, f32 [10]. */
const wave = (board: Board): Tensor => block(board, 0, 4, 0b0011111100);

/**
 * The cell of the alien that shoots, i32 [n, 10]: the lowest alien in the occupied column nearest to the
 * cannon, or in the left one of two equally near columns.
 */
function shooter(board: Board, aliens: Tensor, cannon: Tensor): Tensor {
  const n = lanesOf(aliens);
  const columns = board.numbers(SIDE);
  const bits = columnBit(columns);
  const there = greater(bitAnd(beside(aliens), bits), 0);
  const lowest = max(select(there, reshape(columns, [SIDE, 1]), constant(-1)), 1);
  const distance = abs(sub(columns, beside(cannon)));
  const score = sub(neg(mul(distance, 2)), flag(greater(columns, beside(cannon))));
  const occupiedScore = select(greaterEqual(lowest, 0), score, -4 * SIDE);
  const nearest = equal(occupiedScore, reshape(max(occupiedScore), [n, 1]));
  const chosen = and(nearest, greaterEqual(lowest, 0));
  const y = sum(select(chosen, lowest, 0));
  const bit = sum(select(chosen, cast(bits, "f32"), 0));
  return inRow(board, y, cast(bit, "i32"));
}

/**
 * A cannon shoots at waves of aliens that march sideways, descend at the edges and shoot back. Reward is 1
 * for each alien hit. Fewer aliens move faster, and so does each new wave. The episode ends when an alien or
 * its shot hits the cannon, or when an alien in the bottom row would descend.
 *
 * `alien_direction` is -1 (left) or 1; `move_interval`: steps between two moves of a full wave. Keys: none,
 * left, right, fire.
 */
export const SpaceInvaders = minAtarGame({
  name: "SpaceInvaders",
  cells: spaceInvadersCells,
  channels: ["cannon", "alien", "alien_left", "alien_right", "friendly_bullet", "enemy_bullet"],
  keys: ["none", "left", "right", "fire"],
  state: {
    cannon: [],
    shot_timer: [],
    alien_direction: [],
    move_interval: [],
    alien_move_timer: [],
    alien_shot_timer: [],
    aliens: [SIDE],
    friendly_bullets: [SIDE],
    enemy_bullets: [SIDE],
  },
  resetDraws: 0,
  stepDraws: 0,
  reset: (_draws, num_envs, board) => ({
    cannon: everywhere(5, num_envs),
    shot_timer: zeros([num_envs]),
    alien_direction: everywhere(-1, num_envs),
    move_interval: everywhere(FIRST_MOVE_INTERVAL, num_envs),
    alien_move_timer: everywhere(FIRST_MOVE_INTERVAL, num_envs),
    alien_shot_timer: everywhere(ENEMY_SHOT_INTERVAL, num_envs),
    aliens: broadcastTo(wave(board), [num_envs, SIDE]),
    friendly_bullets: zeros([num_envs, SIDE]),
    enemy_bullets: zeros([num_envs, SIDE]),
  }),
  show: (s, board) => {
    const alien = cast(s.aliens, "i32");
    const left = beside(less(s.alien_direction, 0));
    return {
      cannon: cell(board, s.cannon, constant(LAST, "f32", s.cannon.shape)),
      alien,
      alien_left: select(left, alien, 0),
      alien_right: select(left, 0, alien),
      friendly_bullet: cast(s.friendly_bullets, "i32"),
      enemy_bullet: cast(s.enemy_bullets, "i32"),
    };
  },
  step: (s, pressed, _draws, board) => {
    const fires = and(pressed("fire"), ready(s.shot_timer));
    const cannon = walk(s.cannon, pressed("left"), pressed("right"), 0, LAST);
    const here = columnBit(cannon);
    // A shot leaves the cannon's row in the step that fires it.
    const shot = inRow(board, constant(LAST - 1, "f32", cannon.shape), select(fires, here, 0));
    const flying = bitOr(upward(cast(s.friendly_bullets, "i32")), shot);
    const falling = downward(cast(s.enemy_bullets, "i32"));

    const standing = cast(s.aliens, "i32");
    const toLeft = less(s.alien_direction, 0);
    const edge = select(toLeft, constant(1, "i32"), columnBit(constant(LAST)));
    const moves = ready(s.alien_move_timer);
    const turns = and(moves, any(bitAnd(standing, beside(edge))));
    const bottom = constant(LAST, "f32", cannon.shape);
    const landed = and(
      turns,
      any(bitAnd(standing, inRow(board, bottom, constant(FULL_ROW, "i32", cannon.shape)))),
    );
    const sideways = select(beside(toLeft), leftward(standing), rightward(standing));
    const marched = select(beside(moves), sideways, standing);
    const aliens = select(beside(turns), rolledDown(standing), marched);
    const cannonCell = inRow(board, bottom, here);
    const hit = any(bitAnd(bitOr(bitOr(falling, standing), aliens), cannonCell));

    const shoots = ready(s.alien_shot_timer);
    const bullets = bitOr(falling, select(beside(shoots), shooter(board, aliens, cannon), 0));
    const killed = bitAnd(aliens, flying);
    const alive = sub(aliens, killed);
    const cleared = not(any(alive));
    const left = sum(cast(occupied(standing), "f32"));
    const faster = and(cleared, greater(s.move_interval, LAST_MOVE_INTERVAL));
    return {
      state: {
        cannon,
        shot_timer: countDown(select(fires, SHOT_COOL_DOWN, s.shot_timer)),
        alien_direction: flip(turns, s.alien_direction),
        move_interval: sub(s.move_interval, flag(faster)),
        alien_move_timer: sub(select(moves, minimum(left, s.move_interval), s.alien_move_timer), 1),
        alien_shot_timer: sub(select(shoots, ENEMY_SHOT_INTERVAL, s.alien_shot_timer), 1),
        aliens: select(beside(cleared), wave(board), cast(alive, "f32")),
        friendly_bullets: cast(sub(flying, killed), "f32"),
        enemy_bullets: cast(bullets, "f32"),
      },
      reward: sum(cast(occupied(killed), "f32")),
      terminated: or(hit, landed),
    };
  },
});
