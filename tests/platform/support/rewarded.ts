/** A language-model run with a reward module from the submitter. */
import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { reasoning } from "./reasoning.ts";

/** Rewards letters that are in the answer's positions. The row's prompt counts too. */
const MODULE = `
  const isRight = (text, answer) => Array.from(text).filter((letter, i) => letter === answer[i]).length;
  export const score = async (completion, answer, { prompt }) => ({
    right: isRight(completion, answer),
    other: prompt.startsWith(completion.slice(0, 1)) ? 0.25 : -0,
  });
`;

export interface Rewarded {
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Path of the module, which the manifest names. */
  readonly reward_file: string;
}

/**
 * A run of ten generations whose manifest names a module by its path, in a new subdirectory of `directory`.
 */
export async function rewarded(directory: string, module = MODULE, members = 2): Promise<Rewarded> {
  const reward_file = path.join(await mkdtemp(path.join(directory, "run-")), "judge.mjs");
  await writeFile(reward_file, module);
  const environment = {
    ...{ env_type: "rollout", dataset: "rlkit/backwards", prompt_template: { user_0: "{prompt}" } },
    ...{ rubric_file_path: reward_file, rubric_name: "score", max_reward: 1 },
  };
  const network = { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 16 };
  const { algorithm, training } = reasoning;
  return {
    manifest: {
      ...reasoning,
      ...{ algorithm: { ...algorithm, max_output_tokens: 2 }, environment, network },
      training: { ...training, pop_size: members, max_steps: 320 * members },
    },
    reward_file,
  };
}
