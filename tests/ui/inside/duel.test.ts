import { describe, expect, it } from "vitest";
import { parseManifestText } from "../../../src/manifests/index.ts";
import { ownManifestLink } from "../../../src/ui/pages/editor/ownManifest.ts";
import { readSharedManifest } from "../../../src/ui/pages/editor/sharedManifest.ts";
import { duelTask } from "../../../src/ui/pages/play/duel/duelTask.ts";
import { duelText } from "../../../src/ui/pages/play/duel/duelText.ts";
import { parseRoute } from "../../../src/ui/routes/route.ts";

const agent = (environment: string, env_config: Record<string, unknown> | null = null) => ({
  bytes: new Uint8Array(),
  environment,
  env_config: env_config as null,
  module: null,
  generation: 1,
  index: 0,
  fitness: null,
  algorithm: "DQN",
});

/** The manifest that the editor opens for an agent. */
function manifestOf(environment: string, env_config: Record<string, unknown> | null = null) {
  const link = ownManifestLink(agent(environment, env_config));
  const route = parseRoute(link ?? "");
  if (route.page !== "editor" || route.source?.kind !== "spec") throw new Error(`not a manifest: ${link}`);
  return parseManifestText(readSharedManifest(route.source.text));
}

describe("a duel", () => {
  it("is for one player with keys and a picture", () => {
    expect(duelTask(agent("CartPole-v1"))?.rate).toBeGreaterThan(0);
    expect(duelTask(agent("MountainCarContinuous-v0"))).not.toBeNull();
    expect(duelTask(agent("simple_spread_v3"))).toBeNull();
    expect(duelTask(agent("user/mine"))).toBeNull();
    expect(duelTask(agent("unknown"))).toBeNull();
  });

  it("says who leads once somebody has ended", () => {
    const at = (total: number, ended: boolean) => ({ total, ended });
    expect(duelText(at(3, false), at(4, false))).toBe("");
    expect(duelText(at(3, true), at(4, false))).toBe("You have 3.0. The agent still plays.");
    expect(duelText(at(3, false), at(4, true))).toBe("The agent has 4.0. You still play.");
    expect(duelText(at(3, true), at(4, true))).toBe("The agent wins, 4.0 to 3.0.");
    expect(duelText(at(5, true), at(4, true))).toBe("You win, 5.0 to 4.0.");
    expect(duelText(at(4, true), at(4, true))).toBe("A draw: both have 4.0.");
  });
});

describe("a manifest of an agent's task", () => {
  it("is the template of the task with the agent's algorithm, if there is one", () => {
    const { algorithm, environment } = manifestOf("CartPole-v1", { max_episode_steps: 100 });
    expect([algorithm.name, environment.name]).toEqual(["DQN", "CartPole-v1"]);
    expect(environment).toMatchObject({ env_config: { max_episode_steps: 100 } });
    expect(manifestOf("Pendulum-v1").environment.name).toBe("Pendulum-v1");
  });

  it("is one of PPO for a task without a template", () => {
    const { algorithm, environment, training } = manifestOf("FrozenLake-v1");
    expect([algorithm.name, environment.name]).toEqual(["PPO", "FrozenLake-v1"]);
    expect(training.target_score).toBeNull();
  });

  it("is none for a user's environment", () => {
    expect(ownManifestLink(agent("user/mine"))).toBeNull();
  });
});
