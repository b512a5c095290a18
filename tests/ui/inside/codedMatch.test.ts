/** Matches in games in code, stepped in a sandbox. */
import { expect, it } from "vitest";
import { SandboxedEnvironment } from "../../../src/sandbox/environments.ts";
import { beginIn, type CodedMatch, movedIn } from "../../../src/ui/games/codedMatch.ts";
import { inProcess } from "../../sandbox/inside/support/inProcess.ts";
import { NIM } from "../../sandbox/support/modules.ts";

it.each([
  ["first", 0, -1],
  ["second", 1, 1],
] as const)("has the result of the %s player, whose turn is said", async (_name, seat, result) => {
  const lane = await SandboxedEnvironment.open(inProcess, {
    name: "user/nim",
    script: NIM,
    entrypoint: null,
    options: {},
    num_envs: 1,
  });
  let match: CodedMatch = await beginIn(lane, seat, 1);
  const movers: (number | null)[] = [match.mover];
  for (let move = 0; move < 4; move++) {
    expect(match.question.mask).toEqual([1, 1, 1]);
    match = await movedIn(lane, match, 2);
    movers.push(match.mover);
  }
  // The second player takes the last stones.
  expect(movers).toEqual([0, 1, 0, 1, null]);
  expect(match).toMatchObject({ moves: 4, total: result, truncated: false });
  expect((await movedIn(lane, await beginIn(lane, seat, 1), 0)).question.observation.indexOf(1)).toBe(11);
  lane.close();
});
