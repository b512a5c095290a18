/** The person's choice of motion; "system" follows the operating system and is not stored. */
export type Motion = "system" | "none";

// Read by public/theme.js too, before this module loads.
const KEY = "rlkit.motion";

export const currentMotion = (): Motion =>
  document.documentElement.dataset.motion === "none" ? "none" : "system";

/** Lets things move as the system says, or not at all, and remembers it where the browser allows. */
export function setMotion(motion: Motion): void {
  if (motion === "none") document.documentElement.dataset.motion = motion;
  else delete document.documentElement.dataset.motion;
  try {
    if (motion === "none") localStorage.setItem(KEY, motion);
    else localStorage.removeItem(KEY);
  } catch {
    // Storage may be blocked; the choice then lasts as long as the page.
  }
}
