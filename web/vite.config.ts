import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { catalogues } from "./catalogues.ts";

export default defineConfig({
  plugins: [catalogues(), svelte()],
  base: "./", // works under any subpath
  server: { fs: { allow: [".."] } }, // the words lie beside the package
  build: {
    outDir: "../src/sunglade/web",
    emptyOutDir: true,
    assetsInlineLimit: 0, // a strict content security policy allows no data: scripts or fonts
    target: "es2022",
    modulePreload: { polyfill: false },
    license: { fileName: "licenses.md" }, // the texts travel with what is bundled
  },
});
