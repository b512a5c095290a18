/** Scripted policies, which show how much return a world gives without teamwork. Actions are discrete. */
import type { Policy } from "./play.ts";

type Point = readonly [x: number, y: number];
type Row = ArrayLike<number>;

/** A scripted policy for one world. */
export interface Script {
  readonly id: string;
  readonly name: string;
  readonly policy: Policy;
  /** From the final state row, per agent with a goal: whether its nearest landmark is its goal. */
  readonly near?: (row: Row) => readonly boolean[];
}

const WAYS: readonly Point[] = [
  [0, 0],
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
];

const at = (row: Row, i: number): number => row[i] ?? Number.NaN;
const point = (row: Row, start: number): Point => [at(row, start), at(row, start + 1)];
const far = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
const points = (row: Row, start: number, count: number, width = 2): Point[] =>
  Array.from({ length: count }, (_, i) => point(row, start + i * width));
const middle = (all: readonly Point[]): Point => [
  all.reduce((sum, [x]) => sum + x, 0) / all.length,
  all.reduce((sum, [, y]) => sum + y, 0) / all.length,
];
const leastIndex = (values: readonly number[]): number => values.indexOf(Math.min(...values));
const nearest = (from: Point, all: readonly Point[]): number => leastIndex(all.map((to) => far(from, to)));

/** The move with the least cost at its resting place. The agent's entries in `row` begin at `start`. */
function best(row: Row, start: number, cost: (rest: Point) => number, push = 5): number {
  const [x, y] = point(row, start);
  const [vx, vy] = point(row, start + 2);
  const rest = (v: number, way: number): number => 0.1 * v + 0.4 * (0.75 * v + 0.1 * push * way);
  return leastIndex(WAYS.map(([wx, wy]) => cost([x + rest(vx, wx), y + rest(vy, wy)])));
}

const towards = (row: Row, start: number, to: Point, push?: number): number =>
  best(row, start, (rest) => far(rest, to), push);

/** Index of the word that was said, or -1 if none. */
const heard = (row: Row, start: number, words: number): number =>
  Array.from({ length: words }, (_, i) => at(row, start + i)).indexOf(1);

const speakerListener = (row: Row) => {
  const landmarks = points(row, 11, 3);
  return { landmarks, goal: at(row, 17), listener: point(row, 7), word: heard(row, 4, 3) };
};

const reference = (row: Row, i: number) => ({
  landmarks: points(row, 28, 3),
  place: point(row, 14 * i),
  goal: at(row, 34 + i),
  word: heard(row, 14 * (1 - i) + 4, 10),
});

const spread = (row: Row) => ({ agents: points(row, 0, 3, 4), landmarks: points(row, 12, 3) });
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** The assignment of agents to landmarks with the least total distance. */
function assignment(row: Row): readonly number[] {
  const { agents, landmarks } = spread(row);
  const total = (order: readonly number[]): number =>
    agents.reduce((sum, agent, i) => sum + far(agent, landmarks[order[i] ?? 0] as Point), 0);
  return ORDERS[leastIndex(ORDERS.map(total))] ?? ORDERS[0];
}

const spreadTo =
  (choose: (row: Row, i: number) => number): Policy =>
  (row) =>
    [0, 1, 2].map((i) => towards(row, 4 * i, spread(row).landmarks[choose(row, i)] as Point));

const nearGoal = (place: Point, landmarks: readonly Point[], goal: number) =>
  nearest(place, landmarks) === goal;

const nearListener = (row: Row) => {
  const { listener, landmarks, goal } = speakerListener(row);
  return [nearGoal(listener, landmarks, goal)];
};
const nearBoth = (row: Row) =>
  [0, 1].map((i) => {
    const { place, landmarks, goal } = reference(row, i);
    return nearGoal(place, landmarks, goal);
  });

export const scripts: readonly Script[] = [
  {
    id: "simple_v3",
    name: "to the landmark",
    policy: (row) => [towards(row, 0, point(row, 4))],
  },
  {
    id: "simple_speaker_listener_v4",
    name: "listener to the middle of the landmarks, deaf",
    policy: (row) => [0, towards(row, 7, middle(speakerListener(row).landmarks))],
    near: nearListener,
  },
  {
    id: "simple_speaker_listener_v4",
    name: "speaker names the goal, listener goes there",
    policy: (row) => {
      const { goal, word, landmarks } = speakerListener(row);
      return [goal, towards(row, 7, landmarks[word] ?? middle(landmarks))];
    },
    near: nearListener,
  },
  {
    id: "simple_spread_v3",
    name: "each to its nearest landmark",
    policy: spreadTo((row, i) => nearest(spread(row).agents[i] as Point, spread(row).landmarks)),
  },
  { id: "simple_spread_v3", name: "agent i to landmark i", policy: spreadTo((_row, i) => i) },
  {
    id: "simple_spread_v3",
    name: "by the assignment of least total distance",
    policy: spreadTo((row, i) => assignment(row)[i] as number),
  },
  {
    id: "simple_reference_v3",
    name: "to the middle of the landmarks, deaf",
    policy: (row) => [0, 1].map((i) => towards(row, 14 * i, middle(reference(row, i).landmarks))),
    near: nearBoth,
  },
  {
    id: "simple_reference_v3",
    name: "both say where the other must go, and follow",
    policy: (row) =>
      [0, 1].map((i) => {
        const { landmarks, word } = reference(row, i);
        const move = towards(row, 14 * i, landmarks[word] ?? middle(landmarks));
        return move + 5 * reference(row, 1 - i).goal;
      }),
    near: nearBoth,
  },
  {
    id: "simple_push_v3",
    name: "both to the goal",
    policy: (row) => [0, 4].map((start) => towards(row, start, point(row, 8 + 2 * at(row, 12)))),
  },
  {
    id: "simple_adversary_v3",
    name: "adversary to the middle; the nearest agent to the goal, the other to the decoy",
    policy: (row) => {
      const landmarks = points(row, 12, 2);
      const goal = at(row, 16);
      const first = nearest(landmarks[goal] as Point, points(row, 4, 2, 4));
      const targets = [0, 1].map((i) => landmarks[i === first ? goal : 1 - goal] as Point);
      return [towards(row, 0, middle(landmarks)), ...targets.map((to, i) => towards(row, 4 + 4 * i, to))];
    },
  },
  {
    id: "simple_tag_v3",
    name: "adversaries drive at the prey, prey away within the plane",
    policy: (row) => {
      const hunters = points(row, 0, 3, 4);
      const outside = ([x, y]: Point): number => Math.max(0, Math.abs(x) - 0.9, Math.abs(y) - 0.9);
      const danger = (rest: Point): number => -Math.min(...hunters.map((hunter) => far(rest, hunter)));
      const away = best(row, 12, (rest) => danger(rest) + 10 * outside(rest), 4);
      return [...[0, 4, 8].map((start) => towards(row, start, point(row, 12), 3)), away];
    },
  },
];
