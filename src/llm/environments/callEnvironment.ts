/** Calls user-provided environments, validates the results, and adds the place to errors. */
import { TimeoutError } from "../../evolution/members.ts";
import { isMapping, show } from "../../specs/messages.ts";
import { reasonOf } from "../../storage/files.ts";
import type { RewardWeights } from "../data/rows.ts";
import { type ChatMessage, MESSAGE_ROLES } from "../tokenizers/Tokenizer.ts";
import {
  type Awaitable,
  type EnvironmentInfo,
  environmentName,
  type LlmEnvironment,
} from "./LlmEnvironment.ts";
import { type RewardFault, readScore, type Score } from "./rewards.ts";

/** Identifies a call of an environment. */
export interface Call {
  readonly env: LlmEnvironment;
  readonly method: "reset" | "step";
  /** Number of turns before this call. */
  readonly turn: number;
  /** Time limit in seconds; `null` means no limit. */
  readonly timeout: number | null;
  readonly weights: RewardWeights | null;
}

const placeOf = ({ env, method, turn }: Call): string =>
  `environment "${environmentName(env)}", ${method}${method === "step" ? ` of turn ${turn + 1}` : ""}`;

/** Creates an error that names the call. */
export const failure = (call: Call, message: string, cause?: unknown): Error =>
  new Error(`${placeOf(call)}: ${message}`, cause === undefined ? undefined : { cause });

async function answerOf(call: Call, run: () => Awaitable<unknown>): Promise<unknown> {
  const { timeout } = call;
  const answer = (async () => run())().catch((error: unknown) => {
    if (error instanceof TimeoutError) throw new TimeoutError(`${placeOf(call)}: ${error.message}`);
    throw failure(call, `threw: ${error instanceof Error ? error.message : String(error)}`, error);
  });
  if (timeout === null) return answer;
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(new TimeoutError(`${placeOf(call)}: did not answer within its timeout of ${timeout} s`));
    const timer = setTimeout(late, timeout * 1000);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function infoOf(call: Call, info: unknown): EnvironmentInfo {
  if (!isMapping(info)) throw failure(call, `found ${show(info)} for info, allowed an object`);
  return info;
}

/** @throws Error naming the environment, for any result but `[observation, info]`; TimeoutError. */
export async function callReset(
  call: Call,
  seed: number | undefined,
  row_index: number | undefined,
): Promise<{ observation: unknown; info: EnvironmentInfo }> {
  const answer = await answerOf(call, () =>
    call.env.reset(seed, row_index === undefined ? {} : { row_index }),
  );
  if (!Array.isArray(answer) || answer.length !== 2)
    throw failure(call, `found ${show(answer)}, allowed [observation, info]`);
  return { observation: answer[0], info: infoOf(call, answer[1]) };
}

/** Result of a step. */
interface StepAnswer {
  readonly observation: unknown;
  /** NaN for what is no number. */
  readonly reward: number;
  readonly faults: readonly RewardFault[];
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly info: EnvironmentInfo;
}

/** @throws Error naming environment and turn, for any result but the five values of a step; TimeoutError. */
export async function callStep(call: Call, action: string | object): Promise<StepAnswer> {
  // If `action_field` is not "message", the environment is meant to receive an object.
  const answer = await answerOf(call, () => call.env.step(action as string));
  if (!Array.isArray(answer) || answer.length !== 5)
    throw failure(call, `found ${show(answer)}, allowed [observation, reward, terminated, truncated, info]`);
  const [observation, reward, terminated, truncated, info] = answer as unknown[];
  if (typeof terminated !== "boolean" || typeof truncated !== "boolean")
    throw failure(
      call,
      `found ${show(terminated)} and ${show(truncated)} for terminated and truncated, allowed true or false`,
    );
  const faults: RewardFault[] = [];
  const score = scoreOf(call, reward, faults);
  const told = infoOf(call, info);
  return {
    observation,
    reward: score.reward,
    faults,
    terminated,
    truncated,
    info: isMapping(reward) ? { ...told, reward_components: score.components } : told,
  };
}

function scoreOf(call: Call, reward: unknown, faults: RewardFault[]): Score {
  try {
    return readScore(reward, `environment "${environmentName(call.env)}"`, faults, call.weights);
  } catch (error) {
    throw failure(call, reasonOf(error), error);
  }
}

/** How to convert an observation that is not text. */
export interface ObservationReader {
  /** Field of the observation that contains the text. */
  readonly observation_field: string | null;
  readonly observation_processor: ((observation: unknown) => Awaitable<string>) | null;
}

/** @throws Error if the result is not text. */
export async function readObservation(observation: unknown, reader: ObservationReader): Promise<string> {
  const { observation_field, observation_processor } = reader;
  if (observation_processor !== null) {
    const text: unknown = await observation_processor(observation);
    if (typeof text === "string") return text;
    throw new Error(`observation_processor: found ${show(text)}, allowed a text`);
  }
  if (observation_field !== null) {
    const text = isMapping(observation) ? observation[observation_field] : undefined;
    if (typeof text === "string") return text;
    const found = isMapping(observation)
      ? `${show(text)} there, and the fields ${Object.keys(observation).join(", ")}`
      : show(observation);
    throw new Error(`observation_field "${observation_field}": found ${found}, allowed a text`);
  }
  if (typeof observation === "string") return observation;
  throw new Error(
    `found ${show(observation)} for the observation, allowed a text (images are not supported); ` +
      "name the field of its text in observation_field, or convert it with observation_processor",
  );
}

const ROLES: readonly unknown[] = MESSAGE_ROLES;

/** Whether a first observation is a list of chat messages. */
export const isConversation = (observation: unknown): observation is readonly ChatMessage[] =>
  Array.isArray(observation) &&
  observation.length > 0 &&
  observation.every(
    (message: unknown) =>
      isMapping(message) &&
      ROLES.includes(message.role) &&
      (typeof message.content === "string" || Array.isArray(message.tool_calls)),
  );
