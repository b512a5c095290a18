/** Archives of runs that were tampered with, the same for a seed: what an import must refuse with a sentence, or survive. */
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { sha256Hex } from "../../src/storage/index.ts";
import { randomFrom } from "./randomFrom.ts";

type Entries = Record<string, Uint8Array>;

const HOSTILE_VALUES: readonly unknown[] = [
  null,
  -1,
  1e308,
  "NaN",
  "x".repeat(4000),
  [],
  { __proto__: null, extra: true },
  Number.MAX_SAFE_INTEGER,
  "../../etc",
];

/** A JSON value with one place replaced, removed, or a key added. */
function mutated(value: unknown, random: () => number): unknown {
  if (typeof value !== "object" || value === null || random() < 0.15)
    return HOSTILE_VALUES[Math.floor(random() * HOSTILE_VALUES.length)];
  const entries = Object.entries(value);
  const at = Math.floor(random() * (entries.length + 1));
  const chosen = entries[at];
  if (!chosen) return Array.isArray(value) ? [...value, {}] : { ...value, unknown_key: 1 };
  const changed = random() < 0.1 ? undefined : mutated(chosen[1], random);
  if (Array.isArray(value)) return value.map((one: unknown, i) => (i === at ? changed : one));
  return { ...value, [chosen[0]]: changed };
}

/** The list of an archive's files, as it should be for its entries. */
async function relisted(entries: Entries): Promise<Entries> {
  const files = [];
  for (const [path, bytes] of Object.entries(entries))
    if (path !== "export.json") files.push({ path, size: bytes.byteLength, sha256: await sha256Hex(bytes) });
  return {
    ...entries,
    "export.json": strToU8(JSON.stringify({ format: "rlkit.export", version: 1, files })),
  };
}

interface Commit {
  readonly files: readonly { readonly path: string }[];
  readonly digest?: string;
}

/** What a commit's bytes say; null where they were tampered with themselves. */
function commitIn(bytes: Uint8Array | undefined): Commit | null {
  try {
    const commit: Partial<Commit> | null = JSON.parse(strFromU8(bytes ?? new Uint8Array()));
    return Array.isArray(commit?.files) ? { ...commit, files: commit.files } : null;
  } catch {
    return null;
  }
}

/** A checkpoint's commit, as it should be for its files. */
async function recommitted(entries: Entries): Promise<Entries> {
  const next = { ...entries };
  for (const path of Object.keys(entries).filter((name) => name.endsWith("/COMMIT.json"))) {
    const found = commitIn(entries[path]);
    if (!found) continue;
    const { digest: _digest, ...commit } = found;
    const dir = path.slice(0, -"COMMIT.json".length);
    const files = [];
    for (const { path: file } of commit.files) {
      const bytes = entries[dir + file] ?? new Uint8Array();
      files.push({ path: file, size: bytes.byteLength, sha256: await sha256Hex(bytes) });
    }
    const record = { ...commit, files };
    const sum = await sha256Hex(strToU8(JSON.stringify(record)));
    next[path] = strToU8(JSON.stringify({ ...record, digest: sum }));
  }
  return next;
}

/** One archive for a seed: bytes flipped or cut, JSON changed, files' contents swapped, with sums that fit or not. */
export async function hostileArchive(zip: Uint8Array, seed: number): Promise<Uint8Array> {
  const random = randomFrom(seed * 2_654_435_761 + 1);
  const kind = Math.floor(random() * 5);
  if (kind === 0) {
    const bytes = zip.slice(0, random() < 0.3 ? Math.floor(random() * zip.byteLength) : zip.byteLength);
    for (let flips = 0; flips < 8; flips++)
      bytes[Math.floor(random() * bytes.byteLength)] = Math.floor(random() * 256);
    return bytes;
  }
  let entries: Entries = { ...unzipSync(zip) };
  const paths = Object.keys(entries);
  const path = paths[Math.floor(random() * paths.length)] ?? "";
  const bytes = entries[path] ?? new Uint8Array();
  if (kind === 1) {
    const name = ["manifest.json", "export.json", ...paths.filter((one) => one.endsWith("run.json"))];
    const target = name[Math.floor(random() * name.length)] ?? "manifest.json";
    const changed = mutated(JSON.parse(strFromU8(entries[target] ?? new Uint8Array())), random);
    entries[target] = strToU8(JSON.stringify(changed) ?? "");
    if (target === "export.json") return zipSync(entries);
  } else if (kind === 2) {
    const copy = bytes.slice();
    for (let flips = 0; flips < 4; flips++)
      copy[Math.floor(random() * copy.byteLength)] = Math.floor(random() * 256);
    entries[path] = copy;
  } else if (kind === 3) {
    const other = paths[Math.floor(random() * paths.length)] ?? "";
    entries[path] = entries[other] ?? bytes;
  } else {
    entries[path] = random() < 0.5 ? new Uint8Array() : bytes.subarray(0, bytes.byteLength >> 1);
  }
  if (random() < 0.8) entries = await recommitted(entries);
  return zipSync(random() < 0.9 ? await relisted(entries) : entries, { level: 0 });
}
