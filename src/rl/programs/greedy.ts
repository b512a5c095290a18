/** Greedy actions for observations of the host, and what the layers of the networks that choose them give. */
import { type Program, state, trace } from "../../kernels/index.ts";
import { legalActions } from "../contract/choices.ts";
import type { Networks } from "../contract/networks.ts";
import type { AgentSpaces } from "../spaces/index.ts";
import { greedyAction } from "./evaluation.ts";
import { lanes, networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { lanesMemory } from "./memory.ts";

const LAYER = "layer.";

/** Calls of one layer that a program has, in its buffers' names: a network may serve several agents. */
const CALL = "#";

/** The network's name with the layer's, for a buffer that holds what a layer gives; null for other buffers. */
export const watchedLayer = (buffer: string): string | null =>
  buffer.startsWith(LAYER) ? buffer.slice(LAYER.length, buffer.lastIndexOf(CALL)) : null;

/** Tells what the layers of networks give, in buffers that {@link watchedLayer} knows. */
const watchedNetworks = (networks: Networks): Networks =>
  Object.fromEntries(
    Object.entries(networks).map(([name, network]) => {
      const calls = new Map<string, number>();
      const watched = network.watching((layer, output) => {
        const call = calls.get(layer) ?? 0;
        calls.set(layer, call + 1);
        state(`${LAYER}${name}.${layer}${CALL}${call}`, output.shape).write(output);
      });
      return [name, watched];
    }),
  );

/** As {@link greedyProgram}, and what each layer gives in a buffer of its own. */
export const watchedProgram = (structure: AgentStructure, layout: AgentSpaces): Program =>
  greedyProgram(structure, layout, watchedNetworks);

/** Actions for `act.obs` in `act.greedy`, among what `act.mask` allows. What is remembered goes on in `memory.*`. */
export function greedyProgram(
  structure: AgentStructure,
  layout: AgentSpaces,
  prepared: (networks: Networks) => Networks = (networks) => networks,
): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.greedy`, () => {
    const obs = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    const networks = prepared(readNetworks(structure, algorithm.policies));
    const kept = lanesMemory(networks);
    const { action, memory } = greedyAction(
      algorithm,
      networks,
      {
        obs: networkInput(structure, layout.observation_space, obs),
        memory: kept.read(),
        mask: legalActions(layout, lanes),
      },
      layout,
    );
    kept.write(memory);
    state("act.greedy", action.shape, { dtype: action.dtype }).write(action);
  });
}
