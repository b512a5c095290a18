/** The TSDoc of the names that the package's root exports, where they are declared. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../scripts/lib/environment.mjs";

/** A name's comment, and the file that declares it. */
export interface PublicDoc {
  readonly name: string;
  readonly file: string;
  readonly doc: string;
}

const EXPORT_LIST = /export (type )?\{([^}]*)\} from "([^"]+)";/g;
const EXPORT_ALL = /export \* from "([^"]+)";/g;

/** Of a file: the comment in front of the exported declaration of a run-time name; null where it declares none. */
function declaredIn(text: string, name: string): string | null {
  const declared = new RegExp(
    `(/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)?export (?:abstract )?(?:async )?(?:const|class|function\\*?) ${name}\\b`,
  ).exec(text);
  return declared && (declared[1] ?? "");
}

/** Where a name comes from, through any number of lists. */
function findDoc(file: string, name: string): Omit<PublicDoc, "name"> | null {
  const text = readFileSync(file, "utf8");
  const doc = declaredIn(text, name);
  if (doc !== null) return { file, doc };
  for (const [, onlyTypes, names = "", source = ""] of text.matchAll(EXPORT_LIST)) {
    const items = names.split(",").map((item) => item.trim());
    const own = items.find((item) => item === name || item.endsWith(` as ${name}`));
    if (own === undefined || onlyTypes || own.startsWith("type ")) continue;
    return findDoc(path.resolve(path.dirname(file), source), own.split(" as ")[0] ?? own);
  }
  for (const [, source = ""] of text.matchAll(EXPORT_ALL)) {
    const target = path.resolve(path.dirname(file), source);
    const found = existsSync(target) ? findDoc(target, name) : null;
    if (found) return found;
  }
  return null;
}

/** @throws Error for a name whose declaration is not found. */
export function publicDoc(name: string): PublicDoc {
  const found = findDoc(path.join(root, "src/index.ts"), name);
  if (!found) throw new Error(`${name}: no exported declaration is found from src/index.ts on`);
  return { name, ...found };
}

/** The code of a comment's examples. */
export function examplesOf({ doc }: PublicDoc): string[] {
  const text = doc.replace(/^\s*\/?\*+[ /]?/gm, "");
  return [...text.matchAll(/@example[^\n]*\n```ts\n([^]*?)```/g)].map(([, code = ""]) => code);
}
