// Do the filters of the bank work without a reload, and do they stay in the address?
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, it } from "node:test";
import { dist, startBrowser, startStatic, withPage } from "./support.mjs";

let site;
let browser;
before(async () => {
  [site, browser] = await Promise.all([startStatic(), startBrowser()]);
});
after(async () => {
  await browser.close();
  site.stop();
});
const bank = JSON.parse(readFileSync(`${dist}/questions.json`, "utf8"));
const shown = (page) => page.locator("details.question:not([hidden]) [data-question]").evaluateAll((all) => all.map((one) => one.dataset.question));

it("level, market and topic narrow the list, and the address keeps them", () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${site.url}/zh/questions.html`);
    assert.equal((await shown(page)).length, bank.length);
    let loads = 0;
    page.on("load", () => (loads += 1));
    await page.locator("select[name=use]").selectOption("interview");
    await page.locator("select[name=level]").selectOption("basic");
    const wanted = bank.filter((one) => one.use === "interview" && one.level === "basic").map((one) => one.id);
    assert.ok(wanted.length > 0);
    assert.deepEqual(await shown(page), wanted);
    assert.equal(await page.locator("[data-count]").textContent(), String(wanted.length));
    assert.equal(loads, 0);
    await page.goto(page.url());
    assert.deepEqual(await shown(page), wanted);
  }));

it("a market shows what is asked there and what is asked everywhere", () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${site.url}/en/questions.html?market=china`);
    assert.deepEqual(await shown(page), bank.filter((one) => one.market !== "overseas").map((one) => one.id));
  }));

it("the data has what others rely on", () => {
  for (const question of bank) {
    for (const key of ["id", "use", "form", "level", "market", "topics", "revisions", "chapter"]) assert.ok(question[key] !== undefined, `${question.id}: ${key}`);
    for (const lang of ["en", "zh"]) assert.ok(question[lang].question && question[lang].answer, `${question.id}: ${lang}`);
  }
});
