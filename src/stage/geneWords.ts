/** What a mutation changed, in the few words that fit on a small picture. */
import type { MutationDetail } from "../tracking/observer.ts";

/** Units of a network, by the last word of the method that adds or removes them. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  node: ["neuron", "neurons"],
  channel: ["channel", "channels"],
  layer: ["layer", "layers"],
  block: ["block", "blocks"],
};

const plain = (name: string): string => name.replaceAll("_", " ");

const short = (value: number): string => String(Number(value.toPrecision(2)));

const value = (one: number | string): string => (typeof one === "number" ? short(one) : plain(one));

const change = ({ from, to }: Pick<MutationDetail, "from" | "to">): string =>
  from === undefined || to === undefined ? "" : ` ${value(from)} → ${value(to)}`;

function hyperparameter(name: string, { from, to }: Pick<MutationDetail, "from" | "to">): string {
  const isFactor = typeof from === "number" && typeof to === "number" && from * to > 0;
  return isFactor ? `${plain(name)} × ${short(to / from)}` : `${plain(name)}${change({ from, to })}`;
}

/** The method's own name is the part after the network's: "encoder.add_node". */
function architecture(method: string, { from, to }: Pick<MutationDetail, "from" | "to">): string {
  const name = method.split(".").at(-1) ?? method;
  const [verb = "", ...rest] = name.split("_");
  const unit = UNITS[rest.at(-1) ?? ""];
  if (unit === undefined || (verb !== "add" && verb !== "remove"))
    return `${plain(name)}${change({ from, to })}`;
  const known = typeof from === "number" && typeof to === "number" ? Math.abs(to - from) : 1;
  const grows = verb === "add";
  if (known <= 1) return `a ${unit[0]} ${grows ? "grows" : "goes"}`;
  return `${known} ${unit[1]} ${grows ? "grow" : "go"}`;
}

/**
 * A mutation in words, such as "lr × 1.2" or "a neuron grows"; null if nothing changed.
 * @param mutation Its label, for members whose detail is incomplete.
 */
export function geneWords({ kind, method, from, to }: MutationDetail, mutation: string): string | null {
  switch (kind) {
    case "none":
      return null;
    case "parameters":
      return "weights shift";
    case "activation":
      return `activation${change({ from, to })}`;
    case "architecture":
      return architecture(method ?? mutation, { from, to });
    case "hyperparameter":
      return hyperparameter(method ?? mutation, { from, to });
  }
}
