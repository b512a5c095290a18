/** The worker that grows forests, so that the page stays responsive. It answers one request. */
import type { Rows } from "./forest.ts";
import { importanceOf } from "./importance.ts";

self.addEventListener("message", ({ data }: MessageEvent<Rows>) => self.postMessage(importanceOf(data)));
