/** Tree searches of a compiled game by a PPO agent's networks, and plain evaluations of the same networks. */
import { type AgentState, bindAgent, createAgent, Residence, structureOf } from "../../src/agents/members.ts";
import { WasmDevice } from "../../src/kernels/devices.ts";
import {
  add,
  type Dim,
  mul,
  type Program,
  reshape,
  scan,
  state,
  sum,
  type Tensor,
  trace,
} from "../../src/kernels/index.ts";
import { NetworkSection, parseAlgorithm } from "../../src/manifests/index.ts";
import { type CompiledEnvironment, findCompiledEnvironment } from "../../src/rl/environments.ts";
import { agentEvaluator, gumbel, puct, search } from "../../src/rl/programs.ts";

export interface SearchSpeedOptions {
  readonly game: string;
  readonly rule: "puct" | "gumbel";
  readonly simulations: number;
  /** Positions that are searched together. */
  readonly batch: number;
  /** Width of the encoder's and the heads' hidden layers. */
  readonly hidden: number;
}

/** Runs of a program, each of `work` units. */
export interface Subject {
  readonly run: () => void;
  readonly work: number;
}

const EVALUATIONS = 64;

function ready(agent: AgentState, program: Program, batch: number): () => void {
  const residence = new Residence(new WasmDevice());
  residence.prepare(agent, [program], bindAgent(agent, { num_envs: batch, batch: 1 }));
  residence.load(agent);
  return () => residence.run(program);
}

/** Adds up what a program finds, so that nothing of it is left out. */
const keep = (values: readonly Tensor[]): void =>
  state("kept", []).write(
    values.map((x) => sum(reshape(x, [x.shape[0] as Dim]))).reduce((a, b) => add(a, b)),
  );

export function searchSpeed({ game, rule, simulations, batch, hidden }: SearchSpeedOptions): {
  readonly searches: Subject;
  readonly evaluations: Subject;
} {
  const env: CompiledEnvironment = findCompiledEnvironment(game);
  const { observation_space, action_space } = env;
  const layers = { hidden_size: [hidden] };
  const agent = createAgent({
    spec: parseAlgorithm({ name: "PPO" }),
    observation_space,
    action_space,
    network: NetworkSection.parse({
      latent_dim: hidden,
      encoder_config: { arch: "mlp", hidden_size: [hidden] },
      head_config: layers,
    }),
    seed: 1,
  });
  const structure = structureOf(agent);
  const searching = trace(`${game}.search`, () => {
    const root = env.reset([], batch);
    const made = rule === "puct" ? puct() : gumbel({ simulations });
    const { value } = search(env, agentEvaluator(structure, env), root, { simulations, rule: made });
    keep([value]);
  });
  const evaluating = trace(`${game}.evaluate`, () => {
    const seen = state("seen", [batch, ...observation_space.shape]).read();
    const evaluate = agentEvaluator(structure, { ...env, observe: ({ obs }) => obs as Tensor });
    const { carry } = scan({ count: EVALUATIONS, carry: [seen] }, ([obs]) => {
      const { logits, value } = evaluate({ obs: obs as Tensor });
      // Each evaluation depends on the one before.
      const next = reshape(mul(add(sum(logits), value), 1e-3), [
        batch,
        ...observation_space.shape.map(() => 1),
      ]);
      return { carry: [add(mul(obs as Tensor, 0.5), next)] };
    });
    state("seen", seen.shape).write(carry[0] as Tensor);
  });
  return {
    searches: { run: ready(agent, searching, batch), work: batch * simulations },
    evaluations: { run: ready(agent, evaluating, batch), work: batch * EVALUATIONS },
  };
}

/** Units of work in a second that the process spends on the CPU. */
export function workPerSecond({ run, work }: Subject, seconds: number): number {
  run();
  const start = process.cpuUsage();
  let runs = 0;
  let user = 0;
  do {
    run();
    runs++;
    ({ user } = process.cpuUsage(start));
  } while (user < seconds * 1e6);
  return ((runs * work) / user) * 1e6;
}
