/** An agent's tree searches in games that the host steps, whose positions can be copied. */
import { type AnyVectorEnvironment, endedLanes, type Info, infoMasks } from "../../rl/faces.ts";
import {
  HostTree,
  hostRuleOf,
  JUDGED,
  type Judged,
  type LookAhead,
  legalSoftmax,
} from "../../rl/programs.ts";
import type { AgentSession, SearchedPosition } from "../runtime/wasm/AgentSession.ts";
import { branchesOf } from "../runtime/wasm/hostLanes.ts";

/** What lanes show, and which of them are searched: 1 each. */
export interface SearchedLanes {
  readonly observation: Float32Array;
  readonly info: readonly Info[];
  readonly wanted: Uint8Array;
  /** Where their games stand, as `BranchingLanes.positions` tells (default: it is asked). */
  readonly positions?: readonly unknown[];
}

/**
 * Searches from where the lanes of a game stand, all together: each simulation is one step of all lanes, from copies of their
 * positions, and one evaluation by the agent's networks.
 *
 * The players are told apart by `info.waits`, and a lane's reward is that of its seat: one player wins what the other loses.
 *
 * @param env Lanes of the game, without an opponent.
 * @returns null for lanes that are not wanted.
 * @throws EnvironmentError for a game without `save` and `load`, and for an error or an invalid result of these and of `step`;
 * RangeError for an agent without a value.
 */
export async function searchOnHost(
  session: AgentSession,
  env: AnyVectorEnvironment,
  { observation, info, wanted, positions: given }: SearchedLanes,
  { simulations }: LookAhead,
): Promise<(SearchedPosition | null)[]> {
  const { positions: roots, branch } = await branchesOf(env, given);
  const judge = judgeOf(session, env.num_envs);
  const rule = hostRuleOf(session.structure, simulations);
  const trees = judge(observation, info).map((judged, lane) =>
    wanted[lane] === 1 ? new HostTree(rule, { ...judged, position: roots[lane] }) : null,
  );
  const { action_space } = session.layout;
  const start = action_space.kind === "Discrete" ? action_space.start : 0;
  for (let simulation = 0; simulation < simulations; simulation++) {
    const tries = trees.map((tree) => tree?.descend());
    const { step, positions } = await branch(
      roots.map((root, lane) => tries[lane]?.position ?? root),
      tries.map((tried) => start + (tried?.action ?? 0)),
      wanted,
    );
    const ended = endedLanes(step);
    const judged = judge(step.observation, step.info);
    for (const [lane, tree] of trees.entries()) {
      const reward = step.reward[lane] as number; // Each lane has one, and a judgement.
      const next = { ...(judged[lane] as Judged<null>), position: positions[lane] };
      tree?.grow(tries[lane]?.player === 0 ? reward : -reward, ended[lane] === 1 ? null : next);
    }
  }
  return trees.map((tree) => tree && { action: tree.action, visits: tree.root.visits, value: tree.value });
}

/** The best moves by a search, as the environment takes them; 0 in lanes that are not wanted. */
export async function movesBySearch(...given: Parameters<typeof searchOnHost>): Promise<number[]> {
  const [{ layout }] = given;
  const start = layout.action_space.kind === "Discrete" ? layout.action_space.start : 0;
  return (await searchOnHost(...given)).map((found) => start + (found?.action ?? 0));
}

/** Judges observations of all lanes by the session's agent. The player of a lane's seat is 0. */
function judgeOf(session: AgentSession, num_envs: number) {
  const { action_space } = session.layout;
  return (observation: Float32Array, info: readonly Info[]): Judged<null>[] => {
    const { arena } = session.open(["judge"], { num_envs });
    const masks = infoMasks(action_space, info) ?? new Float32Array();
    arena.write("act.obs", observation);
    if (arena.has("act.mask")) arena.write("act.mask", masks);
    session.run("judge");
    const [logits, values] = [arena.view(JUDGED.logits), arena.view(JUDGED.value)];
    const actions = logits.length / num_envs;
    return info.map(({ waits }, lane) => {
      const own = Array.from({ length: actions }, (_, action) => logits[lane * actions + action] as number);
      const legal = [...own.keys()].filter((action) => masks[lane * actions + action] === 1);
      const policy = legalSoftmax(own, legal);
      const value = values[lane] as number;
      return { position: null, player: waits === true ? 1 : 0, legal, policy, value };
    });
  };
}
