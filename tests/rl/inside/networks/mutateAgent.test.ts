import { describe, expect, it } from "vitest";
import {
  type AgentState,
  cloneAgent,
  type EvolutionOptions,
  EvolvableAgent,
  mutateActivation,
  mutateArchitecture,
  mutateParameters,
  type NetworkRoles,
} from "../../../../src/agents/members.ts";
import { Mutations, type MutationsOptions, TournamentSelection } from "../../../../src/evolution/index.ts";
import { tensorSize } from "../../../../src/evolution/members.ts";
import { Random } from "../../../../src/evolution/random.ts";
import {
  initNetwork,
  type MlpData,
  type NetworkData,
  type NetworkState,
  networkTensors,
  perturbWeights,
  qNetwork,
  stochasticActor,
  valueNetwork,
} from "../../../../src/rl/networks.ts";
import { networkSettings, numbers } from "../support/settings.ts";

const roles: NetworkRoles = { policies: ["actor"], targets: { actor_target: "actor" } };
const shared: NetworkRoles = { policies: ["actor"], targets: {} };

function agentOf(networks: Record<string, NetworkData>, trainedNetworks: string[], index = 0): AgentState {
  const states = Object.fromEntries(
    Object.entries(networks).map(([name, data]): [string, NetworkState] => [
      name,
      { data, tensors: initNetwork(data, { seed: 1, stream: name, slot: index }) },
    ]),
  );
  const moments = () =>
    Object.fromEntries(
      trainedNetworks.flatMap((name) =>
        Object.entries((states[name] as NetworkState).tensors).map(([tensor, w]) => [
          `${name}.${tensor}`,
          w.map((_, i) => i + 1),
        ]),
      ),
    );
  return {
    algorithm: "DQN",
    index,
    parent: null,
    hyperparameters: { lr: 1e-3, batch_size: 64 },
    networks: states,
    optimizers: {
      optimizer: { networks: trainedNetworks, lr: "lr", step: 9, first: moments(), second: moments() },
    },
    fitness: [1, 2],
    steps: 100,
    learn_credit: 3,
    mut: "None",
  };
}

const dqn = (index = 0): AgentState => {
  const actor = qNetwork(numbers(4), 2, networkSettings());
  return agentOf({ actor, actor_target: actor }, ["actor"], index);
};
const ppo = (share_encoder: boolean): AgentState => {
  const settings = networkSettings();
  const actor = stochasticActor(numbers(3), numbers(2), settings, { action_std_init: -0.5 });
  return agentOf({ actor, critic: valueNetwork(numbers(3), settings, { share_encoder }) }, [
    "actor",
    "critic",
  ]);
};

const dataOf = (agent: AgentState, name: string): NetworkData => (agent.networks[name] as NetworkState).data;
const tensorsOf = (agent: AgentState, name: string) => (agent.networks[name] as NetworkState).tensors;

function expectWhole(agent: AgentState): void {
  for (const [name, { data, tensors }] of Object.entries(agent.networks)) {
    const specs = networkTensors(data);
    expect(Object.keys(tensors)).toEqual(specs.map((spec) => spec.name));
    for (const spec of specs) {
      expect(tensors[spec.name]).toHaveLength(tensorSize(spec));
      const optimizer = agent.optimizers.optimizer;
      if (!optimizer?.networks.includes(name)) continue;
      expect(optimizer.first[`${name}.${spec.name}`]).toHaveLength(tensorSize(spec));
      expect(optimizer.second[`${name}.${spec.name}`]).toHaveLength(tensorSize(spec));
    }
  }
}

const KEYS = Array.from({ length: 60 }, (_, slot) => ({ seed: 2, slot }));

