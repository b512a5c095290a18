const COLOURS = 8;
const DASHES = [undefined, "6 3", "2 3", "8 3 2 3"] as const;

/** The colour of a population slot, the same in every chart and table. */
export const slotColour = (slot: number): string => `var(--slot-${slot % COLOURS})`;

/** The dash pattern that tells slots of the same colour apart. */
export const slotDash = (slot: number): string | undefined =>
  DASHES[Math.floor(slot / COLOURS) % DASHES.length];
