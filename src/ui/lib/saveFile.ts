import type { Download } from "../../workers/protocol.ts";

/** Hands a file to the browser's downloads. */
export function saveFile({ name, type, bytes }: Download): void {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own reference by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** Hands a text to the browser's downloads. */
export function saveText(name: string, type: string, text: string): void {
  saveFile({ name, type, bytes: new TextEncoder().encode(text) });
}
