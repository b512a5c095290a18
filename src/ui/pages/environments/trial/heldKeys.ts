/** Acting by hand with the keyboard: a key for each choice, or two keys for each number of an action. */
import { elementSize, type Space } from "../../../../rl/spaces.ts";
import type { Directions } from "./directions.ts";

/** Keys that raise the numbers of an action, and keys below them that lower them. */
const RAISE = ["q", "w", "e", "r", "t", "y", "u", "i"];
const LOWER = ["a", "s", "d", "f", "g", "h", "j", "k"];
/** Choices that have a digit. */
const DIGITS = 10;
/** What a key gives where the space has no bound. */
const UNBOUNDED = 1;

/** Maximum number of choices or numbers that can be entered by hand. */
const MOST = 24;

/** Whether the user can act by hand: one agent, and not too many numbers. */
export const canActByHand = (space: Space): boolean =>
  space.kind === "Discrete" ? space.n <= MOST : space.kind !== "Agents" && elementSize(space) <= MOST;

/** A held key and the number it gives at an index of the action. */
interface Binding {
  readonly key: string;
  readonly index: number;
  readonly value: number;
}

const NOWHERE: Directions = new Map();

/**
 * The keys of a space; none for spaces with other elements, or more numbers than keys.
 * @param directions Of choices that arrow keys lead to (default: none).
 */
export function bindingsOf(space: Space, directions = NOWHERE): readonly Binding[] {
  if (space.kind === "Discrete") {
    const digits = Array.from({ length: Math.min(space.n, DIGITS) }, (_, i) => ({
      key: String(i),
      index: 0,
      value: space.start + i,
    }));
    const arrows = Array.from(directions, ([way, value]) => ({ key: `arrow${way}`, index: 0, value }));
    return [...digits, ...arrows];
  }
  if (space.kind !== "Box" || elementSize(space) > RAISE.length) return [];
  const bound = (value: number | undefined, other: number): number =>
    value !== undefined && Number.isFinite(value) ? value : other;
  return Array.from({ length: elementSize(space) }, (_, index) => [
    { key: RAISE[index] ?? "", index, value: bound(space.high[index], UNBOUNDED) },
    { key: LOWER[index] ?? "", index, value: bound(space.low[index], -UNBOUNDED) },
  ]).flat();
}

/** The action with the numbers of held keys in their places; two opposite keys leave a number as it is. */
export function heldAction(
  space: Space,
  action: readonly number[],
  held: ReadonlySet<string>,
  directions = NOWHERE,
): readonly number[] {
  const pressed = bindingsOf(space, directions).filter(({ key }) => held.has(key));
  return action.map((value, index) => {
    const own = pressed.filter((binding) => binding.index === index);
    return space.kind !== "Discrete" && own.length > 1 ? value : (own.at(-1)?.value ?? value);
  });
}

const isTypedIn = (event: KeyboardEvent): boolean =>
  event.target instanceof Element && event.target.closest("input, textarea, select, .cm-editor") !== null;

/** Keeps the keys of a space that are held down, until the returned function is called. @param hold gets them */
export function holdKeys(
  space: Space,
  hold: (held: ReadonlySet<string>) => void,
  directions = NOWHERE,
): () => void {
  let held: ReadonlySet<string> = new Set();
  const keep = (next: ReadonlySet<string>): void => {
    held = next;
    hold(next);
  };
  const known = new Set(bindingsOf(space, directions).map(({ key }) => key));
  const hear = (event: KeyboardEvent): void => {
    const key = event.key.toLowerCase();
    const { ctrlKey, metaKey, altKey } = event;
    if (!known.has(key) || isTypedIn(event) || ctrlKey || metaKey || altKey) return;
    // Before the page's shortcuts hear it.
    event.preventDefault();
    const others = [...held].filter((other) => other !== key);
    keep(new Set(event.type === "keydown" ? [...others, key] : others));
  };
  const forget = (): void => keep(new Set());
  const options = { capture: true };
  window.addEventListener("keydown", hear, options);
  window.addEventListener("keyup", hear, options);
  window.addEventListener("blur", forget);
  return () => {
    forget();
    window.removeEventListener("keydown", hear, options);
    window.removeEventListener("keyup", hear, options);
    window.removeEventListener("blur", forget);
  };
}

/** What the keys do, in words; "" without keys. */
export function keysText(space: Space, directions = NOWHERE): string {
  const bindings = bindingsOf(space);
  if (bindings.length === 0) return "";
  if (space.kind === "Discrete") {
    const arrows = directions.size > 0 ? ", or an arrow key," : ",";
    return `While playing, hold a number key, 0 to ${bindings.length - 1}${arrows} to act.`;
  }
  const pairs = RAISE.slice(0, elementSize(space)).map(
    (key, i) => `${i}: ${key.toUpperCase()} or ${(LOWER[i] ?? "").toUpperCase()}`,
  );
  return `While playing, hold a key for the largest or the smallest number. ${pairs.join(", ")}.`;
}
