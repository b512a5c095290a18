import type { Template } from "../../../../manifests/templates.ts";
import { trainsOnText } from "../../../../specs/sections.ts";

/** An environment, with the templates that train in it and belong to one group. */
export interface Task {
  readonly environment: string;
  /** Whether the environment trains a language model. */
  readonly text: boolean;
  /** Whether agents learn from recorded steps. */
  readonly recorded: boolean;
  readonly templates: readonly [Template, ...Template[]];
}

/** The groups of the gallery in display order, with their headings. */
const GROUPS = {
  control: "Control",
  bodies: "Bodies",
  games: "Games",
  teams: "Teams",
  language: "Language",
  data: "Data",
} as const;

export type GroupName = keyof typeof GROUPS;

export interface TaskGroup {
  readonly name: GroupName;
  readonly title: string;
  readonly tasks: readonly Task[];
}

/** Environments whose agents learn from what was recorded, or from single guesses. */
const DATA: readonly unknown[] = ["offline", "bandit"];

/** The group of a template. An environment without a text is one of control. */
export function groupOf({ manifest }: Template): GroupName {
  if (trainsOnText(manifest)) return "language";
  if (DATA.includes(manifest.environment.env_type)) return "data";
  return TEXTS[manifest.environment.name]?.group ?? "control";
}

/** Groups templates by environment, in order of first appearance. */
function tasksOf(templates: readonly Template[]): readonly Task[] {
  const tasks = new Map<string, Task>();
  for (const template of templates) {
    const environment = template.manifest.environment.name;
    const known = tasks.get(environment);
    tasks.set(environment, {
      environment,
      text: trainsOnText(template.manifest),
      recorded: template.manifest.environment.env_type === "offline",
      templates: known === undefined ? [template] : [...known.templates, template],
    });
  }
  return [...tasks.values()];
}

/** All groups with the tasks of their templates. */
export const groupsOf = (templates: readonly Template[]): readonly TaskGroup[] =>
  (Object.keys(GROUPS) as GroupName[]).map((name) => ({
    name,
    title: GROUPS[name],
    tasks: tasksOf(templates.filter((template) => groupOf(template) === name)),
  }));

/** What a task of the gallery is, whatever algorithm learns it. */
interface TaskText {
  readonly title: string;
  /** One sentence. */
  readonly words: string;
  /** The group of its templates that train neither on text nor on data (default: control). */
  readonly group?: GroupName;
}

