/** A member's actor as an ONNX model. */
import type { FileStore } from "../../../storage/index.ts";
import { writeOnnx } from "../../engine/onnxModel.ts";
import { wholeWeights } from "../../models/loadModelParts.ts";
import { policyShapeOf } from "../AgentOnDevice.ts";
import type { AgentPlan } from "../agentPlan.ts";
import type { PolicyState } from "../PolicyState.ts";
import { weightsOfRole } from "./roleFiles.ts";

/**
 * Writes the actor of a policy to a directory, as `writeOnnx` does: the whole model, or the base with the adapter
 * merged.
 * @returns Names of the written files.
 */
export async function exportOnnx(
  plan: AgentPlan,
  policy: PolicyState,
  { store, dir }: { readonly store: FileStore; readonly dir: string },
): Promise<readonly string[]> {
  const { config, tokenizer, folder } = plan.parts;
  const { tuning } = policyShapeOf(plan);
  const own = weightsOfRole(policy, "actor");
  return writeOnnx(store, dir, {
    config,
    tokenizer,
    weights: tuning.kind === "whole" ? own : await wholeWeights(plan.parts),
    adapter: tuning.kind === "adapter" ? { ...tuning.adapter, weights: own } : null,
    folder,
  });
}
