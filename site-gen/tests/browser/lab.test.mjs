// Does the lab do what it says, in both languages, both eras, and against both servers?
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { after, before, describe, it } from "node:test";
import { dist, languages, serveUrl, startBrowser, startStatic, until, withPage } from "./support.mjs";

let site;
let browser;
before(async () => {
  [site, browser] = await Promise.all([startStatic(), startBrowser()]);
});
after(async () => {
  await browser.close();
  site.stop();
});

const lab = (page) => page.locator("mcp-lab").first();
const state = (page, wanted) => until(() => lab(page).getAttribute("data-state"), (seen) => seen === wanted, `the lab should be ${wanted}`);
const messages = (page) =>
  lab(page).locator("[data-message]").evaluateAll((all) => all.map((one) => [one.dataset.direction, one.querySelector(".message-body code").textContent]));
const choose = async (page, name, value) => {
  await lab(page).locator(`input[name^="${name}-"][value="${value}"]`).check();
  await state(page, "idle");
};
const call = async (page) => {
  await lab(page).locator('button[data-action="run"]').click();
  await until(() => lab(page).getAttribute("data-state"), (seen) => seen === "done" || seen === "failed", "the call should end");
};
const SHIPPED = { en: "shipped", zh: "已发货" };

for (const lang of languages) {
  describe(`the lab in ${lang}`, () => {
    it("shows its first messages without a click", () =>
      withPage(browser, {}, async (page) => {
        await page.goto(`${site.url}/${lang}/index.html`);
        await state(page, "idle");
        assert.equal(await lab(page).getAttribute("data-source"), "browser");
        const methods = (await messages(page)).filter(([to]) => to === "to-server").map(([, text]) => JSON.parse(text).method);
        assert.deepEqual(methods, ["server/discover", "tools/list"]);
      }));

    for (const era of ["stateless", "session"]) {
      it(`answers about SO20260901 in the ${era} era`, () =>
        withPage(browser, {}, async (page) => {
          await page.goto(`${site.url}/${lang}/lab.html`);
          await state(page, "idle");
          await choose(page, "era", era);
          await call(page);
          assert.ok((await lab(page).locator(".lab-answer").textContent()).includes(SHIPPED[lang]));
          const crossed = (await messages(page)).map(([, text]) => JSON.parse(text));
          const first = crossed[0].method;
          assert.equal(first, era === "session" ? "initialize" : "server/discover");
          const result = crossed.at(-1).result;
          assert.equal(result.structuredContent.status, "shipped");
          assert.equal(result.resultType, era === "session" ? undefined : "complete");
        }));
    }

    it("shows both kinds of failure", () =>
      withPage(browser, {}, async (page) => {
        await page.goto(`${site.url}/${lang}/lab.html`);
        await state(page, "idle");
        const samples = lab(page).locator(".lab-samples button");
        await samples.nth(1).click();
        await until(() => lab(page).getAttribute("data-kind"), (kind) => kind === "tool_error", "an unknown order");
        assert.equal(JSON.parse((await messages(page)).at(-1)[1]).result.isError, true);
        await samples.nth(3).click();
        await until(() => lab(page).getAttribute("data-kind"), (kind) => kind === "protocol_error", "an unknown tool");
        assert.equal(JSON.parse((await messages(page)).at(-1)[1]).error.code, -32602);
        assert.match(await lab(page).locator(".lab-words").textContent(), /cancel_order/);
      }));

    it("sends arguments that the reader breaks by hand", () =>
      withPage(browser, {}, async (page) => {
        await page.goto(`${site.url}/${lang}/lab.html`);
        await state(page, "idle");
        await lab(page).locator(".lab-raw input").check();
        const box = lab(page).locator(".lab-form > textarea");
        await box.fill("[1]");
        await call(page);
        assert.equal(JSON.parse((await messages(page)).at(-1)[1]).error.code, -32602);
        await box.fill('{"order_id":7}');
        await call(page);
        assert.equal(JSON.parse((await messages(page)).at(-1)[1]).result.isError, true);
      }));
  });
}

