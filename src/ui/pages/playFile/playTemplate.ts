/**
 * The page of play files without an agent, whose data takes the place of {@link DATA_PLACE}. The build of the workbench
 * replaces this file by the page with its program (scripts/lib/playFile.mjs); elsewhere there is none.
 */
export const playTemplate: string | null = null;

/** What takes the place of {@link PLANCK_PLACE} in files of environments that need planck. */
export const playPlanck: string = "";
