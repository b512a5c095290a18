/** The particle worlds of MPE2 from their equations, in plain f64 and without library code. */

export type Point = readonly [x: number, y: number];

export interface Body {
  place: Point;
  velocity: Point;
  said: readonly number[];
}

export interface World {
  readonly agents: readonly Body[];
  readonly landmarks: readonly Point[];
  readonly goals: readonly number[];
}

/** An agent's action: its push and its words. */
export interface Deed {
  readonly push: Point;
  readonly said: readonly number[];
}

export interface Published {
  readonly ids: readonly string[];
  readonly sizes: readonly number[];
  /** Number of words of each agent; 0 for silent agents. */
  readonly words: readonly number[];
  readonly fixed?: readonly number[];
  readonly sensitivity?: readonly number[];
  readonly tops?: readonly number[];
  readonly landmarks: number;
  readonly landmarkSize?: number;
  readonly goals?: number;
  readonly collide?: "agents" | "all";
  readonly observe: (world: World) => number[][];
  readonly reward: (world: World) => number[];
}

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];
const far = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
const at = <T>(list: readonly T[], i: number): T => {
  const found = list[i];
  if (found === undefined) throw new RangeError(`nothing at ${i} of ${list.length}`);
  return found;
};

/** log(1 + exp(x)). */
const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/** Contact force on a body at `a` by one at `b`. */
function contact(a: Point, b: Point, sizes: number): Point {
  const d = far(a, b);
  if (d === 0) return [0, 0];
  const force = 100 * 0.001 * softplus((sizes - d) / 0.001);
  return [((a[0] - b[0]) / d) * force, ((a[1] - b[1]) / d) * force];
}

/** A step of 0.1 s. */
export function step(rules: Published, world: World, deeds: readonly Deed[]): World {
  const agents = world.agents.map((body, i): Body => {
    const { push, said } = at(deeds, i);
    if (rules.fixed?.includes(i)) return { ...body, said };
    let force = push;
    const feel = (other: Point, size: number): void => {
      const [x, y] = contact(body.place, other, at(rules.sizes, i) + size);
      force = [force[0] + x, force[1] + y];
    };
    if (rules.collide) {
      for (const [j, other] of world.agents.entries()) if (j !== i) feel(other.place, at(rules.sizes, j));
      if (rules.collide === "all") for (const mark of world.landmarks) feel(mark, rules.landmarkSize ?? 0);
    }
    let velocity: Point = [
      0.75 * body.velocity[0] + 0.1 * force[0],
      0.75 * body.velocity[1] + 0.1 * force[1],
    ];
    const [speed, top] = [Math.hypot(...velocity), rules.tops?.[i] ?? Infinity];
    if (speed > top) velocity = [(velocity[0] / speed) * top, (velocity[1] / speed) * top];
    return {
      place: [body.place[0] + 0.1 * body.velocity[0], body.place[1] + 0.1 * body.velocity[1]],
      velocity,
      said,
    };
  });
  return { ...world, agents };
}

const PUSHES: readonly Point[] = [
  [0, 0],
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
];
const oneHot = (index: number, size: number): number[] =>
  Array.from({ length: size }, (_, i) => (i === index ? 1 : 0));

/** Decodes a joint action. */
export function deeds(rules: Published, action: readonly number[], continuous: boolean): Deed[] {
  let start = 0;
  return rules.ids.map((_, i) => {
    const [words, moves, strength] = [
      at(rules.words, i),
      !rules.fixed?.includes(i),
      rules.sensitivity?.[i] ?? 5,
    ];
    const scaled = ([x, y]: Point): Point => [strength * x, strength * y];
    if (!continuous) {
      const choice = at(action, i);
      const word = moves ? Math.floor(choice / 5) : choice;
      return { push: moves ? scaled(at(PUSHES, choice % 5)) : [0, 0], said: oneHot(word, words) };
    }
    const own = action.slice(start, start + (moves ? 5 : 0) + words);
    start += own.length;
    if (!moves) return { push: [0, 0], said: own };
    const [, left = 0, right = 0, down = 0, up = 0] = own;
    return { push: scaled([right - left, up - down]), said: own.slice(5) };
  });
}

