/** The pages of the API reference, as Markdown. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/environment.mjs";
import { mentionsIn, spokenName } from "./mentions.ts";
import { apiPage, ROOT_PAGES } from "./places.ts";
import { type ApiDeclaration, type ApiEntry, type ApiName, entryFiles, type PublicApi } from "./publicApi.ts";

/** A page of docs: its address below the site's root, and its text. */
export interface Guide {
  readonly address: string;
  readonly text: string;
}

export interface ApiPages {
  /** Texts by file: "api/kernels.md". */
  readonly pages: ReadonlyMap<string, string>;
  /** The address of the first name so called: "/api/kernels#add". */
  readonly addresses: ReadonlyMap<string, string>;
}

const KINDS: readonly (readonly [kind: ApiDeclaration["kind"], title: string])[] = [
  ["class", "Classes"],
  ["function", "Functions"],
  ["constant", "Constants"],
  ["module", "Modules"],
  ["type", "Types"],
];

/** So many guides of a name are enough. */
const MOST_GUIDES = 6;

/** Pages for all names, each described once: where the first of the entries that have it is described. */
export function apiPages({ entries }: PublicApi, guides: readonly Guide[]): ApiPages {
  const byId = new Map<number, { readonly name: string; readonly address: string }>();
  const addresses = new Map<string, string>();
  for (const { entry, names } of entries)
    for (const { id, name, room } of names) {
      const address = `/${apiPage(entry, room)}#${name}`;
      if (!byId.has(id)) byId.set(id, { name, address });
      if (!addresses.has(name)) addresses.set(name, address);
    }
  const speaking = guidesByName(guides);
  const link = (name: string, address: string) => `[\`${name}\`](${address})`;
  const described = (name: ApiName, entry: string): string => {
    const elsewhere = entries.filter(
      (one) => one.entry !== entry && one.names.some(({ id }) => id === name.id),
    );
    const uses = name.uses.flatMap((id) => byId.get(id) ?? []);
    const told = speaking.get(name.name) ?? [];
    const list = (title: string, items: readonly string[]) =>
      items.length > 0 ? [`${title}: ${items.join(", ")}.`] : [];
    return [
      `### \`${name.name}\` {#${name.name}}`,
      ...name.declarations.map(declarationText),
      ...list(
        "Names",
        uses.map((use) => link(use.name, use.address)),
      ),
      ...list(
        "Guides",
        told.map(({ title, address }) => `[${title}](${address})`),
      ),
      ...list(
        "Also in",
        elsewhere.map((one) => `\`${one.entry}\``),
      ),
    ].join("\n\n");
  };
  const pages = new Map<string, string>();
  const write = (page: string, parts: readonly string[]) =>
    pages.set(`${page}.md`, linked(`${parts.join("\n\n")}\n`, addresses));
  write("api/index", indexParts(entries));
  for (const { entry, names } of entries) {
    const isHome = ({ id, name, room }: ApiName) =>
      byId.get(id)?.address === `/${apiPage(entry, room)}#${name}`;
    const places = new Set(
      entry === "rlkit" ? names.map(({ room }) => apiPage(entry, room)) : [apiPage(entry, "")],
    );
    for (const page of places) {
      const own = names.filter((name) => isHome(name) && apiPage(entry, name.room) === page);
      const ofRoot = entry === "rlkit" ? ROOT_PAGES[path.basename(page)] : undefined;
      const sections = KINDS.flatMap(([kind, heading]) => {
        const some = own.filter(({ declarations }) => declarations[0]?.kind === kind);
        return some.length > 0 ? [`## ${heading}`, ...some.map((name) => described(name, entry))] : [];
      });
      const others = names
        .filter((name) => !isHome(name))
        .flatMap(({ id, name }) => {
          const home = byId.get(id);
          return home ? [link(name, home.address)] : [];
        });
      write(page, [
        `# ${ofRoot?.title ?? entry}`,
        ofRoot ? `${ofRoot.purpose} From \`rlkit\`.` : purposeOf(entry),
        ...(others.length > 0 ? [`It also exports ${others.join(", ")}.`] : []),
        ...sections,
      ]);
    }
  }
  return { pages, addresses };
}

function indexParts(entries: readonly ApiEntry[]): string[] {
  const pagesOf = (entry: string) =>
    entry === "rlkit"
      ? `\`rlkit\`: ${Object.entries(ROOT_PAGES)
          .map(([page, { title }]) => `[${title}](/api/rlkit/${page})`)
          .join(", ")}`
      : `[\`${entry}\`](/${apiPage(entry, "")})`;
  const rows = entries.map(
    ({ entry, names }) => `| ${pagesOf(entry)} | ${purposeOf(entry)} | ${names.length} |`,
  );
  return [
    "# API reference",
    "Every name that the package exports, from the comments and declarations of its sources. A name that several entries export is described once.",
    `| entry | contents | names |\n|---|---|---|\n${rows.join("\n")}`,
  ];
}

