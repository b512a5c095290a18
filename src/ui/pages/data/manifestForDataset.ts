import { environmentFacts } from "../../../manifests/environmentFacts.ts";
import { NO_ENVIRONMENT } from "../../../specs/sections.ts";
import { type KeptDataset, keptRowsPath } from "../../../workers/pages.ts";
import { templateManifest } from "../../languageModels/modelManifest.ts";

/** Tokens of the longest row that the built-in model reads. */
const LONGEST = 128;

/** A manifest that trains a language model on rows with the columns prompt and response. */
function manifestForRows(dataset: KeptDataset): object {
  const { algorithm, network, training, ...others } = templateManifest("sft-backwards");
  const { target_score: _, ...budget } = training ?? {};
  return {
    ...others,
    algorithm: { ...algorithm, max_model_len: LONGEST },
    environment: {
      env_type: "dataset",
      name: dataset.name,
      dataset_path: keptRowsPath(dataset),
      objective: "sft",
    },
    network: { ...network, max_context_length: LONGEST },
    training: budget,
  };
}

/** Whether agents of an environment choose among actions; not known of others than rlkit's own. */
export const choosesActions = (environment: string | null): boolean =>
  environment !== null && /choice/.test(environmentFacts[environment]?.acts ?? "");

/** A manifest that trains on a data set, as a starting point. */
export function manifestForDataset(dataset: KeptDataset): object {
  const { name, kind, environment } = dataset;
  if (kind === "rows") return manifestForRows(dataset);
  // IQL learns from choices and numbers; of another environment it is not known which they are.
  const manifest = templateManifest(
    kind === "table" ? "neural-ucb-flowers" : choosesActions(environment) ? "cqn-cartpole" : "iql-pendulum",
  );
  const { target_score: _, ...training } = manifest.training ?? {};
  const path = `datasets/${name}`;
  const place =
    kind === "table"
      ? { name: "Table", features: `${path}/features.csv`, targets: `${path}/targets.csv` }
      : { name: environment ?? NO_ENVIRONMENT, dataset_path: path };
  return { ...manifest, training, environment: { ...manifest.environment, ...place } };
}

/** A manifest whose agents imitate the actions of a data set of episodes, ready to start. */
export function cloningManifest({ name, environment }: KeptDataset): object {
  const { network: _, ...manifest } = templateManifest("bc-pendulum");
  const { target_score: __, ...training } = manifest.training ?? {};
  return {
    ...manifest,
    training,
    environment: {
      env_type: "offline",
      name: environment ?? NO_ENVIRONMENT,
      num_envs: 4,
      dataset_path: `datasets/${name}`,
    },
  };
}
