import {
  add,
  and,
  bitAnd,
  bitOr,
  cast,
  column,
  concat,
  constant,
  equal,
  floor,
  greater,
  less,
  maximum,
  mul,
  not,
  or,
  select,
  sub,
  sum,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import { drawInteger } from "../../dynamics/numbers.ts";
import { countDown, everywhere, flag, isOdd, isSet, lanesOf, ready, SIDE, walk } from "../game/board.ts";
import { minAtarGame } from "../game/minAtarGame.ts";
import { any, beside, cell, columnBit, FULL_ROW, inRow, leftward, rightward } from "../game/rowBits.ts";
import { cellNumber, firstInCell, firstSlot, rowBitsByKind, rowBitsOf, strikes } from "../game/slots.ts";
import { seaquestCells } from "./seaquestCells.ts";

const LAST = SIDE - 1;
const [FISH, SUB] = [1, 2] as const;
const SUB_PROBABILITY = 1 / 3;
const MAX_OXYGEN = 200;
const MAX_DIVERS = 6;
/** Steps between two events of the same kind. */
const SHOT_COOL_DOWN = 5;
const ENEMY_SHOT_INTERVAL = 10;
const DIVER_SPAWN_INTERVAL = 30;
const DIVER_MOVE_INTERVAL = 5;
const FIRST_SPAWN_INTERVAL = 20;
const FIRST_MOVE_INTERVAL = 5;
const LAST_MOVE_INTERVAL = 2;

/**
 * Numbers of slots: as many as can be in use at once. At full difficulty, an enemy enters in each step and
 * stays for 30 steps. A diver enters every 30 steps and leaves with the 60th; a shot is fired every 5 steps
 * and leaves with the 10th.
 */
const ENEMIES = 32;
const DIVERS = 2;
const SHOTS = 2;

type Values = Readonly<Record<string, Tensor>>;

/** For each variable: the lane's `fresh` value in flagged slots, `kept` in the others. */
const put = <Names extends string>(
  flags: Tensor,
  fresh: Readonly<Record<Names, Tensor>>,
  kept: Values,
): Record<Names, Tensor> =>
  Object.fromEntries(
    Object.entries<Tensor>(fresh).map(([name, value]) => [
      name,
      select(flags, beside(value), kept[name] as Tensor),
    ]),
  ) as Record<Names, Tensor>;

/** The edge where an object enters and its heading, from a uniform draw. */
function entrance(draw: Tensor): { x: Tensor; heading: Tensor } {
  const fromLeft = less(draw, 0.5);
  const n = lanesOf(draw);
  return {
    x: select(fromLeft, 0, everywhere(LAST, n)),
    heading: select(fromLeft, 1, everywhere(-1, n)),
  };
}

/** A random row from 1 to 8. */
const randomRow = (draw: Tensor): Tensor => add(drawInteger(draw, SIDE - 2), 1);

const outside = (x: Tensor): Tensor => or(less(x, 0), greater(x, LAST));

/**
 * A submarine shoots fish and enemy submarines, with reward 1 for each, and collects divers. It surfaces for
 * oxygen, which costs a diver and makes the game harder; with six divers aboard it earns 1 for each tenth of
 * oxygen left. The episode ends when the submarine touches an enemy or its shot, runs out of oxygen, or
 * surfaces without a diver.
 *
 * Directions: 1 to the right, -1 to the left, 0 for an empty slot. `enemy_kind`: 0 nothing, 1 fish, 2 submarine. Keys:
 * none, left, up, right, down, fire.
 */
export const Seaquest = minAtarGame({
  name: "Seaquest",
  cells: seaquestCells,
  channels: [
    "sub_front",
    "sub_back",
    "friendly_bullet",
    "trail",
    "enemy_bullet",
    "enemy_fish",
    "enemy_sub",
    "oxygen_guage",
    "diver_guage",
    "diver",
  ],
  keys: ["none", "left", "up", "right", "down", "fire"],
  state: {
    sub_x: [],
    sub_y: [],
    sub_direction: [],
    oxygen: [],
    diver_count: [],
    surfaced: [],
    shot_timer: [],
    enemy_spawn_interval: [],
    enemy_spawn_timer: [],
    diver_spawn_timer: [],
    move_interval: [],
    ramp_index: [],
    bullet_x: [SHOTS],
    bullet_y: [SHOTS],
    bullet_direction: [SHOTS],
    diver_x: [DIVERS],
    diver_y: [DIVERS],
    diver_direction: [DIVERS],
    diver_timer: [DIVERS],
    enemy_x: [ENEMIES],
    enemy_y: [ENEMIES],
    enemy_direction: [ENEMIES],
    enemy_kind: [ENEMIES],
    enemy_timer: [ENEMIES],
    enemy_shot_timer: [ENEMIES],
    enemy_bullets_left: [SIDE],
    enemy_bullets_right: [SIDE],
  },
  resetDraws: 0,
  stepDraws: 5,
  reset: (_draws, num_envs) => {
    const none = (size: number): Tensor => zeros([num_envs, size]);
    return {
      sub_x: everywhere(5, num_envs),
      sub_y: zeros([num_envs]),
      sub_direction: everywhere(-1, num_envs),
      oxygen: everywhere(MAX_OXYGEN, num_envs),
      diver_count: zeros([num_envs]),
      surfaced: everywhere(1, num_envs),
      shot_timer: zeros([num_envs]),
      enemy_spawn_interval: everywhere(FIRST_SPAWN_INTERVAL, num_envs),
      enemy_spawn_timer: everywhere(FIRST_SPAWN_INTERVAL, num_envs),
      diver_spawn_timer: everywhere(DIVER_SPAWN_INTERVAL, num_envs),
      move_interval: everywhere(FIRST_MOVE_INTERVAL, num_envs),
      ramp_index: zeros([num_envs]),
      bullet_x: none(SHOTS),
      bullet_y: none(SHOTS),
      bullet_direction: none(SHOTS),
      diver_x: none(DIVERS),
      diver_y: none(DIVERS),
      diver_direction: none(DIVERS),
      diver_timer: none(DIVERS),
      enemy_x: none(ENEMIES),
      enemy_y: none(ENEMIES),
      enemy_direction: none(ENEMIES),
      enemy_kind: none(ENEMIES),
      enemy_timer: none(ENEMIES),
      enemy_shot_timer: none(ENEMIES),
      enemy_bullets_left: none(SIDE),
      enemy_bullets_right: none(SIDE),
    };
  },
  show: (s, board) => {
    const [isFish, isSub] = [equal(s.enemy_kind, FISH), equal(s.enemy_kind, SUB)];
    // Unlike divers, all enemies in a row swim in the same direction.
    const enemies = rowBitsByKind(board, s.enemy_x, s.enemy_y, s.enemy_kind);
    const behindEnemies = sub(s.enemy_x, s.enemy_direction);
    const gone = equal(s.diver_direction, 0);
    const divers = (x: Tensor): Tensor => rowBitsByKind(board, x, s.diver_y, flag(gone))(not(gone));
    const noBullet = equal(s.bullet_direction, 0);
    const bullets = rowBitsByKind(board, s.bullet_x, s.bullet_y, flag(noBullet));
    const trails = [
      enemies(isFish, behindEnemies),
      enemies(isSub, behindEnemies),
      divers(sub(s.diver_x, s.diver_direction)),
    ] as const;
    const bottom = constant(LAST, "f32", s.oxygen.shape);
    // Adding a half keeps the quotient away from integers, whatever the rounding.
    const tenths = floor(mul(add(maximum(s.oxygen, 0), 0.5), SIDE / MAX_OXYGEN));
    const gauge = bitAnd(sub(columnBit(tenths), 1), FULL_ROW);
    return {
      sub_front: cell(board, s.sub_x, s.sub_y),
      sub_back: cell(board, sub(s.sub_x, s.sub_direction), s.sub_y),
      friendly_bullet: bullets(not(noBullet)),
      trail: bitOr(bitOr(trails[0], trails[1]), trails[2]),
      enemy_bullet: bitOr(cast(s.enemy_bullets_left, "i32"), cast(s.enemy_bullets_right, "i32")),
      enemy_fish: enemies(isFish),
      enemy_sub: enemies(isSub),
      oxygen_guage: inRow(board, bottom, gauge),
      // Counted to the left from column 8.
      diver_guage: inRow(board, bottom, sub(1 << LAST, columnBit(sub(LAST, maximum(s.diver_count, 0))))),
      diver: divers(s.diver_x),
    };
  },
  step: (s, pressed, [side, breed, row, diverSide, diverRow], board) => {
    if (!side || !breed || !row || !diverSide || !diverRow)
      throw new RangeError("Seaquest: a step needs five draws");
    const n = lanesOf(s.sub_x);

    // New enemies and divers.
    const enemySpawns = ready(s.enemy_spawn_timer);
    const enter = entrance(side);
    const enemyRow = randomRow(row);
    const oncoming = and(
      equal(s.enemy_y, beside(enemyRow)),
      equal(add(s.enemy_direction, beside(enter.heading)), 0),
    );
    const admitted = and(enemySpawns, not(any(flag(and(greater(s.enemy_kind, 0), oncoming)))));
    const enemy = put(
      and(beside(admitted), firstSlot(board, equal(s.enemy_kind, 0))),
      {
        enemy_x: enter.x,
        enemy_y: enemyRow,
        enemy_direction: enter.heading,
        enemy_kind: select(less(breed, SUB_PROBABILITY), SUB, everywhere(FISH, n)),
        enemy_timer: s.move_interval,
        enemy_shot_timer: everywhere(ENEMY_SHOT_INTERVAL, n),
      },
      s,
    );
    const diverSpawns = ready(s.diver_spawn_timer);
    const diverEnters = entrance(diverSide);
    const diver = put(
      and(beside(diverSpawns), firstSlot(board, equal(s.diver_direction, 0))),
      {
        diver_x: diverEnters.x,
        diver_y: randomRow(diverRow),
        diver_direction: diverEnters.heading,
        diver_timer: everywhere(DIVER_MOVE_INTERVAL, n),
      },
      s,
    );

    // The player.
    const fires = and(pressed("fire"), ready(s.shot_timer));
    const [left, right] = [pressed("left"), pressed("right")];
    const x = walk(s.sub_x, left, right, 0, LAST);
    const y = walk(s.sub_y, pressed("up"), pressed("down"), 0, LAST - 1);
    const direction = select(left, -1, select(right, 1, s.sub_direction));
    const here = cellNumber(x, y);
    const atPlayer = (at: Tensor): Tensor => equal(at, beside(here));

    // The player's bullets strike fish before submarines, and within a kind the one that came first.
    const shot = put(
      and(beside(fires), firstSlot(board, equal(s.bullet_direction, 0))),
      { bullet_x: x, bullet_y: y, bullet_direction: direction },
      s,
    );
    const bulletX = add(shot.bullet_x, shot.bullet_direction);
    const flies = and(not(equal(shot.bullet_direction, 0)), not(outside(bulletX)));
    const bulletCell = select(flies, cellNumber(bulletX, shot.bullet_y), -2);
    const slot = board.numbers(ENEMIES);
    const present = greater(enemy.enemy_kind, 0);
    const enemyCell = select(present, cellNumber(enemy.enemy_x, enemy.enemy_y), -1);
    // An enemy that has been in a cell longer leaves it sooner, so the timer shows which one came first.
    const seniority = add(mul(enemy.enemy_kind, 8), enemy.enemy_timer);
    const first = strikes(
      { cells: enemyCell, rank: sub((SUB + 1) * 8 * ENEMIES, add(mul(seniority, ENEMIES), slot)) },
      bulletCell,
    );

    // Divers come aboard while there is room. Of two divers at once, the one in the later slot is first.
    const swims = not(equal(diver.diver_direction, 0));
    const diverMoves = ready(diver.diver_timer);
    const diverX = select(diverMoves, add(diver.diver_x, diver.diver_direction), diver.diver_x);
    const reached = (at: Tensor): Tensor => atPlayer(cellNumber(at, diver.diver_y));
    const meets = and(swims, or(reached(diver.diver_x), reached(diverX)));
    const served = concat([beside(column(flag(meets), 1)), zeros([n, 1])]);
    const aboard = and(meets, less(add(served, beside(s.diver_count)), MAX_DIVERS));
    const count = add(s.diver_count, sum(flag(aboard)));
    const diverStays = and(swims, not(or(aboard, outside(diverX))));
    const inWater = (value: Tensor): Tensor => select(diverStays, value, 0);

    // Enemies move; those that move into a bullet are struck, submarines before fish.
    const alive = and(present, not(first.struck));
    const enemyMoves = and(alive, ready(enemy.enemy_timer));
    const enemyX = select(enemyMoves, add(enemy.enemy_x, enemy.enemy_direction), enemy.enemy_x);
    const leaves = outside(enemyX);
    const movedCell = cellNumber(enemyX, enemy.enemy_y);
    const touches = and(alive, or(atPlayer(enemyCell), atPlayer(movedCell)));
    const exposed = and(and(enemyMoves, not(leaves)), not(atPlayer(movedCell)));
    const second = strikes(
      {
        cells: select(exposed, movedCell, -1),
        rank: add(mul(enemy.enemy_kind, ENEMIES), slot),
      },
      select(first.spent, -2, bulletCell),
    );
    const enemyStays = and(alive, not(or(leaves, second.struck)));
    const inSea = (value: Tensor): Tensor => select(enemyStays, value, 0);
    const bulletStays = and(flies, not(or(first.spent, second.spent)));
    const inFlight = (value: Tensor): Tensor => select(bulletStays, value, 0);

    // The enemies' bullets.
    const isSub = and(alive, equal(enemy.enemy_kind, SUB));
    const shoots = and(isSub, ready(enemy.enemy_shot_timer));
    const origin = and(shoots, firstInCell(board, select(shoots, movedCell, sub(-1, slot))));
    const added = (heading: number): Tensor =>
      rowBitsOf(board, enemyX, enemy.enemy_y, and(origin, equal(enemy.enemy_direction, heading)));
    const toLeft = bitOr(cast(s.enemy_bullets_left, "i32"), added(-1));
    const toRight = bitOr(cast(s.enemy_bullets_right, "i32"), added(1));
    const [nextLeft, nextRight] = [leftward(toLeft), rightward(toRight)];
    const dangerous = bitOr(bitOr(toLeft, toRight), bitOr(nextLeft, nextRight));
    const shotDown = any(bitAnd(dangerous, cell(board, x, y)));

    // Oxygen, and the cost and reward of surfacing.
    const atSurface = equal(y, 0);
    const emerges = and(atSurface, not(isSet(s.surfaced)));
    const surfaces = and(emerges, not(equal(count, 0)));
    const full = equal(count, MAX_DIVERS);
    const bonus = floor(mul(add(s.oxygen, 0.5), SIDE / MAX_OXYGEN));
    const slower = greater(s.enemy_spawn_interval, 1);
    const calmer = greater(s.move_interval, LAST_MOVE_INTERVAL);
    const ramps = and(surfaces, or(slower, calmer));
    return {
      state: {
        sub_x: x,
        sub_y: y,
        sub_direction: direction,
        oxygen: select(atSurface, select(surfaces, MAX_OXYGEN, s.oxygen), sub(s.oxygen, 1)),
        // Surfacing removes one diver even after all six have left: the published game continues with -1.
        diver_count: select(surfaces, sub(select(full, 0, count), 1), count),
        surfaced: select(atSurface, maximum(s.surfaced, flag(surfaces)), 0),
        shot_timer: countDown(select(fires, SHOT_COOL_DOWN, s.shot_timer)),
        enemy_spawn_interval: sub(s.enemy_spawn_interval, flag(and(ramps, slower))),
        enemy_spawn_timer: countDown(select(enemySpawns, s.enemy_spawn_interval, s.enemy_spawn_timer)),
        diver_spawn_timer: countDown(select(diverSpawns, DIVER_SPAWN_INTERVAL, s.diver_spawn_timer)),
        move_interval: sub(s.move_interval, flag(and(and(ramps, calmer), isOdd(s.ramp_index)))),
        ramp_index: add(s.ramp_index, flag(ramps)),
        bullet_x: inFlight(bulletX),
        bullet_y: inFlight(shot.bullet_y),
        bullet_direction: inFlight(shot.bullet_direction),
        diver_x: inWater(diverX),
        diver_y: inWater(diver.diver_y),
        diver_direction: inWater(diver.diver_direction),
        diver_timer: inWater(select(diverMoves, DIVER_MOVE_INTERVAL, sub(diver.diver_timer, 1))),
        enemy_x: inSea(enemyX),
        enemy_y: inSea(enemy.enemy_y),
        enemy_direction: inSea(enemy.enemy_direction),
        enemy_kind: inSea(enemy.enemy_kind),
        enemy_timer: inSea(select(enemyMoves, beside(s.move_interval), sub(enemy.enemy_timer, 1))),
        enemy_shot_timer: select(
          and(enemyStays, isSub),
          select(shoots, ENEMY_SHOT_INTERVAL, sub(enemy.enemy_shot_timer, 1)),
          0,
        ),
        enemy_bullets_left: cast(nextLeft, "f32"),
        enemy_bullets_right: cast(nextRight, "f32"),
      },
      reward: add(
        add(sum(flag(first.struck)), sum(flag(second.struck))),
        select(and(surfaces, full), bonus, 0),
      ),
      terminated: or(
        or(any(flag(touches)), shotDown),
        or(less(s.oxygen, 0.5), and(emerges, equal(count, 0))),
      ),
    };
  },
});
