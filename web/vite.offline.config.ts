/** The service worker: one plain script beside the page. `sunglade.site` tells it which files there are. */

import { defineConfig } from "vite";
import { catalogues } from "./catalogues";

export default defineConfig({
  plugins: [catalogues()],
  base: "./",
  publicDir: false,
  build: {
    outDir: "../src/sunglade/web",
    emptyOutDir: false,
    target: "es2022",
    modulePreload: false,
    rolldownOptions: {
      input: "src/offline/service_worker.ts",
      output: { format: "iife", entryFileNames: "service_worker.js" },
    },
  },
});
