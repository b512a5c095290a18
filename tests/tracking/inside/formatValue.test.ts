import { describe, expect, it } from "vitest";
import { formatCount, formatValue } from "../../../src/tracking/clients.ts";
import { formatClock } from "../../../src/tracking/formatValue.ts";

describe("formatValue", () => {
  it.each([
    [Number.NaN, "-"],
    [0, "0"],
    [-3, "-3"],
    [40_000, "40000"],
    [0.5, "0.5000"],
    [-0.01, "-0.0100"],
    [0.00999, "9.99e-03"],
    [999.99996, "1000.0000"],
    [1000.5, "1.00e+03"],
    [-12_345.6, "-1.23e+04"],
    [1.5e-300, "1.50e-300"],
    [1e21, "1.00e+21"],
    [Number.POSITIVE_INFINITY, "inf"],
    [Number.NEGATIVE_INFINITY, "-inf"],
  ])("%d is %s", (value, text) => {
    expect(formatValue(value)).toBe(text);
  });
});

describe("formatCount", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1_000"],
    [1_234_567.4, "1_234_567"],
    [-1000, "-1_000"],
    [Number.NaN, "-"],
  ])("%d is %s", (value, text) => {
    expect(formatCount(value)).toBe(text);
  });
});

describe("formatClock", () => {
  it.each([
    [0.4, "0:00"],
    [61, "1:01"],
    [3599.6, "1:00:00"],
    [36_000, "10:00:00"],
    [-5, "0:00"],
    [Number.POSITIVE_INFINITY, "-:--"],
  ])("%d is %s", (seconds, text) => {
    expect(formatClock(seconds)).toBe(text);
  });
});
