import { expect, test } from "vitest";
import { Pig } from "../../../../../src/rl/environments/games/pig/Pig.ts";
import { pigRules } from "../../../../../src/rl/environments/games/pig/rules.ts";
import { readMoves } from "../../../../../src/rl/environments/games/records.ts";
import type { CompiledEnvironment } from "../../../../../src/rl/environments.ts";
import { playBeside } from "./playBeside.ts";

test("holding keeps the points of a turn, a 1 loses them, and the target wins", () => {
  const rules = pigRules(8);
  expect(readMoves(rules, "roll *5 roll *6").state).toEqual([0, 0, 11, 6, 0]);
  expect(readMoves(rules, "roll *5 roll *1").state).toEqual([0, 0, 0, 1, 1]);
  const held = readMoves(rules, "roll *5 hold").state;
  expect(held).toEqual([5, 0, 0, 0, 1]);
  expect(rules.observe(held, 1)).toEqual([0, 5 / 8, 0]);
  const won = readMoves(rules, "roll *5 hold roll *6 roll *2 hold").state;
  expect(rules.returns(won)).toEqual([-1, 1]);
  expect(rules.legal(won)).toEqual([]);
  // Who would win by holding holds.
  expect(rules.legal(readMoves(rules, "roll *5").state)).toEqual([0, 1]);
  expect(rules.legal(readMoves(rules, "roll *5 roll *3").state)).toEqual([0]);
});

test("Pig is compiled as its rules say", () => {
  expect(playBeside(Pig.withOptions?.({ target: 20 }) as CompiledEnvironment, { lanes: 64 })).toBeGreaterThan(
    64 * 10,
  );
});

test("refuses a target that is no whole number", () => {
  expect(() => Pig.withOptions?.({ target: 2.5 })).toThrow(/rlkit\/Pig.*target/s);
});
