/**
 * Connect Four for one agent: the opponent is part of the environment. A module without imports, so that a manifest can name
 * it; connect-four-self-play.mjs gives it an opponent that has learned.
 */
const COLUMNS = 7;
const ROWS = 6;
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
];

/** Rewards of the first lessons of AgileRL's tutorial. */
const REWARDS = { win: 1, vertical_win: 0.7, three_in_row: 0.05, opponent_three: -0.05, lose: -1 };

/** A seeded generator (mulberry32) of uniform numbers in [0, 1). */
function generator(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export default class ConnectFour {
  // Two planes: the agent's own pieces, and those of its opponent.
  observation_space = { kind: "Box", low: 0, high: 1, shape: [2, ROWS, COLUMNS], dtype: "uint8" };
  action_space = { kind: "Discrete", n: COLUMNS };
  spec = { id: "ConnectFour", max_episode_steps: 21 };

  /** `opponent`: "random", or a function from an observation and a mask to a column. */
  constructor({ opponent = "random", rewards = {} } = {}) {
    this.opponent = opponent;
    this.rewards = { ...REWARDS, ...rewards };
    this.draw = generator(0);
  }

  reset({ seed } = {}) {
    if (seed !== undefined) this.draw = generator(seed);
    this.planes = [new Uint8Array(ROWS * COLUMNS), new Uint8Array(ROWS * COLUMNS)];
    if (this.draw() < 0.5) this.answer();
    return { observation: this.seenBy(0), info: { action_mask: this.mask() } };
  }

  step(column) {
    const vertical = this.place(0, column);
    if (vertical !== null) return this.end(vertical ? this.rewards.vertical_win : this.rewards.win);
    if (this.isFull()) return this.end(0);
    if (this.answer() !== null) return this.end(this.rewards.lose);
    if (this.isFull()) return this.end(0);
    const shaped =
      (this.longest(0) === 3 ? this.rewards.three_in_row : 0) +
      (this.longest(1) === 3 ? this.rewards.opponent_three : 0);
    return this.result(shaped, false);
  }

  /** The opponent's move; not null if it wins. */
  answer() {
    const mask = this.mask();
    const legal = [...mask.keys()].filter((column) => mask[column]);
    const isRandom = this.opponent === "random";
    const column = isRandom
      ? legal[Math.floor(this.draw() * legal.length)]
      : this.opponent(this.seenBy(1), mask);
    return this.place(1, column);
  }

  seenBy(player) {
    return Uint8Array.from([...this.planes[player], ...this.planes[1 - player]]);
  }

  /** 1 for each column that has room. */
  mask() {
    return Array.from({ length: COLUMNS }, (_, column) => (this.isTaken(column) ? 0 : 1));
  }

  isTaken(place) {
    return this.planes.some((plane) => plane[place] === 1);
  }

  isFull() {
    return this.mask().every((legal) => legal === 0);
  }

  /** Drops a piece. Null, or for a win whether the four are one above another. */
  place(player, column) {
    let row = ROWS - 1;
    while (this.isTaken(row * COLUMNS + column)) row--;
    this.planes[player][row * COLUMNS + column] = 1;
    const lengths = DIRECTIONS.map(([x, y]) => this.lineThrough(player, column, row, x, y));
    if (Math.max(...lengths) < 4) return null;
    return lengths[1] >= 4;
  }

  lineThrough(player, column, row, x, y) {
    const run = (sign) => {
      let length = 0;
      for (let at = 1; this.has(player, column + sign * at * x, row + sign * at * y); at++) length++;
      return length;
    };
    return 1 + run(1) + run(-1);
  }

  has(player, column, row) {
    const isInside = column >= 0 && column < COLUMNS && row >= 0 && row < ROWS;
    return isInside && this.planes[player][row * COLUMNS + column] === 1;
  }

  /** The longest line of a player's pieces. */
  longest(player) {
    let longest = 0;
    for (let row = 0; row < ROWS; row++)
      for (let column = 0; column < COLUMNS; column++)
        if (this.has(player, column, row))
          for (const [x, y] of DIRECTIONS)
            longest = Math.max(longest, this.lineThrough(player, column, row, x, y));
    return longest;
  }

  end(reward) {
    return this.result(reward, true);
  }

  result(reward, terminated) {
    const info = { action_mask: this.mask() };
    return { observation: this.seenBy(0), reward, terminated, truncated: false, info };
  }
}
