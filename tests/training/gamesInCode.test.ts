/** Leagues in a user's own game, which a sandbox steps. */
// @apart: its programs and devices fill much memory.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { provideSandboxes } from "../../src/sandbox/sandboxes.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import {
  Accelerator,
  LocalTrainer,
  type ManifestOptions,
  type TrainerOptions,
} from "../../src/training/index.ts";
import { inProcess } from "../sandbox/inside/support/inProcess.ts";
import { NIM } from "../sandbox/support/modules.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { rlState } from "./support/rlRuns.ts";
import { type Changes, dqn, EVOLUTION, endOf, ppo, rainbow, trained } from "./support/tiny.ts";

keepThreads();
beforeAll(() => provideSandboxes(inProcess));
afterAll(() => provideSandboxes(null));

const FILE = "nim.js";
/** Episodes are then repeated from their moves. */
const UNSAVED = NIM.replace("  save() {", "  kept() {").replace("  load([", "  placed([");

async function inNim(
  { environment: _environment, ...sections }: TrainerOptions,
  {
    text = NIM,
    environment = {},
    store = memoryFileStore(),
    ...options
  }: ManifestOptions & {
    readonly text?: string;
    readonly environment?: object;
    readonly store?: ReturnType<typeof memoryFileStore>;
  } = {},
) {
  await store.write(FILE, new TextEncoder().encode(text));
  const manifest = { ...sections, environment: { name: "Nim", path: FILE, num_envs: 4, ...environment } };
  return LocalTrainer.fromManifest(manifest, { store, ...options });
}

const league = (more: Changes) => ({
  ...EVOLUTION,
  ...more,
  training: {
    opponents: { self: 1, past: 1, league: 1, random: 1 },
    opponent_interval: 1,
    opponent_pool: 2,
    ...more.training,
  },
});
const RUNS = {
  PPO: (max_steps = 512) => ppo(league({ training: { max_steps } })),
  RainbowDQN: (max_steps = 640) =>
    rainbow(league({ algorithm: { v_max: 1, v_min: -1 }, training: { max_steps } })),
};

type Trained = Awaited<ReturnType<typeof trained>>;
const ended = (run: Trained) => ({ ...endOf(run), league: rlState(run.state).league });

describe.each(Object.entries(RUNS))("%s in a game in code", (name, options) => {
  it("has a league, and the same bits after a stop, without save and load", async () => {
    const run = await trained(await inNim(options()));
    const expected = ended(run);
    expect(expected.generation).toBe(4);
    expect(expected.league?.past).toHaveLength(2);
    const { players = [], matches = [] } = run.recorder.generations.at(-1)?.league ?? {};
    expect(players[0]).toMatchObject({ id: "random", rating: 0 });
    for (const own of matches) expect(own?.map(({ games }) => games)).toEqual([4, 4, 4]);

    const store = memoryFileStore();
    const half = options((options().training as { max_steps: number }).max_steps / 2);
    const { recorder } = await trained(await inNim(half, { store, text: UNSAVED }), { checkpoint_steps: 1 });
    const resume_from_checkpoint = recorder.checkpoints.at(-1) as string;
    // In one of the two also with workers, each with a sandbox of its own.
    const accelerator = name === "PPO" ? { accelerator: new Accelerator({ workers: 2 }) } : {};
    const resumed = await inNim(options(), { store, text: UNSAVED, ...accelerator, resume_from_checkpoint });
    expect(ended(await trained(resumed))).toEqual(expected);
  });
});

it("An agent learns to beat random moves in a game in code", async () => {
  const { recorder } = await trained(
    await inNim(
      dqn({
        algorithm: { lr: 0.01, batch_size: 32, learn_step: 1, gamma: 1 },
        training: { pop_size: 1, max_steps: 4000, evo_steps: 1000, eval_loop: 8, eps_decay: 0.99 },
        replay_buffer: { kind: "classic", max_size: 4000 },
      }),
      { environment: { num_envs: 8 } },
    ),
  );
  const [score] = recorder.generations.at(-1)?.league?.matches[0] ?? [];
  expect(score).toMatchObject({ opponent: "random", games: 64 });
  expect(score?.points).toBeGreaterThan(54);
});

it("Agents and past selves look ahead in evaluations of a game in code", async () => {
  const plays = { pop_size: 1, max_steps: 64, evo_steps: 64, eval_loop: 4, opponent_interval: 1 };
  const pointsOf = async (more: object) => {
    const { recorder } = await trained(await inNim(ppo({ training: { ...plays, ...more } })));
    return recorder.generations.at(-1)?.league?.matches[0]?.[0];
  };
  // Twelve stones are too many for an untrained policy, and few enough for a search.
  const alone = await pointsOf({});
  const searching = await pointsOf({ search: { simulations: 128 } });
  expect(searching).toMatchObject({ opponent: "random", games: 16 });
  expect(searching?.points).toBeGreaterThan((alone?.points ?? Number.NaN) + 1);
  expect(searching?.points).toBeGreaterThan(14);
  const twice = await trained(
    await inNim(ppo({ training: { ...plays, max_steps: 128, search: { simulations: 2 } } })),
  );
  const [, past] = twice.recorder.generations.at(-1)?.league?.matches[0] ?? [];
  expect(past).toMatchObject({ opponent: "generation 1", games: 16 });
});

it.each([
  ["environment.num_envs", "found 3, allowed in games: even numbers", { num_envs: 3 }, {}],
  ["environment.frame_stack", "allowed in games: none", { frame_stack: 2 }, {}],
  ["training.opponents", "Nim is a game in code", {}, { training: { opponents: "rule:one_step" } }],
  ["environment.name", "allowed with AlphaZero: rlkit's games", {}, { algorithm: { name: "AlphaZero" } }],
] as const)(
  "A manifest of a game in code is refused at %s: %s",
  async (path, message, environment, sections) => {
    const refused = inNim({ ...ppo({ ...sections }), ...sections } as TrainerOptions, { environment });
    await expect(refused).rejects.toThrow(path);
    await expect(refused).rejects.toThrow(message);
  },
);

it("A search in a game in code without save and load is refused", async () => {
  const refused = inNim(ppo({ training: { search: { simulations: 4 } } }), { text: UNSAVED });
  await expect(refused).rejects.toThrow("training.search");
  await expect(refused).rejects.toThrow(
    "games in code with save() and load(state); Nim is a game in code without save() and load(state)",
  );
});
