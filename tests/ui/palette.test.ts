import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/** Linear red, green, blue, each in [0, 1]. */
type Colour = readonly [number, number, number];
type Theme = "light" | "dark";

const css = readFileSync(path.join(import.meta.dirname, "../../src/ui/styles/tokens.css"), "utf8");

/** A token's colour; the first of a pair is for light. */
function token(name: string, theme: Theme): Colour {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css);
  const hex = found?.[theme === "light" ? 1 : 2];
  if (hex === undefined) throw new Error(`tokens.css has no pair of colours for --${name}.`);
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** WCAG's contrast ratio. */
function contrast(a: Colour, b: Colour): number {
  const [light, dark] = [a, b]
    .map(([r, g, blue]) => 0.2126 * r + 0.7152 * g + 0.0722 * blue + 0.05)
    .sort((x, y) => y - x);
  return (light ?? 0) / (dark ?? 1);
}

/** Machado, Oliveira and Fernandes 2009, severity 1. */
const visions: Readonly<Record<string, readonly number[]>> = {
  full: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

function seen([r, g, b]: Colour, vision: readonly number[]): Colour {
  const row = (at: number): number =>
    Math.min(1, Math.max(0, (vision[at] ?? 0) * r + (vision[at + 1] ?? 0) * g + (vision[at + 2] ?? 0) * b));
  return [row(0), row(3), row(6)];
}

/** Ottosson 2020: a space in which equal distances look alike. */
function oklab([r, g, b]: Colour): Colour {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const distance = (a: Colour, b: Colour): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

describe.each(["light", "dark"] as const)("colours, %s", (theme) => {
  const slots = Array.from({ length: 8 }, (_, slot) => token(`slot-${slot}`, theme));

  it.each(["ink", "ink-2", "ink-3", "accent", "elite", "target", "good", "warn", "bad"])(
    "--%s can be read",
    (name) => {
      for (const ground of ["surface", "surface-2", "canvas"]) {
        expect(contrast(token(name, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  it.each([
    ["accent-ink", "accent"],
    ["ink", "bad-soft"],
    ["ink", "warn-soft"],
    ["ink", "accent-soft"],
    ["ink-2", "surface-3"],
  ])("--%s can be read on --%s", (ink, ground) => {
    expect(contrast(token(ink, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["line-strong", "focus"])("--%s can be seen", (name) => {
    expect(contrast(token(name, theme), token("surface", theme))).toBeGreaterThanOrEqual(3);
  });

  it("every slot's line can be seen", () => {
    for (const slot of slots) expect(contrast(slot, token("surface", theme))).toBeGreaterThanOrEqual(3);
  });

  it("the champion's colour is nothing else's", () => {
    const champion = oklab(token("elite", theme));
    const named = [...css.matchAll(/--([\w-]+): light-dark\(#/g)].map(([, name = ""]) => name);
    expect(named).toContain("slot-7");
    const alike = named.filter((one) => distance(champion, oklab(token(one, theme))) <= 0.06);
    expect(alike).toEqual(["elite"]);
  });

  const steps = Array.from({ length: 7 }, (_, step) => token(`fitness-${step + 1}`, theme));

  it("every step of fitness and every side of the weights can be seen", () => {
    const weights = ["weight-negative", "weight-zero", "weight-positive"].map((name) => token(name, theme));
    for (const colour of [...steps, ...weights])
      expect(contrast(colour, token("surface", theme))).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.keys(visions))("steps of fitness grow lighter one by one with %s colour vision", (name) => {
    const colours = steps.map((step) => oklab(seen(step, visions[name] ?? [])));
    for (const [index, colour] of colours.slice(1).entries()) {
      const before = colours[index] ?? colour;
      expect(colour[0]).toBeGreaterThan(before[0]);
      expect(distance(colour, before)).toBeGreaterThan(0.035);
    }
  });

  it.each(Object.keys(visions))("weights above and below zero differ with %s colour vision", (name) => {
    const [below, zero, above] = ["negative", "zero", "positive"].map((side) =>
      oklab(seen(token(`weight-${side}`, theme), visions[name] ?? [])),
    ) as [Colour, Colour, Colour]; // as many as the names
    expect(distance(below, above)).toBeGreaterThan(0.1);
    expect(Math.min(distance(below, zero), distance(above, zero))).toBeGreaterThan(0.05);
  });

  it.each(Object.keys(visions))("slots differ for eyes with %s colour vision", (name) => {
    const colours = slots.map((slot) => oklab(seen(slot, visions[name] ?? [])));
    for (const [index, colour] of colours.entries()) {
      for (const other of colours.slice(index + 1)) expect(distance(colour, other)).toBeGreaterThan(0.05);
    }
  });
});
