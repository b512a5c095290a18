/** Evaluates an agent's networks on given observations and actions, on the device. */

import { type AgentState, bindAgent, Residence, structureOf } from "../../../../src/agents/members.ts";
import { sharedDevice } from "../../../../src/kernels/devices.ts";
import { state, type Tensor, trace } from "../../../../src/kernels/index.ts";
import type { Networks } from "../../../../src/rl/contract.ts";
import { networkInput } from "../../../../src/rl/programs/lanes.ts";
import { readNetworks } from "../../../../src/rl/programs/learning.ts";
import type { Space } from "../../../../src/rl/spaces.ts";

/**
 * Rows of the result of `body`, for rows of observations and actions.
 * @param body Receives the networks, network input [n, width] and actions [n, k]; returns [n] or [n, m].
 */
export function ask(
  agent: AgentState,
  space: Space,
  observations: readonly (readonly number[])[],
  body: (networks: Networks, obs: Tensor, action: Tensor) => Tensor,
  actions: readonly (readonly number[])[] = observations.map(() => [0]),
): number[][] {
  const n = observations.length;
  const program = trace("ask", () => {
    const obs = state("ask.obs", [n, ...space.shape]).read();
    const action = state("ask.action", [n, actions[0]?.length ?? 1]).read();
    const result = body(
      readNetworks(structureOf(agent)),
      networkInput(structureOf(agent), space, obs),
      action,
    );
    state("ask.result", result.shape, { dtype: result.dtype }).write(result);
  });
  const residence = new Residence(sharedDevice());
  residence.prepare(agent, [program], bindAgent(agent, { num_envs: n, batch: n }));
  residence.load(agent);
  residence.write(
    new Map([
      ["ask.obs", observations.flat()],
      ["ask.action", actions.flat()],
    ]),
  );
  residence.run(program);
  const values = [...residence.arena.read("ask.result")];
  residence.release();
  const width = values.length / n;
  return observations.map((_row, i) => values.slice(i * width, (i + 1) * width));
}
