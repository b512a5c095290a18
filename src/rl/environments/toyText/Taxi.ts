/** Taxi: the town with its walls and stops, its drawing and its definition. */
import { z } from "zod";
import {
  add,
  and,
  broadcastTo,
  cast,
  equal,
  greaterEqual,
  minimum,
  mul,
  not,
  or,
  select,
  stackColumns,
  type Tensor,
} from "../../../kernels/index.ts";
import { Discrete } from "../../spaces.ts";
import { type CompiledEnvironment, withArguments } from "../definition/compiledEnvironment.ts";
import { randomEnvironment } from "../definition/randomEnvironment.ts";
import type { DrawingContext, DrawingTheme } from "../drawing/drawing.ts";
import { at, bar, centre, disc, flag, gridScene, heading, headingMark, tile } from "../drawing/scene.ts";
import { type Cell, type Directions, drawInteger, gridMove } from "../dynamics/numbers.ts";

const TAXI_SIZE = { rows: 5, cols: 5 };
const TAXI_DIRECTIONS: Directions = { down: 0, up: 1, right: 2, left: 3 };

/** Stops where passengers wait and want to go: red, green, yellow, blue. */
const TAXI_STOPS: readonly (readonly [row: number, col: number])[] = [
  [0, 0],
  [0, 4],
  [4, 0],
  [4, 3],
];

/** Walls, each at the right side of a cell. */
const TAXI_WALLS: readonly (readonly [row: number, col: number])[] = [
  [0, 1],
  [1, 1],
  [3, 0],
  [3, 2],
  [4, 0],
  [4, 2],
];

/** Value of `passenger` while the passenger is in the taxi. */
const TAXI_INSIDE = 4;

const { rows, cols } = TAXI_SIZE;
const BODY = { width: 0.62, height: 0.36 };

function drawTown(context: DrawingContext, theme: DrawingTheme): void {
  const stops = new Set(TAXI_STOPS.map((stop) => stop.join()));
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++)
      tile(context, centre(rows, row, col), theme.muted, stops.has(`${row},${col}`) ? 0.45 : 0.14);
  }
  for (const [row, col] of TAXI_WALLS)
    bar(context, [col + 1, rows - row - 0.06], [col + 1, rows - row - 0.94], 0.07, theme.ink);
}

function drawCar(
  context: DrawingContext,
  [x, y]: readonly [number, number],
  carries: boolean,
  theme: DrawingTheme,
): void {
  context.beginPath();
  context.roundRect(x - BODY.width / 2, y - BODY.height / 2, BODY.width, BODY.height, 0.1);
  context.fillStyle = theme.accent;
  context.fill();
  for (const side of [-1, 1])
    disc(context, x + side * BODY.width * 0.27, y - BODY.height / 2, 0.085, theme.ink);
  disc(context, x, y, 0.11, carries ? theme.ink : theme.ground);
}

/**
 * A town with walls and four stops; the flag marks the destination of the passenger (a dot). State: row, col,
 * passenger, destination. Pick-ups and drop-offs are drawn as a bar above or below the taxi.
 */
const drawTaxi = gridScene(TAXI_SIZE, (context, state, action, theme) => {
  drawTown(context, theme);
  const stop = (index: number) => {
    const found = TAXI_STOPS[Math.round(index)];
    return found && centre(rows, found[0], found[1]);
  };
  const goal = stop(at(state, 3));
  if (goal) flag(context, goal[0] + 0.2, goal[1] - 0.4, 0.5, theme);
  const waiting = stop(at(state, 2));
  if (waiting) disc(context, waiting[0] - 0.28, waiting[1] + 0.26, 0.11, theme.ink);
  const place = centre(rows, at(state, 0), at(state, 1));
  drawCar(context, place, Math.round(at(state, 2)) === TAXI_INSIDE, theme);
  const angle = heading(action, TAXI_DIRECTIONS);
  if (angle !== null) headingMark(context, place, angle, BODY.width / 2, theme.ink);
  else if (action !== null) {
    const y = place[1] + (action === 4 ? 0.36 : -0.36);
    bar(context, [place[0] - 0.16, y], [place[0] + 0.16, y], 0.05, theme.ink);
  }
});

const PICK_UP = 4;
const DROP_OFF = 5;

const isAt = ({ row, col }: Cell, [r, c]: readonly [number, number]): Tensor =>
  and(equal(row, r), equal(col, c));

/** Index of the stop where the taxi is, f32 [num_envs]; -1 for none. */
const stopAt = (taxi: Cell): Tensor =>
  TAXI_STOPS.reduce(
    (found, stop, index) => select(isAt(taxi, stop), index, found),
    broadcastTo(-1, taxi.row.shape),
  );

