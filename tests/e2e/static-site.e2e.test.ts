import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { headersFile } from "../../src/cli/app/siteHeaders.ts";
import { appTest } from "./support/app-test.ts";
import { serveApp } from "./support/serve-app.ts";

/** Opens a page of another site that frames `url`, and gives the frame. */
async function framedElsewhere(
  page: Page,
  url: string,
  work: (frame: ReturnType<Page["frameLocator"]>) => Promise<void>,
) {
  const other = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(`<!doctype html><title>other</title><iframe src="${url}"></iframe>`);
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  // A server that listens at a port has an address with one.
  const { port } = other.address() as AddressInfo;
  try {
    await page.goto(`http://localhost:${port}/`);
    await work(page.frameLocator("iframe"));
  } finally {
    other.close();
    other.closeAllConnections();
  }
}

describe("the built site", () => {
  appTest("opens at the root of a host", async ({ app, page }) => {
    await page.goto(app.url);
    await page.locator("#root main").waitFor();
    expect(await page.title()).toContain("rlkit");
  });

  appTest("opens below any path of a host", async ({ page }) => {
    const below = await serveApp({ path: "/some/lab/" });
    try {
      await page.goto(below.url);
      await page.locator("#root main").waitFor();
      // What it still loads would be missed once the server is gone.
      await page.goto("about:blank");
    } finally {
      await below.close();
    }
  });

  appTest("shares memory among its workers on a host that sends its headers", async ({ app, page }) => {
    await page.goto(app.url);
    const coordinator = page.workers()[0] ?? (await page.waitForEvent("worker"));
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(await coordinator.evaluate(() => crossOriginIsolated)).toBe(true);
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
      // The page's own policy refuses it, and its host's.
      const refused = expect.stringContaining("Content Security Policy");
      expect(complaints.splice(0)).toEqual([refused, refused]);
    },
  );

  appTest("connects to nothing", async ({ app, page, complaints }) => {
    await page.goto(app.url);
    const tried = await page.evaluate(() =>
      fetch("/index.html").then(
        () => "fetched",
        () => "refused",
      ),
    );
    expect(tried).toBe("refused");
    expect(complaints.splice(0)).toContainEqual(expect.stringContaining("connect-src 'none'"));
  });

  appTest("is shown in no frame by a host that sends its headers", async ({ app, page, complaints }) => {
    await framedElsewhere(page, app.url, async (frame) => {
      await expect.poll(() => complaints.length).toBeGreaterThan(0);
      expect(await frame.locator("#root").count()).toBe(0);
    });
    expect(complaints.splice(0)).toContainEqual(expect.stringContaining("frame-ancestors 'none'"));
  });

  appTest("starts nothing in a frame where the host sends no headers", async ({ page }) => {
    const bare = await serveApp({ headers: false });
    const workers: string[] = [];
    page.on("worker", (worker) => workers.push(worker.url()));
    try {
      await framedElsewhere(page, bare.url, async (frame) => {
        const link = frame.getByRole("link", { name: "Open in a new tab" });
        await link.waitFor();
        expect(await link.getAttribute("href")).toBe(bare.url);
        expect(await frame.getByRole("button", { name: "Start", exact: true }).count()).toBe(0);
      });
      expect(workers).toEqual([]);
    } finally {
      await bare.close();
    }
  });

  appTest("brings its headers as a file for static hosts", async ({ app }) => {
    expect(await (await fetch(`${app.url}_headers`)).text()).toBe(headersFile());
  });

  appTest("names whose code it holds, a small link below its pages", async ({ app, page }) => {
    await page.goto(app.url);
    const link = page.getByRole("link", { name: "Third-party notices" });
    await link.waitFor();
    const notices = await fetch(new URL((await link.getAttribute("href")) ?? "", app.url));
    expect(notices.headers.get("content-type")).toContain("text/plain");
    const text = await notices.text();
    for (const name of ["react", "@codemirror/view", "planck", "zod", "comlink", "vite"])
      expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
    expect(text).toContain("Permission is hereby granted, free of charge");
  });
});
