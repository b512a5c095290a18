/** `npx rlkit ui`: the workbench out of the packed package, in a browser. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect } from "vitest";
import { siteHeaders } from "../../src/cli/app/siteHeaders.ts";
import { appTest } from "../e2e/support/app-test.ts";
import { screenshot } from "../e2e/support/screenshot.ts";
import { type PackedProject, packed } from "./support/packed-project.ts";

interface ServingCommand {
  readonly url: string;
  /** Presses Ctrl-C; the exit code. */
  stop(): Promise<number | null>;
}

async function rlkitUi({ command, directory }: PackedProject, port = 0): Promise<ServingCommand> {
  const args = [command, "ui", "--no-open", "--host", "127.0.0.1", "--port", String(port)];
  const child = spawn(process.execPath, args, { cwd: directory, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "close");
  const url = await new Promise<string>((resolve, reject) => {
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      const found = /The workbench is at (\S+) {2}\(Ctrl-C stops it\)\n/.exec(stdout)?.[1];
      if (found !== undefined) resolve(found);
    });
    exited.then(([code]) => reject(new Error(`rlkit ui ended with ${code}: ${stdout}`)), reject);
  });
  return {
    url,
    stop: async () => {
      child.kill("SIGINT");
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

const uiTest = appTest
  .extend(...packed)
  .extend("served", { scope: "file" }, async ({ packed: project }, { onCleanup }) => {
    const served = await rlkitUi(project);
    onCleanup(async () => expect(await served.stop()).toBe(0));
    return served;
  });

describe("rlkit ui of the packed package", () => {
  uiTest(
    "trains under the headers it sends, and neither page nor workers complain",
    async ({ page, served }) => {
      const response = await page.goto(served.url);
      const sent = Object.entries(siteHeaders).map(([name, value]) => [name.toLowerCase(), value]);
      expect(response?.headers()).toMatchObject(Object.fromEntries(sent));
      await page.getByRole("button", { name: "Start", exact: true }).first().click();
      await page
        .getByRole("status")
        .filter({ hasText: /Generation [1-9]/ })
        .first()
        .waitFor({ timeout: 0 });
      await page.getByRole("button", { name: "Stop and save", exact: true }).click();
      await page.getByText("stopped").first().waitFor({ timeout: 0 });
      await screenshot(page, "packed workbench");
    },
  );

  uiTest("gives workers a policy of their own", async ({ page, served }) => {
    const scripts: (string | undefined)[] = [];
    page.on("response", (response) => {
      if (response.url().includes(".worker-")) scripts.push(response.headers()["content-security-policy"]);
    });
    await page.goto(served.url);
    await expect.poll(() => scripts.length).toBeGreaterThan(0);
    expect(scripts).toEqual(scripts.map(() => siteHeaders["Content-Security-Policy"]));
  });

  uiTest("takes the next port when the one asked for is taken", async ({ packed: project, served }) => {
    const taken = Number(new URL(served.url).port);
    const second = await rlkitUi(project, taken);
    try {
      expect(Number(new URL(second.url).port)).toBeGreaterThan(taken);
    } finally {
      expect(await second.stop()).toBe(0);
    }
  });
});
