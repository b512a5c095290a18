/** What the package declares for its users: read from dist/lib by the compiler. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Node, SyntaxKind } from "typescript/unstable/ast";
import { API, type Project, type Symbol, SymbolFlags } from "typescript/unstable/sync";
import { root } from "../lib/environment.mjs";

/** A field, method or accessor that has a comment; parts of nested types are named "outer.inner". */
export interface ApiMember {
  readonly name: string;
  readonly doc: string;
}

/** One declaration of a name; some names have two, a value and its type. */
export interface ApiDeclaration {
  readonly kind: "class" | "function" | "constant" | "type" | "module";
  /** The text of its comment, without stars. */
  readonly doc: string;
  /** Without comments. */
  readonly code: string;
  readonly members: readonly ApiMember[];
}

export interface ApiName {
  readonly name: string;
  /** Of the declared thing, which entries may export under several names. */
  readonly id: number;
  /** The folder of dist/lib that declares it. */
  readonly room: string;
  readonly declarations: readonly ApiDeclaration[];
  /** Ids of what its declarations name, of the package's own. */
  readonly uses: readonly number[];
}

export interface ApiEntry {
  /** As in an import: "rlkit/kernels". */
  readonly entry: string;
  /** By name. */
  readonly names: readonly ApiName[];
}

export interface PublicApi {
  readonly entries: readonly ApiEntry[];
  /** What declarations of entries name, directly or not, and no entry exports; by name. */
  readonly behind: readonly ApiName[];
}

const lib = path.join(root, "dist/lib");
const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);

/** The entries of package.json that have declarations, and their files. */
export const entryFiles: readonly (readonly [entry: string, file: string])[] = Object.entries(
  (
    JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
      readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
    }
  ).exports,
).flatMap(([entry, target]) =>
  typeof target === "string" ? [] : [[entry.replace(".", "rlkit"), path.join(root, target.types)] as const],
);

/**
 * Reads the declarations of dist/lib.
 *
 * @throws Error when dist/lib is not built
 */
