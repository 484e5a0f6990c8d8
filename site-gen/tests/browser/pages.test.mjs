// Is every page sound: no error, no foreign request, no overflow on a phone, nothing that axe finds?
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, it } from "node:test";
import { axeSource, dist, languages, startBrowser, startStatic, withPage } from "./support.mjs";

let site;
let browser;
before(async () => {
  [site, browser] = await Promise.all([startStatic(), startBrowser()]);
});
after(async () => {
  await browser.close();
  site.stop();
});
const axe = readFileSync(axeSource, "utf8");
const settled = async (page) => {
  await page.waitForLoadState("networkidle");
  const lab = page.locator("mcp-lab").first();
  if ((await lab.count()) > 0) {
    await lab.scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector("mcp-lab").dataset.state === "idle");
  }
};

for (const lang of languages) {
  for (const file of readdirSync(`${dist}/${lang}`).filter((name) => name.endsWith(".html"))) {
    it(`${lang}/${file} fits a window of 320 px and reports no error`, () =>
      withPage(browser, { viewport: { width: 320, height: 640 } }, async (page) => {
        await page.goto(`${site.url}/${lang}/${file}`);
        await settled(page);
        await page.locator("details").evaluateAll((all) => all.filter((one) => !one.closest(".bar")).forEach((one) => (one.open = true)));
        const { width, culprits } = await page.evaluate(() => ({
          width: document.documentElement.scrollWidth,
          culprits: [...document.querySelectorAll("main *")].filter((one) => one.getBoundingClientRect().right > 321 && !one.closest("pre, .table-wrapper")).slice(0, 3).map((one) => one.outerHTML.slice(0, 120)),
        }));
        assert.ok(width <= 320, `${width} px: ${culprits.join("\n")}`);
      }));
  }
}

for (const file of ["index", "09-bridge", "lab", "12-judgment", "questions", "03-wire"]) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 320]) {
      it(`axe finds nothing on ${file}, ${colorScheme}, ${width} px`, () =>
        withPage(browser, { colorScheme, bypassCSP: true, reducedMotion: "reduce", viewport: { width, height: 900 } }, async (page) => {
          await page.goto(`${site.url}/${width === 320 ? "zh" : "en"}/${file}.html`);
          await settled(page);
          await page.locator("main details").evaluateAll((all) => all.slice(0, 12).forEach((one) => (one.open = true)));
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
          assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`), []);
        }));
    }
  }
}

it("the focus is seen", () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${site.url}/en/03-wire.html`);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    await page.keyboard.press("Tab");
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none");
  }));
