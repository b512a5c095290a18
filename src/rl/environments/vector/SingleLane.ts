import { ElementCheck, elementNumbers, type Space, type SpaceElement } from "../../spaces.ts";
import { nameOf } from "../face/EnvironmentError.ts";
import type { HostEnvironment, Info, ResetOptions, StepResult } from "../face/HostEnvironment.ts";
import { goalFault } from "../face/hostGoals.ts";
import { observationFault, resetFault, stepFault } from "../face/resultFault.ts";
import { type Lane, LaneCalls, type LaneStep, type SavedLane, type StepRows } from "./Lane.ts";

/** A lane with one agent. */
export class SingleLane implements Lane {
  readonly observation_space: Space;
  readonly action_space: Space;
  readonly width: number;
  readonly agents = 1;
  readonly gone = new Uint8Array(1);
  readonly #environment: HostEnvironment;
  readonly #check: ElementCheck;
  readonly #lane: number;
  readonly #calls: LaneCalls;

  /** @param lane Index of the lane. */
  constructor(environment: HostEnvironment, lane: number) {
    this.#environment = environment;
    this.observation_space = environment.observation_space;
    this.action_space = environment.action_space;
    this.#check = new ElementCheck(environment.observation_space);
    this.#lane = lane;
    this.#calls = new LaneCalls(environment, lane);
    this.width = this.#check.size;
  }

  reset(options: ResetOptions | undefined, batch: Float32Array): Info {
    const { observation, info } = this.#calls.make(
      "reset",
      () => (options === undefined ? this.#environment.reset() : this.#environment.reset(options)),
      (result) => resetFault(result) ?? this.#observationFault(result),
    );
    this.#place(observation, batch);
    return info;
  }

  step(values: readonly number[], rows: StepRows): LaneStep {
    this.#calls.act(values);
    const action = this.action_space.kind === "Discrete" ? (values[0] as number) : values;
    const { observation, reward, terminated, truncated, info } = this.#calls.make(
      "step",
      () => this.#environment.step(action),
      (result) => stepFault(result) ?? this.#observationFault(result) ?? this.#goalFault(result),
    );
    this.#place(observation, rows.final_observation);
    rows.reward[this.#lane] = reward;
    rows.terminated[this.#lane] = terminated ? 1 : 0;
    rows.truncated[this.#lane] = truncated ? 1 : 0;
    const ended = terminated || truncated;
    if (ended) this.#calls.countEnd();
    return { final_info: info, info, ended };
  }

  save(): SavedLane | null {
    return this.#calls.save(this.gone);
  }

  load(saved: SavedLane): void {
    this.#calls.load(saved);
  }

  #observationFault(result: object): string | null {
    return observationFault(result, this.observation_space, this.#check);
  }

  #goalFault(result: StepResult): string | null {
    const space = this.observation_space;
    const observation = elementNumbers(space, result.observation);
    return goalFault(this.#environment, space, { ...result, observation }, nameOf(this.#environment));
  }

  #place(observation: SpaceElement, batch: Float32Array): void {
    batch.set(elementNumbers(this.observation_space, observation), this.#lane * this.width);
  }
}
