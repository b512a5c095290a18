/** What a repository of the hub has, before any of its files is loaded. */
import { z } from "zod";
import { environmentVariable, isKey } from "../http/access.ts";
import { boundedText } from "../http/body.ts";
import { isPlainRelativePath, reasonOf } from "../storage/files.ts";
import type { FileStore } from "../storage/index.ts";
import {
  apiAddress,
  fileAddress,
  HubError,
  type HubId,
  type HubKind,
  hubAddress,
  pageAddress,
  requireHubId,
} from "./repository.ts";

/** A file of a repository. */
export interface HubFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of a large file; `null` for a small one. */
  readonly sha256: string | null;
  /** Git's id of a small file: the SHA-1 of "blob", its size and its content. `null` for a large one. */
  readonly git: string | null;
}

/** What a repository has, as plain data. */
export interface HubListing {
  readonly kind: HubKind;
  /** The id as asked for, with the revision if it had one. */
  readonly id: string;
  /** Name of a part that is kept apart from others of the repository, such as a split; `null` for a whole. */
  readonly part: string | null;
  /** The commit that was listed. Downloads are of this commit, whatever the repository becomes. */
  readonly revision: string;
  readonly files: readonly HubFile[];
  /** Size of the files. */
  readonly bytes: number;
  /** As the repository's card names it, such as "apache-2.0"; `null` if it names none. */
  readonly licence: string | null;
  /** Whether the owner grants access to single users. */
  readonly gated: boolean;
}

export interface HubOptions {
  /** Address of another hub (default: RLKIT_HUB or HF_ENDPOINT, or Hugging Face). */
  readonly hub?: string | null;
  /** A user's token, sent to the hub's own host only and never stored (default: HF_TOKEN). */
  readonly token?: string | null;
  /** Store of the cache (default: that of the platform). */
  readonly store?: FileStore;
  /** Cancels the call. Bytes received so far are kept, so that a later download can resume. */
  readonly signal?: AbortSignal;
  /** Milliseconds without data after which a connection counts as broken (default: 30,000). */
  readonly stall_ms?: number;
}

/** @internal What requests about one repository have in common. */
export interface HubAccess {
  readonly hub: string;
  readonly id: string;
  readonly kind: HubKind;
  readonly name: HubId;
  readonly headers: Readonly<Record<string, string>>;
}

/** @internal @throws HubError for a text that is not an ID, or a token that a header cannot contain. */
export function accessOf(kind: HubKind, id: string, options: HubOptions): HubAccess {
  const name = requireHubId(id);
  const token = options.token || environmentVariable("HF_TOKEN");
  if (token !== null && !isKey(token))
    throw new HubError(
      id,
      "the token contains characters that tokens cannot have, such as spaces; copy it again",
    );
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  return { hub: hubAddress(options.hub ?? null), id, kind, name, headers };
}

/** @internal The problem behind a status other than success, in words. Never contains the token. */
export function statusProblem(
  { status, statusText, headers }: Response,
  { hub, kind, name, headers: sent }: HubAccess,
): string {
  const code = headers.get("x-error-code");
  const page = pageAddress(hub, kind, name.repository);
  const hasToken = "Authorization" in sent;
  const give = "give a token: the environment variable HF_TOKEN, or the field in the workbench";
  if (code === "GatedRepo" || (status === 403 && code === null))
    return `is gated: its owner grants access to single users; ask for access at ${page}, then ${hasToken ? "try again with the token of that user" : give}`;
  if (code === "RevisionNotFound") return `has no revision "${name.revision ?? "main"}"; see ${page}`;
  if (code === "EntryNotFound") return `lacks a file that it listed; list it again`;
  if (status === 401 && hasToken)
    return `the hub refused the token, or there is no such ${kind} at ${page}; check both`;
  if (status === 401 || status === 404 || code === "RepoNotFound")
    return `there is no such ${kind} at ${page}, or it is private; check the id${hasToken ? "" : `, or ${give}`}`;
  if (status === 429) return "the hub has had too many requests from here (429); try again in some minutes";
  return `the server answered ${status} ${statusText}`.trim();
}

/** Milliseconds until an answer of the hub's interface must be there. */
const LONGEST = 30_000;
/** Largest answer of the hub's interface, and largest small file. */
const MOST_TEXT = 2 ** 25;

/**
 * @internal
 * Sends a request, and reads the answer.
 * @param headers Those beside the token.
 * @throws HubError for a server that cannot be reached, or answers otherwise than with success.
 */
export async function asked<T>(
  address: string,
  access: HubAccess,
  options: HubOptions,
  read: (response: Response) => Promise<T>,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const { stall_ms = LONGEST, signal } = options;
  const ends = [AbortSignal.timeout(stall_ms), ...(signal ? [signal] : [])];
  try {
    const response = await fetch(address, {
      headers: { ...access.headers, ...headers },
      cache: "no-store",
      signal: AbortSignal.any(ends),
    });
    if (!response.ok) throw new HubError(access.id, statusProblem(response, access));
    return await read(response);
  } catch (error) {
    if (error instanceof HubError) throw error;
    const cause = error instanceof Error && error.cause ? error.cause : error;
    throw new HubError(
      access.id,
      `${access.hub} cannot be reached (${reasonOf(cause)}); check the connection, or the hub's address`,
      { cause: error },
    );
  }
}

