// Bundle src/ into bundle/graph-<hash>.js, where <hash> is the hash of all inputs of the
// bundle; tests/ui/test_bundle.py computes the same hash. Run: npm ci && npm run build

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";

import { build } from "esbuild";

const sources = ["package.json", "package-lock.json", "build.mjs", ...readdirSync("src").sort().map((name) => `src/${name}`)];
const digest = createHash("sha256");
for (const name of sources) digest.update(`${name}\n`).update(readFileSync(name, "utf8").replaceAll("\r\n", "\n"));
const hash = digest.digest("hex").slice(0, 12);

const [target = "bundle"] = process.argv.slice(2);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const result = await build({
  metafile: true,
  entryPoints: ["src/index.js"],
  outfile: `${target}/graph-${hash}.js`,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  loader: { ".css": "text" },
  legalComments: "eof",
  logLevel: "warning",
});

const { inputs } = result.metafile;
const shipped = [...new Set(Object.keys(inputs).flatMap((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? []))].sort();
const licenses = shipped.map((name) => {
  const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  const [file] = readdirSync(`node_modules/${name}`).filter((file) => /^licen[cs]e/i.test(file));
  return `${name} ${version} (${license})\n\n${readFileSync(`node_modules/${name}/${file}`, "utf8").trim()}\n`;
});
writeFileSync(`${target}/LICENSES.txt`, licenses.join(`\n${"-".repeat(80)}\n\n`));