/** A state row in the layout of `getState`. */
export const rowOf = ({ agents, landmarks, goals }: World): number[] => [
  ...agents.flatMap(({ place, velocity, said }) => [...place, ...velocity, ...said]),
  ...landmarks.flat(),
  ...goals,
];

export function worldOf(rules: Published, row: readonly number[]): World {
  const rest = [...row];
  const take = (n: number): number[] => rest.splice(0, n);
  const point = (): Point => take(2) as [number, number];
  return {
    agents: rules.words.map((words) => ({ place: point(), velocity: point(), said: take(words) })),
    landmarks: Array.from({ length: rules.landmarks }, point),
    goals: take(rules.goals ?? 0),
  };
}

const placesOf = ({ agents }: World): Point[] => agents.map(({ place }) => place);
/** Positions of the other agents relative to agent i, in order. */
const toOthers = (world: World, i: number): number[] =>
  placesOf(world).flatMap((place, j) => (j === i ? [] : minus(place, at(world.agents, i).place)));
const toLandmarks = (world: World, i: number): number[] =>
  world.landmarks.flatMap((mark) => minus(mark, at(world.agents, i).place));
const goalOf = (world: World, which = 0): Point => at(world.landmarks, at(world.goals, which));
const colour = (channel: number, dull: number, bright: number): number[] =>
  [0, 1, 2].map((i) => (i === channel ? bright : dull));
const times = <T>(n: number, value: T): T[] => Array.from({ length: n }, () => value);
const named = (name: string, n: number): string[] => Array.from({ length: n }, (_, i) => `${name}_${i}`);

const simple = (): Published => ({
  ids: ["agent_0"],
  sizes: [0.05],
  words: [0],
  landmarks: 1,
  observe: (w) => [[...at(w.agents, 0).velocity, ...toLandmarks(w, 0)]],
  reward: (w) => [-(far(at(w.agents, 0).place, at(w.landmarks, 0)) ** 2)],
});

const spread = ({ N = 3, local_ratio = 0.5 } = {}): Published => ({
  ids: named("agent", N),
  sizes: times(N, 0.15),
  words: times(N, 0),
  landmarks: N,
  collide: "agents",
  observe: (w) =>
    w.agents.map(({ place, velocity }, i) => [
      ...velocity,
      ...place,
      ...toLandmarks(w, i),
      ...toOthers(w, i),
      ...times(2 * (N - 1), 0),
    ]),
  reward: (w) => {
    const uncovered = w.landmarks.map((mark) => Math.min(...placesOf(w).map((place) => far(place, mark))));
    const shared = -uncovered.reduce((sum, d) => sum + d, 0);
    return placesOf(w).map((place, i) => {
      const touched = placesOf(w).filter((other, j) => j !== i && far(place, other) < 0.3).length;
      return local_ratio * -touched + (1 - local_ratio) * shared;
    });
  },
});

const speakerListener = (): Published => ({
  ids: ["speaker_0", "listener_0"],
  sizes: [0.075, 0.075],
  words: [3, 0],
  fixed: [0],
  landmarks: 3,
  goals: 1,
  observe: (w) => [
    colour(at(w.goals, 0), 0.15, 0.65),
    [...at(w.agents, 1).velocity, ...toLandmarks(w, 1), ...at(w.agents, 0).said],
  ],
  reward: (w) => times(2, -(far(at(w.agents, 1).place, goalOf(w)) ** 2)),
});

const adversary = ({ N = 2 } = {}): Published => ({
  ids: ["adversary_0", ...named("agent", N)],
  sizes: times(N + 1, 0.15),
  words: times(N + 1, 0),
  landmarks: N,
  goals: 1,
  observe: (w) =>
    w.agents.map(({ place }, i) => [
      ...(i === 0 ? [] : minus(goalOf(w), place)),
      ...toLandmarks(w, i),
      ...toOthers(w, i),
    ]),
  reward: (w) => {
    const [first = 0, ...others] = placesOf(w).map((place) => far(place, goalOf(w)));
    return [-first, ...times(N, first - Math.min(...others))];
  },
});

