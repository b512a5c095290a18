// @apart: every thread that trains here loads MuJoCo.
/** Runs with robots of one's own: from files, in one thread and two, resumed, and with faults. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { parseManifest } from "../../src/manifests/index.ts";
import { memoryFileStore, sha256Hex } from "../../src/storage/index.ts";
import {
  Accelerator,
  LocalTrainer,
  type ManifestOptions,
  type TrainerOptions,
} from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { dqn, ppo, statesOf, type Trained, trained } from "./support/tiny.ts";

keepThreads();

const read = (name: string): string => readFileSync(path.join(root, "examples/robot", name), "utf8");
const [MODEL, TASK] = [read("puppy.xml"), read("puppy.yaml")];

async function storeWith(files: Readonly<Record<string, string>>) {
  const store = memoryFileStore();
  for (const [name, text] of Object.entries(files)) await store.write(name, new TextEncoder().encode(text));
  return store;
}
const PUPPY = { "robots/puppy.yaml": TASK, "robots/puppy.xml": MODEL };

const inRobot = async (
  { environment: _environment, ...sections }: TrainerOptions,
  { environment, ...options }: ManifestOptions & { readonly environment?: object } = {},
) =>
  LocalTrainer.fromManifest(
    { ...sections, environment: { name: "Puppy", path: "robots/puppy.yaml", num_envs: 4, ...environment } },
    options,
  );

const end = ({ population, fitnesses }: Trained) => ({ members: statesOf(population), fitnesses });

describe("a run with a robot", () => {
  it("has the same bits in one thread and in two, and goes on from a checkpoint without its files", async () => {
    const store = await storeWith(PUPPY);
    const whole = await trained(await inRobot(ppo(), { store }));
    const [accelerator, alone] = [new Accelerator({ workers: 2 }), new Accelerator({ workers: 1 })];
    expect(end(await trained(await inRobot(ppo(), { store, accelerator })))).toEqual(end(whole));
    expect(end(await trained(await inRobot(ppo(), { store, accelerator: alone })))).toEqual(end(whole));
    const training = ppo().training as { max_steps: number };
    const half = await trained(
      await inRobot(ppo({ training: { max_steps: training.max_steps / 2 } }), { store }),
      {
        checkpoint_steps: 1,
      },
    );
    const checkpoint = half.recorder.checkpoints.at(-1) as string;
    await store.remove("robots/puppy.yaml");
    await store.remove("robots/puppy.xml");
    expect((await store.list(checkpoint)).map(({ name }) => name)).toContain("environment.json");
    const resumed = await inRobot(ppo(), { store, resume_from_checkpoint: checkpoint });
    expect(end(await trained(resumed))).toEqual(end(whole));
  });

  it("has the robot's hash as its environment's version: of task, model and files", async () => {
    const versionOf = async (files: Readonly<Record<string, string>>) =>
      (await inRobot(ppo(), { store: await storeWith(files) })).manifest.environment.version;
    const version = await versionOf(PUPPY);
    expect(version).toMatch(/^[0-9a-f]{64}$/);
    expect(await versionOf(PUPPY)).toBe(version);
    expect(
      await versionOf({ ...PUPPY, "robots/puppy.yaml": TASK.replace("weight: 2", "weight: 3") }),
    ).not.toBe(version);
    const { state } = await trained(await inRobot(ppo(), { store: await storeWith(PUPPY) }));
    const source = state.user_module?.source ?? "";
    expect(await sha256Hex(new TextEncoder().encode(source))).toBe(version);
    const other = MODEL.replace('gear="14"', 'gear="15"');
    expect(await versionOf({ ...PUPPY, "robots/puppy.xml": other })).not.toBe(version);
    const pinned = inRobot(ppo(), {
      store: await storeWith({ ...PUPPY, "robots/puppy.xml": other }),
      environment: { version },
    });
    await expect(pinned).rejects.toThrow(/environment.path: Puppy: version: found [0-9a-f]{12}.../);
  });

  it("cuts episodes off as its section or its task says, and knows no other options", async () => {
    const store = await storeWith(PUPPY);
    const limit = async (environment: object) => inRobot(ppo(), { store, environment });
    await expect(limit({ max_episode_steps: 20 })).resolves.toBeDefined();
    await expect(limit({ env_config: { max_episode_steps: 20 } })).resolves.toBeDefined();
    await expect(limit({ env_config: { wind: 1 } })).rejects.toThrow(
      "environment.path: Puppy: env_config: found wind; a robot's task has its options, allowed here: max_episode_steps",
    );
    await expect(limit({ entrypoint: "Puppy" })).rejects.toThrow(
      'Puppy: entrypoint: found "Puppy", but a robot exports nothing; leave it out',
    );
  });

  it.each([
    [{ "robots/puppy.yaml": TASK }, /environment.path: robots\/puppy.xml: no such file/],
    [{}, /environment.path: robots\/puppy.yaml: no such file/],
    [
      { ...PUPPY, "robots/puppy.yaml": TASK.replace("frame_skip: 4", "frame_skip: none") },
      /environment.path: Invalid puppy.yaml: frame_skip: expected .*, found "none" \(line 3, column 13\)/,
    ],
    [
      { ...PUPPY, "robots/puppy.yaml": TASK.replace("of: trunk", "of: trunc") },
      /environment.path: Puppy: Invalid task: reward\[0\].of: found "trunc", which is no body of the model; did you mean "trunk"/,
    ],
    [
      { ...PUPPY, "robots/puppy.xml": MODEL.replace('type="box"', 'type="boxx"') },
      /environment.path: Puppy: puppy.xml: invalid keyword: 'boxx'.*line 16/,
    ],
    [
      {
        ...PUPPY,
        "robots/puppy.xml": MODEL.replace("<worldbody>", '<asset><mesh file="ear.stl"/></asset><worldbody>'),
      },
      /Puppy: puppy.xml, line 10: found no file "ear.stl"; put it beside the model/,
    ],
  ])("is refused by the place of its fault (%#)", async (files, message) => {
    await expect(inRobot(ppo(), { store: await storeWith(files) })).rejects.toThrow(message);
  });

  it("sets a member aside whose physics explodes", async () => {
    const wild = MODEL.replaceAll(/gear="\d+"/g, 'gear="1e200"');
    const trainer = await inRobot(ppo(), { store: await storeWith({ ...PUPPY, "robots/puppy.xml": wild }) });
    await expect(trained(trainer)).rejects.toThrow(/the physics became unstable/);
  });

  it("is refused to algorithms with choices as actions", async () => {
    await expect(inRobot(dqn(), { store: await storeWith(PUPPY) }).then(trained)).rejects.toThrow(/DQN/);
  });
});

it("the example is a valid manifest", () => {
  expect(parseManifest(read("ppo-puppy.yaml"))).toMatchObject({ environment: { path: "puppy.yaml" } });
});