async function answer<S extends z.ZodType>(
  schema: S,
  address: string,
  access: HubAccess,
  options: HubOptions,
): Promise<{ readonly content: z.output<S>; readonly link: string | null }> {
  const read = async ({ body, headers }: Response) => ({
    text: await boundedText(body, MOST_TEXT),
    link: headers.get("link"),
  });
  const { text, link } = await asked(address, access, options, read);
  try {
    return { content: schema.parse(JSON.parse(text)), link };
  } catch (error) {
    throw new HubError(access.id, `${address} is not the answer of a hub; check the hub's address`, {
      cause: error,
    });
  }
}

const config = z.looseObject({
  config_name: z.string(),
  default: z.boolean().nullish(),
  data_files: z.unknown(),
});

const description = z.looseObject({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  gated: z.union([z.boolean(), z.string()]).nullish(),
  disabled: z.boolean().nullish(),
  cardData: z
    .looseObject({
      license: z.union([z.string(), z.array(z.string())]).nullish(),
      license_name: z.string().nullish(),
      configs: z.array(config).nullish().catch(null),
    })
    .nullish(),
  tags: z.array(z.string()).nullish(),
});
type Description = z.output<typeof description>;

const entries = z.array(
  z.looseObject({
    type: z.string(),
    path: z.string(),
    size: z.int().nonnegative().nullish(),
    oid: z.string(),
    lfs: z.looseObject({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.int().nonnegative() }).nullish(),
  }),
);

function licenceOf({ cardData, tags }: Description): string | null {
  const named = cardData?.license;
  const text = Array.isArray(named) ? named.join(", ") : (named ?? "");
  if (text === "other" && cardData?.license_name) return cardData.license_name;
  return text || tags?.find((tag) => tag.startsWith("license:"))?.slice("license:".length) || null;
}

/** @internal A listing, with what the repository's card says about data files (by configuration, unchecked). */
export interface RepositoryListing extends HubListing {
  readonly configs: readonly z.output<typeof config>[];
}

/** The next page of a listing, from the header Link. A page on another server would get the token. */
function nextPage(link: string | null, hub: string): string | null {
  const next = /<([^>]+)>\s*;\s*rel="next"/.exec(link ?? "")?.[1];
  return next !== undefined && URL.canParse(next, hub) && new URL(next, hub).origin === new URL(hub).origin
    ? new URL(next, hub).href
    : null;
}

/** @internal Adds up the files. */
export const withFiles = <L extends HubListing>(listing: L, files: readonly HubFile[]): L => ({
  ...listing,
  files,
  bytes: files.reduce((sum, { size }) => sum + size, 0),
});

/**
 * @internal
 * Lists all files of a repository with plain paths, at one commit. Loads none of them.
 * @throws HubError for an invalid ID, a repository that is missing, private, gated or disabled, a revision that
 *   it does not have, and a server that cannot be reached or is not a hub.
 */
export async function listRepository(
  kind: HubKind,
  id: string,
  options: HubOptions = {},
): Promise<RepositoryListing> {
  const access = accessOf(kind, id, options);
  const { hub, name } = access;
  const { content: found } = await answer(
    description,
    apiAddress(hub, kind, name, "revision"),
    access,
    options,
  );
  if (found.disabled) throw new HubError(id, "is disabled by the hub");
  const files: HubFile[] = [];
  const pinned = { ...name, revision: found.sha };
  for (let page: string | null = apiAddress(hub, kind, pinned, "tree"); page !== null; ) {
    const { content, link }: { content: z.output<typeof entries>; link: string | null } = await answer(
      entries,
      page,
      access,
      options,
    );
    for (const { type, path, size, oid, lfs } of content) {
      if (type !== "file" || !isPlainRelativePath(path)) continue;
      files.push({ path, size: lfs?.size ?? size ?? 0, sha256: lfs?.oid ?? null, git: lfs ? null : oid });
    }
    page = nextPage(link, hub);
  }
  const listing = {
    kind,
    id,
    part: null,
    revision: found.sha,
    licence: licenceOf(found),
    gated: Boolean(found.gated),
    configs: found.cardData?.configs ?? [],
    files: [],
    bytes: 0,
  };
  return withFiles(listing, files);
}

/**
 * @internal
 * The text of a small file of a listed repository, which is not stored.
 * @throws HubError as {@link listRepository}.
 */
export async function readHubText(
  { kind, id, revision }: HubListing,
  path: string,
  options: HubOptions = {},
): Promise<string> {
  const access = accessOf(kind, id, options);
  const address = fileAddress(access.hub, kind, access.name.repository, revision, path);
  return asked(address, access, options, ({ body }) => boundedText(body, MOST_TEXT));
}
