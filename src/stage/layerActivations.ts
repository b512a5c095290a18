/** What the layers of a policy give while it plays. */
import { WasmDevice } from "../kernels/wasm/device.ts";
import { findEnvironment, loadEnvironment } from "../rl/environments/index.ts";
import { requireOwnSpaces } from "../rl/member/stateFit.ts";
import { isUserEnvironment } from "../specs/isUserEnvironment.ts";
import { decodeKeptAgent } from "../training/files/keptAgent.ts";
import { histogramOf } from "../workers/networkWeights.ts";
import type { WeightHistogram } from "../workers/protocol.ts";
import { Actor } from "./Actor.ts";
import { Play } from "./Play.ts";
import { playedEnvironment } from "./PlayedEnvironment.ts";
import type { Player } from "./stageProtocol.ts";
import { WATCHED_STEPS } from "./watchedSteps.ts";

/** A layer's outputs over a stretch of play. */
export interface LayerActivations {
  /** Its network and it, as its tensors are called: "actor.encoder.linear_1". */
  readonly name: string;
  /** Numbers that it gives at one step, for all agents that its network serves. */
  readonly size: number;
  readonly histogram: WeightHistogram;
}

const FIRST_SEED = 1;
/** Numbers that are kept of a layer: convolutions give far more than a histogram needs. */
const MOST_NUMBERS = 200_000;

/**
 * Lets a policy play and counts what its layers give, after their normalisations and activations. Layers of modules
 * that tell nothing of themselves are left out.
 * @throws Error for an environment that is unknown or runs in a sandbox, and for an agent that does not fit it.
 */
export async function layerActivations({
  bytes,
  environment,
  env_config,
}: Player): Promise<readonly LayerActivations[]> {
  if (isUserEnvironment(environment))
    throw new Error(`${environment} runs in a sandbox alone, where no layers can be watched.`);
  const env = findEnvironment(environment, env_config);
  await loadEnvironment(env.id);
  const { agent } = decodeKeptAgent(bytes);
  requireOwnSpaces(agent, env);
  const actor = new Actor(new WasmDevice(), env, agent, { watched: true });
  const play = new Play(playedEnvironment(env), actor, FIRST_SEED);
  const layers = new Map<string, { readonly size: number; readonly values: number[] }>();
  for (let step = 0; step < WATCHED_STEPS; step++) {
    if (play.ended) play.restart(play.seed + 1);
    play.step();
    for (const [name, outputs] of actor.layerOutputs()) {
      const size = outputs.length;
      const layer = layers.get(name) ?? { size, values: [] };
      layers.set(name, layer);
      const stride = Math.ceil((size * WATCHED_STEPS) / MOST_NUMBERS);
      // From another start each time: the same stride would meet the same channels again.
      for (let i = step % stride; i < size; i += stride) layer.values.push(outputs[i] ?? Number.NaN);
    }
  }
  play.close();
  return Array.from(layers, ([name, { size, values }]) => ({ name, size, histogram: histogramOf(values) }));
}
