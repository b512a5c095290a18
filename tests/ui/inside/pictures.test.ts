import { describe, expect, it } from "vitest";
import { templates } from "../../../src/manifests/templates.ts";
import { drawEnvironment, findEnvironment, listEnvironments, make } from "../../../src/rl/environments.ts";
import { decodeClip, encodeClip } from "../../../src/stage/recording.ts";
import { TARGET_TIMES } from "../../../src/ui/pages/editor/gallery/targetTimes.ts";
import { loadChampions, loadStills } from "../../../src/ui/pictures/loadPictures.ts";

const champions = await loadChampions();

describe("a clip", () => {
  it("keeps whole numbers exactly, and others to a two-thousandth of their range", () => {
    const states = [
      [0, 0.5, 16_777_215, 7],
      [1, -0.25, 3, 7],
      [-5, 1 / 3, 0, 7],
    ];
    const encoded = encodeClip({ states, actions: [null, 1, 0.123456789] });
    const { states: decoded, actions } = decodeClip(JSON.parse(JSON.stringify(encoded)));
    for (const [at, state] of decoded.entries()) {
      expect([state[0], state[2], state[3]]).toEqual([states[at]?.[0], states[at]?.[2], 7]);
      expect(Math.abs((state[1] ?? 0) - (states[at]?.[1] ?? 0))).toBeLessThan(0.75 / 2000);
    }
    expect(actions).toEqual([null, 1, 0.123457]);
    expect(encoded.rows[3]).toEqual([7]);
  });
});

describe("recorded champions", () => {
  it.each(Object.entries(champions))("%s: its template's, and one that solves the task", (id, champion) => {
    const template = templates.find((one) => one.id === champion.template);
    expect(template?.manifest.environment.name).toBe(id);
    expect(template?.manifest.algorithm.name).toBe(champion.algorithm);
    const reached = TARGET_TIMES[champion.template]?.score ?? template?.manifest.training?.target_score;
    expect(champion.score).toBeGreaterThanOrEqual(Number(reached));
  });

  it("move as their actions move the environment", () => {
    const checked = Object.entries(champions).filter(([id, { clip, interval }]) => {
      const { action_space, frame_rate = 30 } = findEnvironment(id);
      const isWhole = Math.abs(interval * frame_rate - 1) < 1e-9;
      return isWhole && action_space.kind === "Discrete" && clip.actions.length > 1;
    });
    expect(checked.map(([id]) => id)).toEqual(expect.arrayContaining(["MountainCar-v0", "Acrobot-v1"]));
    for (const [id, { clip, episode_seed }] of checked) {
      const { states, actions } = decodeClip(clip);
      const env = make(id);
      env.reset({ seed: episode_seed });
      for (const [at, action] of actions.entries()) {
        if (action !== null) env.step(action);
        const off = env.getState().map((value, i) => Math.abs(value - (states[at]?.[i] ?? Number.NaN)));
        expect(Math.max(...off)).toBeLessThan(0.05);
      }
      env.close();
    }
  });
});

it("every environment with a drawing has a still state that it can draw", async () => {
  const stills = await loadStills();
  const shown = listEnvironments().filter((id) => stills.of(id) !== null);
  expect(shown).toEqual(listEnvironments().filter((id) => drawEnvironment(id) !== null));
  const broken = shown.filter((id) => {
    const state = stills.of(id)?.state ?? [];
    const width = champions[id]?.clip.rows.length ?? state.length;
    return state.length !== width || !state.every(Number.isFinite);
  });
  expect(broken).toEqual([]);
  expect(stills.of("user/mine")).toBeNull();
});
