import { RemoteApiError } from "../../remote/index.ts";
import { reasonOf } from "../../storage/files.ts";

/** A platform error as one or more sentences for the user. */
export function plainMessage(error: unknown): string {
  if (!(error instanceof RemoteApiError)) return sentence(reasonOf(error));
  const { detail, status_code, extras, hint } = error;
  if (status_code === 0) return sentence(detail);
  const others = Object.entries(extras)
    .filter(([name]) => name !== "retry_after")
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [detail, ...others, ...(hint === null ? [] : [hint])].map(sentence).join(" ");
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
