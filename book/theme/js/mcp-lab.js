// The lab: a real client and a real server, both in the page, or the client here and the server behind HTTP.
//
// <mcp-lab name="shop" data-state="idle|running|done|failed" data-source="browser|live">. What it holds at first is the
// recorded exchange; that stays where the lab cannot start, and comes back where no server answers.
import { element, root } from "./dom.js";
import { card, enhance } from "./exchange-view.js";
import { buildForm } from "./lab-form.js";
import { lang, words } from "./words.js";

const FORMATS = [["openai", "OpenAI Chat"], ["responses", "OpenAI Responses"], ["anthropic", "Anthropic"]];
const GOOD = { order_id: "SO20260901" };
const SAMPLES = [
  [words.sampleGood, "query_order", GOOD],
  [words.sampleUnknown, "query_order", { order_id: "SO20260910" }],
  [words.sampleMalformed, "query_order", { order_id: "20260901" }],
  [words.sampleNoTool, "cancel_order", GOOD],
];
let loaded;
const wasm = () => (loaded ??= import(new URL("wasm/lab_web.js", root)).then(async (module) => (await module.default(), module)));

let count = 0;

class McpLab extends HTMLElement {
  #lab = null;
  #tools = [];
  #read = () => "{}";

  connectedCallback() {
    this.number = ++count;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      this.#start();
    }, { rootMargin: "200px" });
    observer.observe(this);
  }

  async #start() {
    this.dataset.state = "running";
    try {
      this.module = await wasm();
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#build();
    await this.#connect();
  }

  #fail(error) {
    this.dataset.state = "failed";
    const why = this.querySelector(".lab-reason") ?? element("p", { className: "lab-reason" });
    why.textContent = words.cannotStart(`${error?.message ?? error}`.replace(/([^.。])$/, "$1."));
    why.setAttribute("role", "alert");
    this.prepend(why);
  }

  #build() {
    this.recorded = this.querySelector(".lab-fallback");
    const radio = (name, value, label, checked, onchange = () => this.#connect()) =>
      element("label", {}, element("input", { type: "radio", name: `${name}-${this.number}`, value, checked, onchange }), label);
    const group = (title, ...choices) => element("fieldset", { className: "lab-group" }, element("legend", {}, title), ...choices);
    // Only a page that comes from `serve` has a live server beside it.
    const live = document.querySelector('meta[name="course-live"]') !== null;
    const sources = live
      ? [radio("source", "browser", words.inPage, true), radio("source", "live", words.live, false)]
      : [element("span", {}, words.inPage)];
    this.picker = element("select", { onchange: () => this.#show(this.picker.value, GOOD) });
    this.fields = element("div");
    this.rawBox = element("textarea", { rows: 4, spellcheck: false, hidden: true, "aria-label": words.argumentsJson });
    this.rawSwitch = element("input", { type: "checkbox", onchange: () => this.#toggleRaw() });
    this.run = element("button", { type: "submit", className: "primary", data: { action: "run" } }, words.run);
    this.status = element("p", { className: "lab-status" }, words.loading);
    this.words = element("pre", { className: "lab-words" });
    this.answer = element("p", { className: "lab-answer" });
    this.log = element("ol", { className: "messages" });
    this.translation = element("code");
    const form = element("form", { className: "lab-form", noValidate: true, onsubmit: (event) => (event.preventDefault(), this.#call()) },
      element("label", {}, element("span", {}, words.tool), this.picker),
      this.fields,
      this.rawBox,
      element("label", { className: "lab-raw" }, this.rawSwitch, ` ${words.rawArguments}`),
      element("div", { className: "lab-samples", role: "group", "aria-label": words.samples }, element("span", { "aria-hidden": "true" }, words.samples),
        ...SAMPLES.map(([label, tool, values]) => element("button", { type: "button", onclick: () => (this.#show(tool, values), this.#call()) }, label))),
      element("div", { className: "quiz-row" }, this.run, element("button", { type: "button", onclick: () => this.log.replaceChildren() }, words.clear)));
    const result = element("div", { "aria-live": "polite" },
      this.status,
      element("p", { className: "label" }, words.modelReads), this.words,
      element("p", { className: "label" }, words.modelSays), this.answer);
    result.classList.add("lab-result");
    const wire = element("div", { className: "exchange lab-log" },
      element("p", { className: "label" }, words.messages),
      element("div", { className: "lanes", "aria-hidden": "true" }, element("span", { className: "lane-client" }, words.client), element("span", { className: "lane-server" }, words.server)),
      this.log);
    // On the start page the wire has the room; elsewhere the translation stands beside it.
    const bridge = element("details", { className: "lab-bridge", open: document.documentElement.dataset.stem !== "index" }, element("summary", {}, words.bridge),
      group(words.format, ...FORMATS.map(([value, title], place) => radio("format", value, title, place === 0, () => this.#translate()))),
      element("pre", { tabIndex: 0, role: "group", "aria-label": words.bridge }, this.translation));
    enhance(this.log);
    this.replaceChildren(
      element("div", { className: "lab-top" }, group(words.source, ...sources),
        group(words.era, radio("era", "stateless", words.stateless, true), radio("era", "session", words.session, false))),
      element("div", { className: "lab-columns" }, element("div", {}, form, result), element("div", {}, wire, bridge)));
  }

  #chosen(name) {
    return this.querySelector(`input[name="${name}-${this.number}"]:checked`)?.value;
  }

  /** A new connection, and the list of tools: the first messages that a reader sees. */
  async #connect() {
    const source = this.#chosen("source") ?? "browser";
    const era = this.#chosen("era");
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const old = this.#lab;
    this.#lab = null;
    this.dataset.source = source;
    this.dataset.state = "running";
    this.status.textContent = words.connecting;
    this.words.textContent = "";
    this.answer.textContent = "";
    this.log.replaceChildren();
    this.recorded?.remove();
    const endpoint = source === "live" ? new URL(`/mcp/${this.getAttribute("name")}`, location.origin).href : "browser";
    try {
      await old?.close();
      const lab = new this.module.Lab(endpoint, era, (message) => turn === this.turn && this.#message(message));
      const found = await lab.connect();
      const tools = await lab.listTools();
      if (turn !== this.turn) return;
      this.#lab = lab;
      this.#tools = tools;
      const picked = this.picker.value;
      this.picker.replaceChildren(...tools.map((tool) => element("option", { value: tool.name }, tool.title ? `${tool.name} (${tool.title})` : tool.name)));
      this.#show(tools.some((tool) => tool.name === picked) ? picked : tools[0]?.name, GOOD);
      this.#translate();
      this.status.textContent = words.connected(found.server.name ?? "?", found.revision);
      // One message open: what goes over the wire is seen without a click.
      this.log.querySelector("details").open = true;
      this.dataset.state = "idle";
    } catch (error) {
      if (turn !== this.turn) return;
      this.dataset.state = "failed";
      this.status.textContent = `${error?.message ?? error}`;
      if (!this.recorded) return;
      this.recorded.querySelector(".lab-reason").textContent = words.recordedInstead;
      this.append(this.recorded);
    }
  }

  #message(message) {
    this.log.append(card(message));
  }

  #show(name, values) {
    let tool = this.#tools.find((tool) => tool.name === name);
    if (!tool) {
      // A name that the list does not have can be asked for all the same; the server says what it thinks of it.
      tool = { name, inputSchema: this.#tools[0]?.inputSchema };
      if (![...this.picker.options].some((option) => option.value === name)) this.picker.append(element("option", { value: name }, name));
    }
    this.picker.value = name;
    this.#read = buildForm(this.fields, tool, values);
    this.rawBox.value = this.#read();
  }

  #toggleRaw() {
    const raw = this.rawSwitch.checked;
    if (raw) this.rawBox.value = this.#read();
    this.rawBox.hidden = !raw;
    this.fields.hidden = raw;
  }

  #translate() {
    this.translation.textContent = this.module.translate(JSON.stringify(this.#tools), this.#chosen("format"));
  }

  async #call() {
    if (!this.#lab) await this.#connect();
    if (!this.#lab) return;
    let text;
    try {
      text = this.rawSwitch.checked ? this.rawBox.value : this.#read();
      JSON.parse(text);
    } catch {
      this.status.textContent = words.badJson;
      return;
    }
    this.dataset.state = "running";
    this.status.textContent = words.calling;
    this.words.textContent = "";
    this.answer.textContent = "";
    try {
      const outcome = await this.#lab.call(this.picker.value, text, lang);
      this.status.textContent = {
        result: words.kindResult,
        tool_error: words.kindToolError,
        protocol_error: words.kindProtocolError,
        connection_error: words.kindConnectionError,
      }[outcome.kind];
      this.words.textContent = outcome.words;
      this.answer.textContent = outcome.answer;
      this.dataset.kind = outcome.kind;
      this.dataset.state = outcome.kind === "connection_error" ? "failed" : "done";
      // The server is gone; the next call begins anew, without a reload.
      if (outcome.kind === "connection_error") this.#lab = null;
    } catch (error) {
      this.status.textContent = `${error?.message ?? error}`;
      this.dataset.state = "failed";
      this.#lab = null;
    }
  }
}
customElements.define("mcp-lab", McpLab);
