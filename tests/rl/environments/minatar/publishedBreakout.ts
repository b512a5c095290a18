import {
  type Cells,
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

function build(bricks: Cells): void {
  for (const y of [1, 2, 3]) for (let x = 0; x < 10; x++) setCell(bricks, x, y, true);
}

class Game implements PublishedGame {
  paddle = 4;
  ball = { x: 0, y: 3 };
  velocity = { x: 1, y: 1 };
  before = { x: 0, y: 3 };
  struck = false;
  bricks = noCells();

  press(key: string): Outcome {
    if (key === "left" && this.paddle > 0) this.paddle--;
    if (key === "right" && this.paddle < 9) this.paddle++;
    const { ball, velocity } = this;
    this.before = { ...ball };
    let next = { x: ball.x + velocity.x, y: ball.y + velocity.y };
    let [reward, terminated, touching] = [0, false, false];
    const stay = (): void => {
      next = { x: next.x, y: ball.y };
      velocity.y *= -1;
    };
    if (next.x < 0 || next.x > 9) {
      next.x = next.x < 0 ? 0 : 9;
      velocity.x *= -1;
    }
    if (next.y < 0) {
      next.y = 0;
      velocity.y *= -1;
    } else if (cellAt(this.bricks, next.x, next.y)) {
      touching = true;
      if (!this.struck) {
        reward = 1;
        setCell(this.bricks, next.x, next.y, false);
        stay();
      }
    } else if (next.y === 9) {
      if (countCells(this.bricks) === 0) build(this.bricks);
      if (ball.x === this.paddle) stay();
      else if (next.x === this.paddle) {
        velocity.x *= -1;
        stay();
      } else terminated = true;
    }
    this.struck = touching;
    this.ball = next;
    return { reward, terminated };
  }

  state(): number[] {
    const { paddle, ball, velocity, before, struck, bricks } = this;
    return [
      paddle,
      ball.x,
      ball.y,
      velocity.x,
      velocity.y,
      before.x,
      before.y,
      Number(struck),
      ...toRows(bricks),
    ];
  }

  occupied(channel: string, x: number, y: number): boolean {
    const here = (at: { x: number; y: number }): boolean => at.x === x && at.y === y;
    if (channel === "paddle") return here({ x: this.paddle, y: 9 });
    if (channel === "brick") return cellAt(this.bricks, x, y);
    return here(channel === "ball" ? this.ball : this.before);
  }
}

export const publishedBreakout: PublishedRules = {
  channels: ["paddle", "ball", "trail", "brick"],
  keys: ["none", "left", "right"],
  begin: ([side = 0]) => {
    const game = new Game();
    build(game.bricks);
    if (side >= 0.5) {
      game.ball.x = 9;
      game.before.x = 9;
      game.velocity.x = -1;
    }
    return game;
  },
  restore: (state) => {
    const { one, many } = reader(state);
    const game = new Game();
    game.paddle = one();
    game.ball = { x: one(), y: one() };
    game.velocity = { x: one(), y: one() };
    game.before = { x: one(), y: one() };
    game.struck = one() === 1;
    game.bricks = toCells(many(10));
    return game;
  },
};
