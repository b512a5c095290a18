/**
 * `npx tsx bench/fqeRanking.ts [--environment CartPole-v1|Pendulum-v1]... [--seed N]... [--fqe-steps N]`: how fitted Q
 * evaluation, its temporal-difference error and weighted importance sampling rank eight policies, against their mean
 * returns in 32 episodes. Policies learn from a clumsy rule's steps by four algorithms, for a short and a long time.
 */
import { parseArgs } from "node:util";
import { LocalTrainer } from "../src/training/index.ts";
import { machineNote } from "./harness/machine.ts";
import { markdownTable } from "./harness/table.ts";

const { values: options } = parseArgs({
  options: {
    environment: { type: "string", multiple: true, default: ["CartPole-v1", "Pendulum-v1"] },
    seed: { type: "string", multiple: true, default: ["1"] },
    "fqe-steps": { type: "string", default: "2000" },
  },
});

/** Data, learners, and returns of random actions and of a good policy, which are 0 and 100 points. */
const TASKS = {
  "CartPole-v1": { data: "rlkit/cartpole-rule", learners: ["BC", "CQN", "IQL", "AWAC"], range: [22, 500] },
  "Pendulum-v1": {
    data: "rlkit/pendulum-rule",
    learners: ["BC", "TD3BC", "IQL", "AWAC"],
    range: [-1200, -150],
  },
} as const;
const STEPS = [100, 2000];

interface Judged {
  readonly name: string;
  readonly truth: number;
  readonly scores: Readonly<Record<string, number | undefined>>;
}

/** Ranks from 1; equal values share their mean rank. */
const ranks = (values: readonly number[]): number[] =>
  values.map((own) => {
    const below = values.filter((other) => other < own).length;
    return below + (values.filter((other) => other === own).length + 1) / 2;
  });

/** Spearman's rank correlation: Pearson's, of the ranks. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)];
  const middle = (a.length + 1) / 2;
  const products = (p: readonly number[], q: readonly number[]) =>
    p.reduce((sum, own, i) => sum + (own - middle) * ((q[i] as number) - middle), 0);
  return products(x, y) / Math.sqrt(products(x, x) * products(y, y));
}

async function judged(name: string, task: keyof typeof TASKS, steps: number, seed: number): Promise<Judged> {
  const trainer = new LocalTrainer({
    algorithm: { name, gamma: 0.98, batch_size: 128 } as never,
    environment: { env_type: "offline", name: task, num_envs: 32, dataset_path: TASKS[task].data },
    training: {
      max_steps: steps,
      evo_steps: steps,
      pop_size: 1,
      fitness: "fqe",
      fqe_steps: Number(options["fqe-steps"]),
      held_out: 0.2,
    },
    network: { latent_dim: 64, encoder_config: { hidden_size: [64] }, head_config: { hidden_size: [64] } },
    seed,
  });
  let metrics: Readonly<Record<string, number>> = {};
  let value = Number.NaN;
  await trainer.train({
    verbose: false,
    observer: {
      on: (event) => {
        if (event.event !== "generation") return;
        metrics = event.members[0]?.metrics ?? {};
        value = event.fitnesses[0] ?? Number.NaN;
      },
    },
  });
  const { mean_return: truth = Number.NaN, fqe_td_error: error = Number.NaN, wis_return: weighed } = metrics;
  return {
    name: `${name}, ${steps} steps`,
    truth,
    scores: { "fitted Q": value, "TD error": -error, "importance sampling": weighed },
  };
}

console.log(machineNote());
for (const task of options.environment as (keyof typeof TASKS)[]) {
  const { learners, range } = TASKS[task];
  for (const seed of options.seed.map(Number)) {
    const members: Judged[] = [];
    for (const name of learners)
      for (const steps of STEPS) {
        members.push(await judged(name, task, steps, seed));
        const { name: of, truth, scores } = members.at(-1) as Judged;
        console.log(`${task} ${seed} ${of}: return ${truth.toFixed(1)} ${JSON.stringify(scores)}`);
      }
    const methods = ["fitted Q", "TD error", "importance sampling"];
    const lines = methods.map((method) => {
      const shown = members.filter(({ scores }) => Number.isFinite(scores[method]));
      const given = shown.map(({ scores }) => scores[method] as number);
      if (shown.length < 2) return [method, String(shown.length), "-", "-"];
      const truths = shown.map(({ truth }) => truth);
      const chosen = truths[given.indexOf(Math.max(...given))] as number;
      const best = Math.max(...members.map(({ truth }) => truth));
      const regret = (100 * (best - chosen)) / (range[1] - range[0]);
      return [method, String(shown.length), correlation(given, truths).toFixed(2), regret.toFixed(1)];
    });
    console.log(`\n## ${task}, seed ${seed}\n`);
    console.log(markdownTable(["ranked by", "members", "rank correlation", "regret, points"], lines));
  }
}
