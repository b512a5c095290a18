import {
  abs,
  add,
  and,
  constant,
  equal,
  greater,
  less,
  or,
  select,
  stackColumns,
  sub,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import { drawInteger } from "../../dynamics/numbers.ts";
import {
  type Cell,
  countDown,
  everywhere,
  flag,
  type GameNumbers,
  ready,
  SIDE,
  walk,
} from "../game/board.ts";
import { minAtarGame } from "../game/minAtarGame.ts";
import { any, beside, cell, columnBit, middleRows } from "../game/rowBits.ts";

/** Occupied cells; cells in front come last. */
const freewayCells = (s: GameNumbers): Cell[] => [
  ...s.list("car_speed").flatMap((speed, i): Cell[] => {
    const [x, y] = [s.at("car_x", i), i + 1];
    const behind = (x - Math.sign(speed) + SIDE) % SIDE;
    return [
      { channel: `speed${Math.abs(speed)}`, x: behind, y },
      { channel: "car", x, y },
    ];
  }),
  { channel: "chicken", x: 4, y: s.at("chicken") },
];

/** One car in each of the rows 1 to 8. */
const CARS = 8;
/** Column in which the chicken crosses. */
const CROSSING = 4;
const BOTTOM = SIDE - 1;
/** Steps between two moves of the chicken. */
const MOVE_INTERVAL = 3;
/** The episode ends one step after this many steps. */
const TIME_LIMIT = 2500;
const SPEEDS = [1, 2, 3, 4, 5] as const;

/** Random car speeds, 1 to 5 or -1 to -5 (towards the left), all equally likely; f32 [n, 8]. */
function randomSpeeds(draws: readonly Tensor[]): Tensor {
  const side = drawInteger(stackColumns(draws), 2 * SPEEDS.length);
  return select(less(side, SPEEDS.length), sub(side, SPEEDS.length), sub(side, SPEEDS.length - 1));
}

/** Wraps a column beyond one edge to the other edge. */
const wrapped = (x: Tensor): Tensor => select(less(x, 0), SIDE - 1, select(greater(x, SIDE - 1), 0, x));

/**
 * A chicken crosses eight lanes of cars upwards. Reward is 1 each time it arrives; it then starts again at
 * the bottom, and the cars change their speeds. A car that hits the chicken sends it back. The episode ends
 * at a time limit.
 *
 * `car_speed`: a car moves every |car_speed| + 1 steps, to the left if negative; `car_timer`: steps until its
 * next move. Keys: none, up, down.
 */
export const Freeway = minAtarGame({
  name: "Freeway",
  cells: freewayCells,
  channels: ["chicken", "car", "speed1", "speed2", "speed3", "speed4", "speed5"],
  keys: ["none", "up", "down"],
  state: {
    chicken: [],
    move_timer: [],
    terminate_timer: [],
    car_x: [CARS],
    car_timer: [CARS],
    car_speed: [CARS],
  },
  resetDraws: CARS,
  stepDraws: CARS,
  reset: (draws, num_envs) => {
    const car_speed = randomSpeeds(draws);
    return {
      chicken: everywhere(BOTTOM, num_envs),
      move_timer: everywhere(MOVE_INTERVAL, num_envs),
      terminate_timer: everywhere(TIME_LIMIT, num_envs),
      car_x: zeros([num_envs, CARS]),
      car_timer: abs(car_speed),
      car_speed,
    };
  },
  show: (s, board) => {
    const speed = middleRows(s.car_speed);
    const x = middleRows(s.car_x);
    const behind = columnBit(wrapped(select(greater(speed, 0), sub(x, 1), add(x, 1))));
    const trail = (steps: number): Tensor => select(equal(abs(speed), steps), behind, 0);
    return {
      chicken: cell(board, constant(CROSSING, "f32", s.chicken.shape), s.chicken),
      car: select(equal(speed, 0), 0, columnBit(x)),
      speed1: trail(1),
      speed2: trail(2),
      speed3: trail(3),
      speed4: trail(4),
      speed5: trail(5),
    };
  },
  step: (s, pressed, draws, board) => {
    const rested = ready(s.move_timer);
    const up = and(rested, pressed("up"));
    const down = and(rested, pressed("down"));
    const walked = walk(s.chicken, up, down, 0, BOTTOM);
    const arrived = equal(walked, 0);
    const chicken = select(arrived, BOTTOM, walked);

    const fresh = randomSpeeds(draws);
    const speed = select(beside(arrived), fresh, s.car_speed);
    const timer = select(beside(arrived), abs(fresh), s.car_timer);
    const moves = ready(timer);
    const x = select(moves, wrapped(add(s.car_x, select(greater(speed, 0), 1, constant(-1)))), s.car_x);

    const row = add(board.numbers(CARS), 1);
    const crossing = or(equal(s.car_x, CROSSING), equal(x, CROSSING));
    const hit = any(flag(and(crossing, equal(row, beside(chicken)))));
    const left = sub(s.terminate_timer, 1);
    return {
      state: {
        chicken: select(hit, BOTTOM, chicken),
        move_timer: countDown(select(or(up, down), MOVE_INTERVAL, s.move_timer)),
        terminate_timer: left,
        car_x: x,
        car_timer: select(moves, abs(speed), sub(timer, 1)),
        car_speed: speed,
      },
      reward: flag(arrived),
      terminated: less(left, 0),
    };
  },
});
