/** A game against a rule, on a board and without one. */
import { createRoot } from "react-dom/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { page, userEvent } from "vitest/browser";
import { CHANCE, type GameRules } from "../../../../src/rl/environments.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";
import { GamePanel } from "../../../../src/ui/games/GamePanel.tsx";
import { type RivalGroup, ruleRivals } from "../../../../src/ui/games/rivals.ts";
import { rulesOf } from "../../../../src/ui/games/rulesOf.ts";
import { axeFaults } from "../../../ui/support/axeFaults.ts";
import "../../../../src/ui/styles/tokens.css";
import "../../../../src/ui/styles/base.css";
import "../../../../src/ui/styles/primitives.css";

const ticTacToe = rulesOf("rlkit/TicTacToe") as GameRules;
/** With it, random moves are the first legal ones, and chance draws its first outcome. */
const first = () => 0;

function show(rules: GameRules = ticTacToe, rivals: readonly RivalGroup[] = [ruleRivals(rules)]): void {
  const container = document.createElement("main");
  document.body.append(container);
  const root = createRoot(container);
  root.render(<GamePanel title="Play it" rules={rules} rivals={rivals} uniform={first} />);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
}

const button = (name: string) => page.getByRole("button", { name, exact: true });
const free = (name: string) => button(`${name}, empty, legal move`);
const text = (words: string) => page.getByText(words, { exact: true });
/** Presses a button that is disabled for all who wait until it is not. */
const press = (name: string): void => (button(name).element() as HTMLElement).click();
/** Moves, and waits for the opponent's answer. */
async function move(name: string): Promise<void> {
  await free(name).click();
  await expect.element(text("Your turn.")).toBeVisible();
}

it("Rally is played with the arrow keys while its court has the focus", async () => {
  // The serve goes to the user's paddle by the first outcome: flat to the left and down.
  show(rulesOf("rlkit/Rally") as GameRules);
  const court = button("Court: hold the arrow keys up and down");
  await expect.element(court).toBeVisible();
  const standing = page.getByText(/^(?:You (?:win|lose)|A draw)/);
  expect(standing.elements()).toEqual([]);
  await userEvent.click(court);
  await userEvent.keyboard("{ArrowUp>}");
  // The paddle leaves the ball, which it would have met by staying low.
  await expect.element(page.getByText(/^You lose after \d+ moves\.$/)).toBeVisible();
  await userEvent.keyboard("{/ArrowUp}");
  expect(await axeFaults()).toEqual([]);
});

describe("a game on a board", () => {
  it("is won by the user, with the result in words", async () => {
    show();
    await expect.element(text("Your turn.")).toBeVisible();
    await move("b2");
    await expect.element(button("a3, opponent's stone, last move")).toBeVisible();
    await move("c3");
    await free("a1").click();
    await expect.element(text("You win after 5 moves.")).toBeVisible();
    // Nothing can be moved any more.
    press("c1, empty");
    await expect.element(button("c1, empty")).toBeVisible();
    await button("New game").click();
    await expect.element(text("Your turn.")).toBeVisible();
    await expect.element(free("b2")).toBeVisible();
  });

  it("is lost, or a draw", async () => {
    show();
    await move("a2");
    await move("b2");
    await free("c1").click();
    await expect.element(text("You lose after 6 moves.")).toBeVisible();
    await button("New game").click();
    for (const cell of ["b2", "b3", "c2", "a1"]) await move(cell);
    await free("c1").click();
    await expect.element(text("A draw after 9 moves.")).toBeVisible();
  });

  it("ignores cells that are taken, and takes moves back with their answers", async () => {
    show();
    await expect.element(button("Undo")).toHaveAttribute("aria-disabled", "true");
    await move("b2");
    press("b2, your stone");
    press("a3, opponent's stone, last move");
    await expect.element(text("Your turn.")).toBeVisible();
    await button("Undo").click();
    await expect.element(free("b2")).toBeVisible();
    await expect.element(free("a3")).toBeVisible();
    await expect.element(button("Undo")).toHaveAttribute("aria-disabled", "true");
  });

  it("is played with arrow keys and Enter", async () => {
    show();
    await expect.element(text("Your turn.")).toBeVisible();
    (document.querySelector(".board button") as HTMLElement).focus();
    await userEvent.keyboard("{ArrowUp}{ArrowRight}{ArrowDown}{Enter}");
    await expect.element(button("b2, your stone")).toHaveFocus();
    await expect.element(button("a3, opponent's stone, last move")).toBeVisible();
  });

  it("begins with the opponent's move where the user wants it, and changes opponents", async () => {
    show();
    await button("Opponent").click();
    await expect.element(button("a3, opponent's stone, last move")).toBeVisible();
    await expect.element(text("Your turn.")).toBeVisible();
    await button("You").click();
    await move("b2");
    await page.getByRole("combobox").selectOptions("Rule that looks one move ahead");
    // It stops a row of three, which random moves of this test do not.
    await move("c3");
    await expect.element(button("a1, opponent's stone, last move")).toBeVisible();
  });

  it("has no faults of accessibility", async () => {
    show();
    await move("b2");
    expect(await axeFaults()).toEqual([]);
  });
});

