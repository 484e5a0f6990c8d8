// Are English and Chinese words found, from every page?
import assert from "node:assert/strict";
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

for (const [lang, page, word] of [
  ["en", "index", "isError"],
  ["en", "questions", "handshake"],
  ["zh", "index", "订单号"],
  ["zh", "09-bridge", "上下文协议"],
  ["zh", "lab", "接入成本"],
  ["zh", "04-lifecycle", "isError"],
]) {
  it(`${word} is found from ${lang}/${page}`, () =>
    withPage(browser, {}, async (tab) => {
      await tab.goto(`${site.url}/${lang}/${page}.html`);
      await tab.locator("input[type=search]").fill(word);
      const first = tab.locator("[data-result] a").first();
      await first.waitFor();
      assert.ok((await first.getAttribute("href")).includes(`/${lang}/`), "only pages of this language");
      await tab.locator("input[type=search]").press("ArrowDown");
      await tab.keyboard.press("Enter");
      await tab.waitForURL(`**/${lang}/**`);
      const text = await tab.locator("main").textContent();
      const hit = text.includes(word) || [...word].every((character) => text.includes(character));
      assert.ok(hit, "the page should hold the word");
    }));
}

it("a word that stands nowhere is said to stand nowhere", () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${site.url}/en/index.html`);
    await page.locator("input[type=search]").fill("xyzzyplugh");
    await until(() => page.locator(".search-status").textContent(), (text) => text === "Nothing found.", "nothing should be found");
    await page.keyboard.press("Escape");
    assert.ok(await page.locator(".search-results").isHidden());
  }));

it("the slash leads to the field", () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${site.url}/en/03-wire.html`);
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement.type), "search");
  }));
