/** A person's environment as a stage plays it, in this thread: steps come later, pictures are told and never drawn. */
import { SyncVectorEnvironment } from "../../../../src/rl/faces.ts";
import { spaceToJson } from "../../../../src/rl/spaces.ts";
import { exportOf, makeEnvironment, type OpenedModule } from "../../../../src/sandbox/environments.ts";
import type { PictureSize } from "../../../../src/sandbox/sandboxes.ts";
import type { OwnLane } from "../../../../src/stage/OwnLanes.ts";
import type { CastMember } from "../../../../src/stage/stageProtocol.ts";
import { sha256HexNow } from "../../../../src/storage/files.ts";
import { encodeAgent } from "../../../../src/training/files.ts";
import { agentOf } from "../../../rl/support/agents.ts";
import { fromText } from "../../../sandbox/inside/support/inProcess.ts";

const NAME = "user/test";

/** Lanes of a module of its own. */
export async function ownLanes(script: string) {
  const create = exportOf(await fromText(script), null, NAME);
  const made = () =>
    new SyncVectorEnvironment([() => makeEnvironment(create, {}, { name: NAME, max_episode_steps: null })]);
  const { single_observation_space, single_action_space, spec } = made();
  /** Sizes of the pictures that were asked for. */
  const pictures: PictureSize[] = [];
  const count = { opened: 0, closed: 0, kept: 0 };
  /** @param changes What is other than it should be. */
  const open = (changes: Partial<OwnLane> = {}): OwnLane => {
    const env = made();
    count.opened += 1;
    return {
      asynchronous: true,
      num_envs: 1,
      single_observation_space,
      single_action_space,
      ...(spec && { spec }),
      renders: true,
      reset: async (options) => env.reset(options),
      step: async (actions, wanted) => env.step(actions, wanted),
      render: async (_lane, size) => {
        pictures.push(size);
        count.kept += 1;
        return { width: size.width, height: size.height, close: () => void (count.kept -= 1) };
      },
      close: () => void (count.closed += 1),
      ...changes,
    };
  };
  const module: OpenedModule = {
    module: {
      name: NAME,
      sha256: sha256HexNow(new TextEncoder().encode(script)),
      source: script,
      script,
    },
    entrypoint: null,
    timeout_s: 10,
    stated_limit: spec?.max_episode_steps ?? null,
    players: null,
    saves: false,
    observation_space: spaceToJson(single_observation_space),
    action_space: spaceToJson(single_action_space),
  };
  const spaces = { observation_space: single_observation_space, action_space: single_action_space };
  const agent = (index: number) => agentOf({ name: "DQN" }, { ...spaces, index, seed: index });
  /** One who plays there; its identity is its seed. */
  const member = (index: number): CastMember => ({
    key: String(index),
    bytes: new Uint8Array(encodeAgent(agent(index), { ...spaces, environment: NAME })),
    environment: NAME,
    env_config: null,
    module,
    ancestors: [],
    colour: "red",
  });
  return { open, pictures, count, spaces, agent, member, thread: made };
}
