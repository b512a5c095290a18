import type { Template } from "../../../../manifests/templates.ts";
import { trainsOnText } from "../../../../specs/sections.ts";

/** An environment, with the templates that train in it. */
export interface Task {
  readonly environment: string;
  /** Whether the environment trains a language model. */
  readonly text: boolean;
  readonly templates: readonly [Template, ...Template[]];
}

/** Groups templates by environment, in order of first appearance. */
export function tasksOf(templates: readonly Template[]): readonly Task[] {
  const tasks = new Map<string, Task>();
  for (const template of templates) {
    const environment = template.manifest.environment.name;
    const known = tasks.get(environment);
    tasks.set(environment, {
      environment,
      text: trainsOnText(template.manifest),
      templates: known === undefined ? [template] : [...known.templates, template],
    });
  }
  return [...tasks.values()];
}

/** What a task of the gallery is, whatever algorithm learns it. */
interface TaskText {
  readonly title: string;
  /** One sentence. */
  readonly words: string;
}

/** By environment. */
const TEXTS: Readonly<Record<string, TaskText>> = {
  "CartPole-v1": { title: "CartPole", words: "Balance a pole on a cart by pushing the cart left or right." },
  "Pendulum-v1": {
    title: "Pendulum",
    words: "Swing a pendulum up with continuous torque, and keep it there.",
  },
  "Acrobot-v1": { title: "Acrobot", words: "Swing a two-link arm above the line as fast as possible." },
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
  },
  simple_spread_v3: { title: "Spread", words: "Three agents spread over three landmarks." },
  simple_speaker_listener_v4: {
    title: "Speaker and listener",
    words: "One agent sees the goal and can only talk, the other can only walk: they learn a language.",
  },
  simple_tag_v3: {
    title: "Tag",
    words: "Three slow hunters corner a faster runner, which learns to get away.",
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
    title: "Prefer the polite answer",
    words: "Pairs of a polite and a rude answer teach a language model which of the two to prefer.",
  },
  "rlkit/CartPole-masked-v1": {
    title: "CartPole from memory",
    words: "See where cart and pole are, but not how fast, and learn to remember.",
  },
  "LunarLander-v3": {
    title: "LunarLander",
    words: "Land between two flags with three engines. Takes minutes.",
  },
  "LunarLanderContinuous-v3": {
    title: "LunarLander, continuous",
    words: "Land between two flags with throttled engines. Takes minutes.",
  },
  "BipedalWalker-v3": {
    title: "BipedalWalker",
    words: "Walk over uneven ground on two legs with four motors. Takes many minutes.",
  },
};

/** The text of an environment's task; an environment without one is called by its id. */
export const taskTextOf = (environment: string): TaskText =>
  TEXTS[environment] ?? { title: environment, words: "" };
