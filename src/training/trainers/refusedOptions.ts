/** Rejects combinations of trainer options. */
import { ReplayBuffer } from "../../rl/agents.ts";
import { requireOneSelection } from "../options/selectionOption.ts";
import { NETWORK_OPTIONS } from "./ownNetworks.ts";
import type { TrainerOptions } from "./Trainer.ts";

/** @throws Error for mutually exclusive options. */
export function refuseConflicts(options: TrainerOptions): void {
  if (options.resume_from_checkpoint && options.load_weights_from) {
    throw new Error(
      "resume_from_checkpoint and load_weights_from exclude each other: the first continues a run, the second starts a new one; give one of them",
    );
  }
  for (const source of ["resume_from_checkpoint", "load_weights_from"] as const) {
    const module = NETWORK_OPTIONS.find((name) => options[name]);
    if (!options[source] || module === undefined) continue;
    throw new Error(
      `${module}: found together with ${source}, whose file has the networks that agents continue with, so it would be ignored; leave one of them out`,
    );
  }
  requireOneSelection(options);
}

/** @throws TypeError for an option that only reinforcement learning supports. */
export function refuseRlOptions(options: TrainerOptions, workload: string): void {
  const own = [...NETWORK_OPTIONS, "hp_config"] as const;
  const found = own.find((name) => options[name] !== undefined && options[name] !== null);
  const given = found ?? (options.replay_buffer instanceof ReplayBuffer ? "replay_buffer" : undefined);
  if (given === undefined) return;
  throw new TypeError(
    `${given}: belongs to agents that learn by reinforcement, and this is a run of "${workload}"; leave it out`,
  );
}
