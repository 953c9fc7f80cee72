import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";

const WORKER = "service-worker.js";
/** The editor of notes is larger than all the rest; the names of emoji are as large as a third of it. */
const LATER = ["/note_editor-", "/emoji_en-", "/emoji_sv-"];

/**
 * Tells the service worker which files make up the app (`__FILES__`), which large ones it keeps only when they
 * are used (`__LATER__`), and their version, which changes when one of them does. Files of `public/` have no hash in their names, but rarely change.
 */
function listFilesForServiceWorker(): Plugin {
  return {
    name: "list-files-for-service-worker",
    generateBundle(_options, bundle) {
      const worker = bundle[WORKER];
      if (worker?.type !== "chunk") throw new Error("The service worker was not built.");
      const files = Object.keys(bundle).filter((name) => name.startsWith("assets/")).sort();
      const version = createHash("sha256").update(files.join("\n")).digest("hex").slice(0, 12);
      const paths = files.map((name) => `/app/${name}`);
      const isLater = (path: string) => LATER.some((name) => path.includes(name));
      worker.code = worker.code
        .replaceAll("__FILES__", JSON.stringify(paths.filter((path) => !isLater(path))))
        .replaceAll("__LATER__", JSON.stringify(paths.filter(isLater)))
        .replaceAll("__VERSION__", JSON.stringify(version));
    },
  };
}

/** The names of emoji are written from this package beforehand, so that Vite does not see it. */
function shipLicenseOfEmoji(): Plugin {
  return {
    name: "ship-license-of-emoji",
    generateBundle() {
      const source = readFileSync("node_modules/emojibase-data/LICENSE", "utf8");
      this.emitFile({ type: "asset", fileName: "license-emojibase-data.txt", source });
    },
  };
}

export default defineConfig({
  base: "/app/",
  plugins: [listFilesForServiceWorker(), shipLicenseOfEmoji()],
  build: {
    outDir: "dist/app",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Their licences ask that the notices come along with what is built from these libraries.
    license: { fileName: "licenses.txt" },
    rollupOptions: {
      input: {
        app: resolve(import.meta.dirname, "index.html"),
        "service-worker": resolve(import.meta.dirname, "src/worker/service_worker.ts"),
      },
      output: {
        entryFileNames: (chunk) => (chunk.name === "service-worker" ? WORKER : "assets/[name]-[hash].js"),
      },
    },
  },
  // `npm run dev` beside `make demo`.
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8000",
      "/media": "http://127.0.0.1:8000",
      "/ws": { target: "ws://127.0.0.1:8000", ws: true },
    },
  },
});