describe("an agent as opponent", () => {
  it("looks ahead as far as it is asked to, and shows how often it looked at each move", async () => {
    const asked: number[] = [];
    const advise = async (_match: unknown, simulations: number) => {
      asked.push(simulations);
      const visits = Array.from({ length: 9 }, (_, action) => (action === 4 ? simulations : 0));
      const values = visits.map(() => 0.1);
      const search = simulations > 0 ? { visits, value: 0.5 } : null;
      return { action: 0, ratings: { kind: "probability" as const, values }, value: 0.25, search };
    };
    const rival = { move: async () => 0, advise, close: () => undefined };
    show(ticTacToe, [{ title: "Agents", choices: [{ key: "a", label: "A", open: async () => rival }] }]);
    await button("Hints").click();
    await expect.element(button("b2, empty, legal move, 10%")).toBeVisible();
    await page.getByLabelText("Strength").selectOptions("Looks at 32 positions");
    await expect.element(button("b2, empty, legal move, 10%, looked at 32")).toBeVisible();
    await expect.element(page.getByText("it expects 0.50.")).toBeVisible();
    expect(new Set(asked)).toEqual(new Set([0, 32]));
  });
});

describe("a game where stones fall", () => {
  /** Two stones above each other win, on three rows of two columns. */
  const falling: GameRules = {
    ...ticTacToe,
    id: "test/Falling",
    observation_space: new Box({ low: 0, high: 1, shape: [3, 2, 2] }),
    action_space: new Discrete(2),
    max_moves: 6,
    start: [0, 0, 0, 0, 0, 0, 0],
    player: (state) => state[6] ?? 0,
    legal: (state) => [0, 1].filter((column) => state[column] === 0),
    next(state, column) {
      const cell = [4, 2, 0].map((row) => row + column).find((place) => state[place] === 0) ?? column;
      const mover = state[6] ?? 0;
      return state.with(cell, 1 - 2 * mover).with(6, 1 - mover);
    },
    returns(state) {
      const won = [0, 1, 2, 3].find((cell) => state[cell] !== 0 && state[cell] === state[cell + 2]);
      const stone = won === undefined ? 0 : (state[won] ?? 0);
      return stone === 0 ? null : [stone, -stone];
    },
    observe: (state) => state.slice(0, 6).flatMap((stone) => [Number(stone === 1), Number(stone === -1)]),
    actionName: (column) => "ab".charAt(column),
  };

  it("takes a press on any cell of a column", async () => {
    show(falling);
    // The top cell of the second column: the stone falls to the lowest row.
    await free("b3").click();
    await expect.element(button("b1, your stone, legal move")).toBeVisible();
    await expect.element(button("a1, opponent's stone, last move, legal move")).toBeVisible();
    await free("b3").click();
    await expect.element(text("You win after 3 moves.")).toBeVisible();
  });
});

describe("a game without a board", () => {
  /** A die is thrown; the player who says whether it is even gets one point, or loses two. */
  const dice: GameRules = {
    ...ticTacToe,
    id: "test/Dice",
    observation_space: new Box({ low: 0, high: 1, shape: [1] }),
    action_space: new Discrete(2),
    start: [0, 0],
    player: ([die]) => (die === 0 ? CHANCE : 0),
    chance: () => [1, 2, 3, 4, 5, 6].map((face) => [face, 1 / 6]),
    legal: ([die, said]) => (die === 0 || said !== 0 ? [] : [0, 1]),
    next: ([die = 0, said = 0], action) => (die === 0 ? [action, said] : [die, action + 1]),
    returns: ([die = 0, said = 0]) => (said === 0 ? null : said - 1 === die % 2 ? [1, -1] : [-2, 2]),
    actionName: (action) => ["even", "odd"][action] ?? "",
  };

  it("has its moves as buttons, and says how much was won", async () => {
    show(dice);
    await expect.element(text("Your turn.")).toBeVisible();
    await button("odd").click();
    await expect.element(text("You win after 1 move.")).toBeVisible();
    await button("Undo").click();
    await button("even").click();
    await expect.element(text("You lose 2 after 1 move.")).toBeVisible();
  });
});
