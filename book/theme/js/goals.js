// How do ticked goals stay ticked?
import { element } from "./dom.js";
import { store } from "./store.js";
import { words } from "./words.js";

const boxes = [...document.querySelectorAll("input[data-goal]")];

const show = async () => {
  const goals = await store.goals();
  for (const box of boxes) box.checked = box.dataset.goal in goals;
};

for (const box of boxes) box.addEventListener("change", () => store.setGoal(box.dataset.goal, box.checked));
store.addEventListener("change", show);
await store.ready();
await show();

const file = (text, name) => {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
const notice = element("p", { className: "keep-notice", role: "status" }, store.kept ? words.kept : words.memoryOnly);
notice.append(" ", element("button", { type: "button", className: "quiet", onclick: async () => file(await store.exported(), "mcp-progress.json") }, words.exportAll));
const chooser = element("input", { type: "file", accept: "application/json", hidden: true });
const said = element("span");
chooser.addEventListener("change", async () => {
  const [chosen] = chooser.files;
  if (chosen) said.textContent = (await store.imported(await chosen.text())) ? "" : ` ${words.importFailed}`;
  chooser.value = "";
});
notice.append(" ", element("button", { type: "button", className: "quiet", onclick: () => chooser.click() }, words.importAll), chooser, said);
document.querySelector(".goals")?.append(notice);
if (store.aside !== null) {
  const text = store.aside;
  document.querySelector(".goals")?.append(
    element("p", { className: "keep-notice", role: "status" }, `${words.setAside} `,
      element("button", { type: "button", className: "quiet", onclick: () => file(text, "mcp-progress-set-aside.json") }, words.download)),
  );
}
