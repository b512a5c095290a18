/** What a manifest's environment section changes in what agents observe and learn from: its fields, and its wrappers. */
import { normalizationOf } from "../../agents/members.ts";
import type { TrainingManifest } from "../../manifests/index.ts";
import { type EnvironmentOptions, FRAME_STACK } from "../../rl/faces.ts";
import type { Normalization } from "../../rl/programs.ts";
import { dottedPath, fieldsSet, parseSpec, SpecError, type SpecIssue } from "../../specs/checks.ts";
import { isMapping, LARGEST_REAL, show } from "../../specs/messages.ts";
import { ShapingSpec } from "../../specs/sections.ts";

type Arguments = Readonly<Record<string, unknown>>;
/** Fields that stand for a wrapper; null for arguments that no field can express. */
type Wrapper = (given: Arguments) => Partial<Record<keyof ShapingSpec, unknown>> | null;

/** The number under the first of these names, or the default. */
const argument = (given: Arguments, names: readonly string[], otherwise?: number): unknown =>
  names.map((name) => given[name]).find((value) => value !== undefined && value !== null) ?? otherwise;

const onlyTakes = (given: Arguments, names: readonly string[]): boolean =>
  Object.entries(given).every(([name, value]) => value === null || names.includes(name));

/** Gymnasium's stack of frames. Whether its frames are compressed changes nothing that agents see. */
const frameStack: Wrapper = (given) => {
  const { stack_size, num_stack, padding_type = null, lz4_compress = null } = given;
  const isKnown = onlyTakes(given, ["stack_size", "num_stack", "padding_type", "lz4_compress"]);
  const size = stack_size ?? num_stack ?? null;
  const hasOne = size !== null && (stack_size === undefined || num_stack === undefined);
  const isPlain = padding_type === null || padding_type === "reset";
  return isKnown && hasOne && isPlain && (lz4_compress === null || typeof lz4_compress === "boolean")
    ? { frame_stack: size }
    : null;
};

/** AgileRL's wrapper of agents, and those of Gymnasium's wrappers that fields stand for. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  RSNorm: (given) =>
    onlyTakes(given, ["epsilon"])
      ? { normalize: { observations: true, epsilon: argument(given, ["epsilon"], 1e-4) } }
      : null,
  ClipReward: (given) => {
    const { min_reward = null, max_reward = null } = given;
    const isBare = min_reward === null && max_reward === null;
    return isBare || !onlyTakes(given, ["min_reward", "max_reward"])
      ? null
      : { reward_clip: [min_reward ?? -LARGEST_REAL, max_reward ?? LARGEST_REAL] };
  },
  TransformReward: (given) =>
    typeof given.scale === "number" && onlyTakes(given, ["scale"]) ? { reward_scale: given.scale } : null,
  FrameStack: frameStack,
  FrameStackObservation: frameStack,
  TimeLimit: (given) =>
    onlyTakes(given, ["max_episode_steps"])
      ? { max_episode_steps: argument(given, ["max_episode_steps"]) }
      : null,
};

const WRAPPERS_PATH = ["environment", "env_wrappers"] as const;

const issueAt = (segments: readonly string[], code: SpecIssue["code"], message: string): SpecIssue => ({
  code,
  path: dottedPath(segments),
  segments,
  message,
});

const unknownWrapper = (name: string): SpecIssue =>
  issueAt(
    WRAPPERS_PATH,
    "unsupported",
    `is known to the format, but not supported by this build: found ${show(name)}; allowed: ${Object.keys(WRAPPERS).join(", ")}, with arguments that a field of environment stands for; leave it out, set path to a JavaScript or TypeScript module, or give LocalTrainer a live environment`,
  );

/** The settings of an environment section, its wrappers included, and what is wrong with them. */
interface ReadShaping {
  readonly fields: ShapingSpec;
  readonly issues: readonly SpecIssue[];
}

function read(section: object): ReadShaping {
  const issues: SpecIssue[] = [];
  const own: Record<string, unknown> = { ...section };
  const shape = ShapingSpec.shape;
  const given: Record<string, unknown> = Object.fromEntries(
    Object.keys(shape).flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])),
  );
  const set = new Set(fieldsSet(shape, given));
  const wrappers = Array.isArray(own.env_wrappers) ? own.env_wrappers : [];
  for (const one of wrappers) {
    const [name, values] = (Array.isArray(one) ? one : [one, {}]) as [string, Arguments];
    const made = WRAPPERS[name.slice(name.lastIndexOf(".") + 1)]?.(values) ?? null;
    if (made === null) {
      issues.push(unknownWrapper(name));
      continue;
    }
    for (const [field, value] of Object.entries(made)) {
      if (set.has(field))
        issues.push(
          issueAt(
            ["environment", field],
            "rule",
            `is also set by the wrapper ${name}; leave one of them out`,
          ),
        );
      set.add(field);
      given[field] = value;
    }
  }
  let fields = ShapingSpec.parse({});
  try {
    fields = parseSpec(ShapingSpec, given, "environment");
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    issues.push(
      ...error.issues.map((issue) => issueAt(WRAPPERS_PATH, issue.code, `${issue.path}: ${issue.message}`)),
    );
  }
  return { fields, issues };
}

/** Issues of the wrappers of a manifest's environment, and of settings that its algorithm cannot follow. */
export function shapingIssues({ environment }: Pick<TrainingManifest, "environment">): readonly SpecIssue[] {
  const { fields, issues } = read(environment);
  const refused: SpecIssue[] = [];
  if (environment.env_type === "offline" && fields.normalize?.rewards) {
    const message =
      "found true, but a data set has no roll-outs whose returns could be followed; set reward_scale";
    refused.push(issueAt(["environment", "normalize", "rewards"], "rule", message));
  }
  const { env_config = null } = environment as { readonly env_config?: unknown };
  const limit = isMapping(env_config) ? env_config.max_episode_steps : undefined;
  const { max_episode_steps } = fields;
  if (limit !== undefined && max_episode_steps !== null && limit !== max_episode_steps) {
    const message = `found ${max_episode_steps}, but env_config has ${show(limit)}; leave one of them out`;
    refused.push(issueAt(["environment", "max_episode_steps"], "rule", message));
  }
  return [...issues, ...refused];
}

/** How the agents of a manifest scale observations and rewards; null if they take both as they are. */
export const manifestNormalization = ({
  environment,
}: Pick<TrainingManifest, "environment">): Normalization | null => normalizationOf(read(environment).fields);

/** How many observations agents observe together. */
export const stackedFrames = ({ environment }: Pick<TrainingManifest, "environment">): number =>
  read(environment).fields.frame_stack;

/** Options of the environment that the section's fields stand for. */
export function shapingOptions({ environment }: Pick<TrainingManifest, "environment">): EnvironmentOptions {
  const { max_episode_steps, frame_stack } = read(environment).fields;
  return {
    ...(max_episode_steps !== null && { max_episode_steps }),
    ...(frame_stack > 1 && { [FRAME_STACK]: frame_stack }),
  };
}

/** Whether fields of the section stand for options of the environment. */
export const hasShapingOptions = (manifest: Pick<TrainingManifest, "environment">): boolean =>
  Object.keys(shapingOptions(manifest)).length > 0;
