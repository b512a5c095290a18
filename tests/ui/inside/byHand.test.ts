import { describe, expect, it } from "vitest";
import { type Dataset, openDataset } from "../../../src/datasets/index.ts";
import { MAIN_FILE } from "../../../src/datasets/kept.ts";
import { parseManifestObject } from "../../../src/manifests/index.ts";
import { findEnvironment, listEnvironments, make } from "../../../src/rl/environments.ts";
import { Box, Discrete } from "../../../src/rl/spaces.ts";
import { memoryFileStore } from "../../../src/storage/index.ts";
import { cloningManifest, manifestForDataset } from "../../../src/ui/pages/data/manifestForDataset.ts";
import { Demonstration, type Standing } from "../../../src/ui/pages/environments/byHand/Demonstration.ts";
import { padAction } from "../../../src/ui/pages/environments/byHand/gamepad.ts";
import { Hand } from "../../../src/ui/pages/environments/byHand/Hand.ts";
import { directionsOf, restingAction } from "../../../src/ui/pages/environments/trial/directions.ts";
import { DataService } from "../../../src/workers/coordinator.ts";
import type { RecordedEpisode } from "../../../src/workers/pages.ts";

/** Answers what waits for promises of an environment. */
const settled = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

function demonstration(environment: string, seed = 7) {
  const kept: RecordedEpisode[] = [];
  const drawn: (number | null)[] = [];
  let standing: Standing | null = null;
  const made = new Demonstration({
    env: make(environment),
    environment,
    seed,
    draw: (action) => drawn.push(action),
    onChange: (next) => {
      standing = next;
    },
    onKept: (episode) => kept.push(episode),
  });
  made.begin();
  const play = async (action: readonly number[]): Promise<Standing | null> => {
    await settled();
    made.setPlaying(true);
    for (let i = 0; i < 1000 && standing?.phase !== "ended"; i++) {
      made.step(action);
      await settled();
    }
    return standing;
  };
  return { made, kept, drawn, play, standing: () => standing };
}

describe("a demonstration", () => {
  it("takes no step before it is started, and one for each answer", async () => {
    const { made, drawn, standing } = demonstration("CartPole-v1");
    await settled();
    made.step([1]);
    await settled();
    expect(drawn).toEqual([null]);
    made.setPlaying(true);
    made.step([1]);
    made.step([0]);
    await settled();
    expect(drawn).toEqual([null, 1]);
    expect(standing()).toMatchObject({ phase: "playing", steps: 1, total: 1 });
    made.close();
  });

  it("keeps the episodes that are kept, and begins each elsewhere", async () => {
    const { made, kept, play } = demonstration("CartPole-v1");
    expect(await play([1])).toMatchObject({ phase: "ended", episode: { terminated: true, seed: 7 } });
    made.judge(true);
    await play([0]);
    made.judge(false);
    await play([0]);
    made.judge(true);
    expect(kept.map(({ seed }) => seed)).toEqual([7, 9]);
    const [first] = kept;
    expect(new Set(first?.actions)).toEqual(new Set([1]));
    expect(first?.observations).toHaveLength(4 * ((first?.rewards.length ?? 0) + 1));
  });

  it("is cut where the person ends it, which is a truncation", async () => {
    const { made, kept, play } = demonstration("Pendulum-v1");
    await settled();
    made.setPlaying(true);
    made.step([2]);
    await settled();
    made.cut();
    await play([-2]);
    made.judge(true);
    expect(kept[0]).toMatchObject({ terminated: false, truncated: true });
    expect(Array.from(kept[0]?.actions ?? [])).toEqual([2, -2]);
  });

  it("is stored in the form that training reads, and a manifest learns from it", async () => {
    const { made, kept, play } = demonstration("Pendulum-v1");
    await play([0.5]);
    made.judge(true);
    const store = memoryFileStore();
    const service = new DataService(store);
    const played = { name: "pendulum/by-hand-v0", environment: "Pendulum-v1", episodes: kept };
    const dataset = await service.keepPlayed(played);
    expect(dataset).toMatchObject({ kind: "episodes", origin: "recorded", rows: 200, episodes: 1 });
    const main = await store.read(`/v1/datasets/${dataset.sha256}/${MAIN_FILE}`);
    const read = await openDataset(new Blob([new Uint8Array(main)]));
    const { observation_space, action_space } = findEnvironment("Pendulum-v1");
    const spaces = { observation_space, action_space } as Parameters<Dataset["transitions"]>[0];
    const { rows } = await read.transitions(spaces);
    expect(Array.from(rows.obs as Float32Array).slice(0, 3)).toEqual(
      Array.from(kept[0]?.observations.slice(0, 3) ?? []),
    );
    expect(parseManifestObject(manifestForDataset(dataset)).algorithm.name).toBe("IQL");
    expect((await service.view(dataset.sha256)).acted).toEqual([
      { min: 0.5, max: 0.5, whole: false, counts: [200] },
    ]);
    expect((await service.view(dataset.sha256)).episodes).toMatchObject([{ steps: 200, end: "truncated" }]);
    expect(parseManifestObject(cloningManifest(dataset)).environment).toMatchObject({
      dataset_path: "datasets/pendulum/by-hand-v0",
    });
    await expect(service.keepPlayed({ ...played, episodes: [] })).rejects.toThrow("found 0 steps");
  });
});