/** The first comment of an entry's source, in one line. */
function purposeOf(entry: string): string {
  const [, built = ""] = entryFiles.find(([name]) => name === entry) ?? [];
  const source = path.join(
    root,
    "src",
    path.relative(path.join(root, "dist/lib"), built).replace(/\.d\.ts$/, ".ts"),
  );
  const [, comment] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(source, "utf8")) ?? [];
  if (comment === undefined)
    throw new Error(
      `${source}: begins with no comment; say what the entry "${entry}" has, for the API reference.`,
    );
  return prose(comment.replace(/\s*\n \*? ?/g, " ").trim());
}

function guidesByName(guides: readonly Guide[]): Map<string, { title: string; address: string }[]> {
  const found = new Map<string, { title: string; address: string; count: number }[]>();
  for (const { address, text } of guides) {
    const title = /^# (.+)$/m.exec(text)?.[1] ?? address;
    for (const [name, count] of mentionsIn(text, address === "/kernels"))
      found.set(name, [...(found.get(name) ?? []), { title, address, count }]);
  }
  for (const [name, some] of found)
    found.set(
      name,
      some.sort((a, b) => b.count - a.count || (a.address < b.address ? -1 : 1)).slice(0, MOST_GUIDES),
    );
  return found;
}

function declarationText({ doc, code, members }: ApiDeclaration): string {
  const shown = code.replace(/^ *(?:#private|private .*);\n/gm, "").replace(/^export (?:declare )?/, "");
  const parts = members.map((member) => `- \`${member.name}\`: ${itemText(member.doc)}`);
  return [docText(doc), `\`\`\`ts\n${shown}\n\`\`\``, parts.join("\n")]
    .filter((part) => part !== "")
    .join("\n\n");
}

const TAG = /(?<=^|\s)@(param|returns|throws|example)\b ?/;
const TITLES: Readonly<Record<string, string>> = { returns: "Returns", throws: "Throws", example: "Example" };

/** A comment's description and its tags, in their order. */
function tagsOf(doc: string): { readonly tag: string; readonly text: string }[] {
  // Code of examples has decorators of its own.
  const [description = "", ...rest] = doc.split(TAG);
  const tags = rest.flatMap((tag, i) => (i % 2 === 0 ? [{ tag, text: (rest[i + 1] ?? "").trim() }] : []));
  return [{ tag: "", text: description.trim() }, ...tags];
}

function docText(doc: string): string {
  return tagsOf(doc)
    .map(({ tag, text }) => {
      if (tag === "") return prose(text);
      if (tag === "param") return parameter(text, "- ");
      return `**${TITLES[tag]}**${tag === "example" ? "\n\n" : " "}${prose(text)}`;
    })
    .filter((part) => part !== "")
    .join("\n\n")
    .replace(/^(- .*)\n\n(?=- )/gm, "$1\n");
}

/** A member's comment in an item of a list. */
const itemText = (doc: string): string =>
  tagsOf(doc)
    .filter(({ text }) => text !== "")
    .map(({ tag, text }) =>
      tag === "param" ? parameter(text, "") : `${tag && `**${TITLES[tag]}** `}${prose(text)}`,
    )
    .join(" ")
    .replaceAll("\n", "\n  ");

function parameter(text: string, before: string): string {
  const [, name = "", rest = ""] = /^(\S+)\s*(?:-\s*)?([\s\S]*)$/.exec(text) ?? [];
  return `${before}\`${name}\`: ${prose(rest)}`;
}

const CODE = /(^```[\s\S]*?^```$|`[^`\n]+`)/m;

/** A page of docs that a comment names. */
const PAGE = /docs\/(([\w/-]*?)(?:README|([\w-]+))\.md)/g;

/** Text of comments as Markdown: dollars are no equations, and links to names are code. */
const prose = (text: string): string =>
  text
    .replace(/\{@link ([\w.]+)[^}]*\}/g, "`$1`")
    .split(CODE)
    .map((part, i) => (i % 2 === 0 ? part.replaceAll("$", "\\$").replace(PAGE, "[docs/$1](/$2$3)") : part))
    .join("");

/** A page whose code spans lead to the names that they speak of, but for the one that is described there. */
function linked(text: string, addresses: ReadonlyMap<string, string>): string {
  let described = "";
  return text
    .split(/(^```[\s\S]*?^```$|^#.*$|\[`[^`\n]+`\])/m)
    .map((part, i) => {
      if (i % 2 === 1) {
        described = /\{#(\w+)\}$/.exec(part)?.[1] ?? described;
        return part;
      }
      return part.replace(/`([^`\n]+)`/g, (span, code: string) => {
        const name = spokenName(code) ?? "";
        const address = addresses.get(name);
        return address === undefined || name === described ? span : `[${span}](${address})`;
      });
    })
    .join("");
}
