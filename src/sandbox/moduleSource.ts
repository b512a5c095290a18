/** Users' modules as text: what rlkit stores and what a sandbox runs. */
import { EnvironmentError } from "../rl/faces.ts";
import { reasonOf, sha256Hex } from "../storage/files.ts";
import { robotScript } from "./robotSource.ts";
import { isRobot } from "./userEnvironments.ts";

/** A module as its author wrote it, and as JavaScript to run. */
export interface UserModule {
  /** A file name, or user/<name>. */
  readonly name: string;
  /** SHA-256 of `source`. */
  readonly sha256: string;
  /** Source text as written. */
  readonly source: string;
  /** JavaScript. TypeScript's types are stripped unless the name ends in .js or .mjs. Of a robot, its checked task and files. */
  readonly script: string;
}

const JAVASCRIPT = /\.m?js$/;

/**
 * Prepares a module from its source text.
 * @throws EnvironmentError for a syntax error, with its line and column, and for an invalid task of a robot.
 */
export async function prepareModule(name: string, source: string): Promise<UserModule> {
  const sha256 = await sha256Hex(new TextEncoder().encode(source));
  if (isRobot(source)) return { name, sha256, source, script: await robotScript(source) };
  return { name, sha256, source, script: JAVASCRIPT.test(name) ? source : await withoutTypes(name, source) };
}

/** Loads the compiler on first use. */
async function withoutTypes(name: string, source: string): Promise<string> {
  const { transform } = await import("sucrase");
  try {
    return transform(source, { transforms: ["typescript"], disableESTransforms: true }).code;
  } catch (error) {
    throw new EnvironmentError(`${name}: ${syntaxFault(error)}`, { cause: error });
  }
}

/** What a parser's error says, with its place. */
export function syntaxFault(error: unknown): string {
  const { loc } = error as { readonly loc?: { readonly line: number; readonly column: number } };
  const message = reasonOf(error);
  // Such a message also ends with the place.
  const what = loc ? message.slice(0, -` (${loc.line}:${loc.column})`.length) : message;
  const place = loc ? `line ${loc.line}, column ${loc.column}: ` : "";
  return `${place}found ${what[0]?.toLowerCase()}${what.slice(1)}, allowed JavaScript or TypeScript`;
}

/** Name of the export in a manifest's entrypoint, "module:Name" or "Name"; `null` for the default export. */
export function exportName(entrypoint: string | null): string | null {
  const name = entrypoint?.split(":").at(-1) ?? null;
  return name === "default" ? null : name;
}
