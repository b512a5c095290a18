import { isMapping, show } from "../../specs/messages.ts";
import type { ChatMessage } from "../tokenizers/Tokenizer.ts";
import type { Awaitable } from "./LlmEnvironment.ts";

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

const ROLES: readonly unknown[] = ["system", "user", "assistant"] satisfies ChatMessage["role"][];

/** Whether a first observation is a list of chat messages. */
export const isConversation = (observation: unknown): observation is readonly ChatMessage[] =>
  Array.isArray(observation) &&
  observation.length > 0 &&
  observation.every(
    (message: unknown) =>
      isMapping(message) && ROLES.includes(message.role) && typeof message.content === "string",
  );
