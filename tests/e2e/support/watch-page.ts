import type { ConsoleMessage, Page } from "playwright";

/**
 * Collects what a page and its workers complain of from now on: errors on the console and errors nobody caught.
 *
 * @param heard told each complaint as it comes
 * @returns a list that grows
 */
export function watchPage(page: Page, heard: (complaint: string) => void = () => undefined): string[] {
  const complaints: string[] = [];
  const add = (complaint: string): void => {
    complaints.push(complaint);
    heard(complaint);
  };
  const hear = (message: ConsoleMessage) => {
    if (message.type() !== "error") return;
    const { url, lineNumber } = message.location();
    add(`console: ${message.text()} (${url}:${lineNumber})`);
  };
  page.on("console", hear);
  page.on("pageerror", (error) => add(`uncaught: ${error.stack ?? error.message}`));
  page.on("crash", () => add("the page crashed"));
  return complaints;
}
