/** What a submitted manifest may not name: files, modules, models and addresses outside it. */
import { describe, expect, it } from "vitest";
import { checkSubmission } from "../../platform/src/http/submission.ts";
import { outsideIssues } from "../../platform/src/runs/requireInside.ts";
import { startingState } from "../../platform/src/worker/startingState.ts";
import {
  listAlgorithms,
  manifestJsonSchema,
  parseManifest,
  SpecError,
  type TrainingManifest,
} from "../../src/manifests/index.ts";
import { isMapping } from "../../src/specs/messages.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { cartPole } from "./support/cartPole.ts";
import { reasoning } from "./support/reasoning.ts";

type Node = Readonly<Record<string, unknown>>;

interface Field {
  readonly place: string;
  readonly node: Node;
}

/** All fields below a node of the JSON Schema, by their place. Other spellings of fields are left out. */
function* fieldsOf(node: Node, place = ""): Generator<Field> {
  if (node.deprecated) return;
  yield { place, node };
  if ("x-outside" in node) return;
  for (const key of ["anyOf", "oneOf", "prefixItems"])
    for (const part of Array.isArray(node[key]) ? node[key] : [])
      if (isMapping(part)) yield* fieldsOf(part, place);
  for (const [key, part] of Object.entries(isMapping(node.properties) ? node.properties : {}))
    if (isMapping(part)) yield* fieldsOf(part, place === "" ? key : `${place}.${key}`);
  if (isMapping(node.items)) yield* fieldsOf(node.items, `${place}[]`);
  if (isMapping(node.additionalProperties)) yield* fieldsOf(node.additionalProperties, `${place}{}`);
}

/** Whether a node accepts any text. */
function takesText({ type, ...node }: Node): boolean {
  if ("enum" in node || "const" in node || "pattern" in node || "x-outside" in node) return false;
  if (type !== undefined) return [type].flat().includes("string");
  return !["anyOf", "oneOf", "allOf"].some((key) => key in node);
}

const fields = [...fieldsOf({ ...manifestJsonSchema() })];

/** Fields with texts that name nothing outside the manifest. */
const LABELS = new Set([
  ...["environment.name", "training.name", "replay_buffer.name", "mutation.name", "selection_strategy.name"],
  "mutation.rl_hp_selection{}.choices[]",
  ...["environment.version", "environment.default_type", "environment.hub_dataset_id"],
  ...["environment.hf_config", "environment.hf_split"],
  ...["environment.columns{}", "environment.prompt_template{}", "environment.response_column"],
  ...["environment.rubric_name", "environment.observation_field", "environment.action_field"],
  ...["environment.mcp_tool", "environment.chat_template_kwargs{}", "environment.env_config{}"],
  ...["environment.env_host_resource", "environment.env_session_ports{}", "environment.env_vars{}"],
  ...["environment.env_packages{}[]", "environment.env_services[]"],
  ...[
    "algorithm.torch_compiler",
    "algorithm.attn_implementation",
    "algorithm.constrain_answer_pattern",
    "algorithm.lora_target_scope",
    "algorithm.stop_strings[]",
  ],
  ...["algorithm.quantization", "algorithm.quantization{}", "algorithm.vllm_engine_args{}"],
  ...[
    "algorithm.rollout_buffer_config{}",
    "algorithm.vllm_config.dtype",
    "algorithm.vllm_config.quantization",
  ],
  ...["algorithm.vllm_config.kv_cache_dtype", "algorithm.vllm_config.limit_mm_per_prompt{}"],
  ...["algorithm.vllm_config.stop_sequences[]", "algorithm.vllm_config.strip_multimodal_towers[]"],
  ...["algorithm", "network"].flatMap((section) => [
    `${section}.lora_config.target_modules`,
    `${section}.lora_config.target_modules[]`,
    `${section}.lora_config.target_parameters[]`,
    `${section}.lora_config.task_type`,
  ]),
  ...["mutation.network.encoder{}", "mutation.network.head_net{}"],
]);

it("every field of a manifest that takes any text says whether it names something outside", () => {
  const open = new Set(fields.filter(({ node }) => takesText(node)).map(({ place }) => place));
  expect([...open].filter((place) => !LABELS.has(place))).toEqual([]);
  expect([...LABELS].filter((place) => !open.has(place))).toEqual([]);
});

/** Manifests of every kind of environment. */
const KINDS = {
  gym: cartPole,
  offline: { algorithm: { name: "CQN" }, environment: { name: "CartPole-v1", hub_dataset_id: "a/b-v0" } },
  bandit: {
    algorithm: { name: "NeuralUCB" },
    environment: { features: "rlkit/flowers", targets: "rlkit/flowers" },
  },
  rollout: reasoning,
  dataset: {
    algorithm: { name: "SFT" },
    environment: { env_type: "dataset", dataset: "rlkit/backwards", objective: "sft" },
    network: { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 16 },
  },
};

