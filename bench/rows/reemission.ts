import { compiledProgram, EvolvableAgent, findAlgorithm } from "../../src/agents/members.ts";
import { HyperparameterConfig, Mutations } from "../../src/evolution/index.ts";
import { WasmDevice } from "../../src/kernels/devices.ts";
import { algorithmFields, parseManifest } from "../../src/manifests/index.ts";
import { findCompiledEnvironment } from "../../src/rl/environments.ts";
import { evolutionOf, initialMembers } from "../../src/training/plan.ts";
import type { Row } from "../harness/Row.ts";
import { shippedPpo, smallDqn } from "../subjects/manifests.ts";

const MUTATIONS = 100;
const PURPOSES = ["turn", "reset", "evaluate"] as const;

/** Number of modules emitted for changed widths and hyperparameters, and the time in milliseconds. */
function emittedAgain(input: Parameters<typeof parseManifest>[0]): { modules: number; ms: number } {
  const manifest = parseManifest(input);
  const environment = findCompiledEnvironment(manifest.environment.name);
  const device = new WasmDevice();
  const compile = (agent: EvolvableAgent) => {
    for (const purpose of PURPOSES) device.compile(compiledProgram(agent.state, environment, purpose));
  };
  const [first] = initialMembers(manifest, environment, 1);
  if (!first) throw new Error("the population is empty");
  const algorithm = findAlgorithm(manifest.algorithm.name);
  const hp_config =
    evolutionOf(manifest, 1).hp_config ??
    HyperparameterConfig.fromSelection({}, algorithmFields(algorithm.name));
  const agent = new EvolvableAgent(first, { algorithm, hp_config });
  compile(agent);
  const before = device.compilations;
  // Widths and hyperparameters only: no layers, no activations.
  const mutations = new Mutations({
    no_mutation: 0,
    architecture: 0.5,
    new_layer_prob: 0,
    parameters: 0,
    activation: 0,
    rl_hp: 0.5,
  });
  let ms = 0;
  for (let generation = 1; generation <= MUTATIONS; generation++) {
    mutations.mutation([agent], { generation });
    const start = performance.now();
    compile(agent);
    ms += performance.now() - start;
  }
  return { modules: device.compilations - before, ms };
}

export const reemission: Row = {
  name: "reemission",
  title: `${MUTATIONS} mutations`,
  figures: [
    { name: "DQN: modules", unit: "", digits: 0 },
    { name: "DQN: looking up and emitting, in all", unit: "ms", target: { at_most: 20 }, digits: 2 },
    { name: "PPO: modules", unit: "", digits: 0 },
    { name: "PPO: looking up and emitting, in all", unit: "ms", target: { at_most: 20 }, digits: 2 },
  ],
  measure: async () => {
    const [dqn, ppo] = [emittedAgain(smallDqn(0.2)), emittedAgain(shippedPpo(0.2))];
    return [dqn.modules, dqn.ms, ppo.modules, ppo.ms];
  },
};
