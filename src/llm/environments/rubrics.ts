/** Rubrics, which compute the reward of a completion from its row. */

import { TimeoutError } from "../../evolution/members.ts";
import { FieldError } from "../../specs/checks.ts";
import { shorten } from "../../specs/messages.ts";
import { TEXT_RUBRICS } from "../../specs/sections.ts";
import { reasonOf } from "../../storage/files.ts";
import type { Row, Rubric } from "../data/rows.ts";
import { isPythonAddress, moduleAddress } from "../modules/moduleProtocol.ts";

/** A number in a text, optionally with commas between thousands. */
const NUMBER = /-?\d[\d,]*(?:\.\d+)?/g;

function lastNumber(text: string): number | null {
  const last = text.match(NUMBER)?.at(-1);
  return last === undefined ? null : Number(last.replaceAll(",", ""));
}

/** Rubrics that compare the completion with the row's answer. */
const BUILT_IN: Readonly<Record<(typeof TEXT_RUBRICS)[number], Rubric>> = {
  /** 1 if completion and answer are equal, ignoring surrounding whitespace. */
  exact_match: (completion, answer) => (completion.trim() === answer.trim() ? 1 : 0),
  /** 1 if the completion contains the answer. */
  contains: (completion, answer) => (completion.includes(answer.trim()) ? 1 : 0),
  /** 1 if the last numbers of completion and answer are equal. */
  number: (completion, answer) => {
    const wanted = lastNumber(answer);
    return wanted !== null && lastNumber(completion) === wanted ? 1 : 0;
  },
};

const builtInNamed = (name: string): Rubric | null => {
  const known = TEXT_RUBRICS.find((rubric) => rubric === name);
  return known === undefined ? null : BUILT_IN[known];
};

/** @throws Error for an unknown name. */
export function builtInRubric(name: string): Rubric {
  const rubric = builtInNamed(name);
  if (rubric) return rubric;
  throw new Error(
    `rubric: found "${name}", allowed ${TEXT_RUBRICS.join(", ")}, or a function (completion, answer, row)`,
  );
}

/** Whether a rubric needs an answer in every row. */
export const needsAnswer = (rubric: Rubric): boolean => Object.values(BUILT_IN).includes(rubric);

/**
 * @throws FieldError for a `rubric_file_path` of Python code, or one that is neither a
 *   built-in rubric nor a module.
 */
export function requireRubric(path: string, name: string): void {
  if (builtInNamed(path) || moduleAddress(path)?.name === null) return;
  const names = TEXT_RUBRICS.join(", ");
  const found = `found "${path}"`;
  if (isPythonAddress(path))
    throw new FieldError(
      "rubric_file_path",
      `${found}; Python does not run here; name a built-in rubric (${names}), or write a JavaScript module with ` +
        `export function ${name}(completion, answer, row) that returns a number`,
    );
  throw new FieldError(
    "rubric_file_path",
    `${found}; allowed are built-in rubrics (${names}) and JavaScript modules (.js, .mjs)`,
  );
}

/**
 * Resolves the rubric of a manifest: a built-in one, or a function of a module.
 *
 * @param load Loads a function by name from the module at a path.
 * @throws Error for Python, and for other names; errors of `load`.
 */
export async function resolveRubric(
  path: string,
  name: string,
  load: (path: string, name: string) => Promise<Rubric>,
): Promise<Rubric> {
  requireRubric(path, name);
  return builtInNamed(path) ?? load(path, name);
}

/** Characters of a row in a message. */
const ROW_CHARACTERS = 120;

/**
 * What a rubric gives, which may be anything.
 * @throws Error of the rubric, or TimeoutError, which names the rubric and shows the row.
 * @internal
 */
export async function rewardOf(
  rubric: Rubric,
  completion: string,
  answer: string,
  row: Row,
): Promise<Awaited<ReturnType<Rubric>>> {
  try {
    return await rubric(completion, answer, row);
  } catch (cause) {
    const text = JSON.stringify(row, (_, cell: unknown) => (typeof cell === "bigint" ? String(cell) : cell));
    const name = rubric.name === "" ? "rubric" : `rubric "${rubric.name}"`;
    const message = `${name}, row ${shorten(text, ROW_CHARACTERS)}: ${reasonOf(cause)}`;
    throw cause instanceof TimeoutError
      ? new TimeoutError(message, { cause })
      : new Error(message, { cause });
  }
}
