/** Networks of the caller's own in place of those from the spec. */
import type { NetworkState } from "../rl/agents/agentState.ts";
import type { EvolvableModule } from "../rl/modules/index.ts";
import { moduleNetwork } from "../rl/networks/index.ts";
import { flatSize } from "../rl/spaces/index.ts";
import type { TrainingManifest } from "../specs/index.ts";
import type { Spaces } from "./run/buildRun.ts";

/** @throws RangeError when a module's inputs or outputs do not fit; TypeError for a critic that is not used. */
export function givenNetworks(
  manifest: TrainingManifest,
  spaces: Spaces,
  actor: EvolvableModule | null,
  critic: EvolvableModule | null,
): Record<string, NetworkState> {
  const { algorithm } = manifest;
  const { observation_space, action_space } = spaces;
  const inputs = flatSize(observation_space);
  const outputs = flatSize(action_space);
  const networks: Record<string, NetworkState> = {};
  if (algorithm.name === "DQN") {
    if (critic) throw new TypeError("critic_network: DQN has no critic; give actor_network alone");
    if (actor) networks.actor = moduleNetwork(actor, { kind: "q", inputs, outputs });
    return networks;
  }
  if (!actor && !critic) return networks;
  if (algorithm.name === "PPO" && algorithm.share_encoders && !(actor && critic)) {
    throw new TypeError(
      "actor_network and critic_network: with share_encoders both must be given, or set share_encoders: false",
    );
  }
  if (actor) {
    const continuous = { kind: "normal", size: outputs, log_std_init: 0, squash_output: false } as const;
    const distribution =
      action_space.kind === "Box" ? continuous : ({ kind: "categorical", actions: outputs } as const);
    networks.actor = moduleNetwork(actor, { kind: "stochastic_actor", inputs, outputs, distribution });
  }
  if (critic) networks.critic = moduleNetwork(critic, { kind: "value", inputs, outputs: 1 });
  return networks;
}
