import {
  type Cells,
  COLUMNS,
  cellAt,
  noCells,
  type Outcome,
  type PublishedGame,
  type PublishedRules,
  pick,
  reader,
  setCell,
  toCells,
  toRows,
} from "./publishedGame.ts";

interface Thing {
  x: number;
  readonly y: number;
  readonly step: number;
}
interface Diver extends Thing {
  wait: number;
}
interface Enemy extends Diver {
  readonly armed: boolean;
  reload: number;
}

const [SHOTS, DIVERS, ENEMIES] = [2, 2, 32];
const inGrid = ({ x }: Thing): boolean => x >= 0 && x <= 9;
const meet = (a: { x: number; y: number }, b: { x: number; y: number }): boolean =>
  a.x === b.x && a.y === b.y;

/** Lays out each property over all slots. */
function toSlots<T>(
  things: readonly T[],
  slots: number,
  properties: readonly ((thing: T) => number)[],
): number[] {
  if (things.length > slots) throw new RangeError(`found ${things.length} things, allowed ${slots}`);
  return properties.flatMap((property) =>
    Array.from({ length: slots }, (_, i) => (i < things.length ? property(things[i] as T) : 0)),
  );
}

class Game implements PublishedGame {
  player = { x: 5, y: 0 };
  facing = -1;
  oxygen = 200;
  aboard = 0;
  up = true;
  reload = 0;
  spawnEvery = 20;
  untilSpawn = 20;
  untilDiver = 30;
  moveEvery = 5;
  ramps = 0;
  shots: Thing[] = [];
  divers: Diver[] = [];
  enemies: Enemy[] = [];
  hostile: Thing[] = [];
  #reward = 0;
  #over = false;

  press(key: string, draws: readonly number[]): Outcome {
    this.#reward = 0;
    this.#over = false;
    this.#spawn(draws);
    const { player } = this;
    if (key === "fire" && this.reload === 0) {
      this.shots.push({ ...player, step: this.facing });
      this.reload = 5;
    }
    if (key === "left" || key === "right") {
      this.facing = key === "left" ? -1 : 1;
      player.x = Math.min(9, Math.max(0, player.x + this.facing));
    }
    if (key === "up") player.y = Math.max(0, player.y - 1);
    if (key === "down") player.y = Math.min(8, player.y + 1);
    this.#moveShots();
    this.#moveDivers();
    this.#moveEnemies(true);
    for (const bullet of this.hostile) {
      if (meet(bullet, player)) this.#over = true;
      bullet.x += bullet.step;
      if (meet(bullet, player)) this.#over = true;
    }
    this.hostile = this.hostile.filter(inGrid);
    this.#moveEnemies(false);
    for (const timer of ["untilSpawn", "untilDiver", "reload"] as const) if (this[timer] > 0) this[timer]--;
    this.#breathe();
    return { reward: this.#reward, terminated: this.#over };
  }

  #spawn([side = 0, breed = 0, row = 0, diverSide = 0, diverRow = 0]: readonly number[]): void {
    const entering = (draw: number, y: number) => ({
      x: draw < 0.5 ? 0 : 9,
      y: 1 + pick(y, 8),
      step: draw < 0.5 ? 1 : -1,
    });
    if (this.untilSpawn === 0) {
      this.untilSpawn = this.spawnEvery;
      const at = entering(side, row);
      if (!this.enemies.some((other) => other.y === at.y && other.step !== at.step)) {
        const armed = breed < 1 / 3;
        this.enemies.push({ ...at, wait: this.moveEvery, armed, reload: armed ? 10 : 0 });
      }
    }
    if (this.untilDiver === 0) {
      this.untilDiver = 30;
      this.divers.push({ ...entering(diverSide, diverRow), wait: 5 });
    }
  }