it("the bridge's translation follows the format", () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${site.url}/en/lab.html`);
    await state(page, "idle");
    const shown = async () => JSON.parse(await lab(page).locator(".lab-bridge pre").textContent());
    const schema = JSON.parse((await messages(page)).at(-1)[1]).result.tools[0].inputSchema;
    assert.deepEqual((await shown())[0].function.parameters, schema);
    await lab(page).locator('.lab-bridge input[value="anthropic"]').check();
    assert.deepEqual((await shown())[0].input_schema, schema);
  }));

it("shows what was recorded where no server answers", () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${site.url}/en/lab.html`);
    await state(page, "idle");
    assert.equal(await lab(page).locator("[data-exchange]").count(), 0);
    await page.goto("about:blank");
    await page.addInitScript(() => addEventListener("DOMContentLoaded", () => document.head.insertAdjacentHTML("beforeend", '<meta name="course-live" content="yes">')));
    await page.goto(`${site.url}/en/lab.html`);
    await state(page, "idle");
    await lab(page).locator('input[value="live"]').check();
    await state(page, "failed");
    assert.ok((await lab(page).locator("[data-exchange] [data-message]").count()) > 0);
    await lab(page).locator('input[value="browser"]').check();
    await state(page, "idle");
    assert.equal(await lab(page).locator("[data-exchange]").count(), 0);
  }, ["404"]));

it("one key shows the raw line, and partners light up", () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${site.url}/en/03-wire.html`);
    const message = page.locator(".exchange [data-pair]").first();
    await message.locator("summary").focus();
    assert.equal(await page.locator(".exchange").first().locator(".message-partner").count(), 2);
    await page.keyboard.press("r");
    const raw = await message.locator(".message-body code").textContent();
    assert.equal(raw, JSON.stringify(JSON.parse(raw)));
    await page.keyboard.press("r");
    assert.ok((await message.locator(".message-body code").textContent()).includes("\n"));
  }));

it("a page from a static host offers no live server", () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${site.url}/en/lab.html`);
    await state(page, "idle");
    assert.equal(await lab(page).locator('input[value="live"]').count(), 0);
  }));

describe("the live server", { skip: !serveUrl && process.env.CI !== "true" ? "no serve" : false }, () => {
  for (const era of ["stateless", "session"]) {
    it(`is called over HTTP in the ${era} era`, () =>
      withPage(browser, {}, async (page) => {
        await page.goto(`${serveUrl}/zh/lab.html`);
        await state(page, "idle");
        await choose(page, "source", "live");
        await choose(page, "era", era);
        assert.equal(await lab(page).getAttribute("data-source"), "live");
        await call(page);
        assert.ok((await lab(page).locator(".lab-answer").textContent()).includes(SHIPPED.zh));
        assert.match(await lab(page).locator(".message-http").first().textContent(), /POST .*\/mcp\/shop/);
      }));
  }

  it("may stop and start again without a reload of the page", async () => {
    const port = await freePort();
    let running = await startServe(port);
    try {
      await withPage(browser, {}, async (page) => {
        await page.goto(`http://127.0.0.1:${port}/en/lab.html`);
        await state(page, "idle");
        await choose(page, "source", "live");
        await call(page);
        assert.match(await lab(page).locator(".lab-answer").textContent(), /shipped/);
        await stop(running);
        await call(page);
        assert.equal(await lab(page).getAttribute("data-state"), "failed");
        running = await startServe(port);
        await call(page);
        await until(() => lab(page).locator(".lab-answer").textContent(), (text) => /shipped/.test(text), "the lab should go on");
      }, ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET"]);
    } finally {
      await stop(running);
    }
  });
});

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function startServe(port) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.env.COURSE_SITE_GEN, ["serve", "--port", String(port)], { cwd: `${dist}/..`, stdio: ["ignore", "pipe", "ignore"] });
    child.on("exit", (code) => reject(new Error(`serve ended with ${code}`)));
    child.stdout.on("data", (data) => String(data).includes("serving ") && resolve(child));
  });
}

function stop(child) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.removeAllListeners("exit");
    const start = Date.now();
    child.on("exit", () => {
      assert.ok(Date.now() - start < 2_000, "serve should end within two seconds");
      resolve();
    });
    child.kill("SIGTERM");
  });
}
