import {
  add,
  and,
  broadcastTo,
  cast,
  equal,
  greaterEqual,
  minimum,
  mul,
  or,
  select,
  type Tensor,
} from "../../../../kernels/index.ts";
import { Discrete } from "../../../spaces/index.ts";
import type { CompiledEnvironment } from "../../definition/compiledEnvironment.ts";
import { randomEnvironment } from "../../definition/randomEnvironment.ts";
import { type Cell, gridMove } from "../../dynamics/gridMove.ts";
import { drawInteger } from "../../dynamics/numbers.ts";
import { drawTaxi } from "./drawTaxi.ts";
import { TAXI_DIRECTIONS, TAXI_INSIDE, TAXI_SIZE, TAXI_STOPS, TAXI_WALLS } from "./town.ts";

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

/**
 * A taxi must pick up a passenger at one of four stops and drop them off at another (Dietterich 2000).
 * Reward: -1 per step, 20 for the passenger's arrival, -10 for an impossible pick-up or drop-off.
 */
const taxi = (id: string): CompiledEnvironment =>
  randomEnvironment({
    id,
    observation_space: new Discrete(500),
    action_space: new Discrete(6),
    max_episode_steps: 200,
    reward_threshold: 8,
    draw: drawTaxi,
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
    step: ({ row, col, passenger, destination }, choice) => {
      const action = cast(choice, "f32");
      const at = drive({ row, col }, action);
      // Picking up and dropping off do not move the taxi.
      const here = stopAt(at);
      const picking = equal(action, PICK_UP);
      const dropping = equal(action, DROP_OFF);
      const inside = equal(passenger, TAXI_INSIDE);
      const fetched = and(picking, equal(passenger, here));
      const left = and(dropping, and(inside, greaterEqual(here, 0)));
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
  });

export const Taxi = taxi("Taxi-v3");
/**
 * Gymnasium's next version. It changed only variants that rlkit does not have, so the dynamics are the same.
 */
export const TaxiV4 = taxi("Taxi-v4");
