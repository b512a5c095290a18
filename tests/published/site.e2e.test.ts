/** The documentation site as `npm run site` builds it, below a path of its host. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import MiniSearch from "minisearch";
import type { ConsoleMessage, Page } from "playwright";
import { type Plugin, preview } from "vite";
import { afterAll, beforeAll, expect } from "vitest";
import { apiPageTitles } from "../../scripts/api/places.ts";
import { placeApp } from "../../scripts/lib/build.mjs";
import { root } from "../../scripts/lib/environment.mjs";
import { runTool } from "../../scripts/lib/tools.mjs";
import { searchWords } from "../../site/.vitepress/searchWords.ts";
import { sidebar } from "../../site/.vitepress/sidebar.ts";
import { appTest } from "../e2e/support/app-test.ts";
import { searchedNames } from "./support/searched-names.ts";
import { siteWalker } from "./support/site-walker.ts";

const BASE = "/some/docs/";
/** In the site's folder of kept files. */
const AXE = "assets/axe.min.js";
const folder = mkdtempSync(path.join(tmpdir(), "rlkit-site-"));
let url = "";
let close = async (): Promise<void> => undefined;

/** Lets a browser keep files with hashed names, as static hosts do: page after page has the same scripts. */
const keptAssets: Plugin = {
  name: "kept-assets",
  configurePreviewServer: ({ middlewares }) => {
    middlewares.use(({ url = "" }, response, next) => {
      if (url.includes("/assets/")) {
        const writeHead = response.writeHead.bind(response) as (
          status: number,
          headers: object,
        ) => typeof response;
        const kept = { "Cache-Control": "public, max-age=31536000, immutable" };
        // The server gives its headers with the status, "no-cache" among them.
        const keep = (status: number, headers: object) => writeHead(status, { ...headers, ...kept });
        response.writeHead = keep as typeof response.writeHead;
      }
      next();
    });
  },
};

