// What is left without JavaScript? Everything that is to be read.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, it } from "node:test";
import { dist, languages, startBrowser, startStatic, withPage } from "./support.mjs";

let site;
let browser;
before(async () => {
  [site, browser] = await Promise.all([startStatic(), startBrowser()]);
});
after(async () => {
  await browser.close();
  site.stop();
});
const off = { javaScriptEnabled: false };

for (const lang of languages) {
  it(`the lab's place holds the recorded exchange (${lang})`, () =>
    withPage(browser, off, async (page) => {
      await page.goto(`${site.url}/${lang}/lab.html`);
      const exchange = page.locator("mcp-lab [data-exchange]");
      assert.ok(await exchange.isVisible());
      await exchange.locator("summary").last().click();
      assert.match(await exchange.locator("code").last().textContent(), /"shipped"/);
    }));

  it(`questions unfold and the quiz shows its verdicts (${lang})`, () =>
    withPage(browser, off, async (page) => {
      await page.goto(`${site.url}/${lang}/12-judgment.html`);
      const question = page.locator("details.question").first();
      await question.locator("summary").first().click();
      await question.locator(".answer > summary").click();
      assert.ok(await question.locator(".answer p").first().isVisible());
      assert.ok((await page.locator("decision-quiz article .scenario-verdict").count()) >= 8);
    }));
}

it("the menu of the phone opens", () =>
  withPage(browser, { ...off, viewport: { width: 390, height: 800 } }, async (page) => {
    await page.goto(`${site.url}/en/03-wire.html`);
    await page.locator(".menu summary").click();
    await page.locator(".sheet a", { hasText: "bridge" }).click();
    await page.waitForURL("**/en/09-bridge.html");
  }));

it("what a page shows of an exchange is what crossed", () =>
  withPage(browser, off, async (page) => {
    const bare = (text) => text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string) => string ?? "");
    const names = new Set(readdirSync(`${dist}/exchanges`).map((file) => file.replace(".json", "")));
    for (const file of readdirSync(`${dist}/en`).filter((name) => name.endsWith(".html"))) {
      await page.goto(`${site.url}/en/${file}`);
      for (const exchange of await page.locator("[data-exchange]").all()) {
        const name = await exchange.getAttribute("data-exchange");
        names.delete(name);
        const recorded = JSON.parse(readFileSync(`${dist}/exchanges/${name}.json`, "utf8"));
        assert.equal(await exchange.getAttribute("data-era"), recorded.era);
        const shown = await exchange.locator("[data-message]").evaluateAll((all) => all.map((one) => ({ direction: one.dataset.direction, text: one.querySelector("code").textContent })));
        assert.deepEqual(shown.map(({ direction, text }) => [direction, bare(text)]), recorded.messages.map(({ direction, raw }) => [direction, bare(raw)]), name);
      }
    }
    assert.deepEqual([...names], [], "every recorded exchange is shown");
  }));