export function readPublicApi(): PublicApi {
  if (!existsSync(path.join(lib, ".built")))
    throw new Error('dist/lib is not built; run "npm run build -- lib"');
  const config = path.join(root, ".cache/api/tsconfig.json");
  mkdirSync(path.dirname(config), { recursive: true });
  const compilerOptions = {
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    module: "esnext",
    moduleResolution: "bundler",
    types: ["node", "@webgpu/types"],
    noEmit: true,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: entryFiles.map(([, file]) => file) }));
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config}: the compiler does not open it`);
    return new Reader(project).read();
  } finally {
    api.close();
  }
}

class Reader {
  readonly #project: Project;
  readonly #symbols = new Map<number, Symbol>();
  readonly #read = new Map<number, Omit<ApiName, "name">>();

  constructor(project: Project) {
    this.#project = project;
  }

  read(): PublicApi {
    const entries = entryFiles.map(([entry, file]) => ({ entry, names: this.#exportsOf(file).sort(byName) }));
    const known = new Set(entries.flatMap(({ names }) => names.map(({ id }) => id)));
    const behind: ApiName[] = [];
    const waiting = entries.flatMap(({ names }) => names.flatMap(({ uses }) => uses));
    for (const id of waiting) {
      const symbol = this.#symbols.get(id);
      if (known.has(id) || !symbol) continue;
      known.add(id);
      const found = this.#described(symbol);
      behind.push({ name: symbol.name, ...found });
      waiting.push(...found.uses);
    }
    return { entries, behind: behind.sort(byName) };
  }

  #exportsOf(file: string): ApiName[] {
    const { program, checker } = this.#project;
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file}: exports nothing`);
    return checker
      .getExportsOfModule(module)
      .map((symbol) => ({ name: symbol.name, ...this.#described(this.#target(symbol)) }));
  }

  #target(symbol: Symbol): Symbol {
    return symbol.flags & SymbolFlags.Alias ? this.#project.checker.getAliasedSymbol(symbol) : symbol;
  }

  #described(symbol: Symbol): Omit<ApiName, "name"> {
    const before = this.#read.get(symbol.id);
    if (before) return before;
    const nodes = symbol.declarations.flatMap((handle) => handle.resolve(this.#project) ?? []);
    const file = nodes[0]?.getSourceFile().fileName ?? lib;
    const found = {
      id: symbol.id,
      room: path.relative(lib, file).split(path.sep)[0] ?? "",
      declarations: nodes.map(declarationOf),
      uses: this.#usesOf(nodes).filter((id) => id !== symbol.id),
    };
    this.#read.set(symbol.id, found);
    return found;
  }

  /** What the declarations name that files of dist/lib declare at their top. */
  #usesOf(nodes: readonly Node[]): number[] {
    const identifiers = nodes.flatMap((node) =>
      node.kind === SyntaxKind.SourceFile ? [] : identifiersIn(node),
    );
    const found = this.#project.checker.getSymbolAtLocation(identifiers);
    const targets = found.flatMap((symbol) => (symbol ? [this.#target(symbol)] : []));
    const own = targets.filter((symbol) => this.#isOwn(symbol));
    for (const symbol of own) this.#symbols.set(symbol.id, symbol);
    return [...new Set(own.map(({ id }) => id))];
  }

  #isOwn(symbol: Symbol): boolean {
    if (this.#symbols.has(symbol.id)) return true;
    const node = symbol.declarations[0]?.resolve(this.#project);
    const source = node?.getSourceFile();
    if (!node || !source?.fileName.startsWith(`${lib}${path.sep}`) || !source.externalModuleIndicator)
      return false;
    return node.kind === SyntaxKind.SourceFile || statementOf(node).parent.kind === SyntaxKind.SourceFile;
  }
}

function identifiersIn(node: Node): Node[] {
  if (node.kind === SyntaxKind.Identifier) return [node];
  const found: Node[] = [];
  node.forEachChild((child) => {
    found.push(...identifiersIn(child));
  });
  return found;
}

/** The statement of a variable, which has its comment and its `export`; any other node itself. */
function statementOf(node: Node): Node {
  return node.kind === SyntaxKind.VariableDeclaration ? node.parent.parent : node;
}

const KINDS: Partial<Record<SyntaxKind, ApiDeclaration["kind"]>> = {
  [SyntaxKind.ClassDeclaration]: "class",
  [SyntaxKind.FunctionDeclaration]: "function",
  [SyntaxKind.VariableDeclaration]: "constant",
  [SyntaxKind.SourceFile]: "module",
};

function declarationOf(node: Node): ApiDeclaration {
  const kind = KINDS[node.kind] ?? "type";
  if (kind === "module") {
    const file = node.getSourceFile().fileName;
    const [entry = path.relative(lib, file)] = entryFiles.find(([, own]) => own === file) ?? [];
    return { kind, doc: "", code: `export * from "${entry}";`, members: [] };
  }
  const statement = statementOf(node);
  return {
    kind,
    doc: docOf(statement),
    code: withoutComments(statement.getText()),
    members: membersOf(node, ""),
  };
}

/** The text of the comment in front of a node. */
function docOf(node: Node): string {
  const before = node.getSourceFile().text.slice(node.getFullStart(), node.getStart());
  const comment = before.slice(before.lastIndexOf("/**"));
  if (!comment.startsWith("/**")) return "";
  return comment
    .replace(/^\/\*\*|\*\/\s*$/g, "")
    .replace(/^[ \t]*\* ?/gm, "")
    .trim();
}

const MEMBERS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.MethodSignature,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.PropertySignature,
]);

function membersOf(node: Node, outer: string): ApiMember[] {
  const found: ApiMember[] = [];
  node.forEachChild((child) => {
    let place = outer;
    if (MEMBERS.has(child.kind)) {
      const { name } = child as Node & { readonly name?: Node };
      place = `${outer}${outer && "."}${name?.getText() ?? "constructor"}`;
      const doc = docOf(child);
      if (doc) found.push({ name: place, doc });
    }
    found.push(...membersOf(child, place));
  });
  return found;
}

const STRING_OR_COMMENT = /("(?:[^"\\\n]|\\.)*"|`[^`]*`)|\s*\/\*[\s\S]*?\*\//g;

/** A declaration without its comments and the places of its types, indented by two spaces a level. */
const withoutComments = (code: string): string =>
  code
    .replace(STRING_OR_COMMENT, "$1")
    .replace(/import\("\.[^"]*"\)\./g, "")
    .replace(/^(?: {4})+/gm, (spaces) => spaces.slice(spaces.length / 2));
