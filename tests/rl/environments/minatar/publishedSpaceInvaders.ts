import {
  type Cells,
  COLUMNS,
  cellAt,
  countCells,
  noCells,
  type Outcome,
  type PublishedGame,
  type PublishedRules,
  reader,
  setCell,
  toCells,
  toRows,
} from "./publishedGame.ts";

const emptyRow = (): boolean[] => COLUMNS.map(() => false);

function deploy(aliens: Cells): void {
  for (let y = 0; y < 4; y++) for (let x = 2; x < 8; x++) setCell(aliens, x, y, true);
}

class Game implements PublishedGame {
  cannon = 5;
  reload = 0;
  direction = -1;
  pace = 12;
  untilMove = 12;
  untilShot = 10;
  aliens = noCells();
  mine = noCells();
  theirs = noCells();

  press(key: string): Outcome {
    if (key === "fire" && this.reload === 0) {
      setCell(this.mine, this.cannon, 9, true);
      this.reload = 5;
    }
    if (key === "left") this.cannon = Math.max(0, this.cannon - 1);
    if (key === "right") this.cannon = Math.min(9, this.cannon + 1);
    this.mine = [...this.mine.slice(1), emptyRow()];
    this.theirs = [emptyRow(), ...this.theirs.slice(0, 9)];

    let terminated = cellAt(this.theirs, this.cannon, 9) || cellAt(this.aliens, this.cannon, 9);
    if (this.untilMove === 0) {
      this.untilMove = Math.min(countCells(this.aliens), this.pace);
      if (this.march()) terminated = true;
    }
    if (this.untilShot === 0) {
      this.untilShot = 10;
      this.shootBack();
    }

    let reward = 0;
    for (const y of COLUMNS) {
      for (const x of COLUMNS) {
        if (!cellAt(this.aliens, x, y) || !cellAt(this.mine, x, y)) continue;
        setCell(this.aliens, x, y, false);
        setCell(this.mine, x, y, false);
        reward++;
      }
    }
    if (this.reload > 0) this.reload--;
    this.untilMove--;
    this.untilShot--;
    if (countCells(this.aliens) === 0) {
      if (this.pace > 6) this.pace--;
      deploy(this.aliens);
    }
    return { reward, terminated };
  }

  /** Moves the aliens. @returns whether the move ends the game. */
  march(): boolean {
    const wall = this.direction < 0 ? 0 : 9;
    let over = false;
    if (this.aliens.some((row) => row[wall])) {
      this.direction *= -1;
      over = (this.aliens[9] ?? []).some(Boolean);
      this.aliens = [this.aliens[9] ?? emptyRow(), ...this.aliens.slice(0, 9)];
    } else this.aliens = this.aliens.map((row) => COLUMNS.map((x) => row[x - this.direction] ?? false));
    return over || cellAt(this.aliens, this.cannon, 9);
  }

  shootBack(): void {
    const byDistance = [...COLUMNS].sort(
      (a, b) => Math.abs(a - this.cannon) - Math.abs(b - this.cannon) || a - b,
    );
    for (const x of byDistance) {
      const y = this.aliens.findLastIndex((row) => row[x]);
      if (y < 0) continue;
      setCell(this.theirs, x, y, true);
      return;
    }
  }

  state(): number[] {
    const { cannon, reload, direction, pace, untilMove, untilShot } = this;
    const grids = [this.aliens, this.mine, this.theirs].flatMap(toRows);
    return [cannon, reload, direction, pace, untilMove, untilShot, ...grids];
  }

  occupied(channel: string, x: number, y: number): boolean {
    switch (channel) {
      case "cannon":
        return x === this.cannon && y === 9;
      case "friendly_bullet":
        return cellAt(this.mine, x, y);
      case "enemy_bullet":
        return cellAt(this.theirs, x, y);
      default:
        return (
          cellAt(this.aliens, x, y) &&
          (channel === "alien" || (channel === "alien_left") === this.direction < 0)
        );
    }
  }
}

export const publishedSpaceInvaders: PublishedRules = {
  channels: ["cannon", "alien", "alien_left", "alien_right", "friendly_bullet", "enemy_bullet"],
  keys: ["none", "left", "right", "fire"],
  begin: () => {
    const game = new Game();
    deploy(game.aliens);
    return game;
  },
  restore: (state) => {
    const { one, many } = reader(state);
    const game = new Game();
    game.cannon = one();
    game.reload = one();
    game.direction = one();
    game.pace = one();
    game.untilMove = one();
    game.untilShot = one();
    game.aliens = toCells(many(10));
    game.mine = toCells(many(10));
    game.theirs = toCells(many(10));
    return game;
  },
};