  #kill(enemy: Enemy, shot: Thing): void {
    this.enemies = this.enemies.filter((other) => other !== enemy);
    this.shots = this.shots.filter((other) => other !== shot);
    this.#reward++;
  }

  #moveShots(): void {
    for (const shot of [...this.shots]) {
      shot.x += shot.step;
      const inReach = this.enemies.filter((enemy) => meet(enemy, shot));
      const target = inReach.find((enemy) => !enemy.armed) ?? inReach[0];
      if (!inGrid(shot)) this.shots = this.shots.filter((other) => other !== shot);
      else if (target) this.#kill(target, shot);
    }
  }

  #moveDivers(): void {
    for (const diver of [...this.divers].reverse()) {
      const taken = (): boolean => meet(diver, this.player) && this.aboard < 6;
      let gone = taken();
      if (!gone && diver.wait === 0) {
        diver.wait = 5;
        diver.x += diver.step;
        gone = taken();
      } else if (!gone) diver.wait--;
      if (gone) this.aboard++;
      if (gone || !inGrid(diver)) this.divers = this.divers.filter((other) => other !== diver);
    }
  }

  #moveEnemies(armed: boolean): void {
    for (const enemy of this.enemies.filter((other) => other.armed === armed).reverse()) {
      if (meet(enemy, this.player)) this.#over = true;
      if (enemy.wait > 0) enemy.wait--;
      else {
        enemy.wait = this.moveEvery;
        enemy.x += enemy.step;
        const shot = this.shots.find((other) => meet(other, enemy));
        if (!inGrid(enemy)) this.enemies = this.enemies.filter((other) => other !== enemy);
        else if (meet(enemy, this.player)) this.#over = true;
        else if (shot) this.#kill(enemy, shot);
      }
      if (!armed) continue;
      if (enemy.reload > 0) enemy.reload--;
      else {
        enemy.reload = 10;
        this.hostile.push({ x: enemy.x, y: enemy.y, step: enemy.step });
      }
    }
  }

  #breathe(): void {
    if (this.oxygen <= 0) this.#over = true;
    if (this.player.y > 0) {
      this.oxygen--;
      this.up = false;
      return;
    }
    if (this.up) return;
    if (this.aboard === 0) {
      this.#over = true;
      return;
    }
    this.up = true;
    if (this.aboard === 6) {
      this.#reward += Math.floor(this.oxygen / 20);
      this.aboard = 0;
    }
    this.aboard--;
    this.oxygen = 200;
    if (this.spawnEvery === 1 && this.moveEvery <= 2) return;
    if (this.moveEvery > 2 && this.ramps % 2 === 1) this.moveEvery--;
    if (this.spawnEvery > 1) this.spawnEvery--;
    this.ramps++;
  }

  state(): number[] {
    const { player, shots, divers, enemies } = this;
    const bullets = [-1, 1].map((step) => {
      const cells: Cells = noCells();
      for (const bullet of this.hostile) if (bullet.step === step) setCell(cells, bullet.x, bullet.y, true);
      return toRows(cells);
    });
    const place = [(t: Thing) => t.x, (t: Thing) => t.y, (t: Thing) => t.step];
    return [
      ...[player.x, player.y, this.facing, this.oxygen, this.aboard, Number(this.up), this.reload],
      ...[this.spawnEvery, this.untilSpawn, this.untilDiver, this.moveEvery, this.ramps],
      ...toSlots(shots, SHOTS, place),
      ...toSlots(divers, DIVERS, [...place, (diver) => diver.wait]),
      ...toSlots(enemies, ENEMIES, [
        ...place,
        (enemy) => (enemy.armed ? 2 : 1),
        (enemy) => enemy.wait,
        (enemy) => enemy.reload,
      ]),
      ...bullets.flat(),
    ];
  }

  occupied(channel: string, x: number, y: number): boolean {
    const here = (thing: { x: number; y: number }): boolean => meet(thing, { x, y });
    const behind = (thing: Thing): boolean => here({ x: thing.x - thing.step, y: thing.y });
    const { player, enemies, divers } = this;
    switch (channel) {
      case "sub_front":
        return here(player);
      case "sub_back":
        return behind({ ...player, step: this.facing });
      case "friendly_bullet":
        return this.shots.some(here);
      case "trail":
        return enemies.some(behind) || divers.some(behind);
      case "enemy_bullet":
        return this.hostile.some(here);
      case "enemy_fish":
        return enemies.some((enemy) => !enemy.armed && here(enemy));
      case "enemy_sub":
        return enemies.some((enemy) => enemy.armed && here(enemy));
      case "oxygen_guage":
        return y === 9 && x < Math.floor(Math.max(0, this.oxygen) / 20);
      case "diver_guage":
        return y === 9 && x < 9 && x >= 9 - this.aboard;
      default:
        return divers.some(here);
    }
  }
}

/** The numbers of each slot, without the slots that are empty by the property at `kind`. */
function fromSlots(numbers: readonly number[], slots: number, kind: number): number[][] {
  const properties = numbers.length / slots;
  return Array.from({ length: slots }, (_, slot) =>
    Array.from({ length: properties }, (_, property) => numbers[property * slots + slot] as number),
  ).filter((values) => values[kind] !== 0);
}

const things = (numbers: readonly number[]): number[][] => fromSlots(numbers, 2, 2);

export const publishedSeaquest: PublishedRules = {
  channels: [
    "sub_front",
    "sub_back",
    "friendly_bullet",
    "trail",
    "enemy_bullet",
    "enemy_fish",
    "enemy_sub",
    "oxygen_guage",
    "diver_guage",
    "diver",
  ],
  keys: ["none", "left", "up", "right", "down", "fire"],
  begin: () => new Game(),
  ordered: (state) => {
    const { many } = reader(state);
    const sorted = (rows: number[][]): number[] => rows.map(String).sort().join().split(",").map(Number);
    return [
      ...many(12),
      ...sorted(things(many(3 * SHOTS))),
      ...sorted(things(many(4 * DIVERS))),
      ...sorted(fromSlots(many(6 * ENEMIES), ENEMIES, 3)),
      ...many(21),
    ];
  },
  restore: (state) => {
    const { one, many } = reader(state);
    const game = new Game();
    game.player = { x: one(), y: one() };
    game.facing = one();
    game.oxygen = one();
    game.aboard = one();
    game.up = one() === 1;
    game.reload = one();
    game.spawnEvery = one();
    game.untilSpawn = one();
    game.untilDiver = one();
    game.moveEvery = one();
    game.ramps = one();
    game.shots = things(many(3 * SHOTS)).map(([x = 0, y = 0, step = 0]) => ({ x, y, step }));
    game.divers = things(many(4 * DIVERS)).map(([x = 0, y = 0, step = 0, wait = 0]) => ({
      x,
      y,
      step,
      wait,
    }));
    game.enemies = fromSlots(many(6 * ENEMIES), ENEMIES, 3)
      .map(([x = 0, y = 0, step = 0, kind = 0, wait = 0, reload = 0]) => ({
        x,
        y,
        step,
        armed: kind === 2,
        wait,
        reload,
      }))
      // Of several in one cell, the one that came first has the shorter remaining wait.
      .sort((a, b) => a.wait - b.wait);
    const grids = [toCells(many(10)), toCells(many(10))] as const;
    for (const [cells, step] of [
      [grids[0], -1],
      [grids[1], 1],
    ] as const)
      for (const y of COLUMNS)
        for (const x of COLUMNS) if (cellAt(cells, x, y)) game.hostile.push({ x, y, step });
    return game;
  },
};
