/** The place of agents that learn from data alone: it has spaces, and nothing that could be stepped. */
import { NO_ENVIRONMENT } from "../../specs/messages.ts";
import { jsonSpace } from "../spaces/spaceSchema.ts";
import { type AgentSpaces, Discrete, type Space, spaceFromJson, spaceToJson } from "../spaces.ts";
import type { HostEnvironmentDefinition, HostMakeOptions } from "./definition/hostEnvironmentDefinition.ts";
import { EnvironmentError } from "./face/EnvironmentError.ts";
import type { EnvironmentOptions } from "./face/HostEnvironment.ts";
import type { NamedEnvironment } from "./face/ParallelEnvironment.ts";

/** What is said where such agents are to play. */
const ALONE = `environment "${NO_ENVIRONMENT}": these agents learned from data alone, and there is nothing to play in; name an environment`;

/** @throws EnvironmentError always. */
function refuse(): never {
  throw new EnvironmentError(ALONE);
}

/** @throws RangeError for the place without the spaces of data, which is none. */
export function requireDataSpaces(id: string, options: EnvironmentOptions | null | undefined): void {
  if (id === NO_ENVIRONMENT && options?.observation_space === undefined) throw new RangeError(ALONE);
}

/** Options that give the place its spaces, in any thread. */
export const dataAloneOptions = ({ observation_space, action_space }: AgentSpaces): EnvironmentOptions => ({
  observation_space: spaceToJson(observation_space),
  action_space: spaceToJson(action_space),
});

const spaceIn = (value: unknown): Space =>
  value === undefined ? new Discrete(1) : spaceFromJson(jsonSpace.parse(value));

function placeOf({ observation_space, action_space, max_episode_steps: limit }: HostMakeOptions) {
  const spec = { id: NO_ENVIRONMENT, max_episode_steps: limit };
  const spaces = { observation_space: spaceIn(observation_space), action_space: spaceIn(action_space) };
  const steps = { reset: refuse, step: refuse, render: refuse, getState: refuse, setState: refuse };
  return { ...spaces, ...steps, spec, close: () => undefined } satisfies NamedEnvironment;
}

/** Known by its name only: no list of environments has it. */
export const dataAlone: HostEnvironmentDefinition = {
  id: NO_ENVIRONMENT,
  observation_space: new Discrete(1),
  action_space: new Discrete(1),
  max_episode_steps: 1,
  reward_threshold: null,
  withOptions: ({ observation_space, action_space }) => ({
    ...dataAlone,
    observation_space: spaceIn(observation_space),
    action_space: spaceIn(action_space),
  }),
  load: async () => placeOf,
};
