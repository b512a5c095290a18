import type { Algorithm } from "../../../src/rl/contract.ts";
import { type CompiledEnvironment, findCompiledEnvironment } from "../../../src/rl/environments.ts";
import { SMALL_NETWORK } from "./agents.ts";

/** An environment that an algorithm's agents can act in, and networks for it. */
export function smallTask(algorithm: Algorithm): {
  readonly environment: CompiledEnvironment;
  readonly network: object;
} {
  if (algorithm.kind === "on_policy" && algorithm.selfPlay)
    return {
      environment: findCompiledEnvironment("rlkit/TicTacToe"),
      network: { ...SMALL_NETWORK, arch: "mlp", min_latent_dim: 4 },
    };
  const single = algorithm.actions.includes("Discrete") ? "CartPole-v1" : "Pendulum-v1";
  const id = algorithm.multi_agent ? "simple_tag_v3" : single;
  return { environment: findCompiledEnvironment(id), network: SMALL_NETWORK };
}
