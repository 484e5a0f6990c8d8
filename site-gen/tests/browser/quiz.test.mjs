// Does the decision quiz judge as the rule does, and can it be answered without a mouse?
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, it } from "node:test";
import { dist, startBrowser, startStatic, until, withPage } from "./support.mjs";

let site;
let browser;
before(async () => {
  [site, browser] = await Promise.all([startStatic(), startBrowser()]);
});
after(async () => {
  await browser.close();
  site.stop();
});
const scenarios = JSON.parse(readFileSync(`${dist}/scenarios.json`, "utf8"));
const open = async (page, hash = "") => {
  await page.goto(`${site.url}/en/12-judgment.html${hash}`);
  await page.locator("decision-quiz form").first().waitFor();
};

it("every case gets the verdict of the data, in order", () =>
  withPage(browser, {}, async (page) => {
    await open(page);
    for (const [place, { id, verdict }] of scenarios.entries()) {
      const stage = page.locator("decision-quiz > .scenario");
      assert.equal(await stage.getAttribute("data-scenario"), id);
      await stage.locator(`input[name=verdict][value=${verdict ? "yes" : "no"}]`).check();
      await stage.locator("button.primary").click();
      assert.equal(await stage.locator("[data-verdict]").getAttribute("data-verdict"), verdict ? "yes" : "no");
      assert.ok(await stage.locator(".quiz-good").isVisible());
      if (place === scenarios.length - 1) assert.match(await stage.textContent(), new RegExp(`${scenarios.length} of ${scenarios.length}`));
      await stage.locator("button.primary").click();
    }
  }));

it("a case is judged with the keyboard alone, the verdict gets the focus and the page stays where it is", () =>
  withPage(browser, {}, async (page) => {
    await open(page);
    await page.locator("decision-quiz input[name=criterion]").first().focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    const before = await page.evaluate(() => scrollY);
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.verdict !== undefined), true);
    assert.ok(Math.abs((await page.evaluate(() => scrollY)) - before) < 2);
  }));

it("a link carries one's own case", () =>
  withPage(browser, {}, async (page) => {
    await open(page);
    const own = page.locator(".own-case");
    assert.equal(await own.locator("[data-own-verdict]").getAttribute("data-own-verdict"), "no");
    await own.locator("input").nth(1).check();
    assert.equal(await own.locator("[data-own-verdict]").getAttribute("data-own-verdict"), "yes");
    const href = await own.locator("a").getAttribute("href");
    assert.equal(href, "#case=010");
    await page.goto("about:blank");
    await open(page, href);
    await until(() => own.locator("input:checked").count(), (count) => count === 1, "the case should be restored");
    assert.ok(await own.locator("input").nth(1).isChecked());
  }));