describe("architecture mutation", () => {
  it("changes the policy by one method, makes targets exact copies and keeps the optimiser whole", () => {
    const labels = new Set<string>();
    for (const key of KEYS) {
      const before = dqn();
      const { agent, mut } = mutateArchitecture(before, roles, { new_layer_prob: 0.2, key });
      labels.add(mut);
      expectWhole(agent);
      const same = JSON.stringify(dataOf(agent, "actor")) === JSON.stringify(dataOf(before, "actor"));
      expect([same, agent === before]).toEqual([mut === "None", mut === "None"]);
      expect(dataOf(agent, "actor_target")).toEqual(dataOf(agent, "actor"));
      const [online, target] = [tensorsOf(agent, "actor"), tensorsOf(agent, "actor_target")];
      // An unchanged member keeps its target network.
      expect(target).toEqual(mut === "None" ? tensorsOf(before, "actor_target") : online);
      expect(target["head_net.output.bias"]).not.toBe(online["head_net.output.bias"]);
      expect(agent.optimizers.optimizer?.step).toBe(9);
      expect(before).toEqual(dqn());
    }
    // Layers of 20, 18 and 17 with a minimum width of 16 leave nothing to remove. A head of one layer adds
    // nodes instead.
    expect([...labels].sort()).toEqual([
      "None",
      "add_latent_node",
      "encoder.add_node",
      "head_net.add_layer",
      "head_net.add_node",
      "remove_latent_node",
    ]);
  });

  it("repeats the change on a critic with its own encoder, with the same arguments", () => {
    for (const key of KEYS) {
      const { agent } = mutateArchitecture(ppo(false), shared, { new_layer_prob: 0.3, key });
      const [actor, critic] = [dataOf(agent, "actor"), dataOf(agent, "critic")];
      expect(critic.latent_dim).toBe(actor.latent_dim);
      expect(critic.encoder).toEqual(actor.encoder);
      expect(critic.head).toEqual({ ...actor.head, outputs: 1 });
      expectWhole(agent);
    }
  });

  it("draws the new weights of actor and critic apart", () => {
    const [wide = { seed: 0 }] = KEYS.filter((key) => {
      const { mut } = mutateArchitecture(ppo(false), shared, { new_layer_prob: 0, key });
      return mut === "head_net.add_node";
    });
    const { agent } = mutateArchitecture(ppo(false), shared, { new_layer_prob: 0, key: wide });
    const weights = (name: string) => tensorsOf(agent, name)["head_net.linear_1.weight"] as Float32Array;
    expect(weights("critic")).toHaveLength(weights("actor").length);
    // The last column belongs to a new unit.
    expect(weights("critic").at(-1)).not.toBe(weights("actor").at(-1));
  });

  it("keeps a critic that shares the encoder at the policy's latent width", () => {
    let changed = 0;
    let latent = 0;
    for (const key of KEYS) {
      const start = ppo(true);
      // The critic's own limits must not restrict it.
      const critic = { ...dataOf(start, "critic"), max_latent_dim: 25, min_latent_dim: 23 };
      const before: AgentState = {
        ...start,
        networks: { ...start.networks, critic: { data: critic, tensors: tensorsOf(start, "critic") } },
      };
      const { agent, mut } = mutateArchitecture(before, shared, { new_layer_prob: 0.3, key });
      expect(dataOf(agent, "critic")).toMatchObject({
        encoder: "shared",
        latent_dim: dataOf(agent, "actor").latent_dim,
        head: { inputs: dataOf(agent, "actor").latent_dim },
      });
      expectWhole(agent);
      expect(dataOf(agent, "critic") === critic).toBe(mut === "None" || mut.startsWith("encoder."));
      if (mut !== "None") changed++;
      if (mut.includes("latent")) latent++;
    }
    expect(changed).toBeGreaterThan(20);
    expect(latent).toBeGreaterThan(5);
  });

  it("names a network that is missing", () => {
    const wrong = { ...roles, policies: ["policy"] };
    expect(() => mutateArchitecture(dqn(), wrong, { new_layer_prob: 0, key: { seed: 1 } })).toThrow(
      /networks\.policy.*actor, actor_target/,
    );
  });
});

describe("activation mutation", () => {
  const activation_selection = ["ReLU", "ELU", "GELU"] as const;

  it("draws another activation for encoder and head, keeps all weights and the head's output", () => {
    const drawn = new Set<string>();
    for (const key of KEYS) {
      const before = dqn();
      const { agent, mut } = mutateActivation(before, roles, { activation_selection, key });
      const data = dataOf(agent, "actor");
      const { activation } = data.head as MlpData;
      drawn.add(activation);
      const was = dataOf(before, "actor");
      expect(mut).toBe("act");
      expect(data).toEqual({
        ...was,
        encoder: { ...(was.encoder as object), activation, output_activation: activation },
        head: { ...was.head, activation },
      });
      expect(dataOf(agent, "actor_target")).toEqual(data);
      expect(tensorsOf(agent, "actor")).toEqual(tensorsOf(before, "actor"));
      expect(agent.optimizers).toEqual(before.optimizers);
    }
    expect(drawn).toEqual(new Set(["ELU", "GELU"]));
  });

  it("does nothing where there is no other to choose", () => {
    const options = { activation_selection: ["ReLU"] as const, key: { seed: 1 } };
    expect(mutateActivation(dqn(), roles, options).mut).toBe("None");
  });
});

