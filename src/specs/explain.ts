import type { z } from "zod";
import { explainName, meant, type NamedProblem, nearest, show } from "./names.ts";
import { isMapping } from "./plain.ts";
import { MOST_ISSUES, moreProblems } from "./SpecError.ts";
import { chosenOption, tagValue, unionTag } from "./taggedUnion.ts";

type RawIssue = z.core.$ZodRawIssue;

/** A problem in words, placed relative to the issue it came from. */
export interface Finding extends NamedProblem {
  below: (string | number)[];
  /** Set for a union whose tag selects an option: that option's own problems are reported. */
  option?: number;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: "an integer",
  number: "a number",
  string: "a string",
  boolean: "true or false",
  object: "a mapping of keys to values",
  record: "a mapping of keys to values",
  array: "a list",
  null: "nothing (null)",
};

/** The sentence for a value that is not among those allowed. */
function mismatch(allowed: string, found: unknown): string {
  return found === undefined ? `missing; expected ${allowed}` : `expected ${allowed}, found ${show(found)}`;
}

/** Keys known from other libraries, and their names here. */
const SYNONYMS: Readonly<Record<string, string>> = {
  learning_rate: "lr",
  discount: "gamma",
  n_envs: "num_envs",
  buffer_size: "max_size",
  total_timesteps: "max_steps",
  async_rollout: "rollout_mode",
};

/** Keys that belong to no manifest, and where to set them instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  seed: "set training.seed, or give a seed when training starts",
  device: "the device is chosen when training starts",
};

/** True for a key that no manifest has; its issue says where to set it. */
export const isSetElsewhere = (key: string): boolean => Object.hasOwn(ELSEWHERE, key);

function likelyKey(key: string, allowed: readonly string[]): string | undefined {
  const synonym = SYNONYMS[key];
  return synonym !== undefined && allowed.includes(synonym) ? synonym : nearest(key, allowed);
}

function unknownKeys(keys: readonly string[], schema: unknown): Finding[] {
  const shape = isMapping(schema) && isMapping(schema.shape) ? Object.keys(schema.shape) : [];
  const allowed = shape.join(", ");
  const left = keys.length - MOST_ISSUES;
  const others: Finding[] = left > 0 ? [{ below: [], ...moreProblems(left, "unknown key") }] : [];
  return [...keys.slice(0, MOST_ISSUES).map((key) => unknownKey(key, shape, allowed)), ...others];
}

function unknownKey(key: string, shape: readonly string[], allowed: string): Finding {
  // Not for names that every object has, such as "constructor".
  const elsewhere = isSetElsewhere(key) ? ELSEWHERE[key] : undefined;
  const suggestion = elsewhere === undefined ? likelyKey(key, shape) : undefined;
  const hint = suggestion === undefined ? `; ${elsewhere ?? `allowed keys: ${allowed}`}` : meant(suggestion);
  return {
    code: "unknown_key",
    below: [key],
    message: `unknown key ${show(key)}${hint}`,
    found: key,
    allowed,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function notAmong(values: readonly unknown[], found: unknown): Finding {
  const allowed = values.length === 1 ? show(values[0]) : `one of ${values.map(show).join(", ")}`;
  const names = values.filter((value) => typeof value === "string");
  const suggestion = typeof found === "string" ? nearest(found, names) : undefined;
  return {
    code: found === undefined ? "missing" : "value",
    below: [],
    message: mismatch(allowed, found) + meant(suggestion),
    found,
    allowed,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function taggedFinding(issue: RawIssue, schema: { _zod: { def: object } }): Finding | undefined {
  const tag = unionTag(schema);
  if (tag === undefined || !isMapping(issue.input)) return undefined;
  const option = chosenOption(tag, issue.input);
  if (option !== undefined) return { code: "rule", below: [], message: "", option };
  // Zod's own discriminated unions already place the issue at the key.
  const below = issue.discriminator === undefined ? [tag.key] : [];
  return { ...explainName(tag.what, tagValue(tag, issue.input), tag.tags, tag.known ?? []), below };
}

/** The option of an untagged union that accepts a list but rejects the contents of the list found. */
function listOption({ input, errors }: RawIssue): Finding | undefined {
  if (!Array.isArray(input)) return undefined;
  const options = (errors ?? []) as readonly (readonly z.core.$ZodIssue[])[];
  const option = options.findIndex(([first]) => first !== undefined && first.path.length > 0);
  return option < 0 ? undefined : { code: "rule", below: [], message: "", option };
}

/** What an untagged union accepts, from its options' findings at the union's own place. */
function untaggedUnion(issue: RawIssue, findings: readonly Finding[][]): Finding {
  const errors = (issue.errors ?? []) as readonly (readonly z.core.$ZodIssue[])[];
  const accepted = errors.flatMap((option) => {
    const first = option[0];
    const index = first === undefined ? Number.NaN : Number(first.message.replace("finding ", ""));
    return findings[index]?.[0]?.allowed ?? [];
  });
  const allowed = [...new Set(accepted)].join(" or ");
  return { code: "type", below: [], message: mismatch(allowed, issue.input), found: issue.input, allowed };
}

function bound(issue: RawIssue, word: "at least" | "at most", limit: unknown): Finding {
  const strict = issue.inclusive === false;
  const sized = issue.origin === "array" ? " items" : issue.origin === "string" ? " characters" : "";
  const relation = strict ? (word === "at least" ? "more than" : "less than") : word;
  const allowed = `${relation} ${String(limit)}${sized}`;
  const message = `found ${show(issue.input)}; must ${sized === "" ? "be" : "have"} ${allowed}`;
  return { code: "range", below: [], message, found: issue.input, allowed };
}

/**
 * Says what is wrong, what was found and what is allowed.
 *
 * @param findings Explanations made so far; a union's options are explained before the union.
 */
export function explain(issue: RawIssue, findings: readonly Finding[][]): Finding[] {
  const found = issue.input;
  switch (issue.code) {
    case "unrecognized_keys":
      return unknownKeys(issue.keys as string[], issue.inst);
    case "invalid_type": {
      const allowed = TYPE_NAMES[String(issue.expected)] ?? String(issue.expected);
      const code = found === undefined ? "missing" : "type";
      return [{ code, below: [], message: mismatch(allowed, found), found, allowed }];
    }
    case "invalid_value":
      return [notAmong(issue.values as unknown[], found)];
    case "too_small":
      return [bound(issue, "at least", issue.minimum)];
    case "too_big":
      return [bound(issue, "at most", issue.maximum)];
    case "invalid_union":
      return [
        (issue.inst === undefined ? undefined : taggedFinding(issue, issue.inst)) ??
          listOption(issue) ??
          untaggedUnion(issue, findings),
      ];
    default:
      return [{ code: "value", below: [], message: issue.message ?? `${show(found)} is not valid`, found }];
  }
}
