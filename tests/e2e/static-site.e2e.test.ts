import { describe, expect } from "vitest";
import { appTest } from "./support/app-test.ts";
import { serveApp } from "./support/serve-app.ts";

describe("the built site", () => {
  appTest("opens at the root of a host", async ({ app, page }) => {
    await page.goto(app.url);
    await page.locator("#root > *").first().waitFor();
    expect(await page.title()).toContain("rlkit");
  });

  appTest("opens below any path of a host", async ({ page }) => {
    const below = await serveApp({ path: "/some/lab/" });
    try {
      await page.goto(below.url);
      await page.locator("#root > *").first().waitFor();
    } finally {
      await below.close();
    }
  });

  appTest("answers 404 for a file that it does not have", async ({ app }) => {
    expect((await fetch(`${app.url}assets/none.wasm`)).status).toBe(404);
  });

  appTest(
    "compiles WebAssembly under its content security policy, and runs no inline script",
    async ({ app, page, complaints }) => {
      await page.goto(app.url);
      const compiled = await page.evaluate(async () => {
        await WebAssembly.compile(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
        const script = document.createElement("script");
        script.textContent = "window.inlineScriptRan = true";
        document.head.append(script);
        return !("inlineScriptRan" in window);
      });
      expect(compiled).toBe(true);
      expect(complaints.splice(0)).toEqual([expect.stringContaining("Content Security Policy")]);
    },
  );
});
