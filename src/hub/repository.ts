/** Repositories of the Hugging Face hub: their ids, their addresses, and errors about them. */
import { environmentVariable, requireAddress } from "../http/access.ts";

/** The hub's kinds of repositories that rlkit reads. */
export type HubKind = "model" | "dataset";

/** Thrown when a repository cannot be used. The message names it, what was found and what to do. */
export class HubError extends Error {
  override readonly name = "HubError";
  /** The id that was asked for. */
  readonly id: string;

  constructor(id: string, message: string, options?: ErrorOptions) {
    super(`${id}: ${message}`, options);
    this.id = id;
  }
}

/** @internal The parts of an id. */
export interface HubId {
  /** OWNER/NAME. */
  readonly repository: string;
  /** A branch, a tag or a commit; `null` stands for `main`. */
  readonly revision: string | null;
}

const NAME = "[A-Za-z0-9](?:[\\w.-]{0,94}[A-Za-z0-9_])?";
const ID = new RegExp(`^(${NAME}/${NAME})(?:@([A-Za-z0-9][\\w./-]{0,127}))?$`);
/** First parts that never are an owner: folders of the workbench, and what rlkit has built in. */
const OWN = ["models", "datasets", "rlkit", "user"];

/**
 * @internal
 * The parts of `OWNER/NAME` or `OWNER/NAME@REVISION`; `null` for any other text, such as the path `models/NAME`.
 */
export function hubIdOf(text: string): HubId | null {
  const [, repository, revision = null] = ID.exec(text) ?? [];
  if (repository === undefined || OWN.includes(repository.slice(0, repository.indexOf("/")))) return null;
  return /\.\.|--/.test(text) ? null : { repository, revision };
}

/** @internal @throws HubError for a text that is not an ID. */
export function requireHubId(text: string): HubId {
  const id = hubIdOf(text);
  if (id) return id;
  throw new HubError(text || '""', "is not an ID of the hub, allowed OWNER/NAME or OWNER/NAME@REVISION");
}

const HUB = "https://huggingface.co";

/**
 * @internal
 * Address of the hub: the option, else the environment variable RLKIT_HUB or HF_ENDPOINT, else Hugging Face.
 * @throws FieldError unless it is an http or https address.
 */
export function hubAddress(option: string | null): string {
  const named = option || environmentVariable("RLKIT_HUB") || environmentVariable("HF_ENDPOINT");
  return named ? requireAddress(named, "hub") : HUB;
}

const escaped = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** @internal Address of the hub's description of a repository at a revision, or with `/tree` of its files. */
export function apiAddress(
  hub: string,
  kind: HubKind,
  { repository, revision }: HubId,
  part: "revision" | "tree",
): string {
  const at = encodeURIComponent(revision ?? "main");
  return `${hub}/api/${kind}s/${repository}/${part}/${at}${part === "tree" ? "?recursive=true" : ""}`;
}

/** @internal Address of a file, at a commit. */
export const fileAddress = (
  hub: string,
  kind: HubKind,
  repository: string,
  commit: string,
  path: string,
): string =>
  `${hub}/${kind === "dataset" ? "datasets/" : ""}${repository}/resolve/${commit}/${escaped(path)}`;

/** @internal Address of a repository's page, for people. */
export const pageAddress = (hub: string, kind: HubKind, repository: string): string =>
  `${hub}/${kind === "dataset" ? "datasets/" : ""}${repository}`;
