import { beforeEach, describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { loadText, useEditor } from "../../../../src/ui/pages/editor/editorStore.ts";
import { renderApp } from "../../../ui/inside/support/renderApp.tsx";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const section = (name: string) => page.getByRole("region", { name, exact: true });
const field = (of: string, name: string) => section(of).getByLabelText(name, { exact: true });
const text = () => page.getByRole("textbox", { name: "Manifest text" });

/** Replaces the whole text by hand. */
async function typeText(next: string): Promise<void> {
  await text().click();
  await userEvent.keyboard("{Control>}a{/Control}");
  // Pasting, because the editor closes brackets and indents what is typed.
  const data = new DataTransfer();
  data.setData("text/plain", next);
  document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
}

async function chooseFile(name: string, content: BlobPart): Promise<void> {
  await userEvent.upload(page.getByLabelText("Manifest file"), new File([content], name));
}

const MANIFEST = `# mine
algorithm:
  name: DQN
  lr: 1e-4 # by hand
environment:
  name: CartPole-v1
training:
  max_steps: 1_000
  evo_steps: 500
`;

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  loadText("", "draft", "yaml");
  useEditor.setState({ source: null });
});

describe("the editor", () => {
  it("shows a template as form and as text", async () => {
    const { complaints } = renderApp("#/new?template=dqn-cartpole");
    await expect.element(field("algorithm", "batch_size")).toHaveValue("64");
    await expect.element(text()).toHaveTextContent("batch_size: 64");
    await expect.element(page.getByText("No problems. Ready to train.")).toBeVisible();
    expect(complaints).toEqual([]);
  });

  it("writes what the form says into the text, and keeps comments", async () => {
    renderApp("#/new?from=empty");
    await expect.element(text()).toBeVisible();
    await typeText(MANIFEST);
    await expect.element(field("algorithm", "lr")).toHaveValue("1e-4");
    await field("algorithm", "lr").fill("3e-4");
    await field("training", "max_steps").fill("2_000");
    expect(useEditor.getState().text).toBe(MANIFEST.replace("1e-4", "3e-4").replace("1_000", "2_000"));
    await expect.element(text()).toHaveTextContent("lr: 3e-4 # by hand");
  });

  it("reads what the text says into the form", async () => {
    renderApp("#/new?template=dqn-cartpole");
    await expect.element(text()).toBeVisible();
    await typeText(MANIFEST.replace("DQN", "PPO"));
    await expect.element(field("algorithm", "gae_lambda")).toHaveAttribute("placeholder", "0.95");
    await expect.element(field("training", "max_steps")).toHaveValue("1_000");
  });

  it("has the fields of games only where a game is trained", async () => {
    renderApp("#/new?template=dqn-cartpole");
    await expect.element(field("training", "max_steps")).toBeVisible();
    expect(field("training", "opponents").query()).toBeNull();
    await field("environment", "name").fill("rlkit/TicTacToe");
    await expect.element(field("training", "opponents")).toBeVisible();
    await expect.element(field("training", "opponent_pool")).toHaveAttribute("placeholder", "12");
  });

  it("shows a problem at its field, at its line and in the list", async () => {
    renderApp("#/new?template=dqn-cartpole");
    await field("algorithm", "batch_size").fill("-3");
    await expect.element(field("algorithm", "batch_size")).toHaveAttribute("aria-invalid", "true");
    const problems = page.getByRole("list", { name: "Problems" });
    await expect.element(problems).toHaveTextContent("algorithm.batch_size");
    await problems.getByRole("button", { name: "Line 4" }).click();
    await expect
      .poll(() => document.querySelector(".cm-activeLine")?.textContent)
      .toContain("batch_size: -3");
    await expect.poll(() => document.querySelector(".cm-lintRange-error")?.textContent).toBe("-3");
  });

  it("does not start what has problems", async () => {
    const { fake } = renderApp("#/new?template=dqn-cartpole");
    await field("algorithm", "lr").fill("fast");
    await button("Start").click();
    await expect.element(page.getByRole("alert")).toHaveTextContent("The manifest has a problem");
    expect(fake.started).toEqual([]);
  });

  it("shows what the coordinator finds wrong with a manifest whose fields are all right, until the text changes", async () => {
    const message = "DQN cannot act in this environment";
    const { fake } = renderApp("#/new?template=dqn-cartpole", (prepared) => {
      prepared.issues = [
        {
          code: "rule",
          path: "environment.name",
          segments: ["environment", "name"],
          message,
          line: 9,
          column: 9,
        },
      ];
    });
    const problems = page.getByRole("list", { name: "Problems" });
    await expect.element(problems).toHaveTextContent(`Line 9environment.name ${message}`);
    await expect.element(field("environment", "name")).toHaveAttribute("aria-invalid", "true");
    await button("Start").click();
    await expect.element(page.getByRole("alert")).toHaveTextContent("The manifest has a problem");
    expect(fake.started).toEqual([]);
    fake.issues = [];
    await field("algorithm", "batch_size").fill("32");
    await expect.element(page.getByText("No problems. Ready to train.")).toBeVisible();
  });

  it("starts with a tracker, whose key it shows and keeps nowhere", async () => {
    const { fake } = renderApp("#/new?template=dqn-cartpole");
    const [service, key] = [page.getByLabelText("Tracker", { exact: true }), page.getByLabelText("Key")];
    await service.selectOptions("Weights & Biases");
    await key.fill("not for MLflow");
    await service.selectOptions("MLflow");
    await expect.element(key).toHaveValue("");
    await expect.element(key).toHaveAttribute("type", "password");
    await key.fill("s3cret-key");
    await button("Start").click();
    await expect.poll(() => fake.startedWith.length).toBe(1);
    const tracker = { service: "mlflow", address: "http://127.0.0.1:5000", key: "s3cret-key" };
    expect(fake.startedWith[0]).toMatchObject({ tracker });
    const kept = [
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      window.location.href,
      fake.started,
    ];
    expect(JSON.stringify(kept)).not.toContain("s3cret-key");
    expect(document.documentElement.outerHTML.includes("s3cret-key")).toBe(false);
  });

  it("starts with name and seed", async () => {
    const { fake } = renderApp("#/new?template=dqn-cartpole");
    await field("algorithm", "batch_size").fill("32");
    await page.getByLabelText("Name", { exact: true }).fill("Small batches");
    await page.getByLabelText("Seed", { exact: true }).fill("7");
    await button("Start").click();
    await expect.element(page.getByRole("heading", { level: 1, name: "Small batches" })).toBeVisible();
    expect(fake.started).toEqual([
      expect.objectContaining({ algorithm: expect.objectContaining({ batch_size: 32 }) }),
    ]);
  });

  it("waits with the form while the text cannot be read", async () => {
    renderApp("#/new?template=dqn-cartpole");
    await expect.element(text()).toBeVisible();
    await typeText("algorithm:\n  name: [DQN\n");
    await expect.element(page.getByText("Line 3 has a syntax error.", { exact: false })).toBeVisible();
    await expect.element(field("algorithm", "batch_size")).toBeDisabled();
    await expect.element(field("algorithm", "batch_size")).toHaveValue("64");
    await button("Discard changes").click();
    await expect.element(field("algorithm", "batch_size")).toBeEnabled();
  });

  it("keeps a list as it is typed", async () => {
    renderApp("#/new?template=dqn-cartpole");
    // The last of them is the encoder's own; mlp_config, a group within, has one too.
    const sizes = section("network")
      .getByRole("group", { name: "encoder_config" })
      .getByLabelText("hidden_size", { exact: true })
      .last();
    await sizes.fill("");
    await userEvent.type(sizes, "32,16");
    await expect.element(sizes).toHaveValue("32,16");
    expect(useEditor.getState().text).toContain("hidden_size: [32, 16]");
  });

  it("drops what another algorithm does not have", async () => {
    renderApp("#/new?template=dqn-cartpole");
    await field("algorithm", "name").selectOptions("PPO");
    await expect.element(field("algorithm", "clip_coef")).toBeVisible();
    expect(useEditor.getState().text).not.toContain("tau:");
    expect(useEditor.getState().text).not.toContain("double:");
  });

  it("adds and removes sections and ranges", async () => {
    renderApp("#/new?template=dqn-cartpole");
    await section("mutation").getByRole("button", { name: "Remove lr" }).click();
    expect(useEditor.getState().text).not.toContain("max: 0.01");
    await section("mutation")
      .getByLabelText("Hyperparameter to add to rl_hp_selection")
      .selectOptions("gamma");
    await section("mutation").getByRole("button", { name: "Add", exact: true }).click();
    expect(useEditor.getState().text).toContain("min: 0.9");
    await section("mutation")
      .getByLabelText("Hyperparameter to add to rl_hp_selection")
      .selectOptions("double");
    await section("mutation").getByRole("button", { name: "Add", exact: true }).click();
    await expect.element(section("mutation").getByText("one of false, true")).toBeVisible();
    expect(useEditor.getState().text).toMatch(/double:\s+choices:/);
    await section("mutation").getByRole("button", { name: "Remove", exact: true }).click();
    expect(useEditor.getState().text).not.toContain("mutation:");
  });

  it("switches between YAML and JSON, also in the address", async () => {
    renderApp("#/new?template=ppo-pendulum");
    await button("JSON").click();
    await expect.poll(() => window.location.hash).toBe("#/new?template=ppo-pendulum&format=json");
    expect(JSON.parse(useEditor.getState().text)).toMatchObject({ environment: { name: "Pendulum-v1" } });
    await field("algorithm", "batch_size").fill("64");
    expect(JSON.parse(useEditor.getState().text)).toMatchObject({ algorithm: { batch_size: 64 } });
    await button("YAML").click();
    await expect.poll(() => useEditor.getState().text).toContain("batch_size: 64\n");
  });

  it("imports YAML and JSON, and shows what is wrong in them", async () => {
    renderApp("#/new?template=dqn-cartpole");
    await expect.element(text()).toBeVisible();
    await chooseFile("mine.yaml", MANIFEST.replace("max_steps", "max_stepz"));
    await expect.element(page.getByRole("list", { name: "Problems" })).toHaveTextContent("max_steps");
    await chooseFile("mine.json", `{"algorithm": {"name": "PPO"}, "environment": {"name": "Pendulum-v1"}}`);
    await expect.element(field("environment", "name")).toHaveValue("Pendulum-v1");
    await expect.poll(() => window.location.hash).toBe("#/new?from=draft&format=json");
  });

  it.each([
    ["notes.txt", "just a few words", "notes.txt was not imported"],
    ["photo.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), "it is not a text file"],
  ] as const)("refuses %s and keeps what was there", async (name, content, message) => {
    renderApp("#/new?template=dqn-cartpole");
    await expect.element(text()).toBeVisible();
    await chooseFile(name, content);
    await expect.element(page.getByRole("alert")).toHaveTextContent(message);
    await expect.element(field("algorithm", "batch_size")).toHaveValue("64");
  });

  it("says so when a template does not exist", async () => {
    renderApp("#/new?template=nothing");
    await expect.element(page.getByRole("alert")).toHaveTextContent(`There is no template "nothing"`);
  });
});
