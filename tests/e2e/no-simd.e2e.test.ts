/** A browser without WebAssembly SIMD is told so, in words, instead of a page that does nothing. */
import { describe, expect } from "vitest";
import { appTest } from "./support/app-test.ts";
import { screenshot } from "./support/screenshot.ts";

describe("a browser without WebAssembly SIMD", () => {
  appTest("shows what is missing and what to do", async ({ app, page }) => {
    await page.addInitScript(() => {
      WebAssembly.validate = () => false;
    });
    await page.goto(app.url);
    await page.getByText(/SIMD/).first().waitFor();
    expect(await page.getByRole("button", { name: "Start", exact: true }).count()).toBe(0);
    await screenshot(page, "no-simd");
  });
});