it("a manifest that imitates fits every environment with choices or numbers for one agent", () => {
  const faults = listEnvironments().flatMap((environment) => {
    const { observation_space, action_space } = findEnvironment(environment);
    if (observation_space.kind === "Agents" || !["Discrete", "Box"].includes(action_space.kind)) return [];
    const dataset = { name: "x/by-hand-v0", environment, kind: "episodes" } as Parameters<
      typeof cloningManifest
    >[0];
    try {
      parseManifestObject(cloningManifest(dataset));
      return [];
    } catch (error) {
      return [`${environment}: ${error}`];
    }
  });
  expect(faults).toEqual([]);
});

describe("what a person wants", () => {
  const ENGINES = ["nothing", "left engine", "main engine", "right engine"];
  const pad = (axes: readonly number[], ...pressed: readonly number[]) => ({
    axes,
    buttons: Array.from({ length: 16 }, (_, i) => ({ pressed: pressed.includes(i) })),
  });

  it("is led to by arrows, where names say where a choice leads", () => {
    const space = new Discrete(4);
    expect([...directionsOf(space, ENGINES)]).toEqual([
      ["left", 1],
      ["right", 3],
      ["up", 2],
    ]);
    expect(directionsOf(space, null).size).toBe(0);
    expect(restingAction(space, ENGINES)).toEqual([0]);
    expect(restingAction(new Discrete(3), ["push left", "no push", "push right"])).toEqual([1]);
    expect(restingAction(new Discrete(2), ["push left", "push right"])).toBeNull();
  });

  it("is read from a gamepad: a direction, a button, or an axis for each number", () => {
    const space = new Discrete(4);
    const directions = directionsOf(space, ENGINES);
    expect(padAction(space, pad([-0.9, 0]), directions)).toEqual([1]);
    expect(padAction(space, pad([0, 0], 15), directions)).toEqual([3]);
    expect(padAction(space, pad([0.1, 0.1], 2), directions)).toEqual([2]);
    expect(padAction(space, pad([0.1, 0.1]), directions)).toBeNull();
    const box = new Box({ low: [-2, -1, -Infinity], high: [3, 1, Infinity] });
    expect(padAction(box, pad([0.5, 1, -1]), new Map())).toEqual([1.5, -1, -1]);
    expect(padAction(box, pad([0.1, -0.1, 0]), new Map())).toBeNull();
  });

  it("rests where a choice does nothing, and else stays; keys go before the pad", () => {
    const pads = [pad([0, 0])];
    const lander = new Hand(new Discrete(4), ENGINES, () => pads);
    expect(lander.action()).toEqual([0]);
    lander.point(2);
    expect(lander.action()).toEqual([2]);
    lander.point(null);
    expect(lander.action()).toEqual([0]);
    pads[0] = pad([1, 0]);
    expect(lander.action()).toEqual([3]);
    const cart = new Hand(new Discrete(2), ["push left", "push right"], () => []);
    cart.point(1);
    expect(cart.action()).toEqual([1]);
    cart.point(null);
    expect(cart.action()).toEqual([1]);
    const pendulum = new Hand(new Box({ low: -2, high: 2, shape: [1] }), ["torque"], () => []);
    pendulum.set([0.5]);
    expect(pendulum.action()).toEqual([0.5]);
  });
});
