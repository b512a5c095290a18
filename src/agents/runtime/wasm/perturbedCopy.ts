/** Copies of a policy as an evolution strategy perturbs them. */
import type { WasmDevice } from "../../../kernels/devices.ts";
import { copyBuffer, PASS } from "../../../rl/programs.ts";
import type { AgentSpaces } from "../../../rl/spaces.ts";
import type { AgentState } from "../../member/agentState.ts";
import { progressContents } from "../programInputs.ts";
import { PURPOSE, type RunProgress, type Turn } from "../turn.ts";
import { AgentSession } from "./AgentSession.ts";

/** A copy of the first iteration of a turn. */
export interface CopyOfTurn extends Pick<Turn, "seed" | "slot" | "generation"> {
  /** Its number, from 0. With antithetic pairs, those of a pair follow one another. */
  readonly copy: number;
  /** The part of the run that was done before the turn, for a sigma with a schedule. */
  readonly progress: RunProgress["progress"];
}

/**
 * The policy that plays as a copy of an agent, with the noise that the turn draws for it. All else is the agent's.
 * @param agent An agent of an evolution strategy before the turn; its policy is enough.
 */
export function perturbedCopy(
  device: WasmDevice,
  layout: AgentSpaces,
  agent: AgentState,
  { seed, slot, generation, copy, progress }: CopyOfTurn,
): AgentState {
  const session = new AgentSession(device, layout, agent, seed);
  const residence = session.open(["copy"]);
  session.setKey(seed, slot, generation, PURPOSE.turn);
  residence.write(progressContents({ schedule: { progress, progress_step: 0 } }));
  residence.write(new Map([[PASS.copies, [copy]]]));
  session.run("copy");
  const networks = Object.entries(agent.networks).map(([network, own]) => {
    const tensors = Object.keys(own.tensors).map((tensor) => {
      const values = residence.arena.read(copyBuffer(`${network}.${tensor}`));
      return [tensor, values as Float32Array] as const;
    });
    return [network, { ...own, tensors: Object.fromEntries(tensors) }] as const;
  });
  session.release();
  return { ...agent, networks: Object.fromEntries(networks) };
}
