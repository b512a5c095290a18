/** The elements of an XML text, in order, with their lines. It is strict: what it reads differently, MuJoCo might too. */
import { EnvironmentError } from "../../face/EnvironmentError.ts";

export interface XmlElement {
  readonly kind: "start" | "end" | "whole";
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
}

const NAME = /[A-Za-z_][\w.:-]*/y;
const ATTRIBUTE = /\s*([^\s=/>"'<]+)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')/y;
const START_END = /\s*(\/?)>/y;
const END = /\/([A-Za-z_][\w.:-]*)\s*>/y;

/** What is skipped: how it begins and ends. */
const SKIPPED = [
  ["<!--", "-->"],
  ["<?", "?>"],
] as const;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/**
 * @param place Name of the text in messages.
 * @throws EnvironmentError with the line of markup that cannot be read, or that declares entities.
 */
export function* elementsOf(text: string, place: string): Generator<XmlElement> {
  let line = 1;
  let counted = 0;
  const lineAt = (at: number): number => {
    for (; counted < at; counted++) if (text.charCodeAt(counted) === 10) line++;
    return line;
  };
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const refuse = (found: string, allowed: string): never => {
      throw new EnvironmentError(`${place}, line ${lineAt(at)}: found ${found}, allowed ${allowed}`);
    };
    const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, at));
    if (skipped) {
      const end = text.indexOf(skipped[1], at + skipped[0].length);
      if (end < 0) refuse(`${skipped[0]} without ${skipped[1]}`, "XML");
      at = end + skipped[1].length;
      continue;
    }
    if (text.startsWith("<!", at))
      refuse(`"${text.slice(at, at + 12)}"`, "elements, without declarations and entities");
    const end = matchAt(END, text, at + 1);
    if (end) {
      const next = END.lastIndex;
      yield { kind: "end", tag: end[1] ?? "", attributes: {}, line: lineAt(at) };
      at = next;
      continue;
    }
    const name = matchAt(NAME, text, at + 1)?.[0];
    const cut = text.slice(at, at + 40).split("\n")[0] ?? "";
    if (name === undefined) return refuse(`"${cut}"`, "XML");
    const attributes: Record<string, string> = {};
    let next = at + 1 + name.length;
    for (let one = matchAt(ATTRIBUTE, text, next); one; one = matchAt(ATTRIBUTE, text, next)) {
      next = ATTRIBUTE.lastIndex;
      attributes[one[1] ?? ""] = one[2] ?? one[3] ?? "";
    }
    const close = matchAt(START_END, text, next);
    if (close === null) return refuse(`"${cut}"`, 'an element such as <geom size="0.1"/>');
    // Patterns are shared with other texts, which the caller may read now.
    next = START_END.lastIndex;
    yield { kind: close[1] === "/" ? "whole" : "start", tag: name, attributes, line: lineAt(at) };
    at = next;
  }
}
