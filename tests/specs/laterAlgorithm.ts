/** An algorithm of a later build: its spec validates, but it cannot be trained. */

import { z } from "zod";
import { registerAlgorithmSpec } from "../../src/manifests/index.ts";
import { SingleAgentAlgorithmSpec } from "../../src/rl/contract.ts";
import { defineAlgorithm } from "../../src/specs/algorithms.ts";

export const LATER = "Later";

const definition = defineAlgorithm({
  name: LATER,
  title: "An algorithm of a later build",
  schema: z.strictObject({ name: z.literal(LATER).default(LATER), ...SingleAgentAlgorithmSpec.shape }),
  runs: false,
  off_policy: true,
});

/** Registers it in this thread. */
export const registerLater = (): void => registerAlgorithmSpec(definition);
