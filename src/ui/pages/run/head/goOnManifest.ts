import { isMapping } from "../../../../specs/messages.ts";
import { NO_ENVIRONMENT } from "../../../../specs/sections.ts";
import { templateManifest } from "../../../languageModels/modelManifest.ts";
import { manifestValue } from "../../../lib/manifestValues.ts";
import { choosesActions } from "../../data/manifestForDataset.ts";

const EITHER = { numbers: "sac-pendulum", choices: "ppo-cartpole" } as const;
/** The template whose algorithm goes on from agents that learned from data. */
const GOES_ON = {
  BC: EITHER,
  IQL: EITHER,
  AWAC: EITHER,
  CQL: { numbers: "sac-pendulum", choices: "sac-pendulum" },
  TD3BC: { numbers: "td3-pendulum", choices: "td3-pendulum" },
  CQN: { numbers: "dqn-cartpole", choices: "dqn-cartpole" },
} as const;

const isLearner = (name: unknown): name is keyof typeof GOES_ON => Object.hasOwn(GOES_ON, String(name));

/** What says where the data are. */
const DATA = ["env_type", "dataset_path", "hub_dataset_id", "remote"];

/**
 * A manifest whose agents begin with the best agent of a run, which learned from data, and go on in its environment. The
 * data become demonstrations. Null for runs that did not learn from data, or not for an environment.
 */
export function goOnManifest(id: string, manifest: unknown): object | null {
  const [name, environment, dataset_path] = [
    "algorithm.name",
    "environment.name",
    "environment.dataset_path",
  ].map((path) => manifestValue(manifest, path));
  const own = manifestValue(manifest, "environment");
  if (
    !isLearner(name) ||
    typeof environment !== "string" ||
    environment === NO_ENVIRONMENT ||
    !isMapping(own)
  )
    return null;
  const template = GOES_ON[name][choosesActions(environment) ? "choices" : "numbers"];
  const { network: _, training, environment: place, ...others } = templateManifest(template);
  const { target_score: __, ...budget } = training ?? {};
  const kept = Object.fromEntries(Object.entries(own).filter(([key]) => !DATA.includes(key)));
  return {
    ...others,
    environment: { ...kept, env_type: "gym", num_envs: place?.num_envs },
    training: {
      ...budget,
      load_weights_from: `runs/${id}`,
      ...(typeof dataset_path === "string" && { demonstrations: dataset_path }),
    },
  };
}
