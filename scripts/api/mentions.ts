/** Where the pages of docs speak of the package's names. */

/** The name that a code span begins with: of a type or a class, or of what is called or has capitals inside. */
const SPOKEN = /^(?:new |await )?([A-Za-z_]\w*)(?:$|([.(<]).*$)/;

/**
 * The exported name that a code span speaks of. A word in lower case may be anything (`add`, `state`), unless it is called.
 *
 * @param isKernels whether all names of a page's spans are the package's, as in the page of the kernels
 */
export function spokenName(span: string, isKernels = false): string | undefined {
  const [, name = "", follows] = SPOKEN.exec(span.trim()) ?? [];
  return name !== "" && (/[a-z][A-Z]|^[A-Z]/.test(name) || follows === "(" || isKernels) ? name : undefined;
}

const FENCE = /^```[\s\S]*?^```$/gm;

/** How often a page's text speaks of each name, in its prose and in the imports of its code. */
export function mentionsIn(text: string, isKernels = false): Map<string, number> {
  const spans = [...text.replace(FENCE, "").matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) =>
    spokenName(span, isKernels),
  );
  const imported = [...text.matchAll(/^import \{([^}]*)\} from "rlkit/gm)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.replace(/^\s*(?:type )?|\s+as .*|\s+$/g, "")),
  );
  const counts = new Map<string, number>();
  for (const name of [...spans, ...imported]) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
