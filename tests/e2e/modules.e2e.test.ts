/** A module beside the built site brings an environment, in the coordinator and in its compute workers. */
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { appTest } from "./support/app-test.ts";

const MODULE = `
export function register({ environment, kernels }) {
  const { Box, compiledEnvironment, Discrete, registerEnvironment } = environment;
  const { abs, add, greater, select, equal, ones, stackColumns } = kernels;
  registerEnvironment(compiledEnvironment({
    id: "my/Line-v0",
    observation_space: new Box({ low: [-2], high: [2] }),
    action_space: new Discrete(2),
    max_episode_steps: 20,
    resetRanges: { place: [-0.5, 0.5] },
    observe: ({ place }) => stackColumns([place]),
    step: ({ place }, action) => {
      const next = { place: add(place, select(equal(action, 1), 0.25, -0.25)) };
      return { state: next, reward: ones(place.shape), terminated: greater(abs(next.place), 1) };
    },
    draw: () => undefined,
    glyph: [{ path: "M10 24h52", style: "guide" }],
    frame_rate: 20,
  }));
}`;

const MANIFEST = {
  algorithm: { name: "DQN", batch_size: 8, learn_step: 4 },
  environment: { name: "my/Line-v0", num_envs: 2 },
  training: { pop_size: 2, max_steps: 200, evo_steps: 50, eval_loop: 1 },
  network: { latent_dim: 8, encoder_config: { hidden_size: [8] }, head_config: { hidden_size: [8] } },
};

/** Calls the page's coordinator as comlink does, which the page itself offers to nobody. */
async function coordinatorOf(page: Page) {
  await page.addInitScript(() => {
    const workers: Worker[] = [];
    Object.assign(globalThis, { workers });
    globalThis.Worker = class extends Worker {
      constructor(...made: ConstructorParameters<typeof Worker>) {
        super(...made);
        workers.push(this);
      }
    };
  });
  return (method: string, ...values: unknown[]): Promise<unknown> =>
    page.evaluate(
      ([name, given]) => {
        const [worker] = (globalThis as unknown as { workers: Worker[] }).workers; // set by the script above
        if (!worker) throw new Error("the page has no coordinator");
        const id = crypto.randomUUID();
        return new Promise((resolve, reject) => {
          worker.addEventListener("message", ({ data }) => {
            if (data.id !== id) return;
            if (data.type === "HANDLER") reject(new Error(JSON.stringify(data.value)));
            else resolve(data.value);
          });
          const argumentList = given.map((value) => ({ type: "RAW", value }));
          worker.postMessage({ id, type: "APPLY", path: [name], argumentList });
        });
      },
      [method, values] as const,
    );
}

describe("a module of a page's own, beside the built site", () => {
  appTest("registers an environment that runs train in", async ({ app, page }) => {
    await page.route("**/my-line.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body: MODULE }),
    );
    const call = await coordinatorOf(page);
    await page.goto(app.url);
    await page.locator("#root main").first().waitFor();
    await call("useModules", [`${app.url}my-line.js`]);
    const id = await call("start", MANIFEST, { device: "wasm", seed: 1 });
    const summary = async () =>
      ((await call("snapshot", id)) as { summary: { state: string; generation: number } }).summary;
    await expect.poll(async () => (await summary()).state).not.toBe("running");
    expect(await summary()).toMatchObject({ state: "finished", environment: "my/Line-v0" });
    expect((await summary()).generation).toBeGreaterThan(1);
  });
});
