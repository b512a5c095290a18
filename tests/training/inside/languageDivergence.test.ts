/** Language models whose numbers are no longer finite: what evaluation hands over, and who is champion. */
import { expect, it } from "vitest";
import {
  HyperparameterConfig,
  Mutations,
  RLParameter,
  TournamentSelection,
} from "../../../src/evolution/index.ts";
import { DivergedError } from "../../../src/evolution/members.ts";
import { DatasetEnv, RolloutHarness } from "../../../src/llm/environments.ts";
import { GRPO, LanguageModel, SFT } from "../../../src/llm/index.ts";
import { type TrainingEvent, trainLlmDataset, trainLlmRollout } from "../../../src/training/index.ts";

const letters = await LanguageModel.load("rlkit/tiny-letters");
const digits = await LanguageModel.load("rlkit/tiny-digits");
const hp_config = new HyperparameterConfig({ lr: new RLParameter({ min: 1e-4, max: 1e38 }) });
const ROWS = [{ prompt: "abc", response: "cba" }];
const env = () => new DatasetEnv({ train: ROWS, test: ROWS, tokenizer: letters.tokenizer, objective: "sft" });
/** One step of such a size makes weights infinite, with a loss that is finite. */
const HUGE = 1e38;
const sft = (index: number, lr: number) =>
  new SFT({ actor_network: letters, index, lr, batch_size: 8, max_grad_norm: 1, hp_config });
const grpo = (index: number, lr: number) =>
  new GRPO({
    actor_network: digits,
    index,
    lr,
    batch_size: 2,
    group_size: 4,
    beta: 0,
    max_grad_norm: 1,
    max_output_tokens: 1,
    hp_config,
  });

function evolving() {
  const events: TrainingEvent[] = [];
  return {
    events,
    evaluation_interval: 1,
    evo_steps: 2,
    verbose: false,
    observer: { on: (event: TrainingEvent) => void events.push(event) },
    selection_strategy: new TournamentSelection({ tournament_size: 2, elitism: true, population_size: 2 }),
    mutation: new Mutations({
      no_mutation: 1,
      architecture: 0,
      new_layer_prob: 0,
      parameters: 0,
      activation: 0,
      rl_hp: 0,
    }),
  };
}

it.each([
  [
    "SFT",
    (run: object) =>
      trainLlmDataset({ pop: [sft(0, HUGE), sft(1, 1e-3)], env: env(), max_steps: 64, ...run } as never),
  ],
  [
    "GRPO",
    (run: object) =>
      trainLlmRollout({
        pop: [grpo(0, HUGE), grpo(1, 1e-3)],
        env_factory: () =>
          RolloutHarness.local("rlkit/ConstantTarget", { tokenizer: digits.tokenizer, max_output_tokens: 1 }),
        max_turns: 1,
        max_steps: 64,
        ...run,
      } as never),
  ],
])("a member of %s that diverges is replaced, and never champion", async (_name, train) => {
  const { events, ...run } = evolving();
  const [population, fitnesses] = (await train(run)) as readonly [readonly SFT[], number[]];
  const said = events.flatMap((event) => (event.event === "warning" ? [event.message] : []));
  expect(said[0]).toMatch(
    /^member 0: (a weight of actor|the loss is NaN).* finite.*; lower the learning rate/,
  );
  const [first] = events.filter(({ event }) => event === "generation") as Extract<
    TrainingEvent,
    { event: "generation" }
  >[];
  expect(first?.fitnesses[0]).toBeNaN();
  expect(first?.elite).toBe(1);
  expect(fitnesses.every(Number.isFinite)).toBe(true);
  for (const { member } of population) {
    expect(member.hyperparameters.lr).toBe(1e-3);
    for (const values of Object.values(member.policy)) expect(values.every(Number.isFinite)).toBe(true);
  }
});

it("alone, it ends the run before its weights are stored", async () => {
  const pop = [sft(0, HUGE)];
  const { events: _, ...quiet } = evolving();
  const alone = { ...quiet, evo_steps: null, selection_strategy: null, mutation: null };
  await expect(trainLlmDataset({ pop, env: env(), max_steps: 64, ...alone } as never)).rejects.toThrow(
    DivergedError,
  );
});

it("labelled rows give no fitness that is not finite", async () => {
  const agent = sft(0, 1e-3);
  const [name = "", values = new Float32Array()] = Object.entries(agent.member.policy)[0] ?? [];
  agent.member = {
    ...agent.member,
    policy: { ...agent.member.policy, [name]: values.map(() => Number.NaN) },
  };
  await expect(agent.test(env())).rejects.toThrow(
    "member 0: the fitness of its evaluation is no longer a finite number",
  );
});