const NOTHING = { hasReward: false, fetches: false };

/** A parsed manifest with another value at a place of its sections. */
function changed(manifest: object, place: string, value: string) {
  const parsed = structuredClone(parseManifest(manifest as never));
  const keys = place.split(".");
  const last = keys.pop() ?? "";
  let at: Record<string, unknown> = { ...parsed };
  const whole = at;
  for (const key of keys) {
    const inner = isMapping(at[key]) ? at[key] : {};
    at[key] = inner;
    at = inner;
  }
  at[last] = value;
  // A parsed manifest with one more field.
  return whole as unknown as TrainingManifest;
}

const outside = [...new Set(fields.filter(({ node }) => "x-outside" in node).map(({ place }) => place))];

it.each(outside)("%s may name nothing outside the manifest", (place) => {
  for (const value of ["/etc/passwd", "../x.hdf5", "file:///etc/passwd", "x.mjs:Guess"]) {
    const found = Object.values(KINDS).flatMap((manifest) =>
      outsideIssues(changed(manifest, place, value), NOTHING),
    );
    expect(found.map(({ path }) => path)).toContain(place);
  }
});

it.each(Object.entries(KINDS))("a manifest of the kind %s may name what is built in", (_, manifest) => {
  expect(outsideIssues(parseManifest(manifest as never), NOTHING)).toEqual([]);
});

it("every algorithm is refused the files of its environment", () => {
  for (const { name } of listAlgorithms()) {
    const manifest = { algorithm: { name }, training: { checkpoint_path: "/root/x" } };
    const kind = Object.values(KINDS).find((known) => known.algorithm.name === name) ?? cartPole;
    const submission = { manifest: { ...kind, ...manifest } };
    expect(() => checkSubmission(submission, false)).toThrow(SpecError);
  }
});

const submitting = (manifest: object, fetches = false) => {
  const text = JSON.stringify(manifest);
  return () => checkSubmission({ manifest: text }, fetches);
};

it.each<[string, object, string]>([
  [
    "data set of CQN by a path from the root",
    { dataset_path: "/etc/passwd" },
    'environment.dataset_path: found "/etc/passwd"',
  ],
  [
    "table of bandits",
    { env_type: "bandit", name: "a", features: "../a.csv", targets: "rlkit/flowers" },
    'environment.features: found "../a.csv"',
  ],
  [
    "data set by a path upwards",
    { dataset_path: "../a.hdf5" },
    'environment.dataset_path: found "../a.hdf5"',
  ],
  ["module", { path: "maze.js", name: "Maze-v0" }, 'environment.path: found "maze.js"'],
  [
    "download",
    { hub_dataset_id: "cartpole/random-v0", remote: true },
    "environment.remote: found true; this platform's workers do not download data sets",
  ],
])("a submission is refused a %s", (_, environment, message) => {
  const kind = "features" in environment ? KINDS.bandit : KINDS.offline;
  expect(submitting({ ...kind, environment: { name: "CartPole-v1", ...environment } })).toThrow(message);
});

it("a submission may use a worker's copy of a data set, and downloads it if the operator allows that", () => {
  const { environment } = KINDS.offline;
  expect(submitting(KINDS.offline)).not.toThrow();
  expect(submitting({ ...KINDS.offline, environment: { ...environment, remote: true } }, true)).not.toThrow();
});

describe("a worker", () => {
  const starting = (manifest: object, fetches = false) => {
    const row = { manifest: { ...parseManifest(manifest as never) }, seed: 1, reward: null } as never;
    const files = memoryFileStore();
    return startingState({ row, checkpoints: async () => [] }, { artifacts: {} as never, files, fetches });
  };

  it("refuses a stored run that names a file, or that downloads without leave", async () => {
    const environment = { name: "CartPole-v1", dataset_path: "/etc/passwd" };
    await expect(starting({ ...KINDS.offline, environment })).rejects.toThrow("environment.dataset_path");
    const remote = { ...KINDS.offline, environment: { ...KINDS.offline.environment, remote: true } };
    await expect(starting(remote)).rejects.toThrow("environment.remote");
  });

  it("goes on with a stored run of an earlier version, whose checkpoint_path nothing reads", async () => {
    const training = { ...cartPole.training, checkpoint_path: "/runs/poles" };
    expect((await starting({ ...cartPole, training })).state.members).toHaveLength(
      cartPole.training.pop_size,
    );
  });
});
