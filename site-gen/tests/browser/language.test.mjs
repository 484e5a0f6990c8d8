// Does the language switch keep the reader's place?
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

it("the switch leads to the same heading of the twin, and back", () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${site.url}/en/04-lifecycle.html`);
    const id = await page.locator("main h2[id]").nth(3).getAttribute("id");
    const scroll = () => page.evaluate((id) => document.getElementById(id).scrollIntoView(), id);
    // A lab that comes into view on the way loads and grows: go there, let it settle, go there again.
    await scroll();
    await page.waitForLoadState("networkidle");
    await scroll();
    await page.locator("a[data-language-switch]").click();
    await page.waitForURL(`**/zh/04-lifecycle.html#${id}`);
    assert.equal(await page.locator("html").getAttribute("lang"), "zh-CN");
    const top = await page.locator(`#${id}`).evaluate((heading) => heading.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 300, `the heading stands at ${top}`);
    await page.locator("a[data-language-switch]").click();
    await page.waitForURL(`**/en/04-lifecycle.html#${id}`);
  }));

it("both languages name both", () =>
  withPage(browser, {}, async (page) => {
    for (const lang of ["en", "zh"]) {
      await page.goto(`${site.url}/${lang}/09-bridge.html`);
      assert.deepEqual(await page.locator("link[rel=alternate]").evaluateAll((all) => all.map((one) => one.hreflang)), ["en", "zh-CN"]);
    }
  }));

for (const [locale, folder] of [["zh-CN", "zh"], ["en-GB", "en"], ["fr-FR", "en"]]) {
  it(`the root leads a reader of ${locale} to ${folder}`, () =>
    withPage(browser, { locale }, async (page) => {
      await page.goto(`${site.url}/index.html`);
      await page.waitForURL(`**/${folder}/index.html`);
    }));
}

it("the theme is chosen once and kept", () =>
  withPage(browser, { colorScheme: "light" }, async (page) => {
    await page.goto(`${site.url}/en/index.html`);
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.locator("[data-theme-switch]").click();
    const dark = await until(paper, (colour) => colour !== light, "the theme should change");
    await page.reload();
    assert.equal(await paper(), dark);
  }));
