/** Where the members of a generation sit: by rank, and then their descendants in the next one. */

/** A member that is seen. */
export interface Seated {
  readonly key: string;
  /** Fitness of its last evaluation; null before the first. */
  readonly fitness: number | null;
  /** Whether it is the champion, who is first among equals (default: false). */
  readonly champion?: boolean;
}

/** A member that comes next. */
export interface Descendant {
  readonly key: string;
  /** Keys of its ancestors, the nearest first. */
  readonly ancestors: readonly string[];
}

const valueOf = ({ fitness }: Pick<Seated, "fitness">): number =>
  fitness !== null && Number.isFinite(fitness) ? fitness : Number.NEGATIVE_INFINITY;

/** The seat of each member by fitness, 0 for the best. Of equal ones the champion is first; the others keep their order. */
export function rankSeats(members: readonly Pick<Seated, "fitness" | "champion">[]): readonly number[] {
  const order = members.map((_, at) => at);
  // Infinities of the same sign have no difference.
  order.sort((a, b) => {
    const [one, other] = [a, b].map((at) => valueOf(members[at] ?? { fitness: null })) as [number, number];
    if (one !== other) return other > one ? 1 : -1;
    return Number(members[b]?.champion ?? false) - Number(members[a]?.champion ?? false) || a - b;
  });
  const seats = new Array<number>(members.length).fill(0);
  for (const [seat, at] of order.entries()) seats[at] = seat;
  return seats;
}

/** The position in `before` that a member comes from: itself or its nearest ancestor; -1 for none. */
export function originOf({ key, ancestors }: Descendant, before: readonly Pick<Seated, "key">[]): number {
  for (const one of [key, ...ancestors]) {
    const at = before.findIndex((other) => other.key === one);
    if (at >= 0) return at;
  }
  return -1;
}

/**
 * The seat of each member of the next generation. Who stays takes the seat of its rank, else the first copy of a member
 * does. All others take the seats that are free, those from better ranks first.
 */
export function nextSeats(before: readonly Seated[], next: readonly Descendant[]): readonly number[] {
  const ranks = rankSeats(before);
  const origins = next.map((member) => originOf(member, before));
  const seats = new Array<number>(next.length).fill(-1);
  const taken = new Set<number>();
  const claim = (at: number): void => {
    const seat = ranks[origins[at] ?? -1];
    if (seat === undefined || seat >= next.length || taken.has(seat)) return;
    seats[at] = seat;
    taken.add(seat);
  };
  for (const [at, { key }] of next.entries()) if (before[origins[at] ?? -1]?.key === key) claim(at);
  for (const at of next.keys()) if (seats[at] === -1) claim(at);
  const free = next.map((_, seat) => seat).filter((seat) => !taken.has(seat));
  const rankOf = (at: number): number => ranks[origins[at] ?? -1] ?? next.length;
  const rest = [...next.keys()]
    .filter((at) => seats[at] === -1)
    .sort((a, b) => rankOf(a) - rankOf(b) || a - b);
  for (const at of rest) seats[at] = free.shift() ?? at;
  return seats;
}

/** Members in the order of their seats. */
export function seated<T>(members: readonly T[], seats: readonly number[]): readonly T[] {
  const order = new Array<T>(members.length);
  for (const [at, member] of members.entries()) order[seats[at] ?? at] = member;
  return order;
}
