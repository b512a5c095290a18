/** Guess a number from 1 to 10 within a few turns; each wrong guess says where to look. A module without imports. */
export class GuessTheNumber {
  name = "GuessTheNumber";

  constructor({ highest = 10, turns = 4 } = {}) {
    this.highest = highest;
    this.turns = turns;
  }

  reset(seed = 0) {
    this.left = this.turns;
    // Members of a group have the same seed, and so the same number.
    this.number = 1 + ((Math.imul(seed, 2654435761) >>> 16) % this.highest);
    return [`Guess a number from 1 to ${this.highest}. Answer with the number only.`, {}];
  }

  step(text) {
    this.left--;
    const guess = Number(/\d+/.exec(text)?.[0] ?? Number.NaN);
    if (guess === this.number) return ["Right.", 1, true, false, {}];
    if (this.left === 0) return [`It was ${this.number}.`, 0, true, false, {}];
    const hint = Number.isNaN(guess) ? "That is no number." : guess < this.number ? "Higher." : "Lower.";
    return [hint, 0, false, false, {}];
  }
}
