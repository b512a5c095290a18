/** Bodies in the built app: MuJoCo under the page's policy, loaded when a task needs it. */
import { expect } from "vitest";
import { builtInTemplate, type TemplateId } from "../../src/manifests/templates.ts";
import { sharedManifest } from "../../src/ui/pages/editor/sharedManifest.ts";
import { appTest, withMotion } from "./support/app-test.ts";

/** A short run of the template. */
function shortRun(id: TemplateId): string {
  const { manifest } = builtInTemplate(id);
  const { algorithm, training, environment } = manifest;
  return sharedManifest(
    JSON.stringify({
      ...manifest,
      algorithm: { ...algorithm, learn_step: 256, batch_size: 128 },
      environment: { ...environment, num_envs: 4 },
      training: { ...training, pop_size: 2, max_steps: 2048, evo_steps: 512, eval_steps: 100 },
    }),
  );
}

appTest("trains Hopper-v5, and fetches MuJoCo when it is needed, not before", async ({ app, page }) => {
  await withMotion(page);
  const fetched: string[] = [];
  page.context().on("request", (request) => fetched.push(new URL(request.url()).pathname));
  const isPhysics = (path: string): boolean => /mujoco.*\.(bin|wasm)$/i.test(path);
  await page.goto(app.url);
  await page.getByRole("button", { name: "Teach a cheetah to run" }).waitFor();
  await page.getByRole("link", { name: "All templates and the editor" }).click();
  await page.getByRole("heading", { name: "Bodies", exact: true }).waitFor();
  expect(fetched.filter((path) => /mujocoMaker/i.test(path) || isPhysics(path))).toEqual([]);

  await page.goto(`${app.url}#/new?spec=${shortRun("ppo-hopper")}`);
  const start = page.getByRole("button", { name: /^Start/ }).first();
  await start.waitFor();
  await start.click();
  const status = page.getByRole("status").filter({ hasText: /Generation [1-9]/ });
  await status.first().waitFor();
  expect(fetched.filter(isPhysics).length).toBeGreaterThan(0);
  await page.locator(".wall__stage[data-moving=true]").waitFor();
  await page.locator(".wall__tile").first().click();
  const played = page.getByRole("dialog");
  await expect
    .poll(() =>
      played
        .locator("dd")
        .filter({ hasText: /^-?\d+\.\d m$/ })
        .count(),
    )
    .toBe(1);
  await expect
    .poll(() =>
      played
        .locator("dd")
        .filter({ hasText: /^-?\d+\.\d m\/s$/ })
        .count(),
    )
    .toBe(1);
});
