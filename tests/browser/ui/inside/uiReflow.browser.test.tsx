/** Pages at 320 CSS pixels, as on the narrowest of phones, and as 1,280 pixels show them at a zoom of 400 %. */
import { expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { parseRoute, RUN_TABS } from "../../../../src/ui/routes/route.ts";
import { renderApp } from "../../../ui/inside/support/renderApp.tsx";
import { axeFaults } from "../../../ui/support/axeFaults.ts";
import { openPlace } from "../../../ui/support/openPlace.ts";
import { withRun } from "../../../ui/support/withRun.ts";

const NARROW = 320;

/** What is wider than the page and not within an element that scrolls by itself. */
function overflowing(): string[] {
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth) return [];
  const wide = [...document.querySelectorAll("main *, header *")].filter((element) => {
    const { right, width } = element.getBoundingClientRect();
    return width > 0 && right > root.clientWidth + 1;
  });
  return [
    `${root.scrollWidth} pixels wide`,
    ...wide.slice(0, 3).map(({ tagName, className }) => `${tagName} ${className}`),
  ];
}

/** Pixels of a phone's 844 that the head of a page may take, and the bar of the live run. */
const [MOST_HEAD, MOST_BAR] = [160, 56] as const;

it("heads and the bar of the live run leave a phone's screen to what a page is for", async () => {
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(414, 896));
  renderApp("#/", (fake) => {
    withRun(3)(fake);
    const { listRuns } = fake.coordinator;
    fake.coordinator.listRuns = async () => (await listRuns()).map((run) => ({ ...run, state: "running" }));
  });
  const bar = page.getByRole("region", { name: "Live run" });
  await expect.element(bar).toBeVisible();
  expect(bar.element().getBoundingClientRect().height).toBeLessThanOrEqual(MOST_BAR);
  const tall: string[] = [];
  const pages = {
    "#/new": "New run",
    "#/environments": "Environments",
    "#/environments?new=1": "New environment",
    "#/environments?play=LunarLander-v3": "LunarLander",
    "#/data": "Data",
    "#/runs/run-1": "My run",
  };
  for (const [hash, heading] of Object.entries(pages)) {
    window.location.hash = hash;
    await expect.element(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await expect.poll(() => document.querySelector(".page__head, .run-head")).not.toBeNull();
    window.scrollTo(0, 0);
    const { bottom } = document.querySelector(".page__head, .run-head")?.getBoundingClientRect() ?? {
      bottom: 0,
    };
    if (bottom > MOST_HEAD) tall.push(`${hash}: ${bottom}`);
  }
  expect(tall).toEqual([]);
});

it("all pages and views fit 320 pixels, and axe finds nothing", async () => {
  await page.viewport(NARROW, 640);
  onTestFinished(() => page.viewport(414, 896));
  const { complaints } = renderApp("#/", withRun(3));
  const found: Record<string, readonly string[]> = {};
  const pages = [
    ...[
      "#/",
      "#/new",
      "#/new?template=dqn-cartpole",
      "#/environments",
      "#/environments?new=1",
      "#/environments?play=CartPole-v1",
      "#/data",
      "#/chat",
      "#/remote",
    ],
    ...["#/storage", "#/settings", "#/help", "#/compare?runs=run-1"],
    ...RUN_TABS.map((tab) => `#/runs/run-1?tab=${tab}`),
  ];
  for (const hash of pages) {
    await openPlace(hash);
    const faults = [...overflowing(), ...(await axeFaults({ landmarks: true }))];
    if (faults.length > 0) found[hash] = faults;
  }
  expect(found).toEqual({});
  expect(parseRoute(window.location.hash)).toMatchObject({ page: "run", tab: RUN_TABS.at(-1) });
  expect(complaints).toEqual([]);
});
