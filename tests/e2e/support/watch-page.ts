import type { ConsoleMessage, Page } from "playwright";

/**
 * Collects what a page and its workers complain of from now on: errors on the console and errors nobody caught.
 *
 * @returns a list that grows
 */
export function watchPage(page: Page): string[] {
  const complaints: string[] = [];
  const hear = (message: ConsoleMessage) => {
    if (message.type() !== "error") return;
    const { url, lineNumber } = message.location();
    complaints.push(`console: ${message.text()} (${url}:${lineNumber})`);
  };
  page.on("console", hear);
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.stack ?? error.message}`));
  page.on("crash", () => complaints.push("the page crashed"));
  return complaints;
}
