import { type Dim, symbolsOf } from "../dim.ts";
import type { Program } from "../program.ts";

const isDim = (value: unknown): value is Dim =>
  typeof value === "object" && value !== null && "terms" in value && "key" in value;

/** Symbols of a program without loops, sorted. Their values distinguish sizes of the same program. */
export function programSymbols({ region, states }: Program): readonly string[] {
  const dims = [...states.values(), ...region.nodes].flatMap(({ shape }) => shape);
  const attributes = region.nodes.flatMap(({ attrs }) => Object.values(attrs).filter(isDim));
  return [...new Set([...dims, ...attributes].flatMap(symbolsOf))].sort();
}