describe("parameter mutation", () => {
  it("changes only weight matrices and log_std of the policy; its target follows, critics do not", () => {
    const touched = new Set<string>();
    for (const key of KEYS) {
      const before = ppo(false);
      const { agent, mut } = mutateParameters(before, shared, { mutation_sd: 0.1, key });
      expect(mut).toBe("param");
      expect(tensorsOf(agent, "critic")).toEqual(tensorsOf(before, "critic"));
      expect(agent.optimizers).toEqual(before.optimizers);
      for (const [name, values] of Object.entries(tensorsOf(agent, "actor")))
        if (values.some((v, i) => v !== tensorsOf(before, "actor")[name]?.[i])) touched.add(name);
    }
    expect([...touched].sort()).toEqual([
      "encoder.linear_1.weight",
      "encoder.linear_2.weight",
      "encoder.output.weight",
      "head_net.linear_1.weight",
      "head_net.output.weight",
      "log_std",
    ]);
    const { agent } = mutateParameters(dqn(), roles, { mutation_sd: 0.1, key: { seed: 1 } });
    expect(tensorsOf(agent, "actor_target")).toEqual(tensorsOf(agent, "actor"));
  });

  it("moves a tenth of the elements: 90 % by mutation_sd, 5 % by ten times the weight, 5 % anew", () => {
    const size = 400;
    const axis = [{ label: "a", size, symbol: null }];
    const spec = {
      name: "w",
      axes: [axis, axis],
      init: { kind: "constant", value: 0 },
      role: "weight",
    } as const;
    const w = new Float32Array(size * size).fill(1000);
    const after = perturbWeights([spec], { w }, 0.001, { seed: 3 }).w as Float32Array;
    const moved = [...after].filter((v) => v !== 1000);
    // Drawing a fraction of 0.1 with replacement changes 1 - exp(-0.1) of the elements.
    expect(Math.abs(moved.length / w.length - (1 - Math.exp(-0.1)))).toBeLessThan(0.003);
    const small = moved.filter((v) => Math.abs(v - 1000) < 10).map((v) => v - 1000);
    const reset = moved.filter((v) => Math.abs(v) < 8);
    const strong = moved.filter((v) => Math.abs(v) >= 8 && Math.abs(v - 1000) >= 10).map((v) => v - 1000);
    const deviation = (xs: number[]) => Math.sqrt(xs.reduce((a, b) => a + b * b, 0) / xs.length);
    expect(Math.abs(small.length / moved.length - 0.9)).toBeLessThan(0.02);
    expect(Math.abs(reset.length / moved.length - 0.05)).toBeLessThan(0.01);
    expect(Math.abs(strong.length / moved.length - 0.05)).toBeLessThan(0.01);
    expect(Math.abs(deviation(small) - 1)).toBeLessThan(0.05);
    expect(Math.abs(deviation(reset) - 1)).toBeLessThan(0.15);
    expect(Math.abs(deviation(strong) / 10_000 - 1)).toBeLessThan(0.15);
    expect(w.every((v) => v === 1000)).toBe(true);
  });

  it("keeps weights within a million", () => {
    const axis = [{ label: "a", size: 50, symbol: null }];
    const spec = {
      name: "w",
      axes: [axis, axis],
      init: { kind: "constant", value: 0 },
      role: "weight",
    } as const;
    const w = new Float32Array(2500).fill(9e5);
    const after = perturbWeights([spec], { w }, 100, { seed: 3 }).w as Float32Array;
    expect(Math.max(...after)).toBe(1e6);
    expect(Math.min(...after)).toBe(-1e6);
  });
});

describe("a population of agents", () => {
  const options: EvolutionOptions = { algorithm: { ...roles, activationMutation: true }, hp_config: null };
  const mutations = (change: Partial<MutationsOptions>) =>
    new Mutations({
      no_mutation: 0,
      architecture: 1,
      new_layer_prob: 0.2,
      parameters: 1,
      activation: 1,
      rl_hp: 0,
      ...change,
    });
  const population = () => [0, 1, 2, 3].map((index) => new EvolvableAgent(dqn(index), options));

  it("clones deeply, with its parent", () => {
    const agent = dqn(3);
    const child = cloneAgent(agent, 8);
    expect(child).toEqual({ ...agent, index: 8, parent: 3 });
    for (const tensors of [tensorsOf(child, "actor"), child.optimizers.optimizer?.first ?? {}])
      for (const values of Object.values(tensors)) values.fill(123);
    expect(child.hyperparameters).not.toBe(agent.hyperparameters);
    expect(agent).toEqual(dqn(3));
  });

  it("evolves to the same states for the same seed, whole after many generations", () => {
    const evolve = (rand_seed: number) => {
      const selection = new TournamentSelection({
        tournament_size: 2,
        elitism: true,
        population_size: 4,
        rand_seed,
      });
      let members = population();
      for (let generation = 1; generation <= 6; generation++) {
        const random = new Random({ seed: 1, generation });
        members = members.map(({ state }) => {
          return new EvolvableAgent({ ...state, fitness: [...state.fitness, random.uniform()] }, options);
        });
        members = selection.select(members, { generation }).population;
        mutations({ rand_seed }).mutation(members, { generation });
      }
      return members.map((m) => m.state);
    };
    const states = evolve(5);
    states.forEach(expectWhole);
    expect(new Set(states.map((s) => s.index)).size).toBe(4);
    expect(evolve(5)).toEqual(states);
    expect(evolve(6)).not.toEqual(states);
  });

  it("writes labels and hyperparameters into the state, and keeps activations that must not change", () => {
    const fixed = new EvolvableAgent(dqn(), {
      ...options,
      algorithm: { ...roles, activationMutation: false },
    });
    const before = fixed.state;
    mutations({ architecture: 0, parameters: 0 }).mutation([fixed]);
    expect(fixed.state).toEqual(before);
    fixed.setHyperparameter("lr", 0.5);
    fixed.mut = "lr";
    expect(fixed.state).toMatchObject({ mut: "lr", hyperparameters: { lr: 0.5, batch_size: 64 } });
    expect(before.hyperparameters.lr).toBe(1e-3);
  });
});
