/** VitePress's own theme in the system's font: a font of its own would be half of the first page. */
import type { Theme } from "vitepress";
import theme from "vitepress/theme-without-fonts";
import { LiveRun } from "./LiveRun.ts";
import "./site.css";

export default {
  extends: theme,
  enhanceApp: ({ app }) => void app.component("LiveRun", LiveRun),
} satisfies Theme;
