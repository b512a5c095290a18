/**
 * Transition tables of the grid worlds from their published rules, one state at a time, independently of the
 * library's programs: walls and maps are parsed from drawings. Sources: FrozenLake, Taxi and CliffWalking on
 * Gymnasium's pages; Dietterich 2000, figure 1; Sutton and Barto, example 6.6.
 */

export interface TableEntry {
  readonly next: readonly number[];
  /** Index of the next state. */
  readonly observation: number;
  readonly reward: number;
  readonly terminated: boolean;
}

type Place = readonly [row: number, col: number];

const within = (value: number, size: number): number => Math.min(size - 1, Math.max(0, value));

const LAKES: Readonly<Record<number, string>> = {
  4: "SFFF FHFH FFFH HFFG",
  8: "SFFFFFFF FFFFFFFF FFFHFFFF FFFFFHFF FFFHFFFF FHHFFFHF FHFFHFHF FFFHFFFG",
};

/** Left, down, right, up. A slip to either side is a neighbour in this order. */
const AROUND: readonly Place[] = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

/** @param turn Direction of the slip: -1, 0 (none) or 1. */
export function frozenLake(size: number, [row, col]: Place, action: number, turn: number): TableEntry {
  const letter = (r: number, c: number): string => (LAKES[size] as string).split(" ")[r]?.[c] as string;
  const entry = (r: number, c: number, reward: number): TableEntry => ({
    next: [r, c],
    observation: r * size + c,
    reward,
    terminated: "HG".includes(letter(r, c)),
  });
  if ("HG".includes(letter(row, col))) return entry(row, col, 0);
  const [down, right] = AROUND[(action + turn + 4) % 4] as Place;
  const [r, c] = [within(row + down, size), within(col + right, size)];
  return entry(r, c, letter(r, c) === "G" ? 1 : 0);
}

/** Actions: up, right, down, left. */
export function cliffWalking([row, col]: Place, action: number): TableEntry {
  const ways: readonly Place[] = [
    [-1, 0],
    [0, 1],
    [1, 0],
    [0, -1],
  ];
  const [down, right] = ways[action] as Place;
  const [r, c] = [within(row + down, 4), within(col + right, 12)];
  if (r === 3 && c >= 1 && c <= 10) return { next: [3, 0], observation: 36, reward: -100, terminated: false };
  return { next: [r, c], observation: 12 * r + c, reward: -1, terminated: r === 3 && c === 11 };
}

/** The town's cells at every second character, with the walls between them. */
const TOWN = ["R:.|.:.:G", ".:.|.:.:.", ".:.:.:.:.", ".|.:.|.:.", "Y|.:.|B:."];

/** Actions: south, north, east, west, pick up, drop off. */
export function taxi(
  [row, col, passenger, destination]: readonly [number, number, number, number],
  action: number,
): TableEntry {
  const stop = "RGYB".indexOf(TOWN[row]?.[2 * col] as string);
  const result = (
    next: readonly [number, number, number],
    reward: number,
    terminated = false,
  ): TableEntry => {
    const [r, c, p] = next;
    const observation = ((r * 5 + c) * 5 + p) * 4 + destination;
    return { next: [...next, destination], observation, reward, terminated };
  };
  const open = (between: number): boolean => TOWN[row]?.[between] === ":";
  switch (action) {
    case 0:
      return result([within(row + 1, 5), col, passenger], -1);
    case 1:
      return result([within(row - 1, 5), col, passenger], -1);
    case 2:
      return result([row, open(2 * col + 1) ? col + 1 : col, passenger], -1);
    case 3:
      return result([row, open(2 * col - 1) ? col - 1 : col, passenger], -1);
    case 4:
      return stop >= 0 && stop === passenger ? result([row, col, 4], -1) : result([row, col, passenger], -10);
    default: {
      if (passenger !== 4 || stop < 0) return result([row, col, passenger], -10);
      const arrived = stop === destination;
      return result([row, col, stop], arrived ? 20 : -1, arrived);
    }
  }
}
