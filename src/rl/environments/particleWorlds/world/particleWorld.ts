import { add, type Dim, mul, reshape, stackColumns, type Tensor, zeros } from "../../../../kernels/index.ts";
import { Agents, Box } from "../../../spaces.ts";
import type { Appearance } from "../../definition/Appearance.ts";
import type { CompiledEnvironment } from "../../definition/compiledEnvironment.ts";
import { randomEnvironment } from "../../definition/randomEnvironment.ts";
import { drawInteger } from "../../dynamics/numbers.ts";
import { actionSpace, deedsOf } from "./actions.ts";
import { drawParticles, type Look } from "./drawParticles.ts";
import { contactForces, moved } from "./motion.ts";
import { agentRows, joined, type Scene, sceneOf, sceneShapes, type WorldFacts, wordsOf } from "./Scene.ts";

/** Number of draws for an initial state: x and y of each agent, then of each landmark, then the goals. */
const firstDraws = ({ agents, landmarks, goals = 0 }: WorldFacts): number =>
  2 * agents.length + 2 * landmarks.count + goals;

/** Scales uniform draws in [0, 1) to [-range, range). */
const within = (draws: readonly Tensor[], range: number): Tensor =>
  add(mul(stackColumns(draws), 2 * range), -range);

/**
 * Initial state: agents at rest and silent at uniform positions; each goal is a uniformly random landmark.
 */
function firstState(facts: WorldFacts, draws: readonly Tensor[], num_envs: Dim): Record<string, Tensor> {
  const { agents, landmarks, goals = 0 } = facts;
  const [moving, standing] = [2 * agents.length, 2 * landmarks.count];
  const shape = [num_envs, agents.length, 2];
  const rows = agentRows(facts, {
    num_envs,
    place: reshape(within(draws.slice(0, moving), 1), shape),
    velocity: zeros(shape),
    said: agents.map((agent) => zeros([num_envs, wordsOf(agent)])),
  });
  const goalDraws = draws.slice(moving + standing);
  return {
    agents: rows,
    ...(standing > 0 && {
      landmarks: within(draws.slice(moving, moving + standing), landmarks.range ?? 1),
    }),
    ...(goals > 0 && { goals: drawInteger(stackColumns(goalDraws), landmarks.count) }),
  };
}

/** Definition of a particle world. */
export interface ParticleWorldDefinition extends WorldFacts, Pick<Appearance, "glyph"> {
  readonly id: string;
  readonly max_cycles: number;
  readonly continuous_actions: boolean;
  /** Observations in agent order, one tensor per group of like agents: f32 [num_envs, group, numbers]. */
  readonly observe: (scene: Scene) => readonly Tensor[];
  /** Rewards after a step, f32 [num_envs, agents]. */
  readonly reward: (scene: Scene) => Tensor;
  readonly look: Look;
}

/** Frames per second; MPE2's `render_fps`. */
const FRAME_RATE = 10;

/**
 * Makes an environment of agents that move in a plane and communicate (Lowe et al. 2017; Mordatch and Abbeel
 * 2018), with the dynamics of MPE2. Episodes end only by the time limit. A state has x, y, their velocities
 * and the words of each agent, then x and y of each landmark, then the indices of the goals.
 */
export function particleWorld(definition: ParticleWorldDefinition): CompiledEnvironment {
  const { id, max_cycles, continuous_actions, observe, reward, look, glyph, ...facts } = definition;
  const { agents, contacts } = facts;
  const variableShapes = sceneShapes(facts);
  const action_space = actionSpace(facts, continuous_actions);
  const flat = (part: Tensor, { num_envs }: Scene): Tensor =>
    reshape(part, [num_envs, (part.shape[1] as number) * (part.shape[2] as number)]);
  return randomEnvironment<string>({
    id,
    observation_space: new Agents(
      Object.fromEntries(
        agents.map((agent) => [
          agent.id,
          new Box({ low: -Infinity, high: Infinity, shape: [agent.observes] }),
        ]),
      ),
    ),
    action_space,
    max_episode_steps: max_cycles,
    reward_threshold: null,
    draw: drawParticles(facts, look),
    ...(glyph && { glyph }),
    frame_rate: FRAME_RATE,
    variables: Object.keys(variableShapes),
    variableShapes,
    resetDraws: firstDraws(facts),
    stepDraws: 0,
    reset: (draws, num_envs) => firstState(facts, draws, num_envs),
    observe: (state) => {
      const scene = sceneOf(facts, state);
      return joined(observe(scene).map((part) => flat(part, scene)));
    },
    step: (state, action) => {
      const scene = sceneOf(facts, state);
      const { push, said } = deedsOf(facts, action_space, action);
      const force = contacts ? add(push, contactForces(facts, scene)) : push;
      const next = { ...scene, ...moved(facts, scene, force), said };
      return {
        state: { ...state, agents: agentRows(facts, next) },
        reward: reward(next),
        terminated: zeros([scene.num_envs, agents.length], "bool"),
      };
    },
  });
}