beforeAll(async () => {
  const code = await runTool("vitepress", ["build", "site", "--outDir", folder], {
    env: { RLKIT_SITE_BASE: BASE },
  });
  expect(code).toBe(0);
  placeApp(folder);
  cpSync(path.join(root, "node_modules/axe-core/axe.min.js"), path.join(folder, AXE));
  const server = await preview({
    root,
    base: BASE,
    configFile: false,
    appType: "mpa",
    build: { outDir: folder },
    logLevel: "error",
    preview: { host: "127.0.0.1", port: 0, open: false },
    plugins: [keptAssets],
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

/** Without the frame around all pages. */
const ownPart = (page: string): string => /<main[\s\S]*<\/main>/.exec(textOf(page))?.[0] ?? "";

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

appTest("gives each page a title and a description of its own, and one heading of the first level", () => {
  const heads = pages().map((page) => {
    const text = textOf(page);
    const [, title = ""] = /<title>([^<]+)<\/title>/.exec(text) ?? [];
    const [, description = ""] = /<meta name="description" content="([^"]+)">/.exec(text) ?? [];
    return { page, title, description, headings: text.match(/<h1[ >]/g)?.length ?? 0 };
  });
  expect(heads.filter(({ headings }) => headings !== 1)).toEqual([]);
  // Screen readers list headings by their levels, and say what a picture shows.
  const levels = (page: string) =>
    [...ownPart(page).matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
  const leaps = (page: string) => levels(page).some((level, i, all) => level > (all[i - 1] ?? level) + 1);
  expect(pages().filter(leaps)).toEqual([]);
  expect(pages().filter((page) => /<img(?![^>]* alt="[^"])/.test(ownPart(page)))).toEqual([]);
  expect(pages().filter((page) => !/<html [^>]*lang="en/.test(textOf(page)))).toEqual([]);
  expect(heads.filter(({ title, description }) => title === "" || description.length < 20)).toEqual([]);
  for (const part of ["title", "description"] as const)
    expect(heads.filter((one) => heads.some((other) => other !== one && other[part] === one[part]))).toEqual(
      [],
    );
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

/** Starts the run of a page, and waits for its first dot. */
async function startRun(page: Page, file: string): Promise<void> {
  const place = page.locator(".live-run__stage").first();
  const before = await place.evaluate((element) => element.clientHeight);
  await page.locator(".live-run__start").click();
  expect([file, await place.evaluate((element) => element.clientHeight)]).toEqual([file, before]);
  const run = page.frameLocator("iframe.live-run__stage").locator(".live__run").first();
  await run.locator("[data-dots=true]").waitFor();
  expect([file, await run.locator("[role=alert]").allTextContents()]).toEqual([file, []]);
  if (file !== "index.html") return;
  // A small run may have ended by now, and loses its button while a script looks at it.
  await run
    .getByRole("button", { name: "Stop" })
    .evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLButtonElement).click()));
  await run.getByRole("button", { name: "Start again" }).waitFor();
}

/** The tags and classes in a page's own part, which faults of the theme and of the pages' components lie in. */
function kindsOf(page: string): ReadonlySet<string> {
  const tags = [...ownPart(page).matchAll(/<([a-z][\w-]*)(?:[^>]*? class="([^"]*)")?/g)];
  const kinds = tags.flatMap(([, tag, classes = ""]) => classes.split(/\s+/).map((one) => `${tag}.${one}`));
  // The theme names each page by a class.
  return new Set(kinds.filter((kind) => !kind.startsWith("div._some_docs_")));
}

/** All pages with RLKIT_ALL_PAGES=1; otherwise a few that have all kinds of content between them, the first page among them. */
function walkedPages(): string[] {
  if (process.env.RLKIT_ALL_PAGES === "1") return pages();
  const kinds = new Map(pages().map((page) => [page, kindsOf(page)]));
  const left = new Set([...kinds.values()].flatMap((some) => [...some]));
  const news = (page: string): number => [...(kinds.get(page) ?? [])].filter((kind) => left.has(kind)).length;
  const chosen: string[] = [];
  for (let next = "index.html"; left.size > 0; next = pages().reduce((a, b) => (news(b) > news(a) ? b : a))) {
    chosen.push(next);
    for (const kind of kinds.get(next) ?? []) left.delete(kind);
  }
  return chosen;
}

appTest(
  "has no faults on the pages that it walks, and trains in each that has a run, and stores nothing",
  async ({ page }) => {
    const faults: string[] = [];
    const hear = (message: ConsoleMessage) => faults.push(`the page logs: ${message.text()}`);
    const walker = await siteWalker(page, `${url}${AXE}`);
    let live = 0;
    const walked = walkedPages();
    for (const file of walked) {
      page.on("console", hear);
      const found = await walker.visit(`${url}${file}`);
      faults.push(...found.map((fault) => `${file}: ${fault}`));
      // watchPage fails the test for errors of a run. Its notices are allowed.
      page.off("console", hear);
      if (!textOf(file).includes("live-run__start")) continue;
      await startRun(page, file);
      live++;
    }
    // What most pages can be at fault for alone: their texts, tables and code.
    const others = pages().filter((page) => !walked.includes(page));
    expect(await walker.wide(others.map((file) => `${url}${file}`))).toEqual([]);
    expect(faults).toEqual([]);
    expect(live).toBeGreaterThan(process.env.RLKIT_ALL_PAGES === "1" ? 18 : 1);
    expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  },
);

appTest("leads from guides to the names that they speak of, and back", () => {
  expect(textOf("datasets.html")).toContain(`href="${BASE}api/rlkit/datasets.html#openDataset"`);
  const described = textOf("api/rlkit/datasets.html").split('id="openDataset"')[1] ?? "";
  expect(described).toContain(`href="${BASE}datasets.html"`);
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
  // Blocks of code are searched without the name of their language, and pictures word by word.
  const joined = ["yamlalgorithm:", "yamlalgorithm", "tsimport", "shrlkit", "mermaidflowchart"];
  expect(joined.filter((word) => index.search(word).length > 0)).toEqual([]);
  expect(index.search("GenerationReport").length).toBeGreaterThan(0);
});

appTest("has the workbench at /app, whose help leads back", async ({ page }) => {
  expect(textOf("index.html")).toContain(`${BASE}app/index.html`);
  await page.goto(`${url}app/index.html#/help`);
  const links = page.getByRole("region", { name: "Documentation" }).getByRole("link");
  await links.first().waitFor();
  const addresses = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  const files = addresses.map((address) => address.replace(url, "").replace(/(^|\/)$/, "$1index.html"));
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !pages().includes(file))).toEqual([]);
});

appTest("draws diagrams", () => {
  const drawn = pages().filter((page) => textOf(page).includes('class="diagram"'));
  expect(drawn).toContain("architecture/index.html");
  expect(pages().filter((page) => /language-mermaid|fonts\.googleapis/.test(textOf(page)))).toEqual([]);
});
