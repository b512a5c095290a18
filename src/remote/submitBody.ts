import { warn } from "../training/loop.ts";
import type { RewardFile } from "./JobOptions.ts";
import { rewardPart } from "./rewardFile.ts";

/** Fields of a submission. */
export interface Submission {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly resource_id: string | number | null;
  readonly num_nodes: number | null;
  readonly project: string | null;
  readonly experiment_name: string | null;
}

/**
 * The request body. Without a reward file: JSON, including nulls. With one: form data
 * with text parts, without nulls.
 * @throws as `rewardPart`.
 */
export async function submitBody(
  submission: Submission,
  reward_file: RewardFile | null,
  completion: string | null,
): Promise<object> {
  if (reward_file === null) {
    if (completion !== null) warn("completion is given without reward_file: it is not sent");
    return submission;
  }
  const form = new FormData();
  const { manifest, ...fields } = submission;
  form.set("manifest", JSON.stringify(manifest));
  for (const [name, value] of Object.entries({ ...fields, completion }))
    if (value !== null) form.set(name, String(value));
  form.set("reward_file", await rewardPart(reward_file));
  return form;
}
