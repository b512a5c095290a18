import { useEffect, useRef } from "react";
import { readStored, writeStored } from "./stored.ts";

/**
 * Keyboard shortcuts for the whole page, inactive while the user types. Each key has one active function at a
 * time.
 */
type Act = () => void;

const KEY = "rlkit.shortcuts";
/** Milliseconds within which the second key of a pair such as "g r" must follow. */
const PAIR = 1000;

const acts = new Map<string, Act[]>();
let first: { readonly key: string; readonly at: number } | null = null;

/**
 * Whether single-key shortcuts are on. The user can switch them off, because they interfere with speech
 * input.
 */
export const shortcutsOn = (): boolean => readStored(KEY) !== "off";

export const setShortcutsOn = (on: boolean): void => writeStored(KEY, on ? null : "off");

/**
 * Binds a function to a key or a pair such as "g r"; the latest binding wins.
 * @returns a function that removes the binding
 */
function bindShortcut(keys: string, act: Act): () => void {
  const bound = acts.get(keys) ?? [];
  acts.set(keys, [...bound, act]);
  return () => {
    const left = (acts.get(keys) ?? []).filter((other) => other !== act);
    if (left.length > 0) acts.set(keys, left);
    else acts.delete(keys);
  };
}

const TYPED_IN =
  "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox]";
/** Elements that the space bar activates. */
const PRESSED = "button, a, summary, [role=button], [role=menuitem], [role=tab], [role=slider]";

function isMeantFor(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return false;
  const { target } = event;
  if (!(target instanceof Element)) return true;
  if (target.closest(TYPED_IN) !== null) return false;
  if (event.key === " " && target.closest(`${PRESSED}, input`) !== null) return false;
  return document.querySelector("[role=dialog], [role=alertdialog], dialog[open], [role=menu]") === null;
}

function take(keys: string, event: KeyboardEvent): boolean {
  const act = acts.get(keys)?.at(-1);
  if (act === undefined) return false;
  event.preventDefault();
  act();
  return true;
}

function hear(event: KeyboardEvent): void {
  if (!isMeantFor(event) || !shortcutsOn()) return;
  const key = event.key === " " ? "Space" : event.key;
  const pair = first !== null && event.timeStamp - first.at < PAIR ? `${first.key} ${key}` : null;
  first = null;
  if (pair !== null && take(pair, event)) return;
  if (take(key, event)) return;
  if ([...acts.keys()].some((keys) => keys.startsWith(`${key} `))) first = { key, at: event.timeStamp };
}

/**
 * Starts listening for shortcuts.
 * @returns a function that stops listening
 */
export function listenForShortcuts(): () => void {
  window.addEventListener("keydown", hear);
  return () => window.removeEventListener("keydown", hear);
}

/** Binds a function to a key or a pair such as "g r" while the component is mounted; null binds nothing. */
export function useShortcut(keys: string, act: (() => void) | null): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  const bound = act !== null;
  useEffect(() => (bound ? bindShortcut(keys, () => latest.current?.()) : undefined), [keys, bound]);
}
