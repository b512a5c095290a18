import { describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { listEnvironments } from "../../../../src/rl/environments.ts";
import { sharedEnvironment } from "../../../../src/ui/ownEnvironment/environmentLink.ts";
import { STARTER } from "../../../../src/ui/ownEnvironment/starter.ts";
import { renderApp } from "../../../ui/inside/support/renderApp.tsx";
import { axeFaults } from "../../../ui/support/axeFaults.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const link = (name: string) => page.getByRole("link", { name, exact: true });
const code = () => document.querySelector(".cm-content")?.textContent ?? "";

/** Forgets what other tests were writing. */
function anew(): void {
  sessionStorage.removeItem("rlkit.environments");
}

/** Hears what is copied. */
function clipboard(): string[] {
  const copied: string[] = [];
  const write = vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => {
    copied.push(text);
  });
  onTestFinished(() => write.mockRestore());
  return copied;
}

describe("the page of one's own environments", () => {
  it("begins with CartPole, keeps what is written, and deletes it when asked twice", async () => {
    anew();
    const { fake, complaints } = renderApp("#/environments?new=1");
    await expect.poll(code).toContain("export default class CartPole");
    await page.getByLabelText("Name").fill("cart pole");
    await button("Save").click();
    await expect.element(page.getByRole("alert")).toHaveTextContent("allowed are 1 to 64 letters, digits");
    await page.getByLabelText("Name").fill("mine");
    await button("Save").click();
    await expect.element(link("user/mine")).toHaveAttribute("aria-current", "page");
    expect((await fake.coordinator.readEnvironment("mine")).source).toBe(STARTER);
    await button("Delete").click();
    await button("Delete permanently").click();
    await expect.poll(() => fake.coordinator.listEnvironments()).toEqual([]);
    await expect.element(page.getByRole("heading", { level: 1, name: "Environments" })).toHaveFocus();
    expect(complaints).toEqual([]);
  });

  it("keeps unsaved words of each environment while others are looked at", async () => {
    anew();
    renderApp("#/environments?name=a", (fake) => {
      void fake.coordinator.saveEnvironment("a", "// a\n");
      void fake.coordinator.saveEnvironment("b", "// b\n");
    });
    await expect.poll(code).toContain("// a");
    await userEvent.click(page.getByRole("textbox", { name: "Environment code" }));
    await userEvent.keyboard("more");
    await link("user/b").click();
    await expect.poll(code).toContain("// b");
    await page.getByRole("link", { name: "user/a" }).click();
    await expect.poll(code).toContain("more");
  });

  it("opens a manifest that trains in it, which the editor takes for valid", async () => {
    anew();
    const { fake } = renderApp("#/environments?new=1");
    await expect.poll(code).toContain("CartPole");
    await button("Train").click();
    await expect.poll(code).toContain("name: user/cartpole");
    await expect.element(page.getByText("No problems. Ready to train.")).toBeVisible();
    expect((await fake.coordinator.listEnvironments()).map(({ id }) => id)).toEqual(["user/cartpole"]);
  });

  it("shows a link's code and keeps it only when asked, beside one of the same name", async () => {
    anew();
    const copied = clipboard();
    const manifest = "algorithm:\n  name: PPO\nenvironment:\n  name: user/a\n";
    const shared = sharedEnvironment({ name: "a", source: "// somebody's\n", manifest });
    const { fake } = renderApp(`#/environments?shared=${shared}`, ({ coordinator }) => {
      void coordinator.saveEnvironment("a", "// mine\n");
    });
    await expect.poll(code).toContain("// somebody's");
    await expect.element(page.getByText("It has not been run.", { exact: false })).toBeVisible();
    expect((await fake.coordinator.listEnvironments()).map(({ name }) => name)).toEqual(["a"]);
    await button("Save and open the manifest").click();
    await expect.poll(code).toContain("name: user/a-2");
    expect((await fake.coordinator.readEnvironment("a")).source).toBe("// mine\n");
    expect((await fake.coordinator.readEnvironment("a-2")).source).toBe("// somebody's\n");
    await button("Copy link").click();
    await expect.poll(() => copied).toHaveLength(1);
    expect(copied[0]).toContain("#/environments?shared=");
  });

  it("plays a built-in environment by hand, with a key held for a joint", async () => {
    anew();
    const { complaints } = renderApp("#/environments?play=BipedalWalker-v3");
    const region = page.getByRole("region", { name: "Play", exact: true });
    const pressed = (name: string) => region.getByRole("button", { name, exact: true });
    await pressed("Open").click();
    await pressed("Pause").click();
    await region.getByText("Manual").click();
    await expect.element(region.getByText("0: Q or A", { exact: false })).toBeVisible();
    await pressed("Reopen").click();
    await pressed("Play").click();
    const hip = (): number =>
      Number(region.getByText("first hip angle", { exact: true }).element().nextElementSibling?.textContent);
    await userEvent.keyboard("{q>}");
    await expect.poll(hip).toBeGreaterThan(0.6);
    await userEvent.keyboard("{/q}{a>}");
    await expect.poll(hip).toBeLessThan(-0.3);
    await userEvent.keyboard("{/a}");
    expect(complaints).toEqual([]);
  });

  it("says why a link holds none", async () => {
    renderApp("#/environments?shared=nonsense");
    await expect
      .element(page.getByRole("alert"))
      .toHaveTextContent("The environment in this link cannot be read");
  });

  it.each(["light", "dark"])("has nothing that axe finds, %s", async (theme) => {
    anew();
    document.documentElement.dataset.theme = theme;
    onTestFinished(() => {
      delete document.documentElement.dataset.theme;
    });
    renderApp("#/environments?new=1");
    await expect.poll(code).toContain("CartPole");
    expect(await axeFaults({ include: ["main"] })).toEqual([]);
    window.location.hash = "#/environments?play=LunarLander-v3";
    await expect.element(page.getByText("right leg touches")).toBeVisible();
    expect(await axeFaults({ include: ["main"] })).toEqual([]);
    window.location.hash = "#/environments?kind=control";
    await expect.poll(() => document.querySelector(".picture[data-drawn=true]")).not.toBeNull();
    expect(await axeFaults({ include: ["main"] })).toEqual([]);
  });
});

