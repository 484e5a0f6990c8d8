// Are ticked goals kept, and is nothing lost that cannot be read?
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, it } from "node:test";
import { startBrowser, startStatic, until, withPage } from "./support.mjs";

let site;
let browser;
before(async () => {
  [site, browser] = await Promise.all([startStatic(), startBrowser()]);
});
after(async () => {
  await browser.close();
  site.stop();
});
const PAGE = "/en/03-wire.html";
const box = (page) => page.locator("input[data-goal='03-wire/ids']");
const ready = (page) => page.locator(".keep-notice").first().waitFor();
const put = (page, record) =>
  page.evaluate((record) => new Promise((resolve, reject) => {
    const request = indexedDB.open("course", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("records");
    request.onerror = reject;
    request.onsuccess = () => {
      const transaction = request.result.transaction("records", "readwrite");
      transaction.objectStore("records").put(record, "progress");
      transaction.oncomplete = () => (request.result.close(), resolve());
    };
  }), record);

it("a tick outlives a reload, shows in the chapters, and reaches another tab", () =>
  withPage(browser, {}, async (page, context) => {
    await page.goto(site.url + PAGE);
    await ready(page);
    await box(page).check();
    const mark = page.locator(".side a[data-chapter='03-wire']");
    await until(() => mark.getAttribute("data-done"), (done) => /^1\/\d$/.test(done ?? ""), "the chapter should show the tick");
    await page.reload();
    await until(() => box(page).isChecked(), Boolean, "the tick should be kept");
    const other = await context.newPage();
    await other.goto(`${site.url}/zh/03-wire.html`);
    await until(() => box(other).isChecked(), Boolean, "the other language has the same goals");
    await box(page).uncheck();
    await until(() => box(other).isChecked(), (checked) => !checked, "the other tab should follow");
  }));

it("progress of an older version is upgraded", () =>
  withPage(browser, {}, async (page) => {
    await page.goto(site.url + PAGE);
    await ready(page);
    await put(page, { version: 0, goals: ["03-wire/ids"] });
    await page.reload();
    await until(() => box(page).isChecked(), Boolean, "the old tick should be there");
  }));

for (const [what, record] of [
  ["of a newer version", { version: 99, goals: {} }],
  ["that is broken", "{\"version\":1,\"goals\":{\"03-wire/i"],
  ["with a foreign key", { version: 1, goals: { "<b>": "x" } }],
]) {
  it(`progress ${what} is set aside and offered for download`, () =>
    withPage(browser, {}, async (page) => {
      await page.goto(site.url + PAGE);
      await ready(page);
      await put(page, record);
      await page.reload();
      const notice = page.locator(".keep-notice").nth(1);
      await notice.waitFor();
      const download = page.waitForEvent("download");
      await notice.locator("button").click();
      const kept = readFileSync(await (await download).path(), "utf8");
      assert.deepEqual(typeof record === "string" ? kept : JSON.parse(kept), record);
      await box(page).check();
      await page.reload();
      await until(() => box(page).isChecked(), Boolean, "new ticks are kept all the same");
    }));
}

it("what is exported can be imported elsewhere", async () => {
  let text;
  await withPage(browser, {}, async (page) => {
    await page.goto(site.url + PAGE);
    await ready(page);
    await box(page).check();
    const download = page.waitForEvent("download");
    await page.locator(".keep-notice button").first().click();
    text = readFileSync(await (await download).path(), "utf8");
  });
  await withPage(browser, {}, async (page) => {
    await page.goto(site.url + PAGE);
    await ready(page);
    const file = page.locator(".keep-notice input[type=file]");
    await file.setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from("no progress") });
    await until(() => page.locator(".keep-notice").first().textContent(), (words) => words.includes("no progress of the course"), "a wrong file is named");
    await file.setInputFiles({ name: "p.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await until(() => box(page).isChecked(), Boolean, "the import should tick");
  });
});
