/** The user's motion setting; "system" follows the operating system and is not stored. */
export type Motion = "system" | "none";

// Also read by public/theme.js, before this module loads.
const KEY = "rlkit.motion";

export const currentMotion = (): Motion =>
  document.documentElement.dataset.motion === "none" ? "none" : "system";

/**
 * Sets whether animations follow the system setting or are off, and stores the choice if the browser allows
 * it.
 */
export function setMotion(motion: Motion): void {
  if (motion === "none") document.documentElement.dataset.motion = motion;
  else delete document.documentElement.dataset.motion;
  try {
    if (motion === "none") localStorage.setItem(KEY, motion);
    else localStorage.removeItem(KEY);
  } catch {
    // Storage may be blocked; the choice is then lost on a reload.
  }
}