/** The prey's penalty for leaving the plane. */
const bound = (u: number): number =>
  u < 0.9 ? 0 : u < 1 ? 10 * (u - 0.9) : Math.min(Math.exp(2 * u - 2), 10);

const tag = ({ num_adversaries = 3, num_good = 1, num_obstacles = 2 } = {}): Published => {
  const isGood = (i: number): boolean => i >= num_adversaries;
  const each = <T>(hunter: T, prey: T): T[] => [...times(num_adversaries, hunter), ...times(num_good, prey)];
  const sizes = each(0.075, 0.05);
  return {
    ids: [...named("adversary", num_adversaries), ...named("agent", num_good)],
    sizes,
    words: each(0, 0),
    sensitivity: each(3, 4),
    tops: each(1, 1.3),
    landmarks: num_obstacles,
    landmarkSize: 0.2,
    collide: "all",
    observe: (w) =>
      w.agents.map(({ place, velocity }, i) => [
        ...velocity,
        ...place,
        ...toLandmarks(w, i),
        ...toOthers(w, i),
        ...w.agents.flatMap((other, j) => (j !== i && isGood(j) ? other.velocity : [])),
      ]),
    reward: (w) => {
      const [hunters, prey] = [placesOf(w).slice(0, num_adversaries), placesOf(w).slice(num_adversaries)];
      const caught = prey.map((place) => hunters.filter((hunter) => far(place, hunter) < 0.125).length);
      const all = 10 * caught.reduce((sum, n) => sum + n, 0);
      const lost = prey.map(([x, y], i) => -10 * at(caught, i) - bound(Math.abs(x)) - bound(Math.abs(y)));
      return [...times(num_adversaries, all), ...lost];
    },
  };
};

const reference = ({ local_ratio = 0.5 } = {}): Published => ({
  ids: ["agent_0", "agent_1"],
  sizes: [0.05, 0.05],
  words: [10, 10],
  landmarks: 3,
  goals: 2,
  observe: (w) =>
    w.agents.map(({ velocity }, i) => [
      ...velocity,
      ...toLandmarks(w, i),
      ...colour(at(w.goals, 1 - i), 0.25, 0.75),
      ...at(w.agents, 1 - i).said,
    ]),
  reward: (w) => {
    const own = [1, 0].map((other) => -far(at(w.agents, other).place, goalOf(w, other)));
    const mean = (at(own, 0) + at(own, 1)) / 2;
    return own.map((term) => local_ratio * term + (1 - local_ratio) * mean);
  },
});

const push = (): Published => ({
  ids: ["adversary_0", "agent_0"],
  sizes: [0.05, 0.05],
  words: [0, 0],
  landmarks: 2,
  goals: 1,
  collide: "agents",
  observe: (w) => [
    [...at(w.agents, 0).velocity, ...toLandmarks(w, 0), ...toOthers(w, 0)],
    [
      ...at(w.agents, 1).velocity,
      ...minus(goalOf(w), at(w.agents, 1).place),
      ...colour(at(w.goals, 0) + 1, 0.25, 0.75),
      ...toLandmarks(w, 1),
      ...[0.1, 0.9, 0.1],
      ...[0.1, 0.1, 0.9],
      ...toOthers(w, 1),
    ],
  ],
  reward: (w) => {
    const [its = 0, own = 0] = placesOf(w).map((place) => far(place, goalOf(w)));
    return [own - its, -own];
  },
});

/** Worlds by ID, as functions of their options. */
export const publishedWorlds: Readonly<Record<string, (options?: Record<string, number>) => Published>> = {
  simple_v3: simple,
  simple_spread_v3: spread,
  simple_speaker_listener_v4: speakerListener,
  simple_adversary_v3: adversary,
  simple_tag_v3: tag,
  simple_reference_v3: reference,
  simple_push_v3: push,
};
