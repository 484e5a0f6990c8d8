// How does a message look that has just crossed? The same markup as site-gen/src/fragments/exchange.rs.
import { element } from "./dom.js";
import { words } from "./words.js";

/** Line breaks and blanks between the tokens of JSON; nothing else changes. */
export function pretty(raw) {
  try {
    JSON.parse(raw);
  } catch {
    return raw;
  }
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  return raw.replace(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|\s+/g, (token) => {
    if (token[0] === '"') return token;
    if (/^[{[]\s*[}\]]$/.test(token)) return token[0] + token.at(-1);
    if (token === "{" || token === "[") return (depth += 1, token + line());
    if (token === "}" || token === "]") return (depth -= 1, line() + token);
    if (token === ",") return token + line();
    if (token === ":") return ": ";
    return "";
  });
}

/** JSON without blanks between its tokens: the line as it crossed. */
export const compact = (text) => text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string) => string ?? "");

function coloured(text) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(?=(:)?)/g)) {
    parts.push(text.slice(at, match.index), element("span", { className: match[1] ? "json-key" : "json-string" }, match[0]));
    at = match.index + match[0].length;
  }
  return [...parts, text.slice(at)];
}

function describe(raw) {
  let message;
  try {
    message = JSON.parse(raw);
  } catch {
    return { title: raw === "" ? "—" : words.notJson, kind: "broken" };
  }
  const id = message?.id === undefined || message.id === null ? undefined : JSON.stringify(message.id);
  if (typeof message?.method === "string") {
    const name = typeof message.params?.name === "string" ? ` ${message.params.name}` : "";
    return { title: message.method + name, id, kind: id === undefined ? "notification" : "request" };
  }
  if (message?.result) {
    const failed = message.result.isError === true;
    return { title: failed ? words.failure(id) : words.result(id), id, kind: failed ? "error" : "result" };
  }
  if (message?.error) {
    const { code } = message.error;
    return { title: id === undefined ? words.errorAlone(code) : words.error(id, code), id, kind: "error" };
  }
  return { title: words.noMessage, kind: "broken" };
}

/** A card for `{direction, raw, http}`. */
export function card({ direction, raw, http }) {
  const { title, id, kind } = direction === "stderr" ? { title: raw.slice(0, 60), kind: "stderr" } : describe(raw);
  const arrow = { "to-server": "→", "to-client": "←" }[direction] ?? "·";
  const label = { "to-server": words.toServer, "to-client": words.toClient }[direction] ?? "stderr";
  const summary = element("summary", {},
    element("span", { className: "message-arrow", "aria-hidden": "true" }, arrow),
    element("span", { className: "visually-hidden" }, `${label}: `),
    element("span", { className: "message-title" }, title));
  if (id !== undefined) summary.append(element("span", { className: "message-id" }, `id ${id}`));
  const details = element("details", {}, summary);
  if (http?.length) details.append(element("pre", { className: "message-http" }, http.join("\n")));
  details.append(element("pre", { className: "message-body", tabIndex: 0, role: "group", "aria-label": words.messageText },
    element("code", {}, ...coloured(pretty(raw)))));
  const item = element("li", { className: kind === "error" ? "message message-fault" : "message", data: { message: "", direction, kind } }, details);
  if (id !== undefined) item.dataset.pair = id;
  return item;
}

/** Partners light up together; the raw line is one key away. */
export function enhance(list) {
  if (list.dataset.enhanced) return;
  list.dataset.enhanced = "yes";
  const light = (event, on) => {
    const message = event.target.closest?.("[data-pair]");
    for (const other of list.querySelectorAll(".message-partner")) other.classList.remove("message-partner");
    if (!message || !on) return;
    for (const other of list.querySelectorAll("[data-pair]")) {
      if (other.dataset.pair === message.dataset.pair) other.classList.add("message-partner");
    }
  };
  list.addEventListener("pointerover", (event) => light(event, true));
  list.addEventListener("pointerleave", (event) => light(event, false));
  list.addEventListener("focusin", (event) => light(event, true));
  list.addEventListener("focusout", (event) => light(event, false));
  list.addEventListener("toggle", (event) => event.target.open && tools(event.target), true);
  list.addEventListener("keydown", (event) => {
    if (event.key !== "r" || event.ctrlKey || event.metaKey || event.altKey) return;
    const details = event.target.closest("[data-message]")?.querySelector("details");
    if (!details) return;
    details.open = true;
    tools(details).querySelector("button").click();
  });
}

/** The row under an open message; made when it is first needed. */
function tools(details) {
  const there = details.querySelector(".message-tools");
  if (there) return there;
  const body = details.querySelector(".message-body");
  const code = body.querySelector("code");
  const button = element("button", { type: "button", className: "quiet", "aria-keyshortcuts": "r" }, words.raw);
  button.addEventListener("click", () => {
    const raw = "raw" in body.dataset;
    const text = compactOrSame(code.textContent);
    if (raw) {
      delete body.dataset.raw;
      code.replaceChildren(...coloured(pretty(text)));
    } else {
      body.dataset.raw = "";
      code.replaceChildren(text);
    }
    button.textContent = raw ? words.raw : words.pretty;
  });
  const row = element("div", { className: "message-tools" }, button, element("kbd", { "aria-hidden": "true" }, "r"));
  body.after(row);
  return row;
}

function compactOrSame(text) {
  try {
    JSON.parse(text);
    return compact(text);
  } catch {
    return text;
  }
}
