/** The documentation site as `npm run site` builds it, below a path of its host. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import MiniSearch from "minisearch";
import { preview } from "vite";
import { afterAll, beforeAll, expect } from "vitest";
import { apiPageTitles } from "../../scripts/api/places.ts";
import { root } from "../../scripts/lib/environment.mjs";
import { runTool } from "../../scripts/lib/tools.mjs";
import { searchWords } from "../../site/.vitepress/searchWords.ts";
import { sidebar } from "../../site/.vitepress/sidebar.ts";
import { appTest } from "./support/app-test.ts";
import { faults } from "./support/axe-faults.ts";
import { searchedNames } from "./support/searched-names.ts";

const BASE = "/some/docs/";
const folder = mkdtempSync(path.join(tmpdir(), "rlkit-site-"));
let url = "";
let close = async (): Promise<void> => undefined;

beforeAll(async () => {
  const code = await runTool("vitepress", ["build", "site", "--outDir", folder], {
    env: { RLKIT_SITE_BASE: BASE },
  });
  expect(code).toBe(0);
  const server = await preview({
    root,
    base: BASE,
    configFile: false,
    appType: "mpa",
    build: { outDir: folder },
    logLevel: "error",
    preview: { host: "127.0.0.1", port: 0, open: false },
  });
  // A server that listens at a port has an address with one.
  const { port } = server.httpServer.address() as { port: number };
  url = `http://127.0.0.1:${port}${BASE}`;
  close = () => server.close();
});

afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const pages = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => file.endsWith(".html") && file !== "404.html" && !file.startsWith("app/"));

const textOf = (page: string): string => readFileSync(path.join(folder, page), "utf8");

const anchors = new Map<string, ReadonlySet<string>>();

/** The ids of a page's elements. */
function anchorsOf(page: string): ReadonlySet<string> {
  const found =
    anchors.get(page) ?? new Set([...textOf(page).matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));
  anchors.set(page, found);
  return found;
}

/** Where links lead: a file of the built site, and a heading in it. */
function targetsOf(page: string): { readonly file: string; readonly anchor: string }[] {
  return [...textOf(page).matchAll(/ (?:href|src)="([^"]+)"/g)].flatMap(([, link = ""]) => {
    if (/^(?:[a-z]+:|\/\/)/.test(link)) return [];
    const [to = "", anchor = ""] = link.split("#");
    const absolute = to.startsWith("/") ? to : path.posix.join(BASE, path.posix.dirname(page), to);
    const file = to === "" ? page : absolute.replace(BASE, "").replace(/(^|\/)$/, "$1index.html");
    return [{ file, anchor: decodeURIComponent(anchor) }];
  });
}

appTest("has a page for each page of docs and of the API reference, whose links lead somewhere", () => {
  const sources = readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" });
  const texts = sources.filter((file) => file.endsWith(".md"));
  expect(pages()).toHaveLength(texts.length + apiPageTitles.length);
  const dead = pages().flatMap((page) =>
    targetsOf(page)
      // The workbench is copied into the site afterwards.
      .filter(({ file }) => !file.startsWith("app/"))
      .filter(
        ({ file, anchor }) =>
          !existsSync(path.join(folder, file)) ||
          (anchor !== "" && file.endsWith(".html") && !anchorsOf(file).has(anchor)),
      )
      .map(({ file, anchor }) => `${page}: ${file}#${anchor}`),
  );
  expect(dead).toEqual([]);
});

appTest("names each page at its side", () => {
  const linked = sidebar.flatMap(({ items = [] }) => items.map(({ link = "" }) => link));
  const addresses = pages().map((page) => `/${page.replace(/\.html$/, "").replace(/(^|\/)index$/, "$1")}`);
  expect(linked.toSorted()).toEqual(addresses.toSorted());
});

appTest("is readable after at most 120 KB", () => {
  const needed = targetsOf("index.html").flatMap(({ file }) =>
    /\.(?:js|css|woff2)$/.test(file) ? [file] : [],
  );
  const bytes = ["index.html", ...new Set(needed)].map(
    (file) => gzipSync(readFileSync(path.join(folder, file))).byteLength,
  );
  expect(bytes.length).toBeGreaterThan(3);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(120_000);
});

appTest("shows each page without complaint, also on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const file of pages()) {
    await page.goto(`${url}${file}`);
    await page.locator("main h1").first().waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect([file, wide]).toEqual([file, false]);
  }
});

appTest("leads from guides to the names that they speak of, and back", () => {
  expect(textOf("datasets.html")).toContain(`href="${BASE}api/rlkit/datasets.html#openDataset"`);
  const described = textOf("api/rlkit/datasets.html").split('id="openDataset"')[1] ?? "";
  expect(described).toContain(`href="${BASE}datasets.html"`);
});

appTest("has no faults that axe finds", async ({ page }) => {
  for (const file of ["index.html", "api/rlkit/training.html"]) {
    await page.goto(`${url}${file}`);
    await page.locator("main h1").first().waitFor();
    expect(await faults(page)).toEqual([]);
  }
});

appTest.for([
  ["learn_step", /\.html#/],
  ["saveAgent", /\/api\/rlkit\/training\.html#saveAgent$/],
] as const)("finds %s", async ([name, place], { page }) => {
  await page.goto(url);
  await page.locator("main h1").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.locator("#localsearch-input").fill(name);
  await page.locator("#localsearch-list a").first().click();
  await page.waitForURL(place);
  await expect.poll(() => page.locator("main").textContent()).toContain(name);
});

appTest("has every name of manifests, environments, errors and events in its search", async () => {
  const chunks = path.join(folder, "assets/chunks");
  const [file = ""] = readdirSync(chunks).filter((name) => name.startsWith("@localSearchIndex"));
  // The chunk is a text of JSON between backticks.
  const [, json = ""] = /`([\s\S]*)`/.exec(readFileSync(path.join(chunks, file), "utf8")) ?? [];
  const index = MiniSearch.loadJSON(json.replaceAll(/\\([`$\\])/g, "$1"), {
    fields: ["title", "titles", "text"],
    tokenize: searchWords,
  });
  const names = searchedNames();
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name) => index.search(name, { combineWith: "AND" }).length === 0)).toEqual([]);
});

appTest("has the workbench at /app", async () => {
  expect(textOf("index.html")).toContain(`${BASE}app/index.html`);
  expect(statSync(path.join(root, "dist/app/index.html")).isFile()).toBe(true);
});

appTest("trains in each page that has a run, and stores nothing", async ({ page }) => {
  cpSync(path.join(root, "dist/app"), path.join(folder, "app"), { recursive: true });
  const live = pages().filter((file) => textOf(file).includes("live-run__start"));
  expect(live.length).toBeGreaterThan(18);
  for (const file of live) {
    await page.goto(`${url}${file}`);
    const start = page.locator(".live-run__start");
    const place = page.locator(".live-run__stage").first();
    const before = await place.evaluate((element) => element.clientHeight);
    await start.click();
    expect([file, await place.evaluate((element) => element.clientHeight)]).toEqual([file, before]);
    const run = page.frameLocator("iframe.live-run__stage").locator(".live__run").first();
    await run.locator("[data-dots=true]").waitFor();
    expect([file, await run.locator("[role=alert]").allTextContents()]).toEqual([file, []]);
    // A small run may have ended by now, and loses its button while a script looks at it.
    await run
      .getByRole("button", { name: "Stop" })
      .evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLButtonElement).click()));
    await run.getByRole("button", { name: "Start again" }).waitFor();
  }
  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
});
