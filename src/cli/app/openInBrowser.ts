import { spawn } from "node:child_process";

/** Opens the URL in a browser if there is a desktop. Failures are ignored because the URL is also printed. */
export function openInBrowser(url: string): void {
  const desktop = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const byPlatform: Partial<Record<NodeJS.Platform, readonly string[]>> = {
    darwin: ["open", url],
    win32: ["rundll32", "url.dll,FileProtocolHandler", url],
    ...(desktop ? { linux: ["xdg-open", url] } : {}),
  };
  const command = process.env.CI ? undefined : byPlatform[process.platform];
  if (command === undefined) return;
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.once("error", () => {});
  child.unref();
}
