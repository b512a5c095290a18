import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { siteHeaders } from "../../src/cli/app/siteHeaders.ts";
import { appTest } from "./support/app-test.ts";
import { watchPage } from "./support/watch-page.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/** A host of dist/app that can go down, and that can put up another version, whose parts have other names. */
async function changingHost() {
  const state = { up: true, redeployed: false };
  const answer = async (name: string): Promise<Buffer | string | null> => {
    if (!state.up || (state.redeployed && name.startsWith("assets/"))) return null;
    const content = await readFile(path.join(root, "dist/app", name)).catch(() => null);
    if (!state.redeployed || name !== "service-worker.js" || content === null) return content;
    return content
      .toString()
      .replace(/"version":"\w+"/, '"version":"next"')
      .replace(/"files":\[[^\]]*\]/, '"files":["index.html"]');
  };
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://host").pathname.slice(1) || "index.html";
    void answer(name).then((content) => {
      const type = TYPES[path.extname(name)] ?? "application/octet-stream";
      response.writeHead(content === null ? 404 : 200, { ...siteHeaders, "Content-Type": type });
      response.end(content ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens at a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    state,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

describe("the site without its host", () => {
  appTest("opens, shows every page, and keeps an old page whole after a new version", async ({ browser }) => {
    const host = await changingHost();
    const context = await browser.newContext({ serviceWorkers: "allow", reducedMotion: "reduce" });
    try {
      const page = await context.newPage();
      const complaints = watchPage(page);
      await page.goto(host.url);
      await heading(page, "Runs").waitFor();
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await page.reload();
      await heading(page, "Runs").waitFor();
      expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);

      // A new version is put up: parts of the old one are gone from the host, and still come.
      host.state.redeployed = true;
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
      await page.getByText("A new version is available.", { exact: false }).waitFor();
      await page.getByRole("link", { name: "Help", exact: true }).click();
      await heading(page, "Help").waitFor();

      host.state.up = false;
      await page.reload();
      for (const name of ["Storage", "Settings", "New run", "Runs"]) {
        await page
          .getByRole("navigation", { name: "Pages" })
          .getByRole("link", { name, exact: true })
          .click();
        await heading(page, name).waitFor();
      }
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
      host.close();
    }
  });
});