describe("the gallery of environments", () => {
  const cards = (): string[] =>
    [...document.querySelectorAll(".environment-card__title")].map(({ textContent }) => textContent);

  it("has all built-in ones and the user's, found by kind and by words, in the address too", async () => {
    const { complaints } = renderApp("#/environments", ({ coordinator }) => {
      void coordinator.saveEnvironment("mine", "// mine\n");
    });
    await expect.element(link("user/mine")).toBeVisible();
    expect(cards().length).toBe(2 + listEnvironments().length);
    await button("Teams").click();
    await expect.poll(() => cards()[0]).toBe("simple_v3");
    expect(cards()).not.toContain("CartPole");
    await button("All").click();
    await page.getByLabelText("Find an environment").fill("mujoco 6 numbers");
    await expect
      .poll(cards)
      .toEqual(["New environment", "HalfCheetah", "Walker2d-v5", "HalfCheetah-v4", "Reach"]);
    expect(window.location.hash).toBe("#/environments?search=mujoco+6+numbers");
    await page.getByLabelText("Find an environment").fill("nothing of the kind");
    await button("Show all").click();
    await expect.poll(() => cards().length).toBeGreaterThan(50);
    expect(complaints).toEqual([]);
  });

  it("opens an environment by the keyboard, which says what its numbers are and where they train", async () => {
    renderApp("#/environments?search=acrobot");
    await expect.poll(() => cards()[1]).toBe("Acrobot");
    link("Acrobot").element().focus();
    await userEvent.keyboard("{Enter}");
    await expect.element(page.getByRole("heading", { level: 1, name: "Acrobot" })).toHaveFocus();
    await expect.element(page.getByText("cos(first angle)")).toBeVisible();
    await expect.element(link("DQN Acrobot")).toHaveAttribute("href", "#/new?template=dqn-acrobot");
    window.location.hash = "#/environments?play=simple_push_v3";
    await button("Open a manifest").click();
    await expect.poll(code).toContain("name: simple_push_v3");
    await expect.element(page.getByText("No problems. Ready to train.")).toBeVisible();
  });

  it("says that there is no such environment", async () => {
    renderApp("#/environments?play=nothing");
    await expect.element(page.getByRole("heading", { name: "Environment not found" })).toBeVisible();
  });
});
