/**
 * `npx tsx scripts/theatre/filmRecorded.ts`: films the run that the first page plays, in the built workbench (npm run build)
 * and headless Chromium, and writes it into docs/images/film.gif.
 */
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright";
import type { FilmOrder } from "../../src/stage/stageProtocol.ts";
import { loadRecording } from "../../src/ui/theatre/loadRecording.ts";
import { type Act, recordedActs } from "../../src/ui/theatre/recordedActs.ts";
import { launchBrowser } from "../../tests/e2e/support/launch-browser.ts";
import { serveApp } from "../../tests/e2e/support/serve-app.ts";
import { root } from "../lib/environment.mjs";

/** Seconds of a generation, and every how many generations are filmed. */
const [SECONDS, EVERY] = [3, 2] as const;

/** Values of the page's tokens by name. */
const tokensOf = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(`(() => {
    const style = getComputedStyle(document.documentElement);
    const names = Array.from(document.styleSheets).flatMap((sheet) => Array.from(sheet.cssRules))
      .flatMap((rule) => Array.from(rule.style ?? [])).filter((name) => name.startsWith("--"));
    return Object.fromEntries(names.map((name) => [name.slice(2), style.getPropertyValue(name).trim()]));
  })()`);

/** The film's order; policies are in base64, since a page is told everything as text. */
function orderOf(acts: readonly Act[], tokens: Readonly<Record<string, string>>) {
  const colour = (name: string): string => {
    const value = tokens[name];
    if (value === undefined) throw new Error(`src/ui/styles/tokens.css has no --${name}`);
    return value;
  };
  const ramp = Object.keys(tokens).filter((name) => /^fitness-\d+$/.test(name));
  return {
    title: "Teach a cheetah to run",
    about: "PPO on rlkit/HalfCheetah-v0",
    theme: {
      fitness: ramp.map(colour),
      ink: colour("ink"),
      accent: colour("elite"),
      muted: colour("line-strong"),
      ground: colour("surface-2"),
      line: colour("line"),
      surface: colour("surface"),
      soft: colour("ink-2"),
      target: colour("target"),
    },
    acts: acts
      .filter((_, at) => at % EVERY === 0 || at === acts.length - 1)
      .map(({ generation, players, best }) => ({
        generation,
        seconds: SECONDS,
        best: Math.round(best).toLocaleString("en"),
        members: players.map(({ key, file, packed, colour: slot, ancestors = [], note = null }) => ({
          key,
          packed,
          ancestors,
          note,
          environment: file.environment,
          env_config: null,
          module: null,
          bytes: Buffer.from(file.bytes).toString("base64"),
          colour: colour(`slot-${slot}`),
          fitness: file.fitness,
        })),
      })),
    curve: {
      label: "Best fitness",
      generation: acts.map(({ generation }) => generation),
      best: acts.map(({ best }) => best),
      target: null,
    },
    shape: "wide",
    opening: null,
    format: { kind: "gif" },
  } satisfies Omit<FilmOrder, "acts"> & { readonly acts: readonly unknown[] };
}

/** Has the page's stage worker make the film. @returns it in base64 */
const filmed = (page: Page, worker: string, order: unknown): Promise<string> =>
  page.evaluate<string>(`new Promise((resolve, reject) => {
    const worker = new Worker("./assets/${worker}", { type: "module" });
    worker.addEventListener("message", ({ data }) => {
      if (data.kind === "problem") reject(new Error(data.message));
      if (data.kind !== "filmed") return;
      const reader = new FileReader();
      reader.addEventListener("load", () => resolve(reader.result.split(",")[1]));
      reader.readAsDataURL(new Blob([data.bytes]));
    });
    const order = ${JSON.stringify(order)};
    for (const { members } of order.acts)
      for (const member of members)
        member.bytes = Uint8Array.from(atob(member.bytes), (letter) => letter.charCodeAt(0));
    const { port2 } = new MessageChannel();
    worker.postMessage({ kind: "film", order, sandboxes: port2 }, [port2]);
  })`);

const acts = recordedActs(await loadRecording());
const worker = readdirSync(path.join(root, "dist/app/assets")).find((name) =>
  /^stage\.worker-.*\.js$/.test(name),
);
if (worker === undefined) throw new Error("dist/app is not built: npm run build");
const app = await serveApp();
const browser = await launchBrowser({ gpu: false });
const page = await browser.newPage({ colorScheme: "dark" });
// A page without a stage of its own.
await page.goto(`${app.url}#/help`);
const film = Buffer.from(await filmed(page, worker, orderOf(acts, await tokensOf(page))), "base64");
await browser.close();
await app.close();
const place = "docs/images/film.gif";
writeFileSync(path.join(root, place), film);
console.log(`${place}: ${film.length} bytes`);
