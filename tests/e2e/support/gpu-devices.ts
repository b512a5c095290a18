import type { Page, Worker } from "playwright";

/** Put before the coordinator's script: keeps the WebGPU devices that it asks for. */
const KEEP_DEVICES = `
globalThis.keptDevices = [];
const { requestDevice } = GPUAdapter.prototype;
GPUAdapter.prototype.requestDevice = async function (...options) {
  const device = await requestDevice.apply(this, options);
  globalThis.keptDevices.push(device);
  return device;
};
`;

/** The WebGPU devices of the page's coordinator, also after a reload. Call before the page is opened. */
export async function holdGpuDevices(page: Page) {
  const workers: Worker[] = [];
  page.on("worker", (worker) => {
    if (worker.url().includes("/coordinator.worker")) workers.push(worker);
  });
  await page.route("**/coordinator.worker*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: KEEP_DEVICES + (await response.text()) });
  });
  const newest = (): Worker => {
    const worker = workers.at(-1);
    if (!worker) throw new Error("The page has started no coordinator.");
    return worker;
  };
  return {
    /** Devices that the page's coordinator was given since it started. */
    count: () => newest().evaluate<number>("keptDevices.length"),
    /** Loses the last of them, as a crash of the driver does. */
    destroyLast: () => newest().evaluate<void>("keptDevices.at(-1).destroy()"),
  };
}
