/** Finds the Chromium that drives the browser and end-to-end tests, and installs it where that is one command. */
import { existsSync } from "node:fs";
import path from "node:path";
import { installOnDebian } from "./debian.mjs";
import { disabledFeatures } from "./disabledFeatures.mjs";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const fixedPlaces = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * Flags for a quiet, headless Chromium; with `webgpu`, also SwiftShader's software adapter, which needs no GPU. Without
 * `gpu` the processor draws pages, which costs less than a GPU in software.
 *
 * @param {{ webgpu?: boolean, gpu?: boolean }} [options]
 */
export function chromiumFlags({ webgpu = false, gpu = true } = {}) {
  return [
    "--no-sandbox", // Chromium's sandbox refuses to start as root, which is usual in containers.
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    `--disable-features=${disabledFeatures.join(",")}`,
    ...(webgpu
      ? ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"]
      : []),
    ...(gpu ? [] : ["--disable-gpu"]),
  ];
}

/**
 * The browser's executable: RLKIT_CHROMIUM if set, else the system's, else the one Playwright downloaded.
 *
 * @returns {Promise<string | undefined>}
 */
export async function findChromium() {
  const chosen = process.env.RLKIT_CHROMIUM;
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new Error(
      `RLKIT_CHROMIUM is "${chosen}", which is no file; set it to a Chromium or Chrome executable.`,
    );
  }
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(path.delimiter).filter(Boolean)];
  const places = [
    ...folders.flatMap((folder) => names.map((name) => path.join(folder, name))),
    ...fixedPlaces,
  ];
  const found = places.find((place) => existsSync(place));
  if (found) return found;
  const { chromium } = await import("playwright");
  const downloaded = chromium.executablePath();
  return existsSync(downloaded) ? downloaded : undefined;
}

/** What a person can do when no browser is found. */
export const browserAdvice =
  "No Chromium or Chrome was found. Install one (Debian: apt-get install chromium; elsewhere for instance\n" +
  "npx playwright install chromium), or set RLKIT_CHROMIUM to the path of an executable.";

/**
 * Finds a browser; on Debian, as root or with a sudo that asks nothing, installs the package when there is none.
 *
 * @returns {Promise<string | undefined>}
 */
export async function findOrInstallChromium() {
  const found = await findChromium();
  if (found) return found;
  installOnDebian("chromium", "No browser found");
  return findChromium();
}

const vulkanLoaders = ["x86_64-linux-gnu", "aarch64-linux-gnu", ""].map((folder) =>
  path.join("/usr/lib", folder, "libvulkan.so.1"),
);

/** On Debian, installs the Vulkan loader that WebGPU in Node needs, when there is none. */
export function installVulkanLoader() {
  if (!vulkanLoaders.some((place) => existsSync(place)))
    installOnDebian("libvulkan1", "No Vulkan loader found");
}
