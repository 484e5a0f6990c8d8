// should_use_mcp: one case after the other, judged by the reader and then by the rule, which is Rust in WebAssembly.
import { element, root } from "./dom.js";
import { words } from "./words.js";

const NAMES = ["several_hosts", "other_maintainer", "changes_without_release"];
let loaded;
const rule = () => (loaded ??= import(new URL("wasm/quiz_web.js", root)).then(async (module) => (await module.default(), module)));

class DecisionQuiz extends HTMLElement {
  async connectedCallback() {
    this.cases = [...this.querySelectorAll("article.scenario")].map((article) => ({
      title: article.querySelector(".scenario-title"),
      story: article.querySelector(".scenario-story"),
      reasons: article.querySelector(".scenario-reasons"),
      costs: article.querySelector(".scenario-costs"),
      id: article.dataset.scenario,
      criteria: [...article.dataset.criteria].map((bit) => bit === "1"),
    }));
    try {
      const { should_use_mcp: judge } = await rule();
      this.judge = (criteria) => JSON.parse(judge(...criteria));
    } catch {
      return; // The cases stay as they are, each with its verdict to unfold.
    }
    this.place = 0;
    this.right = 0;
    this.missed = new Map();
    this.stage = element("section", { className: "scenario", "aria-live": "off" });
    this.replaceChildren(this.stage, this.#ownCase());
    this.#ask();
  }

  #choices(name) {
    return element("fieldset", { className: "quiz-choices" }, element("legend", { className: "label" }, words.yourCriteria),
      ...words.criteria.map((label, index) => element("label", {}, element("input", { type: "checkbox", name, value: NAMES[index] }), element("span", {}, label))));
  }

  #ask() {
    const { title, story } = this.cases[this.place];
    const form = element("form", { onsubmit: (event) => (event.preventDefault(), this.#answer(form)) },
      this.#choices("criterion"),
      element("fieldset", { className: "quiz-choices" }, element("legend", { className: "label" }, words.yourVerdict),
        ...[["yes", words.mcp], ["no", words.local]].map(([value, label]) =>
          element("label", {}, element("input", { type: "radio", name: "verdict", value, required: true }), element("span", {}, label)))),
      element("div", { className: "quiz-row" }, element("button", { type: "submit", className: "primary" }, words.judge)));
    this.stage.dataset.scenario = this.cases[this.place].id;
    this.stage.replaceChildren(
      element("p", { className: "quiz-progress" }, words.questionOf(this.place + 1, this.cases.length)),
      title.cloneNode(true), story.cloneNode(true), form);
  }

  #answer(form) {
    const { criteria, reasons, costs } = this.cases[this.place];
    const chosen = new FormData(form);
    const ticked = NAMES.map((name) => chosen.getAll("criterion").includes(name));
    const verdict = this.judge(criteria);
    const right = (chosen.get("verdict") === "yes") === verdict.use_mcp;
    const misjudged = words.criteria.filter((_, index) => ticked[index] !== criteria[index]);
    this.right += right ? 1 : 0;
    for (const name of misjudged) this.missed.set(name, (this.missed.get(name) ?? 0) + 1);
    for (const control of form.elements) control.disabled = true;
    form.querySelector(".quiz-row").remove();
    const heading = element("p", { className: `scenario-verdict ${right ? "quiz-good" : "quiz-bad"}`, tabIndex: -1, data: { verdict: verdict.use_mcp ? "yes" : "no" } },
      `${right ? words.rightVerdict : words.wrongVerdict} ${verdict.use_mcp ? words.mcp : words.local}`);
    const last = this.place + 1 === this.cases.length;
    this.stage.append(heading,
      misjudged.length > 0 ? element("p", {}, words.misjudged(misjudged.join("; "))) : "",
      reasons.cloneNode(true), element("p", { className: "label" }, words.costs), costs.cloneNode(true),
      last ? element("p", { className: "scenario-verdict" }, words.summary(this.right, this.cases.length)) : "",
      element("div", { className: "quiz-row" }, element("button", { type: "button", className: "primary", onclick: () => this.#forward() }, last ? words.again : words.next)));
    // The verdict is where the reader is; the page does not jump.
    heading.focus({ preventScroll: true });
  }

  #forward() {
    const last = this.place + 1 === this.cases.length;
    this.place = last ? 0 : this.place + 1;
    if (last) {
      this.right = 0;
      this.missed.clear();
    }
    this.#ask();
    this.stage.querySelector("input").focus({ preventScroll: true });
  }

  #ownCase() {
    const result = element("div", { role: "status" });
    const link = element("a", { href: "#" }, words.ownLink);
    const form = element("form", {}, this.#choices("own"));
    const boxes = [...form.querySelectorAll("input")];
    const show = () => {
      const bits = boxes.map((box) => (box.checked ? "1" : "0")).join("");
      const verdict = this.judge(boxes.map((box) => box.checked));
      link.href = `#case=${bits}`;
      const reasons = verdict.reasons.map((reason) => words.criteria[NAMES.indexOf(reason)]);
      result.replaceChildren(
        element("p", { className: "scenario-verdict", data: { ownVerdict: verdict.use_mcp ? "yes" : "no" } }, verdict.use_mcp ? words.mcp : words.local),
        element("p", {}, reasons.length > 0 ? `${words.reasons}: ${reasons.join("; ")}` : words.noReasons));
    };
    const restore = () => {
      const match = /^#case=([01]{3})$/.exec(location.hash);
      if (match) boxes.forEach((box, index) => (box.checked = match[1][index] === "1"));
      show();
      if (match) requestAnimationFrame(() => section.scrollIntoView({ block: "center" }));
    };
    form.addEventListener("change", show);
    const section = element("section", { className: "own-case", "aria-label": words.ownCase },
      element("p", { className: "scenario-title" }, words.ownCase), form, result, element("p", {}, link));
    addEventListener("hashchange", restore);
    restore();
    return section;
  }
}
customElements.define("decision-quiz", DecisionQuiz);
