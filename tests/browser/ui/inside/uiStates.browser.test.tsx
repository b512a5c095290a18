/** Axe on states of pages: what is empty, ended, open or wrong, in both themes. */
import { expect, it, onTestFinished } from "vitest";
import { page, userEvent } from "vitest/browser";
import { templates } from "../../../../src/manifests/templates.ts";
import { packPolicy } from "../../../../src/stage/packedPolicy.ts";
import { decodeKeptAgent } from "../../../../src/training/files.ts";
import { playLink } from "../../../../src/ui/pages/play/playLink.ts";
import type { FakeCoordinator } from "../../../ui/inside/support/fakeCoordinator.ts";
import { renderApp } from "../../../ui/inside/support/renderApp.tsx";
import { axeFaults } from "../../../ui/support/axeFaults.ts";
import { settled } from "../../../ui/support/openPlace.ts";
import { agentFile } from "../../../ui/support/stageAgents.ts";
import { withRun } from "../../../ui/support/withRun.ts";

const run = "#/runs/run-1";
const dialog = "[role=dialog]";

type Prepare = (fake: FakeCoordinator) => void;

const ended =
  (state: "paused" | "stopped" | "finished" | "failed", failure: string | null = null): Prepare =>
  (fake) => {
    withRun(3)(fake);
    fake.runs.get("run-1")?.setState(state, failure);
  };

const resumed: Prepare = (fake) => {
  ended("stopped")(fake);
  const found = fake.runs.get("run-1");
  found?.setState("running");
  found?.generation();
};

const two: Prepare = (fake) => {
  for (const prepare of [withRun(3), withRun(2)]) prepare(fake);
  fake.runs.get("run-2")?.setState("stopped");
};

const game: Prepare = (fake) => {
  const added = fake.add({ ...templates.find(({ id }) => id === "ppo-tictactoe")?.manifest });
  for (let generation = 0; generation < 2; generation += 1) added.generation();
};

const unsound: Prepare = (fake) => {
  const segments = ["environment", "name"];
  const place = { path: "environment.name", segments, line: 9, column: 9 };
  fake.issues = [{ code: "rule", message: "DQN cannot act in this environment", ...place }];
};

const press = (name: string) => async (): Promise<void> => {
  await page.getByRole("button", { name, exact: true }).first().click();
};

const choose = (name: string) => async (): Promise<void> => {
  await press("More")();
  await page.getByRole("menuitem", { name, exact: true }).click();
};

const played = await playLink(agentFile(1), async ({ bytes, ...place }) =>
  packPolicy({ agent: decodeKeptAgent(bytes).agent, ...place }),
);

const stopped = ended("stopped");
const nothing: Prepare = () => undefined;

interface State {
  readonly prepare: Prepare;
  readonly hash: string;
  /** Brings the page into the state. */
  readonly act?: () => Promise<void>;
  /** Selector of what the state is about (default: the page). */
  readonly part?: string;
}

const STATES: Readonly<Record<string, State>> = {
  "empty storage": { prepare: nothing, hash: "#/storage" },
  "no run to compare": { prepare: nothing, hash: "#/compare" },
  "a run that is gone": { prepare: nothing, hash: run },
  "an unknown page": { prepare: nothing, hash: "#/nowhere" },
  "a run before its first generation": { prepare: withRun(0), hash: run },
  "a run at work": { prepare: withRun(3), hash: run },
  "a paused run": { prepare: ended("paused"), hash: run },
  "a stopped run": { prepare: stopped, hash: run },
  "a failed run": { prepare: ended("failed", "The loss is not finite."), hash: run },
  "a finished run": { prepare: ended("finished"), hash: run },
  "a resumed run": { prepare: resumed, hash: run },
  "a game against a run": { prepare: game, hash: `${run}?tab=play` },
  "one run compared": { prepare: two, hash: "#/compare?runs=run-1" },
  "two runs compared": { prepare: two, hash: "#/compare?runs=run-1,run-2" },
  "a selection of runs": {
    prepare: two,
    hash: "#/",
    act: async () => page.getByRole("checkbox", { name: /^Select all/ }).click(),
  },
  "the menu of a run": { prepare: stopped, hash: run, act: press("More"), part: ".menu" },
  "a run about to be deleted": { prepare: stopped, hash: run, act: press("Delete") },
  "the dialog that shares": { prepare: stopped, hash: run, act: choose("Share champion…"), part: dialog },
  "the dialog that films": { prepare: stopped, hash: run, act: press("Film"), part: dialog },
  "the dialog that repeats": { prepare: stopped, hash: run, act: choose("Repeat over seeds…"), part: dialog },
  "the dialog that records": { prepare: stopped, hash: run, act: choose("Record data set…"), part: dialog },
  "the dialog that extends": { prepare: stopped, hash: run, act: choose("Train longer…"), part: dialog },
  "the dialog of sweeps": {
    prepare: nothing,
    hash: "#/new?template=dqn-cartpole",
    act: press("Sweep…"),
    part: dialog,
  },
  "an editor with errors": { prepare: unsound, hash: "#/new?template=dqn-cartpole" },
  "the palette": { prepare: two, hash: "#/", act: () => userEvent.keyboard("{Control>}k{/Control}") },
  "the gallery of tasks": { prepare: nothing, hash: "#/new" },
  "the page of a game": { prepare: nothing, hash: "#/environments?play=rlkit%2FTicTacToe" },
  "an agent from a link": { prepare: nothing, hash: new URL(played).hash },
  "a link without an agent": { prepare: nothing, hash: "#/play" },
};

it.each(Object.entries(STATES))("%s", async (_name, { prepare, hash, act, part = "body" }) => {
  await page.viewport(1280, 900);
  onTestFinished(() => {
    void page.viewport(414, 896);
    delete document.documentElement.dataset.theme;
  });
  const { complaints } = renderApp(hash, prepare);
  await settled();
  await act?.();
  await expect.poll(() => document.querySelector(part)).not.toBeNull();
  await settled();
  for (const theme of ["light", "dark"]) {
    document.documentElement.dataset.theme = theme;
    const faults = await axeFaults({ include: [part], exclude: [".wall"] });
    expect({ theme, faults }).toEqual({ theme, faults: [] });
  }
  expect(complaints).toEqual([]);
});
