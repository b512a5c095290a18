/** Outputs of a policy's layers while it plays. */

import {
  type AgentState,
  environmentSeed,
  PURPOSE,
  requireOwnSpaces,
  resetLanes,
  stepLanes,
} from "../agents/members.ts";
import { WasmDevice } from "../kernels/devices.ts";
import { findEnvironment, loadEnvironment, type RegisteredEnvironment } from "../rl/environments.ts";
import { type AsyncVectorEnvironment, endedLanes, infoMasks, leftAfter } from "../rl/faces.ts";
import type { AgentSpaces } from "../rl/spaces.ts";
import { asRegistered, sandboxedLanes, type UserEnvironment } from "../sandbox/environments.ts";
import { isUserEnvironment } from "../specs/sections.ts";
import { decodeKeptAgent } from "../training/files.ts";
import { histogramOf } from "../workers/computing.ts";
import type { WeightHistogram } from "../workers/protocol.ts";
import { ownEnvironment } from "./CastLoader.ts";
import { GreedyPolicy } from "./GreedyPolicy.ts";
import { Play } from "./Play.ts";
import { playedEnvironment, type Situation } from "./PlayedEnvironment.ts";
import { type Player, WATCHED_STEPS } from "./stageProtocol.ts";

/** A layer's outputs over a number of steps. */
export interface LayerActivations {
  /** Network and layer, as in the names of its tensors: "actor.encoder.linear_1". */
  readonly name: string;
  /** Number of outputs at one step, for all agents that the network serves. */
  readonly size: number;
  readonly histogram: WeightHistogram;
}

const FIRST_SEED = 1;
/** Maximum numbers kept per layer: convolutions have far more outputs than a histogram needs. */
const MOST_NUMBERS = 200_000;

/**
 * Plays with a policy and collects its layers' outputs, after their normalisations and activations. Custom
 * modules that do not expose their outputs are left out.
 * @param open Opens a lane of a user-written environment.
 * @throws Error for an environment that is unknown or whose code is not available, for an agent that does not
 *   fit it, and for errors in a sandbox.
 */
export async function layerActivations(
  player: Player,
  open: OpenLane = (env) => sandboxedLanes(env, 1),
): Promise<readonly LayerActivations[]> {
  const { agent } = decodeKeptAgent(player.bytes);
  const counts = new LayerCounts();
  const env = await placeOf(player);
  requireOwnSpaces(agent, env);
  if ("module" in env) await watchOwn(env, watchedActor(env, agent), counts, open);
  else {
    await loadEnvironment(env.id);
    watch(env, watchedActor(env, agent), counts);
  }
  return counts.layers();
}

const placeOf = async (player: Player): Promise<RegisteredEnvironment | UserEnvironment> =>
  isUserEnvironment(player.environment)
    ? asRegistered(ownEnvironment(player))
    : findEnvironment(player.environment, player.env_config);

type OpenLane = (env: UserEnvironment) => Promise<AsyncVectorEnvironment>;

const watchedActor = (env: AgentSpaces, agent: AgentState): GreedyPolicy =>
  new GreedyPolicy(new WasmDevice(), env, agent, { watched: true });

function watch(env: RegisteredEnvironment, actor: GreedyPolicy, counts: LayerCounts): void {
  const play = new Play(playedEnvironment(env), actor, FIRST_SEED);
  for (let step = 0; step < WATCHED_STEPS; step++) {
    if (play.ended) play.restart(play.seed + 1);
    play.step();
    counts.add(actor, step);
  }
  play.close();
}

/** The same in a sandbox, whose lane resets itself. */
async function watchOwn(
  env: UserEnvironment,
  actor: GreedyPolicy,
  counts: LayerCounts,
  open: OpenLane,
): Promise<void> {
  const lane = await open(env);
  try {
    const { observation, info } = await resetLanes(lane, {
      seed: environmentSeed(FIRST_SEED, PURPOSE.record),
    });
    let situation: Situation = { observation, mask: infoMasks(env.action_space, info) };
    for (let step = 0; step < WATCHED_STEPS; step++) {
      const next = await stepLanes(lane, actor.act(situation));
      counts.add(actor, step);
      const ended = endedLanes(next);
      if (ended[0] === 1) actor.forget();
      const mask = infoMasks(env.action_space, next.info, leftAfter(next, ended));
      situation = { observation: next.observation, mask };
    }
  } finally {
    lane.close();
    actor.release();
  }
}

/** Outputs of the layers, step by step. */
class LayerCounts {
  readonly #layers = new Map<string, { readonly size: number; readonly values: number[] }>();

  /** Adds the outputs of an actor's layers for its last action. */
  add(actor: GreedyPolicy, step: number): void {
    for (const [name, outputs] of actor.layerOutputs()) {
      const size = outputs.length;
      const layer = this.#layers.get(name) ?? { size, values: [] };
      this.#layers.set(name, layer);
      const stride = Math.ceil((size * WATCHED_STEPS) / MOST_NUMBERS);
      // The start varies with the step: a fixed stride would otherwise sample the same channels every time.
      for (let i = step % stride; i < size; i += stride) layer.values.push(outputs[i] ?? Number.NaN);
    }
  }

  layers(): readonly LayerActivations[] {
    return Array.from(this.#layers, ([name, { size, values }]) => ({
      name,
      size,
      histogram: histogramOf(values),
    }));
  }
}
