/** The workers that keep tables on this device. They are no part of the client: `make site` puts them beside it. */

import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  publicDir: false,
  build: {
    outDir: "../build/device",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    manifest: "manifest.json",
    rolldownOptions: {
      input: ["src/device/table_worker.ts", "src/device/bots_worker.ts"],
      output: { entryFileNames: "[name]-[hash].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
