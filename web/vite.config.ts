import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
  base: "./", // works under any subpath
  build: {
    outDir: "../src/sunglade/web",
    emptyOutDir: true,
    assetsInlineLimit: 0, // a strict content security policy allows no data: scripts or fonts
    target: "es2022",
    modulePreload: { polyfill: false },
    license: { fileName: "licenses.md" }, // the texts travel with what is bundled
  },
});
