/** Reward terms, ranges and observations of a robot's task, as functions of its simulation. */
import type { RobotPart, RobotTask, RobotTerm } from "../../../../specs/sections.ts";
import type { Simulation } from "../engine/Simulation.ts";
import { clip, distance, sumOfSquares } from "../tasks/Task.ts";
import type { RobotModel, Slice } from "./RobotModel.ts";

type Place = readonly (string | number)[];

/** What a term reads after a step. */
export interface Taken {
  readonly simulation: Simulation;
  readonly action: readonly number[];
  readonly isHealthy: boolean;
  /** Duration of the step, s. */
  readonly seconds: number;
}

/** A reward term. */
export interface Term {
  readonly name: RobotTerm["term"];
  /** Remembers what the step will change. */
  before(simulation: Simulation): void;
  /** The weighted value. */
  value(taken: Taken): number;
}

const SPACE = 3;
const nothing = (): void => undefined;

/** Calls `use` with each number of a slice. */
export function eachNumber(
  { views }: Simulation,
  { view, start, end, clip: bounds }: Slice,
  use: (value: number) => void,
): void {
  const numbers = views[view];
  for (let i = start; i < end; i++) {
    const value = numbers[i] as number;
    use(bounds === null ? value : clip(value, bounds));
  }
}

/** Reads a number of the simulation. */
type Read = (taken: Taken) => number;

function sumOf(model: RobotModel, part: RobotPart, at: Place, of: (value: number) => number): Read {
  const slice = model.slice(part, at);
  return ({ simulation }) => {
    let sum = 0;
    eachNumber(simulation, slice, (value) => {
      sum += of(value);
    });
    return sum;
  };
}

const indexOf = (model: RobotModel, name: string, at: Place): number =>
  model.find(name, ["body"], at)?.index ?? 0;

/** Where a body or site is. */
function placeOf(model: RobotModel, name: string, at: Place): (simulation: Simulation) => Float64Array {
  const { kind, index } = model.find(name, ["body", "site"], at) ?? { kind: "body", index: 0 };
  const view = kind === "site" ? "site_xpos" : "xpos";
  return ({ views }) => views[view].subarray(SPACE * index, SPACE * (index + 1));
}

function reading(
  model: RobotModel,
  term: RobotTerm,
  at: Place,
): { readonly read: Read; before?: Term["before"] } {
  switch (term.term) {
    case "velocity": {
      const index = SPACE * indexOf(model, term.of, [...at, "of"]) + ["x", "y", "z"].indexOf(term.axis);
      const place = ({ views }: Simulation): number => views.xpos[index] as number;
      let from = 0;
      return {
        before: (simulation) => {
          from = place(simulation);
        },
        read: ({ simulation, seconds }) => (place(simulation) - from) / seconds,
      };
    }
    case "height": {
      const index = SPACE * indexOf(model, term.of, [...at, "of"]) + 2;
      return { read: ({ simulation }) => simulation.views.xpos[index] as number };
    }
    case "distance": {
      const [from, to] = [placeOf(model, term.from, [...at, "from"]), placeOf(model, term.to, [...at, "to"])];
      return { read: ({ simulation }) => distance(from(simulation), to(simulation)) };
    }
    case "alive":
      return { read: ({ isHealthy }) => (isHealthy ? 1 : 0) };
    case "control":
      return { read: ({ action }) => sumOfSquares(action) };
    case "value":
      return { read: sumOf(model, term, at, (value) => value) };
    case "square":
      return { read: sumOf(model, term, at, (value) => value * value) };
  }
}

/** The terms of a task. Problems are noted in the model. */
export function termsOf(model: RobotModel, { reward }: RobotTask): readonly Term[] {
  return reward.map((term, i) => {
    const { read, before = nothing } = reading(model, term, ["reward", i]);
    const { weight, limit } = term;
    return {
      name: term.term,
      before,
      value: (taken) => weight * (limit === null ? read(taken) : clip(read(taken), limit)),
    };
  });
}
