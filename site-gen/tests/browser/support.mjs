// What do all browser tests share? A static server, a browser, and a page that accepts no error and no foreign request.
import assert from "node:assert/strict";
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";

const modules = createRequire(join(process.env.COURSE_NODE_MODULES, "x.js"));
const { chromium } = modules("playwright-core");
export const axeSource = modules.resolve("axe-core/axe.min.js");

export const dist = process.env.COURSE_DIST;
export const serveUrl = process.env.COURSE_SERVE;
export const languages = ["en", "zh"];

const TYPES = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".wasm": "application/wasm",
};

/** `dist/` below a path of its own, as on a project page: links must be relative. */
export async function startStatic() {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    let file = path.startsWith("/sub/") ? join(dist, normalize(path.slice(4))) : null;
    try {
      if (file && statSync(file).isDirectory()) file = join(file, "index.html");
      if (!file || !file.startsWith(dist) || !statSync(file).isFile()) throw new Error("none");
    } catch {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/sub`, stop: () => (server.closeAllConnections(), server.close()) };
}

export function startBrowser() {
  return chromium.launch({
    executablePath: process.env.COURSE_CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** Runs `work` with a page; afterwards nothing may have gone wrong in it. `expected` names console errors that belong to the test. */
export async function withPage(browser, options, work, expected = []) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  watch(page, wrong, expected);
  try {
    await work(page, context);
  } finally {
    await context.close();
  }
  assert.deepEqual(wrong, []);
}

export function watch(page, wrong, expected = []) {
  const known = (text) => expected.some((part) => text.includes(part));
  page.on("console", (message) => message.type() === "error" && !known(message.text()) && wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`page: ${error.message}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["127.0.0.1", "localhost"].includes(url.hostname) && !["data:", "blob:"].includes(url.protocol)) wrong.push(`foreign: ${url}`);
  });
}

/** Waits until `read` gives what `want` accepts. */
export async function until(read, want, what) {
  const end = Date.now() + 10_000;
  let seen;
  while (Date.now() < end) {
    seen = await read();
    if (want(seen)) return seen;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`${what}: ${JSON.stringify(seen)}`);
}
