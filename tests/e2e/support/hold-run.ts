import type { Page } from "playwright";

/** Holds the run of a page, unless it ends before: the button is gone then. */
export async function holdRun(page: Page): Promise<void> {
  await Promise.race([
    page.getByRole("button", { name: "Pause", exact: true }).click(),
    page.locator(".state-badge--finished").first().waitFor(),
  ]);
}
