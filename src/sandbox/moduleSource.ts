/** Modules of users as text: what is kept of them, and what a sandbox runs. */
import { EnvironmentError } from "../rl/environments/face/EnvironmentError.ts";
import { sha256Hex } from "../storage/sha256.ts";

/** A module as its author wrote it, and as it is run. */
export interface UserModule {
  /** A file's name, or user/<name>. */
  readonly name: string;
  /** Of the source. */
  readonly sha256: string;
  /** As it was written. */
  readonly source: string;
  /** JavaScript: without TypeScript's types, which are told by the name; text of no other ending may have them. */
  readonly script: string;
}

const JAVASCRIPT = /\.m?js$/;

/**
 * A module from its text.
 * @throws EnvironmentError naming line and column of what does not parse.
 */
export async function prepareModule(name: string, source: string): Promise<UserModule> {
  const sha256 = await sha256Hex(new TextEncoder().encode(source));
  return { name, sha256, source, script: JAVASCRIPT.test(name) ? source : await withoutTypes(name, source) };
}

/** The compiler is loaded when there is something to compile. */
async function withoutTypes(name: string, source: string): Promise<string> {
  const { transform } = await import("sucrase");
  try {
    return transform(source, { transforms: ["typescript"], disableESTransforms: true }).code;
  } catch (error) {
    throw new EnvironmentError(`${name}: ${syntaxFault(error)}`, { cause: error });
  }
}

/** The parser's message ends with line and column in brackets. */
export function syntaxFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, what = message, line, column] = /^(.*?) \((\d+):(\d+)\)$/.exec(message) ?? [];
  const place = line === undefined ? "" : `line ${line}, column ${column}: `;
  return `${place}found ${what[0]?.toLowerCase()}${what.slice(1)}, allowed JavaScript or TypeScript`;
}

/** The name of an export, from a manifest's entrypoint: "module:Name" or "Name"; null for the default export. */
export function exportName(entrypoint: string | null): string | null {
  const name = entrypoint?.split(":").at(-1) ?? null;
  return name === "default" ? null : name;
}
