import {
  COLUMNS,
  type Outcome,
  type PublishedGame,
  type PublishedRules,
  pick,
  reader,
} from "./publishedGame.ts";

interface Entity {
  x: number;
  readonly gold: boolean;
  readonly step: number;
}

class Game implements PublishedGame {
  player = { x: 5, y: 5 };
  spawnEvery = 10;
  untilSpawn = 10;
  moveEvery = 5;
  untilMove = 5;
  untilRamp = 100;
  ramps = 0;
  /** Entities by row, from row 1. */
  entities: (Entity | null)[] = Array<null>(8).fill(null);
  #reward = 0;
  #over = false;

  press(key: string, [side = 0, treasure = 0, place = 0]: readonly number[]): Outcome {
    this.#reward = 0;
    this.#over = false;
    if (this.untilSpawn === 0) {
      this.untilSpawn = this.spawnEvery;
      const free = this.entities.flatMap((entity, i) => (entity ? [] : [i]));
      const slot = free[pick(place, free.length)];
      const left = side < 0.5;
      if (slot !== undefined)
        this.entities[slot] = { x: left ? 0 : 9, gold: treasure < 1 / 3, step: left ? 1 : -1 };
    }
    const { player } = this;
    if (key === "left") player.x = Math.max(0, player.x - 1);
    if (key === "right") player.x = Math.min(9, player.x + 1);
    if (key === "up") player.y = Math.max(1, player.y - 1);
    if (key === "down") player.y = Math.min(8, player.y + 1);

    COLUMNS.slice(0, 8).forEach((slot) => this.#touch(slot));
    if (this.untilMove === 0) {
      this.untilMove = this.moveEvery;
      for (const slot of COLUMNS.slice(0, 8)) {
        const entity = this.entities[slot];
        if (!entity) continue;
        entity.x += entity.step;
        if (entity.x < 0 || entity.x > 9) this.entities[slot] = null;
        this.#touch(slot);
      }
    }
    this.untilSpawn--;
    this.untilMove--;
    this.#ramp();
    return { reward: this.#reward, terminated: this.#over };
  }

  #touch(slot: number): void {
    const entity = this.entities[slot];
    if (!entity || entity.x !== this.player.x || slot + 1 !== this.player.y) return;
    if (entity.gold) {
      this.entities[slot] = null;
      this.#reward++;
    } else this.#over = true;
  }

  #ramp(): void {
    if (this.spawnEvery === 1 && this.moveEvery === 1) return;
    if (this.untilRamp >= 0) {
      this.untilRamp--;
      return;
    }
    if (this.moveEvery > 1 && this.ramps % 2 === 1) this.moveEvery--;
    if (this.spawnEvery > 1) this.spawnEvery--;
    this.ramps++;
    this.untilRamp = 100;
  }

  state(): number[] {
    const { player, entities } = this;
    return [
      player.x,
      player.y,
      this.spawnEvery,
      this.untilSpawn,
      this.moveEvery,
      this.untilMove,
      this.untilRamp,
      this.ramps,
      ...entities.map((entity) => entity?.x ?? 0),
      ...entities.map((entity) => (entity ? (entity.gold ? 2 : 1) : 0)),
      ...entities.map((entity) => entity?.step ?? 0),
    ];
  }

  occupied(channel: string, x: number, y: number): boolean {
    if (channel === "player") return x === this.player.x && y === this.player.y;
    const entity = this.entities[y - 1];
    if (!entity) return false;
    if (channel === "trail") return x === entity.x - entity.step;
    return x === entity.x && entity.gold === (channel === "gold");
  }
}

export const publishedAsterix: PublishedRules = {
  channels: ["player", "enemy", "trail", "gold"],
  keys: ["none", "left", "up", "right", "down"],
  begin: () => new Game(),
  restore: (state) => {
    const { one, many } = reader(state);
    const game = new Game();
    game.player = { x: one(), y: one() };
    game.spawnEvery = one();
    game.untilSpawn = one();
    game.moveEvery = one();
    game.untilMove = one();
    game.untilRamp = one();
    game.ramps = one();
    const [x, kind, step] = [many(8), many(8), many(8)];
    game.entities = kind.map((code, i) =>
      code === 0 ? null : { x: x[i] as number, gold: code === 2, step: step[i] as number },
    );
    return game;
  },
};
