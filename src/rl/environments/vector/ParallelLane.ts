import {
  Agents,
  ElementCheck,
  elementNumbers,
  elementSize,
  type SingleAgentSpace,
  type SpaceElement,
} from "../../spaces.ts";
import type { Action, Info, ResetOptions } from "../face/HostEnvironment.ts";
import type { ByAgent, ParallelEnvironment, ParallelStepResult } from "../face/ParallelEnvironment.ts";
import {
  agentsFault,
  type Participants,
  parallelResetFault,
  parallelStepFault,
} from "../face/parallelFault.ts";
import type { Expected } from "../face/resultFault.ts";
import { type Lane, LaneCalls, type LaneStep, type SavedLane, type StepRows } from "./Lane.ts";

/** The joint spaces of a multi-agent environment, with the agents in the environment's order. */
function parallelSpaces({
  possible_agents,
  observation_spaces,
  action_spaces,
}: Pick<ParallelEnvironment, "possible_agents" | "observation_spaces" | "action_spaces">) {
  const joined = (spaces: ByAgent<SingleAgentSpace>): Agents =>
    // Environments are checked before this call, so each agent has its spaces.
    new Agents(Object.fromEntries(possible_agents.map((id) => [id, spaces[id] as SingleAgentSpace])));
  return { observation_space: joined(observation_spaces), action_space: joined(action_spaces) };
}

/**
 * A lane with several agents. Agents whose task has ended observe zeros and get reward 0 until the lane's
 * next episode. They must not return before then.
 */
export class ParallelLane implements Lane {
  readonly observation_space: Agents;
  readonly action_space: Agents;
  readonly width: number;
  readonly agents: number;
  readonly #environment: ParallelEnvironment;
  readonly #expected: ReadonlyMap<string, Expected>;
  readonly #lane: number;
  readonly #calls: LaneCalls;
  /** Ids of the agents whose task has not ended. */
  #present: readonly string[];

  /** @param lane Index of the lane. */
  constructor(environment: ParallelEnvironment, lane: number) {
    const { observation_space, action_space } = parallelSpaces(environment);
    this.observation_space = observation_space;
    this.action_space = action_space;
    this.width = elementSize(observation_space);
    this.agents = observation_space.ids.length;
    this.#present = observation_space.ids;
    this.#environment = environment;
    this.#expected = new Map(
      observation_space.agents.map(({ id, space }) => [id, { space, check: new ElementCheck(space) }]),
    );
    this.#lane = lane;
    this.#calls = new LaneCalls(environment, lane);
  }

  reset(options: ResetOptions | undefined, batch: Float32Array): Info {
    const present = this.observation_space.ids;
    const { observations, infos } = this.#calls.make(
      "reset",
      () => (options === undefined ? this.#environment.reset() : this.#environment.reset(options)),
      (result) =>
        parallelResetFault(result, this.#participants(present)) ??
        agentsFault(this.#environment.agents, present),
    );
    this.#present = present;
    this.#place(observations, batch);
    return infos;
  }

  step(values: readonly number[], rows: StepRows): LaneStep {
    this.#calls.act(values);
    const present = this.#present;
    const result = this.#calls.make(
      "step",
      () => this.#environment.step(this.#actions(values)),
      (given) => parallelStepFault(given, this.#participants(present)) ?? this.#agentsFault(given),
    );
    const { observations, rewards, infos } = result;
    const onward = goingOn(result, present);
    const truncated = isCut(result, present);
    this.#present = onward;
    this.#place(observations, rows.final_observation);
    const ids = this.observation_space.ids;
    for (const [i, id] of ids.entries()) {
      const at = this.#lane * this.agents + i;
      rows.reward[at] = present.includes(id) ? (rewards[id] as number) : 0;
      rows.terminated[at] = onward.includes(id) ? 0 : 1;
    }
    rows.truncated[this.#lane] = truncated ? 1 : 0;
    const ended = truncated || onward.length === 0;
    if (ended) this.#calls.countEnd();
    const info = Object.fromEntries(onward.map((id) => [id, infos[id]]));
    return { final_info: infos, info, ended };
  }

  get gone(): Uint8Array {
    return Uint8Array.from(this.observation_space.ids, (id) => Number(!this.#present.includes(id)));
  }

  save(): SavedLane | null {
    return this.#calls.save(this.gone);
  }

  load(saved: SavedLane): void {
    this.#calls.load(saved);
    this.#present = this.observation_space.ids.filter((_id, i) => !saved.gone[i]);
  }

  #participants(present: readonly string[]): Participants {
    return { expected: this.#expected, present };
  }

  /** Checks `agents` only during an episode; its value after the end does not matter. */
  #agentsFault(result: ParallelStepResult): string | null {
    const onward = goingOn(result, this.#present);
    if (onward.length === 0 || isCut(result, this.#present)) return null;
    return agentsFault(this.#environment.agents, onward);
  }

  /** Actions of the agents that take part. */
  #actions(values: readonly number[]): ByAgent<Action> {
    const taking = this.action_space.agents.filter(({ id }) => this.#present.includes(id));
    return Object.fromEntries(
      taking.map(({ id, space, start, size }) => [
        id,
        space.kind === "Discrete" ? (values[start] as number) : values.slice(start, start + size),
      ]),
    );
  }

  /** Writes observations of agents whose task continues into the lane's row; the rest stays zero. */
  #place(observations: ByAgent<SpaceElement>, batch: Float32Array): void {
    for (const { id, space, start } of this.observation_space.agents) {
      if (!this.#present.includes(id)) continue;
      // Results were checked: they have an observation of every agent that takes part.
      const observation = observations[id] as SpaceElement;
      batch.set(elementNumbers(space, observation), this.#lane * this.width + start);
    }
  }
}

const goingOn = ({ terminations }: ParallelStepResult, present: readonly string[]): readonly string[] =>
  present.filter((id) => terminations[id] === false);

/** Whether the episode was cut off. Results were checked: either all remaining agents are cut off or none. */
function isCut(result: ParallelStepResult, present: readonly string[]): boolean {
  const onward = goingOn(result, present);
  return (onward.length > 0 ? onward : present).some((id) => result.truncations[id] === true);
}
