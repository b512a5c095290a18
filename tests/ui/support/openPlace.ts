import { expect } from "vitest";

/** Waits until the code of all parts is loaded, and the page has had as many elements for some moments. */
export async function settled(): Promise<void> {
  const counts: number[] = [];
  await expect
    .poll(() => {
      counts.push(document.querySelectorAll("*").length);
      const isSteady = counts.length > 3 && new Set(counts.slice(-3)).size === 1;
      return isSteady && document.querySelector("h1") !== null && document.querySelector(".loading") === null;
    })
    .toBe(true);
}

/** Opens a place of the rendered workbench, such as "#/data", and waits until all of it is shown. */
export async function openPlace(hash: string): Promise<void> {
  window.location.hash = hash;
  // The page hears of its new address in a later task.
  await new Promise((heard) => requestAnimationFrame(() => requestAnimationFrame(heard)));
  await settled();
}
