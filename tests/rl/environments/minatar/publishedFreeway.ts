import {
  COLUMNS,
  type Outcome,
  type PublishedGame,
  type PublishedRules,
  pick,
  reader,
} from "./publishedGame.ts";

interface Car {
  x: number;
  readonly y: number;
  wait: number;
  /** Steps per move. */
  slowness: number;
  right: boolean;
}

/** Sets the car's direction and slowness from one draw: ten equally likely values, -5 to 5 without 0. */
function setRhythm(car: Car, draw: number | undefined): void {
  const signed = [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5][pick(draw, 10)] as number;
  car.slowness = Math.abs(signed);
  car.right = signed > 0;
  car.wait = car.slowness;
}

const around = (x: number): number => (x + 10) % 10;

class Game implements PublishedGame {
  chicken = 9;
  rest = 3;
  clock = 2500;
  cars: Car[] = [1, 2, 3, 4, 5, 6, 7, 8].map((y) => ({ x: 0, y, wait: 1, slowness: 1, right: true }));

  press(key: string, draws: readonly number[]): Outcome {
    if (this.rest === 0 && key !== "none") {
      this.chicken = key === "up" ? Math.max(0, this.chicken - 1) : Math.min(9, this.chicken + 1);
      this.rest = 3;
    }
    const arrived = this.chicken === 0;
    if (arrived) {
      this.cars.forEach((car, i) => setRhythm(car, draws[i]));
      this.chicken = 9;
    }
    for (const car of this.cars) {
      this.collide(car);
      if (car.wait > 0) car.wait--;
      else {
        car.wait = car.slowness;
        car.x = around(car.x + (car.right ? 1 : -1));
        this.collide(car);
      }
    }
    if (this.rest > 0) this.rest--;
    this.clock--;
    return { reward: arrived ? 1 : 0, terminated: this.clock < 0 };
  }

  collide(car: Car): void {
    if (car.x === 4 && car.y === this.chicken) this.chicken = 9;
  }

  state(): number[] {
    const { cars } = this;
    return [
      this.chicken,
      this.rest,
      this.clock,
      ...cars.map((car) => car.x),
      ...cars.map((car) => car.wait),
      ...cars.map((car) => (car.right ? car.slowness : -car.slowness)),
    ];
  }

  occupied(channel: string, x: number, y: number): boolean {
    if (channel === "chicken") return x === 4 && y === this.chicken;
    const car = this.cars.find((other) => other.y === y);
    if (!car) return false;
    if (channel === "car") return car.x === x;
    return channel === `speed${car.slowness}` && around(car.x + (car.right ? -1 : 1)) === x;
  }
}

export const publishedFreeway: PublishedRules = {
  channels: ["chicken", "car", "speed1", "speed2", "speed3", "speed4", "speed5"],
  keys: ["none", "up", "down"],
  begin: (draws) => {
    const game = new Game();
    game.cars.forEach((car, i) => setRhythm(car, draws[i]));
    return game;
  },
  restore: (state) => {
    const { one, many } = reader(state);
    const game = new Game();
    game.chicken = one();
    game.rest = one();
    game.clock = one();
    const [x, wait, speed] = [many(8), many(8), many(8)];
    game.cars = COLUMNS.slice(0, 8).map((i) => ({
      x: x[i] as number,
      y: i + 1,
      wait: wait[i] as number,
      slowness: Math.abs(speed[i] as number),
      right: (speed[i] as number) > 0,
    }));
    return game;
  },
};
