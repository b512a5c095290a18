import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  worker: { format: "es" },
  build: { outDir: "../../../../test-results/harness", target: "es2023", emptyOutDir: true },
});