/** The taxi's cell after an action; borders and walls block it. */
function drive(taxi: Cell, action: Tensor): Cell {
  const to = gridMove(taxi, action, TAXI_DIRECTIONS, TAXI_SIZE);
  // A wall between two cells is stored with the left cell.
  const left = { row: taxi.row, col: minimum(taxi.col, to.col) };
  const blocked = TAXI_WALLS.map((wall) => isAt(left, wall)).reduce((any, wall) => or(any, wall));
  return { row: to.row, col: select(blocked, taxi.col, to.col) };
}

/** Whether a pick-up fetches the passenger, and whether a drop-off leaves them at a stop. */
function possible(passenger: Tensor, here: Tensor): { readonly fetched: Tensor; readonly left: Tensor } {
  const inside = equal(passenger, TAXI_INSIDE);
  return { fetched: equal(passenger, here), left: and(inside, greaterEqual(here, 0)) };
}

/** Gymnasium's `info["action_mask"]`: moves into another cell, and pick-ups and drop-offs that are not refused. */
function legalChoices(taxi: Cell, passenger: Tensor): Tensor {
  const moves = Object.values(TAXI_DIRECTIONS).map((way) => {
    const to = drive(taxi, broadcastTo(way, passenger.shape));
    return not(and(equal(to.row, taxi.row), equal(to.col, taxi.col)));
  });
  const { fetched, left } = possible(passenger, stopAt(taxi));
  return stackColumns([...moves, fetched, left].map((legal) => cast(legal, "f32")));
}

/**
 * A taxi must pick up a passenger at one of four stops and drop them off at another (Dietterich 2000).
 * Reward: -1 per step, 20 for the passenger's arrival, -10 for an impossible pick-up or drop-off. The option
 * `action_mask` forbids actions that would change nothing.
 */
const taxi = (id: string): CompiledEnvironment =>
  withArguments(id, { action_mask: z.boolean().default(false) }, ({ action_mask }) =>
    randomEnvironment({
      id,
      observation_space: new Discrete(500),
      action_space: new Discrete(6),
      action_names: ["south", "north", "east", "west", "pick up", "drop off"],
      max_episode_steps: 200,
      reward_threshold: 8,
      draw: drawTaxi,
      glyph: [
        { path: "M8 40h56", style: "guide" },
        { path: "M14 32h34v-8l-6-8H26l-5 8h-7z", style: "body" },
        { path: "M27 34a4 4 0 1 1-8 0 4 4 0 1 1 8 0zM44 34a4 4 0 1 1-8 0 4 4 0 1 1 8 0z" },
        { path: "M56 40V14l8 4-8 4", style: "moving" },
      ],
      frame_rate: 4,
      /** passenger: stop or TAXI_INSIDE. */
      variables: ["row", "col", "passenger", "destination"],
      resetDraws: 4,
      stepDraws: 0,
      reset: (draws) => {
        const [row, col, passenger, other] = [5, 5, 4, 3].map((count, i) =>
          drawInteger(draws[i] as Tensor, count),
        ) as [Tensor, Tensor, Tensor, Tensor];
        // One of the three stops that are not the passenger's.
        const destination = add(other, cast(greaterEqual(other, passenger), "f32"));
        return { row, col, passenger, destination };
      },
      observe: ({ row, col, passenger, destination }) =>
        add(mul(add(mul(add(mul(row, 5), col), 5), passenger), 4), destination),
      actionMask: action_mask
        ? ({ row, col, passenger }) => legalChoices({ row, col }, passenger)
        : undefined,
      step: ({ row, col, passenger, destination }, choice) => {
        const action = cast(choice, "f32");
        const at = drive({ row, col }, action);
        // Picking up and dropping off do not move the taxi.
        const here = stopAt(at);
        const picking = equal(action, PICK_UP);
        const dropping = equal(action, DROP_OFF);
        const can = possible(passenger, here);
        const fetched = and(picking, can.fetched);
        const left = and(dropping, can.left);
        const arrived = and(left, equal(here, destination));
        const refused = select(or(picking, dropping), -10, -1);
        return {
          state: {
            ...at,
            passenger: select(fetched, TAXI_INSIDE, select(left, here, passenger)),
            destination,
          },
          reward: select(arrived, 20, select(or(fetched, left), -1, refused)),
          terminated: arrived,
        };
      },
    }),
  );

export const Taxi = taxi("Taxi-v3");
/**
 * Gymnasium's next version. It changed only variants that rlkit does not have, so the dynamics are the same.
 */
export const TaxiV4 = taxi("Taxi-v4");
