/** Environments of one's own where the page of their sandboxes cannot be loaded: whoever asks for one is told so. */
import { describe, expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { openSandboxPorts } from "../../../../src/sandbox/browser/openSandboxPorts.ts";
import { lendSandboxes } from "../../../../src/ui/client/lendSandboxes.ts";
import { PageSandboxes } from "../../../../src/workers/computing.ts";
import { renderApp } from "../../../ui/inside/support/renderApp.tsx";

/** Has the site's pages lie at an address until the test ends. */
function siteAt(address: string): void {
  const base = document.createElement("base");
  base.href = address;
  document.head.append(base);
  onTestFinished(() => base.remove());
}

/** No server: browsers refuse to ask at this port. */
const NOBODY = "http://127.0.0.1:9/";
const SAID = /^the sandbox's page could not be loaded; .*http:\/\/127\.0\.0\.1:9\/sandbox\.html/;

const frames = () => document.querySelectorAll("iframe[title='Sandbox of environments']").length;

describe("a page of sandboxes that cannot be loaded", () => {
  it("is told to whoever opens one, and leaves no frame", async () => {
    siteAt(NOBODY);
    const both = await Promise.allSettled([openSandboxPorts(), openSandboxPorts()]);
    for (const one of both) expect(one).toMatchObject({ reason: { message: expect.stringMatching(SAID) } });
    expect(frames()).toBe(0);
  });

  it("is told to the threads behind the page", async () => {
    siteAt(NOBODY);
    const { port1, port2 } = new MessageChannel();
    onTestFinished(() => port1.close());
    lendSandboxes(port1);
    const sandboxes = new PageSandboxes();
    sandboxes.lend(port2);
    await expect(sandboxes.open()).rejects.toThrow(SAID);
  });

  it("is told by Validate and Play", async () => {
    renderApp("#/environments?new=1");
    const code = page.getByRole("textbox", { name: "Environment code" });
    await expect.element(code).toHaveTextContent("export default class CartPole");
    siteAt(NOBODY);
    for (const [panel, button] of [
      ["Validation", "Validate"],
      ["Play", "Open"],
    ] as const) {
      const region = page.getByRole("region", { name: panel, exact: true });
      await region.getByRole("button", { name: button, exact: true }).click();
      await expect.element(region).toHaveTextContent("the sandbox's page could not be loaded");
    }
  });

  it("is not one that the server has another page for, and is asked for again by the next", async () => {
    siteAt(new URL("/nowhere/", window.location.href).href);
    await expect(openSandboxPorts()).rejects.toThrow("/nowhere/sandbox.html");
    document.querySelector("base")?.remove();
    siteAt(new URL("/tests/browser/support/sandboxPage/", window.location.href).href);
    await expect(openSandboxPorts()).resolves.toMatchObject({ ports: { calls: expect.any(MessagePort) } });
  });
});
