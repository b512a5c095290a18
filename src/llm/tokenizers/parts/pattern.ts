/** The patterns of tokenizer.json: texts, or expressions of Oniguruma. */
import { SplitPreTokenizer } from "@huggingface/tokenizers";
import { z } from "zod";
import { reasonOf } from "../../../storage/files.ts";
import { translatable } from "./oniguruma.ts";

/** A part of a text that a pattern matches, or that lies between matches. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly matched: boolean;
}

/** The expression of JavaScript that matches as Oniguruma's. @throws Error for what cannot be translated. */
export function expression(source: string): RegExp {
  const pattern = { Regex: translatable(source) };
  // The library exports its translation only as a part of this class.
  const { pattern: found } = new SplitPreTokenizer({
    type: "Split",
    pattern,
    behavior: "Isolated",
    invert: false,
  });
  if (found === null) throw new Error("is not an expression");
  return found;
}

/** The expression that finds a text. */
export const literal = (text: string): RegExp =>
  new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), "gu");

/** `{ String }` or `{ Regex }`, as an expression that finds all matches. */
export const pattern = z
  .strictObject({ String: z.string().optional(), Regex: z.string().optional() })
  .transform(({ String: text, Regex }, context): RegExp => {
    try {
      if (text === "") throw new Error('found String "", allowed a text of one character or more');
      if (text !== undefined && Regex === undefined) return literal(text);
      if (text === undefined && Regex !== undefined) return expression(Regex);
      throw new Error("allowed either String or Regex");
    } catch (error) {
      context.addIssue({
        code: "custom",
        path: Regex === undefined ? [] : ["Regex"],
        message: reasonOf(error),
      });
      return z.NEVER;
    }
  });

/** Cuts a text at each match. */
export function spansOf(expression: RegExp, text: string): Span[] {
  // Nothing is not searched.
  if (text === "") return [];
  const spans: Span[] = [];
  let last = 0;
  for (const { 0: found, index } of text.matchAll(expression)) {
    // Oniguruma's iteration, unlike JavaScript's, passes over nothing right behind a match.
    if (found === "" && index === last && spans.length > 0) continue;
    if (index > last) spans.push({ start: last, end: index, matched: false });
    last = index + found.length;
    spans.push({ start: index, end: last, matched: true });
  }
  if (last < text.length) spans.push({ start: last, end: text.length, matched: false });
  return spans;
}

/** Replaces each match by a text as it is. */
export const replaceAll = (text: string, expression: RegExp, content: string): string =>
  spansOf(expression, text)
    .map(({ start, end, matched }) => (matched ? content : text.slice(start, end)))
    .join("");