/** By environment. */
const TEXTS: Readonly<Record<string, TaskText>> = {
  "rlkit/ConnectFour": {
    title: "Connect Four",
    words: "Bring four stones into a row before the opponent does.",
    group: "games",
  },
  "rlkit/TicTacToe": {
    title: "TicTacToe",
    words: "Bring three stones into a row, or keep the opponent from it.",
    group: "games",
  },
  "rlkit/Gomoku9": {
    title: "Gomoku, 9 x 9",
    words: "Bring five stones into a row on a larger board.",
    group: "games",
  },
  "rlkit/Othello6x6": {
    title: "Othello, 6 x 6",
    words: "Enclose the opponent's stones in lines to turn them, and have more in the end.",
    group: "games",
  },
  "rlkit/Othello": {
    title: "Othello",
    words: "Enclose the opponent's stones in lines to turn them, and have more in the end.",
    group: "games",
  },
  "rlkit/Hex7": {
    title: "Hex, 7 x 7",
    words: "Connect two opposite sides of a board of hexagons before the opponent connects the others.",
    group: "games",
  },
  "rlkit/Go5x5": {
    title: "Go, 5 x 5",
    words: "Surround more of a small board than the opponent.",
    group: "games",
  },
  "rlkit/KuhnPoker": {
    title: "Kuhn poker",
    words: "Bet or pass with one card of three, without seeing the other's.",
    group: "games",
  },
  "rlkit/LeducPoker": {
    title: "Leduc poker",
    words: "Bet in two rounds with a hidden card and one on the table.",
    group: "games",
  },
  "rlkit/Pig": {
    title: "Pig",
    words: "Roll a die for points as often as you dare: a 1 loses those of the turn.",
    group: "games",
  },
  "rlkit/Rally": {
    title: "Rally",
    words: "Return a ball with a paddle until the opponent misses it.",
    group: "games",
  },
  "CartPole-v1": { title: "CartPole", words: "Balance a pole on a cart by pushing the cart left or right." },
  "Pendulum-v1": {
    title: "Pendulum",
    words: "Swing a pendulum up with continuous torque, and keep it there.",
  },
  "Taxi-v3": { title: "Taxi", words: "Pick up a passenger and drive to the stop that they name." },
  "Acrobot-v1": { title: "Acrobot", words: "Swing a two-link arm above the line as fast as possible." },
  "rlkit/BitFlip-v0": {
    title: "BitFlip",
    words: "Turn a row of random bits into another, with a reward only at the goal.",
  },
  "rlkit/PointMaze-v0": {
    title: "PointMaze",
    words: "Push a body through a maze to any goal, with a reward only on arrival.",
  },
  "rlkit/Push-v0": {
    title: "Push",
    words: "Push a puck to any place on a table, with a reward only there.",
    group: "bodies",
  },
  "rlkit/Reach-v0": {
    title: "Reach",
    words: "Bring an arm's tip to any point, with a reward only there.",
    group: "bodies",
  },
  "MountainCar-v0": {
    title: "MountainCar",
    words: "Rock an underpowered car up a hill, with a reward only at the top.",
  },
  "MountainCarContinuous-v0": {
    title: "MountainCar, continuous",
    words: "Rock a car up a hill with a continuous force.",
  },
  Flowers: {
    title: "Tell flowers apart",
    words: "Guess which of three kinds a flower is, from the rewards of guesses.",
  },
  "MinAtar/Breakout-v1": {
    title: "Breakout",
    words: "Play Breakout on a small screen. Takes a few minutes.",
    group: "games",
  },
  simple_spread_v3: { title: "Spread", words: "Three agents spread over three landmarks.", group: "teams" },
  simple_speaker_listener_v4: {
    title: "Speaker and listener",
    words: "One agent sees the goal and can only talk, the other can only walk: they learn a language.",
    group: "teams",
  },
  simple_tag_v3: {
    title: "Tag",
    words: "Three slow hunters corner a faster runner, which learns to get away.",
    group: "teams",
  },
  ConditionalTarget: {
    title: "Answer with the next digit",
    words: "A language model learns from rewards alone which digit follows the given one.",
  },
  backwards: {
    title: "Write it backwards",
    words: "A language model copies examples until it reverses words that it has never seen.",
  },
  GridNavigation: {
    title: "Walk to the target",
    words: "A language model chooses one step per turn, and is told its position.",
  },
  polite: {
    title: "Learn to be polite",
    words: "A language model learns to answer in words, all of them rude, and then to be polite.",
  },
  "rlkit/CartPole-masked-v1": {
    title: "CartPole from memory",
    words: "See where cart and pole are, but not how fast, and learn to remember.",
  },
  "LunarLander-v3": {
    title: "LunarLander",
    words: "Land between two flags with three engines. Takes minutes.",
    group: "games",
  },
  "LunarLanderContinuous-v3": {
    title: "LunarLander, continuous",
    words: "Land between two flags with throttled engines. Takes minutes.",
    group: "games",
  },
  "InvertedPendulum-v5": {
    title: "InvertedPendulum",
    words: "Balance a pole on a cart that MuJoCo moves. Takes seconds.",
  },
  "rlkit/HalfCheetah-v0": {
    title: "HalfCheetah, compiled",
    words: "Run as fast as six motors allow. Takes minutes.",
    group: "bodies",
  },
  "Hopper-v5": {
    title: "Hopper",
    words: "Hop on one leg with three motors, without falling. Takes many minutes.",
    group: "bodies",
  },
  "HalfCheetah-v5": {
    title: "HalfCheetah",
    words: "Run as fast as six motors allow, stepped by MuJoCo. Takes an hour.",
    group: "bodies",
  },
  "BipedalWalker-v3": {
    title: "BipedalWalker",
    words: "Walk over uneven ground on two legs with four motors. Takes many minutes.",
    group: "bodies",
  },
};

/** The text of an environment's task; an environment without one is called by its id. */
export const taskTextOf = (environment: string): TaskText =>
  TEXTS[environment] ?? { title: environment, words: "" };
