import type { Locator, Page } from "playwright";

/** Drops a file or a folder of the disk onto an element, as a person does. */
export async function dropPath(page: Page, path: string, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box === null) throw new Error("what should be dropped onto is not on the page");
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", {
      ...{ type, ...at },
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
}
