/** A game in code against an agent of its run, which is asked in its worker. */
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { Box, Discrete, spaceToJson } from "../../../../src/rl/spaces.ts";
import type { SandboxedEnvironment } from "../../../../src/sandbox/environments.ts";
import { encodeAgent } from "../../../../src/training/files.ts";
import { CodedGamePanel } from "../../../../src/ui/games/CodedGamePanel.tsx";
import type { AgentFile } from "../../../../src/workers/protocol.ts";
import { agentOf } from "../../../rl/support/agents.ts";
import { axeFaults } from "../../../ui/support/axeFaults.ts";

const STONES = 6;
const spaces = {
  observation_space: new Box({ low: 0, high: STONES, shape: [1] }),
  action_space: new Discrete(2),
};

async function read(): Promise<AgentFile> {
  const module = {
    module: { name: "user/heap", sha256: "", source: "", script: "" },
    entrypoint: null,
    timeout_s: 5,
    stated_limit: STONES,
    players: ["first", "second"],
    saves: true,
    observation_space: spaceToJson(spaces.observation_space),
    action_space: spaceToJson(spaces.action_space),
  };
  const place = { environment: "user/heap", env_config: null, generation: 1, index: 0, fitness: 0 };
  return { bytes: Uint8Array.from(encodeAgent(agentOf({ name: "PPO" }, spaces))), module, ...place };
}

/** A heap of which players take one or two stones, as a sandbox tells it; who takes the last one wins. */
function heap(): SandboxedEnvironment {
  let [stones, mover] = [STONES, 0];
  const seen = () => ({
    observation: Float32Array.of(stones),
    info: [{ action_mask: [1, Number(stones > 1)], waits: mover === 1 }],
  });
  const lane = {
    single_action_space: spaces.action_space,
    renders: false,
    reset: async () => {
      [stones, mover] = [STONES, 0];
      return seen();
    },
    step: async ([action = 0]: readonly number[]) => {
      stones -= action + 1;
      const won = mover === 0 ? 1 : -1;
      mover = 1 - mover;
      const [reward, terminated] = [
        Float32Array.of(stones === 0 ? won : 0),
        Uint8Array.of(Number(stones === 0)),
      ];
      return { ...seen(), reward, terminated, truncated: Uint8Array.of(0) };
    },
    close: () => undefined,
  };
  // The panel uses no more of a sandboxed game.
  return lane as unknown as SandboxedEnvironment;
}

/** Takes one stone after another until the game has ended. */
async function playOut(): Promise<string> {
  const ended = page.getByText(/^You (?:win|lose) after \d+ moves\.$/);
  const own = page.getByText("Your turn.", { exact: true });
  for (;;) {
    await expect.element(own.or(ended)).toBeVisible();
    if (ended.elements().length > 0) return ended.element().textContent;
    const seen = page.getByText(/^You see: /).element().textContent;
    await page.getByRole("button", { name: "Move 0", exact: true }).click();
    await expect.poll(() => page.getByText(seen, { exact: true }).elements()).toHaveLength(0);
  }
}

it("A game in code is played from either seat, and begun again", async () => {
  const container = document.createElement("main");
  document.body.append(container);
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  const agents = [{ key: "elite", label: "Elite", read }];
  root.render(<CodedGamePanel title="Play it" agents={agents} open={async () => heap()} />);
  expect(await playOut()).toMatch(/^You (?:win|lose) after [3-6] moves\.$/);
  expect(await axeFaults()).toEqual([]);
  await page.getByRole("button", { name: "Opponent", exact: true }).click();
  expect(await playOut()).toMatch(/^You (?:win|lose)/);
  await page.getByRole("button", { name: "New game" }).click();
  await expect.element(page.getByText("Your turn.", { exact: true })).toBeVisible();
});
