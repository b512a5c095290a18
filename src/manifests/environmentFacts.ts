/**
 * Facts of all environments for pages that show them. The build of the workbench replaces this file by its evaluated data
 * (vite.config.ts), so that such pages load no dynamics. Nothing here may change at run time.
 */
import {
  findEnvironment,
  isCompiled,
  listEnvironments,
  needsMujoco,
  type RegisteredEnvironment,
} from "../rl/environments.ts";
import type { Space } from "../rl/spaces.ts";

/** The kinds of environments, in display order. */
export type EnvironmentKind = "control" | "bodies" | "games" | "matches" | "grids" | "teams" | "probes";

export interface EnvironmentFacts {
  readonly kind: EnvironmentKind;
  /** What an agent sees and does, in few words, such as "4 numbers" and "2 choices". */
  readonly observes: string;
  readonly acts: string;
  /** Steps after which an episode is truncated. */
  readonly steps: number;
  /** Mean return at which the task counts as solved; null if there is no agreed threshold. */
  readonly solved: number | null;
  /** Whether several agents act. */
  readonly team: boolean;
  /** Whether MuJoCo steps it. */
  readonly mujoco: boolean;
  /** As `Appearance` has them; null for none. */
  readonly observation_names: readonly string[] | null;
  readonly action_names: readonly string[] | null;
}

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** A space in few words. */
function spaceWords(space: Space): string {
  switch (space.kind) {
    case "Box":
      return space.shape.length > 1
        ? `picture ${space.shape.join(" x ")}`
        : counted(space.low.length, "number");
    case "Discrete":
      return counted(space.n, "choice");
    case "MultiDiscrete":
      return counted(space.nvec.length, "choice");
    case "MultiBinary":
      return counted(space.n, "bit");
    case "Agents": {
      const each = [...new Set(space.agents.map(({ space: own }) => spaceWords(own)))];
      return `${counted(space.agents.length, "agent")}, ${each.join(" or ")}${each.length === 1 ? " each" : ""}`;
    }
    case "Tuple":
    case "Dict":
      return space.parts.map(({ space: part }) => spaceWords(part)).join(", ");
  }
}

const GRIDS = /^(?:FrozenLake|CliffWalking|Taxi|Blackjack)/;
const BODIES = /^(?:BipedalWalker|rlkit\/(?:Hopper|HalfCheetah|Walker2d)-)/;
const GAMES = /^(?:MinAtar\/|LunarLander)/;
const PROBES = /^rlkit\/(?:Team|ConstantReward|ObsDependentReward|DiscountedReward|FixedObsPolicy|Policy)/;

function kindOf(environment: RegisteredEnvironment): EnvironmentKind {
  const { id, observation_space } = environment;
  if (isCompiled(environment) && environment.game) return "matches";
  if (PROBES.test(id)) return "probes";
  if (observation_space.kind === "Agents") return "teams";
  if (GRIDS.test(id)) return "grids";
  if (GAMES.test(id)) return "games";
  return BODIES.test(id) || (needsMujoco(id) && !id.startsWith("Inverted")) ? "bodies" : "control";
}

function factsOf(id: string): EnvironmentFacts {
  const environment = findEnvironment(id);
  const { observation_space, action_space, max_episode_steps, reward_threshold } = environment;
  const { observation_names = null, action_names = null } = environment;
  return {
    kind: kindOf(environment),
    observes: spaceWords(observation_space),
    acts: spaceWords(action_space),
    steps: max_episode_steps,
    solved: reward_threshold,
    team: observation_space.kind === "Agents",
    mujoco: needsMujoco(id),
    observation_names,
    action_names,
  };
}

/** By id, in order of registration. */
export const environmentFacts: Readonly<Record<string, EnvironmentFacts>> = Object.fromEntries(
  listEnvironments().map((id) => [id, factsOf(id)]),
);
