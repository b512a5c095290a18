import type { ScalarTag } from "yaml";

const plain = (source: string): number => Number(source.replaceAll("_", ""));

/** Integers with underscores between digits, such as 1_000_000. */
const integerTag: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  identify: (value) => typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e15,
  test: /^[-+]?[0-9]+(?:_[0-9]+)*$/,
  resolve: plain,
  stringify: ({ value }) => String(value),
};

/**
 * Reals with underscores between digits. Written with a point before the exponent and a sign after it,
 * because YAML 1.1 readers read 1e-7 as a string.
 */
const realTag: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value) => typeof value === "number" && Number.isFinite(value),
  test: /^[-+]?[0-9]+(?:_[0-9]+)*\.[0-9]*(?:[eE][-+]?[0-9]+)?$/,
  resolve: plain,
  stringify: ({ value }) => String(value).replace(/^(-?[0-9]+)e/, "$1.0e"),
};

/** Tags that read and write numbers in a form that both YAML 1.1 and 1.2 readers understand. */
export const yamlNumbers: ScalarTag[] = [integerTag, realTag];
