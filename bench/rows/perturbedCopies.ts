/** Evolution strategies: episodes of perturbed copies against those of one policy, and what learning from them costs. */
import {
  type AgentState,
  agentContents,
  bindAgent,
  compiledProgram,
  createAgent,
  evolutionContents,
  evolutionSizes,
  hostProgram,
  keyContents,
} from "../../src/agents/members.ts";
import { WasmDevice } from "../../src/kernels/devices.ts";
import type { Program } from "../../src/kernels/index.ts";
import { NetworkSection, parseAlgorithm } from "../../src/manifests/index.ts";
import { findCompiledEnvironment } from "../../src/rl/environments.ts";
import type { Row } from "../harness/Row.ts";
import { compareTimes, timePerCall } from "../harness/timing.ts";

/** Its episodes all have 200 steps. */
const environment = findCompiledEnvironment("Pendulum-v1");
const STEPS = 200;

function agentOf(copies: number, width: number, layer_norm: boolean): AgentState {
  const layers = { hidden_size: [width], activation: "Tanh", layer_norm };
  return createAgent({
    ...environment,
    spec: parseAlgorithm({ name: "ES", perturbations: copies }),
    network: NetworkSection.parse({ latent_dim: width, encoder_config: layers, head_config: layers }),
  });
}

/** Programs bound to the buffers of an agent with as many lanes as copies. */
function bound(agent: AgentState, lanes: number, programs: readonly Program[]) {
  const device = new WasmDevice();
  const states = new Map(programs.flatMap(({ states }) => [...states]));
  const arena = device.arena([...states.values()], bindAgent(agent, evolutionSizes(agent, lanes)));
  const contents = [
    ...agentContents(agent),
    ...keyContents(1, 2, 3, 4),
    ...evolutionContents({ evo_steps: 1 }, 1),
    ["evaluate.steps", [STEPS]] as const,
  ];
  for (const [name, values] of contents) if (arena.has(name)) arena.write(name, values);
  return programs.map((program) => {
    const executable = device.compile(program).bind(arena);
    return () => executable.run();
  });
}

/** Speed of iterations as a part of the speed of one policy's episodes. */
function speedOfCopies(copies: number, layer_norm: boolean): number {
  const agent = agentOf(copies, 64, layer_norm);
  const [iteration, episodes] = bound(agent, copies, [
    compiledProgram(agent, environment, "turn"),
    compiledProgram(agent, environment, "evaluate"),
  ]) as [() => void, () => void];
  const options = { warmup: 2, blocks: 12, calls: 1 };
  return 1 / compareTimes({ run: episodes, options }, { run: iteration, options }).ratio;
}

/** Time of learning as a part of an iteration of 200 steps, with a million parameters and 1,024 copies. */
function shareOfLearning(): number {
  const [copies, width] = [1024, 704];
  const agent = agentOf(copies, width, false);
  const [learn, act] = bound(agent, copies, [
    hostProgram(agent, environment, "learn"),
    hostProgram(agent, environment, "greedy"),
  ]) as [() => void, () => void];
  const learning = timePerCall(learn, { warmup: 1, blocks: 3, calls: 1 });
  const acting = STEPS * timePerCall(act, { warmup: 1, blocks: 5, calls: 1 });
  return learning / (learning + acting);
}

export const perturbedCopies: Row = {
  name: "perturbed-copies",
  title: "ES, Pendulum-v1, 64 wide: speed as a part of one policy's in as many lanes; one core",
  figures: [
    { name: "256 copies", unit: "", digits: 2, target: { at_least: 0.8 } },
    { name: "256, layer norm", unit: "", digits: 2 },
    { name: "1,024 copies", unit: "", digits: 2 },
    {
      name: "learning, of an iteration",
      unit: "",
      digits: 3,
      target: { at_most: 0.1 },
    },
  ],
  measure: async () => [
    speedOfCopies(256, false),
    speedOfCopies(256, true),
    speedOfCopies(1024, false),
    shareOfLearning(),
  ],
  processes: 3,
};
